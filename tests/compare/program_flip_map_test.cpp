// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --flip-map`: the map is the one from which the comparison has its FLIP.
#include "compare_program.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class CompareFlipMap : public CompareProgramTest {
 protected:
  // The map of a.png and b.png.
  Image map_with(const Words& more, int exit = 1) const {
    Words words = {"a.png", "b.png", "--flip-map", "map.exr"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, exit) << outcome.out << outcome.err;
    return read_image(folder_ / "map.exr");
  }
  static float value_at(const Image& map, int x, int y) {
    float value = 0;
    std::memcpy(
        &value,
        map.row(0, y) + static_cast<std::size_t>(x - map.spec().data_window.x) * sizeof value,
        sizeof value);
    return value;
  }
  static float sum_of(const Image& map) {
    const Rect& r = map.spec().data_window;
    float sum = 0;
    for (int y = r.y; y < r.bottom(); ++y)
      for (int x = r.x; x < r.right(); ++x) sum += value_at(map, x, y);
    return sum;
  }
  static Image black(int channels = 3) {
    return flat(spec_of({0, 0, 40, 30}, PixelType::u8, channels), 0);
  }
};

TEST_F(CompareFlipMap, HasNothingOfIgnoredPixels) {
  save("a.png", black());
  save("b.png", with_value(with_value(black(), 3, 4, 0, 1), 30, 20, 1, 1));
  EXPECT_GT(value_at(map_with({}), 3, 4), 0.0f);
  const Image map = map_with({"--ignore", "0,0,12,12"});
  EXPECT_EQ(value_at(map, 3, 4), 0.0f);
  EXPECT_GT(value_at(map, 30, 20), 0.0f);
  const nlohmann::json mean =
      report({"a.png", "b.png", "--ignore", "0,0,12,12"})["metrics"]["flip"]["mean"];
  EXPECT_NEAR(sum_of(map) / (40 * 30 - 12 * 12), mean.get<double>(), 1e-6);
  EXPECT_EQ(sum_of(map_with({"--ignore", "0,0,12,12", "--ignore", "24,14,12,12"}, 0)), 0.0f);
}

TEST_F(CompareFlipMap, IsOfTheChannelsAndWindowsThatAreCompared) {
  save("a.png", flat(black(4).spec(), 1));
  save("b.png", with_value(flat(black().spec(), 1), 3, 4, 0, 0));
  EXPECT_GT(value_at(map_with({"--allow-channels"}), 3, 4), 0.0f);

  const auto light_at = [&](const char* name, int x, int y) {
    save(name, flat(spec_of({x, y, 20, 10}, PixelType::half, 3), 0.5f));
  };
  light_at("a.exr", 0, 0);
  light_at("b.exr", 20, 10);
  const Outcome outcome = compare({"a.exr", "b.exr", "--allow-windows", "--flip-map", "moved.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const Image map = read_image(folder_ / "moved.exr");
  EXPECT_EQ(map.spec().data_window, (Rect{0, 0, 20, 10}));
  EXPECT_EQ(sum_of(map), 0.0f);
}

TEST_F(CompareFlipMap, IsTheSameWithAReportAndWhicheverMetricsAreNamed) {
  save("a.png", golden_);
  save("b.png", result_);
  const std::string alone = (map_with({}), text("map.exr"));
  EXPECT_GT(sum_of(map_with({})), 0.0f);
  EXPECT_EQ((map_with({"--metric", "psnr"}), text("map.exr")), alone);
  EXPECT_EQ((map_with({"--html", "report"}), text("map.exr")), alone);
}

TEST_F(CompareFlipMap, OfFilesThatAreEqualInEveryByteIsZero) {
  for (const char* name : {"a.png", "b.png"}) save(name, golden_);
  const Image map = map_with({}, 0);
  EXPECT_EQ(map.spec().data_window, golden_.spec().data_window);
  EXPECT_EQ(sum_of(map), 0.0f);
}

TEST_F(CompareFlipMap, MayBeOfStandardInput) {
  save("a.png", golden_);
  save("b.png", result_);
  const std::string wanted = (map_with({}), text("map.exr"));
  for (const char* operands : {"- b.png < a.png", "a.png - < b.png"}) {
    const Outcome outcome =
        run({"sh", "-c",
             std::string("exec '") + CUIMG_PROGRAM + "' compare --flip-map piped.exr " + operands},
            {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 1) << outcome.err;
    EXPECT_EQ(text("piped.exr"), wanted);
  }
  const Outcome equal = run(
      {"sh", "-c",
       std::string("exec '") + CUIMG_PROGRAM + "' compare --flip-map piped.exr - a.png < a.png"},
      {.folder = folder_.path().string()});
  EXPECT_EQ(equal.exit, 0) << equal.err;
  EXPECT_EQ(sum_of(read_image(folder_ / "piped.exr")), 0.0f);
}

TEST_F(CompareFlipMap, OfPicturesThatAreNotComparedIsAnError) {
  save("a.png", golden_);
  save("b.png", pattern(20, 30, 0, false));
  const Outcome outcome = compare({"a.png", "b.png", "--flip-map", "map.exr"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.out, "size is 20x30, golden has 40x30");
  EXPECT_EQ(outcome.err, "cuimg: compare: --flip-map: no picture was compared\n");
  EXPECT_FALSE(exists("map.exr"));
}

}  // namespace
}  // namespace cuimg::test

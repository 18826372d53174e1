// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --show`: the pairs that are drawn, and their exact half blocks.
#include <atomic>
#include <thread>

#include "io/codec.h"
#include "pictures.h"
#include "support/process.h"
#include "support/terminal.h"

namespace cuimg::test {
namespace {

const std::string block = "\u2580";
std::string above(const std::string& color) { return "\x1b[38;2;" + color + "m"; }
std::string below(const std::string& color) { return "\x1b[48;2;" + color + "m"; }
std::string blocks(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += block;
  return text;
}
// The colours in which the difference is drawn.
const std::string nothing = "6;4;20", most = "252;238;170", beyond = "255;255;255";
const std::string forgiven = "64;150;220", left_out = "24;58;92";

class CompareShow : public testing::Test {
 protected:
  Outcome compare(std::vector<std::string> words, RunOptions options = {}) const {
    words.insert(words.begin(), {CUIMG_PROGRAM, "compare", "--show"});
    options.folder = folder_.path().string();
    return run(words, options);
  }
  void save(const std::string& name, const Image& image) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_image(path.string(), image, *codec_named(path.extension().string().substr(1)));
  }
  static Image black(int width, int height) {
    return flat(spec_of({0, 0, width, height}, PixelType::u8, 3), 0);
  }
  // The lines of a drawing after its caption.
  static std::string drawing(const std::string& out, const std::string& caption) {
    const std::size_t at = out.find(caption + "\n");
    EXPECT_NE(at, std::string::npos) << out;
    return at == std::string::npos ? "" : out.substr(at + caption.size() + 1);
  }

  TempDir folder_;
};

TEST_F(CompareShow, DrawsGoldenResultAndDifference) {
  save("a.png", black(2, 2));
  save("b.png", with_value(black(2, 2), 1, 1, 0, 1));
  const Outcome outcome = compare({"a.png", "b.png"});
  EXPECT_EQ(outcome.exit, 1);
  // Each picture begins at a multiple of eight columns.
  EXPECT_EQ(drawing(outcome.out, "golden  result  difference: yellow 1"),
            above("0;0;0") + below("0;0;0") + blocks(9) + below("255;0;0") + block +
                below("0;0;0") + blocks(6) + above(nothing) + below(nothing) + block + below(most) +
                block + "\x1b[0m\n");
}

TEST_F(CompareShow, DistinguishesForgivenDifferencesFromOthers) {
  save("a.png", black(4, 2));
  // One pixel is ignored and equals the one below it. Another counts, and differs less than the
  // ignored one.
  save("b.png", with_value(with_value(black(4, 2), 0, 0, 0, 1), 3, 1, 0, 0.4f));
  const Outcome outcome = compare({"a.png", "b.png", "--ignore", "0,0,1,2"});
  const std::string drawn =
      drawing(outcome.out, "golden  result  difference: yellow 0.4, blue forgiven");
  EXPECT_NE(drawn.find(above(left_out) + below(left_out) + block + above(nothing)),
            std::string::npos);
  EXPECT_NE(drawn.find(below(most) + block + "\x1b[0m"), std::string::npos);
}

TEST_F(CompareShow, AShiftThatIsAllowedIsBlueAndNoHeat) {
  const Image golden = with_value(with_value(black(8, 8), 2, 4, 0, 1), 7, 7, 1, 0.5f);
  save("a.png", golden);
  save("b.png", with_value(with_value(with_value(golden, 2, 4, 0, 0), 3, 4, 0, 1), 7, 7, 1, 0));
  const std::string drawn = drawing(compare({"a.png", "b.png", "--allow-shift"}).out,
                                    "golden   result   difference: yellow 0.502, blue forgiven");
  EXPECT_NE(drawn.find(above(forgiven) + blocks(2)), std::string::npos);
}

TEST_F(CompareShow, OnePixelOfALargePictureIsSeen) {
  save("a.png", black(900, 700));
  save("b.png", with_value(black(900, 700), 511, 377, 2, 0.1f));
  const std::string out = compare({"a.png", "b.png"}).out;
  EXPECT_NE(out.find(most), std::string::npos);
}

TEST_F(CompareShow, WhatCannotBeComparedIsWhite) {
  const Image light = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), 0.25f);
  save("a.exr", light);
  save("b.exr", with_value(light, 0, 0, 0, std::nanf("")));
  EXPECT_NE(
      drawing(compare({"a.exr", "b.exr"}).out, "golden  result  difference: white incomparable")
          .find(above(beyond)),
      std::string::npos);
}

TEST_F(CompareShow, WhatOnePictureLacksIsDrawnAsItIsCompared) {
  const Rect display = {0, 0, 4, 4};
  const auto light_in = [&](const Rect& data, float corner) {
    Spec spec = spec_of(data, PixelType::f32, 3);
    spec.display_window = display;
    return with_value(flat(spec, 0), 0, 0, 0, corner);
  };
  save("a.exr", light_in(display, 0.25f));
  save("b.exr", light_in({0, 0, 4, 2}, 0.5f));
  const std::string white = "white incomparable";
  EXPECT_NE(compare({"a.exr", "b.exr"}).out.find(white), std::string::npos);
  const std::string out = compare({"a.exr", "b.exr", "--allow-windows"}).out;
  EXPECT_NE(out.find("difference: yellow 0.25\n"), std::string::npos) << out;
  save("c.exr", with_value(light_in(display, 0.5f), 3, 3, 1, 0.75f));
  const std::string beyond_data = compare({"b.exr", "c.exr", "--allow-windows"}).out;
  EXPECT_NE(beyond_data.find("difference: yellow 0.75\n"), std::string::npos) << beyond_data;

  save("a.png", black(4, 4));
  save("b.png", with_value(black(4, 2), 0, 0, 0, 1));
  const std::string of_size = compare({"a.png", "b.png", "--allow-size"}).out;
  EXPECT_NE(of_size.find("difference: yellow 1\n"), std::string::npos) << of_size;
}

TEST_F(CompareShow, DrawsAResultOfAnotherPlaceOverTheGolden) {
  const auto light_at = [](int x, int y, float first) {
    const Image image =
        image_of(spec_of({x, y, 4, 4}, PixelType::f32, 3),
                 [&](int, int px, int, int) { return static_cast<float>(px - x) / 2; });
    return with_value(image, x, y, 0, first);
  };
  save("a.exr", light_at(0, 0, 0));
  save("b.exr", light_at(20, 10, 0.25f));
  const std::string out = compare({"a.exr", "b.exr", "--allow-windows"}).out;
  EXPECT_NE(out.find("difference: yellow 0.25\n"), std::string::npos) << out;
}

TEST_F(CompareShow, OfFoldersShowsThePairsThatFailInTheirOrder) {
  for (const char* name : {"golden/a.png", "golden/b.png", "golden/gone.png", "result/b.png"})
    save(name, black(4, 4));
  save("result/a.png", with_value(black(4, 4), 0, 0, 0, 1));
  save("result/new.png", flat(black(4, 4).spec(), 1));
  const Outcome outcome = compare({"golden", "result", "--jobs", "3"});
  EXPECT_EQ(outcome.exit, 1);
  const std::size_t a = outcome.out.find("golden  result  difference: yellow 1\n");
  const std::size_t gone = outcome.out.find("the result is missing\ngolden\n");
  const std::size_t extra = outcome.out.find("there is no golden\nresult\n");
  EXPECT_TRUE(a < gone && gone < extra && extra != std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("b.png"), std::string::npos) << outcome.out;
  EXPECT_EQ(compare({"golden", "result", "--jobs", "1"}).out, outcome.out);
  EXPECT_EQ(compare({"golden/b.png", "result/b.png", "--quiet"}).out, "");
}

TEST_F(CompareShow, NamesTheLayerOfSeveralAndDrawsDepthByItsRange) {
  Spec spec = spec_of({0, 0, 3, 2}, PixelType::f32, 3);
  spec.layers.push_back({"depth", {"Z"}, PixelType::f32});
  const Image golden = image_of(spec, [](int layer, int x, int, int) {
    return layer == 1 ? 100.0f + static_cast<float>(x) : 0.5f;
  });
  save("a.exr", golden);
  save("b.exr", with_value(golden, 2, 0, 0, 104, 1));
  const std::string drawn =
      drawing(compare({"a.exr", "b.exr"}).out, "depth\ngolden  result  difference: yellow 2");
  EXPECT_TRUE(drawn.starts_with(above("0;0;0") + below("0;0;0") + block)) << drawn;
  EXPECT_NE(drawn.find(above("255;255;255")), std::string::npos) << drawn;
}

TEST_F(CompareShow, FillsATerminalWithThreeAndNoMore) {
  save("a.png", black(1000, 500));
  save("b.png", flat(black(1000, 500).spec(), 0.5f));
  const Terminal terminal;
  terminal.resize(90, 40, 900, 800);
  // Unread output of the terminal would block the program.
  std::string text;
  std::atomic<bool> done = false;
  std::thread reading([&] {
    while (!done) text += terminal.shown(10);
  });
  const Outcome outcome =
      compare({"--protocol", "sixel", "--quiet", "a.png", "b.png"}, {.out_file = terminal.name()});
  done = true;
  reading.join();
  EXPECT_EQ(outcome.exit, 1);
  // 29 columns each, and one column between them.
  EXPECT_NE(text.find("\"1;1;890;145"), std::string::npos) << text.substr(0, 200);
}

TEST_F(CompareShow, RefusesWhatDoesNotGoWithIt) {
  save("a.png", black(4, 4));
  EXPECT_EQ(compare({"a.png", "a.png", "--json"}).exit, 2);
  const Outcome alone =
      run({CUIMG_PROGRAM, "compare", "--protocol", "kitty", folder_ / "a.png", folder_ / "a.png"});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_EQ(alone.err, "cuimg: compare: --protocol without --show does nothing\n");
}

}  // namespace
}  // namespace cuimg::test

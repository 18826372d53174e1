// SPDX-License-Identifier: Apache-2.0
// Mipmapped files: sizes, contents of every level, reading by other programs, bad usage.
#include "support/images.h"
#include "support/oiiotool.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

class Mip : public ProgramFolder {
 protected:
  void expect_done(const std::vector<std::string>& words) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
  }
  Image level(const std::string& name, int number) const {
    return read_image(folder_ / name, {.mip_level = number});
  }
  void write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named("exr"));
  }
};

TEST_F(Mip, HalvesEverySideRoundedDownToOne) {
  Spec spec = spec_of({5, -3, 37, 10}, PixelType::half, 4);
  spec.display_window = {0, 0, 64, 64};
  write("in.exr", noise(spec));
  expect_done({"mip", "--tile", "16", "in.exr", "out.exr"});
  const std::vector<std::pair<int, int>> sizes = {{37, 10}, {18, 5}, {9, 2},
                                                  {4, 1},   {2, 1},  {1, 1}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Rect r = level("out.exr", static_cast<int>(i)).spec().data_window;
    EXPECT_EQ(r, (Rect{5, -3, sizes[i].first, sizes[i].second})) << "level " << i;
  }
  EXPECT_THROW(level("out.exr", 6), Error);
  EXPECT_TRUE(same_pixels(level("out.exr", 0), read_image(folder_ / "in.exr")));
  EXPECT_EQ(level("out.exr", 0).spec().display_window, (Rect{0, 0, 64, 64}));
}

// Each level is made from the level before it, as by resize.
TEST_F(Mip, LevelsAreWhatResizeMakesOneFromAnother) {
  Spec spec = spec_of({0, 0, 45, 31}, PixelType::half, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  write("in.exr", noise(spec));
  for (const std::string filter : {"box", "triangle", "kaiser"}) {
    expect_done({"mip", "--filter", filter, "in.exr", "out.exr"});
    for (int number = 1; number < 5; ++number) {
      const Image finer = level("out.exr", number - 1), coarser = level("out.exr", number);
      const Rect& size = coarser.spec().data_window;
      const Image expected = run_chain("resize --filter " + filter + " --size " +
                                           format_value(cuimg::pixels(size.width, size.height)),
                                       finer, {.format = "exr"});
      EXPECT_TRUE(same_pixels(coarser, expected)) << filter << ", level " << number;
    }
  }
}

TEST_F(Mip, AConstantStaysConstantAndOpaqueStaysOpaque) {
  write("in.exr", flat(spec_of({0, 0, 33, 65}, PixelType::f32, 4), 1));
  for (const std::string filter : {"box", "triangle", "kaiser"}) {
    expect_done({"mip", "--filter", filter, "in.exr", "out.exr"});
    for (int number = 0; number < 7; ++number) {
      const Image image = level("out.exr", number);
      EXPECT_TRUE(same_pixels(image, flat(image.spec(), 1))) << filter << ", level " << number;
    }
  }
}

TEST_F(Mip, BoxAveragesLightNotCodes) {
  // The codes 0 and 255 of sRGB average to half the light.
  write_image(folder_ / "in.png",
              image_of(spec_of({0, 0, 2, 2}, PixelType::u8, 3),
                       [](int, int x, int, int) { return static_cast<float>(x); }),
              *codec_named("png"));
  expect_done({"mip", "--type", "float", "in.png", "out.exr"});
  EXPECT_EQ(value_at(level("out.exr", 1), 0, 0), 0.5f);
}

TEST_F(Mip, LevelsWrapWhereAsked) {
  write("in.exr", image_of(spec_of({0, 0, 8, 1}, PixelType::f32, 1),
                           [](int, int x, int, int) { return x == 7 ? 1.0f : 0.0f; }));
  expect_done({"mip", "--filter", "triangle", "in.exr", "clamped.exr"});
  expect_done({"mip", "--filter", "triangle", "--border", "wrap", "in.exr", "wrapped.exr"});
  EXPECT_EQ(value_at(level("clamped.exr", 1), 0, 0), 0);
  EXPECT_GT(value_at(level("wrapped.exr", 1), 0, 0), 0);
}

TEST_F(Mip, IsTheSameWithAnyNumberOfThreadsAndEveryCompression) {
  write("in.exr", noise(spec_of({0, 0, 300, 200}, PixelType::half, 3)));
  for (const std::string compression : {"none", "zip", "piz", "rle", "pxr24"}) {
    expect_done({"mip", "--threads", "1", "--compression", compression, "in.exr", "one.exr"});
    expect_done({"mip", "--threads", "3", "--compression", compression, "in.exr", "three.exr"});
    EXPECT_EQ(read_file(folder_ / "one.exr"), read_file(folder_ / "three.exr")) << compression;
  }
}

TEST_F(Mip, MayBeAnywhereInAChain) {
  write("in.exr", noise(spec_of({0, 0, 64, 64}, PixelType::half, 3)));
  expect_done({"mip", "+", "resize", "--size", "16x16", "in.exr", "out.exr"});
  EXPECT_EQ(level("out.exr", 1).spec().data_window, (Rect{0, 0, 8, 8}));
}

TEST_F(Mip, IsReadByOiiotool) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not here";
  write("in.exr", noise(spec_of({0, 0, 45, 31}, PixelType::half, 4)));
  expect_done({"mip", "--tile", "32", "in.exr", "out.exr"});
  const Outcome info =
      run({"oiiotool", "--info", "-v", "-a", "out.exr"}, {.folder = folder_.path().string()});
  EXPECT_EQ(info.exit, 0) << info.err;
  EXPECT_NE(info.out.find("MIP-map levels: 45x31 22x15 11x7 5x3 2x1 1x1"), std::string::npos)
      << info.out;
  EXPECT_NE(info.out.find("tile size: 32 x 32"), std::string::npos) << info.out;
  const Outcome chosen = run({"oiiotool", "out.exr", "--selectmip", "2", "-o", "level2.exr"},
                             {.folder = folder_.path().string()});
  EXPECT_EQ(chosen.exit, 0) << chosen.err;
  EXPECT_TRUE(same_pixels(read_image(folder_ / "level2.exr"), level("out.exr", 2)));
}

TEST_F(Mip, RefusesOtherFormatsAndFilters) {
  write("in.exr", flat(spec_of({0, 0, 4, 4}, PixelType::half, 3), 1));
  const auto refusal = [&](const std::vector<std::string>& words) {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal({"mip", "in.exr", "out.png"}),
            "cuimg: in.exr: mip: PNG cannot hold mip levels: write an EXR\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.png"));
  EXPECT_EQ(refusal({"mip", "--filter", "lanczos", "in.exr", "out.exr"}),
            "cuimg: mip: --filter lanczos is unknown: use one of box, triangle, kaiser\n");
  EXPECT_EQ(refusal({"mip", "--tile", "1", "in.exr", "out.exr"}),
            "cuimg: mip: --tile 1 is out of range: use 16 to 4096\n");
}

}  // namespace
}  // namespace cuimg::test

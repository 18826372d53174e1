// SPDX-License-Identifier: Apache-2.0
// --make-map: the coordinates that a warp reads, which remap can use.
#include <cmath>
#include <cstdlib>
#include <string>

#include "opencv_lens.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(MakeMap, HoldsWhereOpenCvReads) {
  const Image source = noise(spec_of({0, 0, 64, 48}, PixelType::u8, 3));
  const auto map = [&](const char* coords) {
    return run_chain("undistort " + opencv_lens + " --make-map " + coords, source);
  };
  const Image pixel = map("pixel"), normalized = map("normalized"), stmap = map("stmap");
  for (const OpenCvPoint& p : opencv_points) {
    EXPECT_NEAR(value_at(pixel, p.x, p.y, 0), p.from_x + 0.5, 1e-5);
    EXPECT_NEAR(value_at(pixel, p.x, p.y, 1), p.from_y + 0.5, 1e-5);
    EXPECT_NEAR(value_at(normalized, p.x, p.y, 0), (p.from_x + 0.5) / 64, 2e-7);
    EXPECT_NEAR(value_at(normalized, p.x, p.y, 1), (p.from_y + 0.5) / 48, 2e-7);
    EXPECT_NEAR(value_at(stmap, p.x, p.y, 0), (p.from_x + 0.5) / 64, 2e-7);
    // Counted from the lower edge.
    EXPECT_NEAR(value_at(stmap, p.x, p.y, 1), (48 - (p.from_y + 0.5)) / 48, 2e-7);
  }
}

// The identity in Nuke's documents: (x + 0.5) / width, (y + 0.5) / height, y from below.
TEST(MakeMap, OfAWarpThatMovesNothingIsTheIdentity) {
  const Image source = noise(spec_of({5, -3, 40, 30}, PixelType::half, 4));
  for (const std::string stage : {"undistort", "distort", "affine --matrix 1,0,0,1,0,0",
                                  "rotate --angle 360", "perspective --matrix 1,0,0,0,1,0,0,0,1"}) {
    const Image map = run_chain(stage + " --make-map stmap", source);
    EXPECT_EQ(map.spec().display_window, source.spec().display_window) << stage;
    EXPECT_EQ(map.spec().layers.size(), 1u);
    EXPECT_EQ(map.spec().layers[0].channels, (std::vector<std::string>{"R", "G"}));
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) {
        ASSERT_EQ(value_at(map, 5 + x, y - 3, 0), static_cast<float>((x + 0.5) / 40)) << stage;
        ASSERT_EQ(value_at(map, 5 + x, y - 3, 1), static_cast<float>(1 - (y + 0.5) / 30)) << stage;
      }
  }
}

// Positions in another file's pixels may differ by 1/256 texel if both round. So values differ by
// at most 2/256 of this noise's change between texels.
TEST(MakeMap, LetsRemapDoWhatTheWarpDoes) {
  const TempDir folder;
  const Image source = noise(spec_of({0, 0, 120, 90}, PixelType::f32, 3));
  for (const std::string stage :
       {"undistort --k1 -0.2 --k2 0.03", "undistort --k1 -0.1 --p1 0.02 --expand",
        "distort --k1 -0.2 --k2 0.03", "distort --k1 0.4 --expand", "rotate --angle 17 --expand",
        "rotate --angle 90 --expand", "affine --matrix 1.2,0.1,-0.3,0.9,5,-7",
        "perspective --corners 10,5,100,0,120,90,-5,80", "undistort --k1 -0.5"})
    for (const std::string coords : {"pixel", "normalized", "stmap"}) {
      const std::string path = folder / "map.exr";
      write_image(path, run_chain(stage + " --make-map " + coords, source), *codec_named("exr"));
      const Image warped = run_chain(stage + " --no-antialias", source);
      const Image remapped =
          run_chain("remap --border border --coords " + coords + " --map " + path, source);
      ASSERT_EQ(remapped.spec().display_window, warped.spec().display_window) << stage;
      const Rect& r = warped.spec().display_window;
      int different = 0;
      for (int y = 0; y < r.height; ++y)
        for (int x = 0; x < r.width; ++x)
          for (int c = 0; c < 3; ++c) {
            const double apart =
                std::fabs(double{value_at(remapped, x, y, c)} - value_at(warped, x, y, c));
            ASSERT_LT(apart, 2.0 / 256) << stage << ", " << coords << " at " << x << ", " << y;
            different += apart > 1e-6;
          }
      // Only few positions are so close to a rounding boundary that a float's last digits matter.
      EXPECT_LT(different, 3 * r.width * r.height / 50) << stage << ", " << coords;
    }
}

TEST(MakeMap, OfCubicReadsIsAsExactAsItsFloats) {
  const TempDir folder;
  const Image source = noise(spec_of({0, 0, 120, 90}, PixelType::f32, 3));
  const std::string stage = "undistort --k1 -0.12 --filter cubic", path = folder / "map.exr";
  for (const std::string coords : {"pixel", "normalized", "stmap"}) {
    write_image(path, run_chain(stage + " --make-map " + coords, source), *codec_named("exr"));
    const Image warped = run_chain(stage + " --no-antialias --border clamp", source);
    const Image remapped =
        run_chain("remap --filter cubic --coords " + coords + " --map " + path, source);
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 120; ++x)
        ASSERT_NEAR(value_at(remapped, x, y, 0), value_at(warped, x, y, 0), 1e-4) << coords;
  }
}

TEST(MakeMap, HoldsAPlaceOutsideWhereNothingIsSeen) {
  const Image source = flat(spec_of({0, 0, 64, 48}, PixelType::f32, 1), 1);
  const auto corner = [&](const std::string& coords, int c) {
    return value_at(run_chain("undistort --k1 -0.5 --make-map " + coords, source), 0, 0, c);
  };
  EXPECT_EQ(corner("normalized", 0), -1);
  EXPECT_EQ(corner("stmap", 1), -1);
  EXPECT_EQ(corner("pixel", 0), -64);
  EXPECT_EQ(corner("pixel", 1), -48);
}

TEST(MakeMap, ReadsAnotherProgramsMapUpwards) {
  const TempDir folder;
  // A picture of row numbers, and a map that reads the third row from below.
  const Image source = image_of(spec_of({0, 0, 4, 8}, PixelType::f32, 1),
                                [](int, int, int y, int) { return static_cast<float>(y); });
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::f32, 1);
  spec.layers = {{"", {"R", "G", "B"}, PixelType::f32}};
  const Image map = image_of(spec, [](int, int, int, int c) { return c == 0 ? 0.5 : 2.5 / 8; });
  write_image(folder / "map.exr", map, *codec_named("exr"));
  const Image read = run_chain("remap --coords stmap --map " + (folder / "map.exr"), source);
  EXPECT_EQ(value_at(read, 0, 0), 5);
  // Both in one run: the same file is read in two ways.
  const Image twice = run_chain("remap --coords stmap --map " + (folder / "map.exr") +
                                    " + remap --coords normalized --map " + (folder / "map.exr"),
                                source);
  EXPECT_EQ(value_at(twice, 1, 1), 5);
}

TEST(MakeMap, KeepsNumbersAsTheyAreInFiles) {
  const TempDir folder;
  const Image source = noise(spec_of({0, 0, 33, 17}, PixelType::u8, 3));
  for (const std::string format : {"exr", "png"}) {
    const ChainOptions options = {.format = format};
    const Image map = run_chain("undistort --k1 -0.1 --make-map stmap", source, options);
    EXPECT_EQ(map.spec().color.curve, Curve::raw) << format;
    if (format == "exr") {
      EXPECT_EQ(map.spec().layers[0].type, PixelType::f32);
    }
  }
}

TEST(MakeMap, OfPixelsIsRefusedByIntegers) {
  const Image source = noise(spec_of({0, 0, 32, 24}, PixelType::u16, 3));
  const auto problem = [&](const std::string& chain, const std::string& format) -> std::string {
    ChainOptions options;
    options.format = format;
    try {
      run_chain(chain, source, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const std::string map = "rotate --angle 3 --make-map ";
  const std::string refusal =
      "png: u8 holds 0 to 1 and would cut off the map's coordinates in pixels (--make-map "
      "normalized gives 0 to 1): write floats, for example to an EXR";
  EXPECT_EQ(problem(map + "pixel", "png"), refusal);
  EXPECT_EQ(problem(map + "pixel + flip", "png"), refusal);
  for (const char* const format : {"exr", "tiff", "pfm"})
    EXPECT_EQ(problem(map + "pixel", format), "none") << format;
  EXPECT_EQ(problem(map + "normalized", "png"), "none");
  EXPECT_EQ(problem(map + "pixel + gain --value 0.01", "png"), "none") << "other values";
}

TEST(MakeMap, IsTheSameInBandsAndInOnePiece) {
  const Image source = noise(spec_of({3, 2, 90, 70}, PixelType::half, 4));
  for (const std::string stage :
       {"undistort --k1 -0.1", "undistort --k1 -0.1 --p1 0.01", "rotate --angle 3",
        "perspective --corners 10,5,100,0,90,70,-5,60"})
    EXPECT_TRUE(same_pixels(run_chain(stage + " --make-map stmap", source, {.threads = 2}),
                            run_chain(stage + " --make-map stmap", source, {.whole = true})))
        << stage;
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Environment maps compared with formulas in double: a smooth function of the direction is the same
// function in every layout, including seams and poles.
#include "stages/geometry/envmap.h"

#include <cmath>
#include <limits>

#include "support/env_pictures.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

struct Errors {
  double psnr, worst;
};
template <class Function>
Errors errors_of(const Image& made, const EnvKind& layout, const Function& function) {
  double squares = 0, worst = 0;
  int count = 0;
  const Rect& r = made.spec().data_window;
  for (int y = 0; y < r.height; ++y)
    for (int x = 0; x < r.width; ++x) {
      const auto d = env_looks(layout.name, r.width, r.height, x, y);
      if (!d) continue;
      for (int c = 0; c < 3; ++c) {
        const double error = std::fabs(value_at(made, x, y, c) - function(*d, c));
        squares += error * error, worst = std::max(worst, error), ++count;
      }
    }
  return {10 * std::log10(count / squares), worst};
}

TEST(Envmap, OfASmoothFunctionIsThatFunctionInEveryLayout) {
  for (const EnvKind& from : env_kinds)
    for (const EnvKind& to : env_kinds) {
      const Image made = run_chain(env_words(from, to), env_picture(from, 3, env_smooth));
      ASSERT_EQ(made.spec().data_window, (Rect{0, 0, to.width, to.height})) << env_words(from, to);
      const Errors errors = errors_of(made, to, env_smooth);
      EXPECT_GT(errors.psnr, 50) << env_words(from, to);
      // No error is visible at a seam, a pole or a rim: it is as small as from texel to texel. But
      // the outermost texel of a mirrorball covers 20 degrees.
      const double most = from.name == "mirrorball" ? 0.08 : to.name == "mirrorball" ? 0.02 : 0.012;
      EXPECT_LT(errors.worst, most) << env_words(from, to);
    }
}

TEST(Envmap, ComesBackFromEveryLayout) {
  const Image source = env_picture(env_kinds[0], 3, env_smooth);
  for (const EnvKind& through : env_kinds) {
    const Image back = run_chain(
        env_words(env_kinds[0], through) + " + " + env_words(through, env_kinds[0]), source);
    EXPECT_GT(errors_of(back, env_kinds[0], env_smooth).psnr, 45) << through.name;
  }
}

TEST(Envmap, KeepsAConstantAndWhatIsOpaque) {
  for (const EnvKind& from : env_kinds)
    for (const EnvKind& to : env_kinds)
      for (const char* size : {" --size 100%", " --size 37%", " --size 9%", " --size 180%"}) {
        const Image source =
            env_picture(from, 4, [](const Direction&, int c) { return c == 3 ? 1 : 0.3f; });
        const Image made = run_chain(env_words(from, to) + size, source);
        const Rect& r = made.spec().data_window;
        for (int y = 0; y < r.height; ++y)
          for (int x = 0; x < r.width; ++x) {
            const bool seen = env_looks(to.name, r.width, r.height, x, y).has_value();
            ASSERT_EQ(value_at(made, x, y, 3), seen ? 1.0f : 0.0f)
                << env_words(from, to) << size << " at " << x << ", " << y;
            ASSERT_NEAR(value_at(made, x, y, 0), seen ? 0.3f : 0.0f, 2e-7)
                << env_words(from, to) << size;
          }
      }
}

// Uniform noise has a deviation of 0.29, and a pixel here covers hundreds of texels.
TEST(Envmap, MixesAllThatAPixelCoversWhereItShrinks) {
  const Image source = noise(spec_of({0, 0, 512, 256}, PixelType::f32, 1));
  for (const EnvKind& to : env_kinds) {
    const Image made = run_chain("envmap --from latlong --to " + to.name + " --size 5%", source);
    const Rect& r = made.spec().data_window;
    double worst = 0;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x)
        if (env_looks(to.name, r.width, r.height, x, y))
          worst = std::max(worst, std::fabs(value_at(made, x, y) - 0.5));
    EXPECT_LT(worst, 0.12) << to.name;
  }
}

// Along the horizon a latlong is an ordinary picture, and its footprint is as wide as the triangle.
TEST(Envmap, ShrinksAsResizeDoesAlongTheHorizon) {
  const Image source = noise(spec_of({0, 0, 480, 240}, PixelType::f32, 1));
  for (const int part : {2, 3, 5}) {
    const int width = 480 / part, height = 240 / part;
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const Image made = run_chain("envmap --from latlong --to latlong --size " + size, source);
    const Image resized = run_chain("resize --filter triangle --size " + size, source);
    double apart = 0, spread = 0;
    int count = 0;
    for (int y = height / 2 - 2; y < height / 2 + 2; ++y)
      for (int x = 3; x < width - 3; ++x, ++count) {
        const double a = value_at(made, x, y), b = value_at(resized, x, y);
        apart += (a - b) * (a - b), spread += (b - 0.5) * (b - 0.5);
      }
    // Two filters of the same width nearly agree on the noise that remains.
    EXPECT_LT(apart, 0.05 * spread) << part;
  }
}

// Reads near seams differ from others, but the amount of blur is the same.
TEST(Envmap, BlursAlikeNextToSeamsAndElsewhere) {
  const Image source = noise(spec_of({0, 0, 128, 768}, PixelType::f32, 1));
  for (const int side : {90, 60, 40}) {
    const Image made = run_chain("envmap --from cube-faces --to cube-faces --size " +
                                     std::to_string(side) + "x" + std::to_string(6 * side),
                                 source);
    double edge = 0, inner = 0;
    int edges = 0, inners = 0;
    for (int y = 0; y < 6 * side; ++y)
      for (int x = 0; x < side; ++x) {
        const int from_edge = std::min({x, y % side, side - 1 - x, side - 1 - y % side});
        const double d = value_at(made, x, y) - 0.5;
        if (from_edge == 1) edge += d * d, ++edges;
        if (from_edge > 5) inner += d * d, ++inners;
      }
    EXPECT_NEAR(edge / edges / (inner / inners), 1, 0.15) << side;
  }
}

TEST(Envmap, IsTheSameInBandsAndInOnePieceInEveryLayout) {
  for (const EnvKind& from : env_kinds)
    for (const EnvKind& to : env_kinds) {
      Spec spec = spec_of({0, 0, from.width, from.height}, PixelType::half, 3);
      spec.layers.push_back({"mask", {"id"}, PixelType::u32});
      const Image source = noise(spec);
      const std::string chain = env_words(from, to) + " --size 70%";
      EXPECT_TRUE(same_pixels(run_chain(chain, source, {.threads = 2}),
                              run_chain(chain, source, {.whole = true})))
          << chain;
    }
}

TEST(Envmap, CopiesIdsFromTheNearestTexel) {
  Spec spec = spec_of({0, 0, 8, 4}, PixelType::u32, 1);
  spec.layers[0].channels = {"id"};
  const Image source =
      image_of(spec, [](int, int x, int y, int) { return static_cast<float>(8 * y + x); });
  const Image same = run_chain("envmap --from latlong --to latlong", source);
  EXPECT_TRUE(same_pixels(same, source));
  const Image strip = run_chain("envmap --to cube-faces --size 1x6", source);
  // +X is a quarter to the left of the middle; +Z is in the middle, between columns 3 and 4.
  EXPECT_EQ(value_at<std::uint32_t>(strip, 0, 0) % 8 / 2, 1u);
  EXPECT_EQ(value_at<std::uint32_t>(strip, 0, 1) % 8 / 2, 3u);
  EXPECT_LT(value_at<std::uint32_t>(strip, 0, 2), 8u);
  EXPECT_GE(value_at<std::uint32_t>(strip, 0, 3), 24u);
}

TEST(Envmap, GuessesLayoutsFromSides) {
  const auto layout = [](int width, int height) {
    const Image source = flat(spec_of({0, 0, width, height}, PixelType::f32, 1), 1);
    return error_of([&] { run_chain("envmap --to latlong", source); });
  };
  EXPECT_EQ(layout(64, 32), "no error");
  EXPECT_EQ(layout(30, 40), "no error");
  EXPECT_EQ(layout(40, 30), "no error");
  EXPECT_EQ(layout(8, 48), "no error");
  EXPECT_EQ(layout(64, 64),
            "envmap: the layout of 64x64 is not clear: say --from mirrorball or --from angular");
  EXPECT_EQ(layout(64, 50), "envmap: the layout of 64x50 is not clear: say --from");
}

TEST(Envmap, RefusesSidesThatDoNotFit) {
  const Image source = flat(spec_of({0, 0, 64, 32}, PixelType::f32, 1), 1);
  const auto refusal = [&](const std::string& options) {
    return error_of([&] { run_chain("envmap " + options, source); });
  };
  EXPECT_EQ(refusal(""), "envmap: --to is missing: name the output's layout");
  EXPECT_EQ(refusal("--to angular --size 64x32"),
            "envmap: 64x32 is no angular map: --size: its sides must be equal");
  EXPECT_EQ(refusal("--to cube-faces --size 64x64"),
            "envmap: 64x64 is no strip of cube faces: --size: its sides must be 1:6");
  EXPECT_EQ(refusal("--to cube-cross --size 31x40"),
            "envmap: 31x40 is no cube cross: --size: its sides must be 3:4 or 4:3, of whole faces");
  EXPECT_EQ(refusal("--from mirrorball --to latlong"),
            "envmap: 64x32 is no mirrorball: --from: its sides must be equal");
  EXPECT_EQ(refusal("--to latlong --size 50%x25%"),
            "envmap: --size 50%x25% changes the layout's proportions: use WxH, or one percentage");
  EXPECT_EQ(refusal("--to angular --sampling edges"),
            "envmap: --sampling edges is for latlong and cubes: leave it out");
  EXPECT_EQ(refusal("--to cube-cross --size 40x30"), "no error");
}

std::string attribute(const std::string& chain, const Image& source) {
  const Metadata metadata = run_chain(chain, source).spec().metadata;
  const auto found = metadata.find("envmap");
  return found == metadata.end() ? "none" : std::get<std::string>(found->second);
}

TEST(Envmap, WritesOpenExrsAttributeWhereItsTexelsLieAsOpenExrMeans) {
  Spec spec = spec_of({0, 0, 64, 32}, PixelType::f32, 1);
  const Image plain = flat(spec, 1);
  spec.metadata["envmap"] = "latlong";
  const Image tagged = flat(spec, 1);
  EXPECT_EQ(attribute("envmap --to cube-faces", plain), "none");
  EXPECT_EQ(attribute("envmap --to cube-faces --sampling edges", plain), "cube");
  EXPECT_EQ(attribute("envmap --to cube-faces", tagged), "cube");
  EXPECT_EQ(attribute("envmap --to latlong", tagged), "latlong");
  EXPECT_EQ(attribute("envmap --to cube-faces --sampling cells", tagged), "none");
  EXPECT_EQ(attribute("envmap --to cube-cross", tagged), "none");
  EXPECT_EQ(attribute("envmap --to angular", tagged), "none");
}

TEST(Envmap, WithTexelsOnTheEdgesIsTheSameAlongEverySeam) {
  const Image source = noise(spec_of({0, 0, 64, 32}, PixelType::f32, 1));
  const Image map = run_chain("envmap --to latlong --sampling edges --size 65x33", source);
  for (int y = 0; y < 33; ++y) EXPECT_EQ(value_at(map, 0, y), value_at(map, 64, y));
  for (int x = 0; x < 65; ++x) {
    EXPECT_NEAR(value_at(map, x, 0), value_at(map, 0, 0), 0.2);
    EXPECT_NEAR(value_at(map, x, 32), value_at(map, 0, 32), 0.2);
  }
  const Image strip = run_chain("envmap --to cube-faces --sampling edges --size 9x54", source);
  // The left side of +Z is the right side of +X, and its upper side is the upper side of +Y
  // reversed. Three faces meet at a corner, and no two of them go around it in the same direction.
  for (int i = 1; i < 8; ++i) {
    EXPECT_NEAR(value_at(strip, 8, i), value_at(strip, 0, 36 + i), 1e-5);
    EXPECT_NEAR(value_at(strip, i, 18), value_at(strip, 8 - i, 36), 1e-5);
  }
}

// A part of all directions, or another arrangement of them, is not an environment map.
TEST(Envmap, TheAttributeIsDroppedByWhatEndsTheLayout) {
  Image image = noise(spec_of({0, 0, 64, 32}, PixelType::f32, 3));
  Spec spec = image.spec();
  spec.metadata["envmap"] = std::string("latlong");
  const TempDir folder;
  const std::string map = folder / "map.exr";
  Spec coordinates = spec_of({0, 0, 64, 32}, PixelType::f32, 2);
  coordinates.layers[0].channels = {"X", "Y"};
  write_image(map, flat(coordinates, 3), *codec_named("exr"));
  const auto keeps = [&](const std::string& words) {
    return plan_of(parse_chain(words), spec).output().metadata.contains("envmap");
  };
  for (const std::string words :
       {"crop --region 9x9+1+1", "cut --region 9x9+1+1", "pad --left 3", "rotate --angle 5",
        "rotate90", "rotate270", "transpose", "affine --matrix 1,0,0,1,3,0",
        "perspective --matrix 1,0,2,0,1,0,0,0,1", "undistort --k1 -0.1", "distort --k1 -0.1"}) {
    EXPECT_FALSE(keeps(words)) << words;
    EXPECT_FALSE(keeps("flip + " + words + " + blur")) << words;
  }
  EXPECT_FALSE(keeps("append --with " + map));
  EXPECT_FALSE(keeps("remap --map " + map));
  for (const std::string words : {"resize --size 50%", "flip", "flop", "rotate180", "offset --x 5",
                                  "blur", "exposure --stops 1", "channels --pick R"})
    EXPECT_TRUE(keeps(words)) << words;
}

TEST(Envmap, TheAttributeOfFilesThatBecomeOneIsDropped) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 16, 8}, PixelType::f32, 3);
  spec.metadata["envmap"] = std::string("latlong");
  const std::string file = folder / "in.exr", out = folder / "out.exr";
  write_image(file, flat(spec, 1), *codec_named("exr"));
  ASSERT_TRUE(read_image(file).spec().metadata.contains("envmap"));
  for (const std::string stage : {"append", "contact"}) {
    const Outcome outcome = run({CUIMG_PROGRAM, stage, "--device", "cpu", file, file, "-o", out});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_FALSE(read_image(out).spec().metadata.contains("envmap")) << stage;
  }
}

TEST(Envmap, WarnsOfALatlongThatIsNotTwiceAsWideAsHigh) {
  const auto of_size = [](int width, int height) {
    return warnings_of("envmap --from latlong --to cube-faces",
                       spec_of({0, 0, width, height}, PixelType::half, 3));
  };
  EXPECT_EQ(
      of_size(12, 9),
      (std::vector<std::string>{"envmap: 12x9 is not 2:1; it is taken for the whole sphere"}));
  EXPECT_TRUE(of_size(12, 6).empty());
  EXPECT_TRUE(of_size(13, 6).empty());
}

}  // namespace
}  // namespace cuimg::test

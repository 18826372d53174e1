// SPDX-License-Identifier: Apache-2.0
// Environment maps between levels: unchanged cases, refusals, and the amount of blur.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/env_directions.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

struct Layout {
  std::string name;
  int width, height;
  std::string attribute = "";
};
const Layout sources[] = {{"latlong", 128, 64},
                          {"latlong", 65, 33, "latlong"},
                          {"latlong", 1, 1},
                          {"cube-cross", 96, 128},
                          {"cube-cross", 100, 75},
                          {"cube-faces", 33, 198},
                          {"cube-faces", 32, 192, "cube"},
                          {"cube-faces", 1, 6}};

TEST(EnvmapTrilinear, KeepsAConstantAndWhatIsOpaque) {
  for (const Layout& from : sources)
    for (const std::string to : {"latlong", "cube-cross", "cube-faces", "mirrorball", "angular"})
      for (const std::string size : {"70%", "37%", "9%", "1%"}) {
        Spec spec = spec_of({0, 0, from.width, from.height}, PixelType::f32, 4);
        if (!from.attribute.empty()) spec.metadata["envmap"] = from.attribute;
        const Image source = image_of(spec, [](int, int, int, int c) { return c == 3 ? 1 : 0.3f; });
        const std::string words = "envmap --from " + from.name + " --to " + to + " --size " + size;
        const Image made = run_chain(words + " --filter trilinear", source);
        const Image shown = run_chain(words, source);
        const Rect& r = made.spec().data_window;
        for (int y = 0; y < r.height; ++y)
          for (int x = 0; x < r.width; ++x) {
            ASSERT_EQ(value_at(made, x, y, 3), value_at(shown, x, y, 3)) << words;
            ASSERT_NEAR(value_at(made, x, y), value_at(shown, x, y, 3) != 0 ? 0.3f : 0, 1e-6)
                << words;
          }
      }
}

// Levels made from the strip would mix the faces.
TEST(EnvmapTrilinear, ReadsNoFaceThatAPixelDoesNotLookAt) {
  const Image source = image_of(spec_of({0, 0, 33, 198}, PixelType::f32, 1),
                                [](int, int, int y, int) { return 1 << y / 33; });
  for (const int n : {16, 7, 2, 1}) {
    const Image made =
        run_chain("envmap --filter trilinear" + to_size("cube-faces", n, 6 * n), source);
    EXPECT_EQ(worst_difference(made, [&](int, int y) { return 1 << y / n; }), 0) << n;
  }
}

double gradient(const Direction& d) { return 0.5 + 0.3 * d.x - 0.2 * d.y + 0.1 * d.z; }

TEST(EnvmapTrilinear, OfASmoothEnvironmentMakesTheSame) {
  const auto latlong = image_of(
      spec_of({0, 0, 512, 256}, PixelType::f32, 1),
      [](int, int x, int y, int) { return gradient(looks_latlong(512, 256, x + 0.5, y + 0.5)); });
  const auto error_of_faces = [](const Image& made, int n) {
    return worst_difference(
        made, [n](int x, int y) { return gradient(looks_face(y / n, n, x + 0.5, y % n + 0.5)); });
  };
  // At a pole reads end half a texel of the previous level early, which is visible if pixels are
  // large.
  for (const auto& [n, most] : {std::pair{32, 0.003}, {7, 0.02}}) {
    const Image made =
        run_chain("envmap --filter trilinear" + to_size("cube-faces", n, 6 * n), latlong);
    EXPECT_LT(error_of_faces(made, n), most) << n;
  }
  const auto cube =
      image_of(spec_of({0, 0, 128, 768}, PixelType::f32, 1), [](int, int x, int y, int) {
        return gradient(looks_face(y / 128, 128, x + 0.5, y % 128 + 0.5));
      });
  // At the edges of a face reads end half a texel of the previous level before the edge.
  EXPECT_LT(worst_difference(
                run_chain("envmap --filter trilinear" + to_size("latlong", 64, 32), cube),
                [](int x, int y) { return gradient(looks_latlong(64, 32, x + 0.5, y + 0.5)); }),
            0.03);
}

// A cap of 9 degrees around the pole. The loss at its rim is v (1 - v) along the middle of the
// face.
TEST(EnvmapTrilinear, BlursAPoleHardlyMoreThanTheMeanOfAllThatAPixelCovers) {
  const auto latlong = image_of(spec_of({0, 0, 1024, 512}, PixelType::f32, 1),
                                [](int, int, int y, int) { return y < 26 ? 1 : 0; });
  const auto blur_of = [&](const std::string& filter) {
    const Image made =
        run_chain("envmap --filter " + filter + to_size("cube-faces", 96, 576), latlong);
    double blur = 0;
    for (int x = 0; x < 96; ++x) {
      const double v = value_at(made, x, 2 * 96 + 48);
      blur += v * (1 - v);
    }
    return blur;
  };
  const double area = blur_of("linear"), levels = blur_of("trilinear");
  EXPECT_GT(area, 0.1);
  EXPECT_LT(levels, 1.5 * area);
  EXPECT_GT(levels, 0.5 * area);
}

TEST(EnvmapTrilinear, LatlongGoesRound) {
  for (const bool on_edges : {false, true}) {
    const int width = on_edges ? 257 : 256, height = on_edges ? 129 : 128;
    Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 1);
    if (on_edges) spec.metadata["envmap"] = std::string("latlong");
    // 16 waves around the horizon; at the ends of the rows they rise.
    const Image source = image_of(spec, [&](int, int x, int, int) {
      return std::sin(2 * pi * 16 * (x + (on_edges ? 0 : 0.5)) / 256);
    });
    const Image made = run_chain(
        "envmap --filter trilinear --sampling cells" + to_size("latlong", 128, 64), source);
    for (const int x : {0, 1, 126, 127})
      EXPECT_NEAR(value_at(made, x, 32), value_at(made, (x + 64) % 128, 32),
                  on_edges ? 0.06 : 0.002)
          << x << (on_edges ? " on edges" : "");
  }
}

TEST(EnvmapTrilinear, IsLinearWhereNothingShrinks) {
  const Image latlong = noise(spec_of({0, 0, 64, 32}, PixelType::f32, 3));
  for (const std::string to : {"latlong", "cube-cross", "angular"}) {
    const std::string words = "envmap --to " + to + " --size 200%";
    EXPECT_TRUE(same_pixels(run_chain(words + " --filter trilinear", latlong),
                            run_chain(words + " --no-antialias", latlong)))
        << to;
  }
  const std::string shrunk = "envmap --to latlong --size 30% --no-antialias";
  EXPECT_TRUE(
      same_pixels(run_chain(shrunk + " --filter trilinear", latlong), run_chain(shrunk, latlong)));
}

TEST(EnvmapTrilinear, IdsAreCopied) {
  Spec spec = spec_of({0, 0, 64, 32}, PixelType::half, 3);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image source = image_of(spec, [](int, int x, int y, int) { return x + 64 * y; });
  const std::string words = "envmap --to cube-cross --size 30%";
  const Image made = run_chain(words + " --filter trilinear", source),
              copied = run_chain(words, source);
  for (int y = 0; y < made.spec().data_window.height; ++y)
    EXPECT_EQ(0, std::memcmp(made.row(1, y), copied.row(1, y), made.row_bytes(1)));
}

TEST(EnvmapTrilinear, SaysHowManyLevelsItReads) {
  const auto explained = [&](const std::string& words, int width, int height) {
    std::string all;
    const Spec input = spec_of({0, 0, width, height}, PixelType::half, 4);
    for (const std::string& line : plan_of(parse_chain("envmap " + words), input).explanation)
      all += line + "\n";
    return all;
  };
  const std::string trilinear = "--filter trilinear --to latlong --size ";
  EXPECT_NE(explained(trilinear + "25%", 640, 320).find("trilinear filter, of 4 levels"),
            std::string::npos)
      << explained(trilinear + "25%", 640, 320);
  EXPECT_NE(explained(trilinear + "25%", 64, 384).find("levels of each face"), std::string::npos);
  EXPECT_EQ(explained(trilinear + "150%", 640, 320).find("trilinear"), std::string::npos);
  EXPECT_EQ(explained(trilinear + "25% --no-antialias", 640, 320).find("trilinear"),
            std::string::npos);
}

TEST(EnvmapTrilinear, RefusesWhatHasNoLevels) {
  const auto refusal = [](const std::string& words, int width, int height) {
    const Spec input = spec_of({0, 0, width, height}, PixelType::half, 1);
    return error_of(
        [&] { plan_of(parse_chain("envmap --filter trilinear --to latlong " + words), input); });
  };
  EXPECT_EQ(
      refusal("--from mirrorball", 64, 64),
      "envmap: --filter trilinear cannot read a mirrorball: use --filter linear, or envmap --to "
      "latlong before it");
  EXPECT_EQ(
      refusal("--from angular", 64, 64),
      "envmap: --filter trilinear cannot read an angular map: use --filter linear, or envmap --to "
      "latlong before it");
  EXPECT_EQ(refusal("--from latlong --size 64x32", 32769, 256),
            "--filter trilinear: the picture has 32769x256 pixels; the sides of a mipmapped "
            "texture have at most 32768: use --filter linear");
  EXPECT_EQ(refusal("--from cube-faces --size 64x32", 32769, 6 * 32769),
            "--filter trilinear: a face has 32769x32769 pixels; the sides of a mipmapped texture "
            "have at most 32768: use --filter linear");
  EXPECT_EQ(refusal("--from cube-faces --size 64x32", 32768, 6 * 32768), "no error");
}

}  // namespace
}  // namespace cuimg::test

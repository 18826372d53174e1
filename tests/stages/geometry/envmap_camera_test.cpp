// SPDX-License-Identifier: Apache-2.0
// envmap's camera: its rotation, and the pictures that show a part of all directions.
#include <string>
#include <vector>

#include "support/env_pictures.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

Image with_ids(const EnvKind& kind, int channels) {
  Spec spec = spec_of({0, 0, kind.width, kind.height}, PixelType::f32, channels);
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  return noise(spec, 7);
}

// The largest difference between the pixels and a smooth function of their directions.
double worst_error(const Image& made, const std::string& layout, double fov,
                   const std::vector<double>& rotate) {
  return worst_difference(made, [&](int x, int y) {
    const Rect& r = made.spec().data_window;
    const auto d = env_looks(layout, r.width, r.height, x, y, fov);
    return d ? env_smooth(env_turned(*d, rotate), 0) : 0.0;
  });
}

std::string option(const std::vector<double>& rotate) {
  return " --rotate " + format_value(rotate);
}

const std::vector<double> turns[] = {{90, 0, 0},   {0, 90, 0},     {0, 0, 90}, {30, 0, 0},
                                     {0, -50, 0},  {0, 0, 20},     {-70},      {20, 100},
                                     {40, 25, 15}, {200, -80, 333}};

TEST(EnvmapCamera, TurnsRightThenUpThenClockwiseInEveryLayout) {
  for (const EnvKind& from : env_kinds)
    for (const EnvKind& to : env_kinds)
      for (const std::vector<double>& rotate : turns) {
        const std::string chain = env_words(from, to) + option(rotate);
        const Image made = run_chain(chain, env_picture(from, 3, env_smooth));
        // The same as without a rotation: the outermost texel of a mirrorball covers 20 degrees.
        const double most = from.name == "mirrorball" ? 0.13
                            : to.name == "mirrorball" ? 0.02
                                                      : 0.012;
        EXPECT_LT(worst_error(made, to.name, 0, rotate), most) << chain;
      }
}

TEST(EnvmapCamera, LooksAtTheAxesThatTheHelpNames) {
  const Image source = env_picture(env_kinds[0], 3, [](const Direction& d, int c) {
    return c == 0 ? d.x : c == 1 ? d.y : d.z;
  });
  const auto shows = [&](const std::string& rotate, int x, int y) {
    const Image made = run_chain("envmap --to view --fov 80 --size 9x9 --rotate=" + rotate, source);
    return Direction{value_at(made, x, y, 0), value_at(made, x, y, 1), value_at(made, x, y, 2)};
  };
  constexpr double close = 0.99;  // a pixel is 11 degrees wide
  EXPECT_GT(shows("0", 4, 4).z, close);
  EXPECT_LT(shows("90", 4, 4).x, -close);  // +x is at the left
  EXPECT_GT(shows("0,90", 4, 4).y, close);
  EXPECT_GT(shows("-90,0", 4, 4).x, close);
  EXPECT_GT(shows("0,0,90", 4, 4).z, close);
  EXPECT_GT(shows("0,0,90", 0, 4).y, 0.5);  // up is at the left
  EXPECT_LT(shows("90,0,90", 4, 4).x, -close);
  EXPECT_GT(shows("90,90,0", 4, 8).z + shows("90,90,0", 4, 8).x, -1);
  EXPECT_LT(shows("90,90,0", 4, 8).x, -0.5);  // the direction below was in view before
}

TEST(EnvmapCamera, TurnsLatlongByAQuarterAsOffsetMovesIt) {
  for (const EnvKind& kind : {EnvKind{"latlong", 512, 256},
                              {"latlong", 500, 250},
                              {"latlong", 4, 2},
                              {"latlong", 516, 7},
                              {"latlong", 4100, 2}})
    for (const int channels : {1, 3, 4}) {
      const Image source = with_ids(kind, channels);
      const std::string words =
          "envmap --from latlong" + to_size("latlong", kind.width, kind.height);
      for (const int quarters : {1, 2, 3, 5, -1}) {
        const Image turned =
            run_chain(words + " --rotate " + std::to_string(90 * quarters), source);
        const int left = kind.width / 4 * quarters;
        EXPECT_TRUE(same_pixels(turned, run_chain("offset --x " + std::to_string(-left), source)))
            << kind.width << ", " << quarters;
      }
      EXPECT_TRUE(same_pixels(run_chain(words + " --rotate 0,0,180", source),
                              run_chain("rotate180", source)));
      EXPECT_TRUE(same_pixels(run_chain(words + " --rotate 360,-720,0", source), source));
    }
}

TEST(EnvmapCamera, KeepsTheSizeOfALayoutThatStays) {
  for (const auto& [width, height] : {std::pair{50, 25}, {101, 50}, {102, 51}, {7, 3}}) {
    const Image source = noise(spec_of({0, 0, width, height}, PixelType::f32, 3));
    const Image turned = run_chain("envmap --from latlong --to latlong --rotate 180", source);
    EXPECT_EQ(turned.spec().data_window, source.spec().data_window);
    if (width % 2 == 0) {
      EXPECT_TRUE(same_pixels(turned, run_chain("offset --x " + std::to_string(width / 2), source)))
          << width;
    }
  }
  const Image disc = noise(spec_of({0, 0, 50, 50}, PixelType::f32, 3));
  EXPECT_EQ(run_chain("envmap --from angular --to angular", disc).spec().data_window,
            disc.spec().data_window);
}

// Also if the picture shrinks: footprints and levels are turned together with the pixels that they
// mix.
TEST(EnvmapCamera, MixesAsMuchAfterAQuarterTurnAsBefore) {
  const Image source = with_ids({"latlong", 512, 256}, 4);
  for (const std::string filter : {"linear", "trilinear"}) {
    const std::string words =
        "envmap --from latlong --filter " + filter + to_size("latlong", 64, 32);
    EXPECT_TRUE(same_pixels(run_chain(words + " --rotate 90", source),
                            run_chain(words + " + offset --x -16", source)))
        << filter;
    EXPECT_TRUE(same_pixels(run_chain(words + " --rotate 180", source),
                            run_chain(words + " + offset --x -32", source)))
        << filter;
  }
}

// Uniform noise has a deviation of 0.29, and a pixel here covers hundreds of texels.
TEST(EnvmapCamera, MixesAllThatAPixelCoversHoweverItIsTurned) {
  const Image source = noise(spec_of({0, 0, 512, 256}, PixelType::f32, 1));
  for (const std::string& rest :
       {std::string("latlong --size 5%"), std::string("cube-faces --size 5%"),
        std::string("view --fov 120 --size 9x6"), std::string("equisolid --size 5%")})
    for (const std::vector<double>& rotate : turns) {
      const std::string chain = "envmap --from latlong --to " + rest + option(rotate);
      const Image made = run_chain(chain, source);
      const Rect& r = made.spec().data_window;
      const std::string to = rest.substr(0, rest.find(' '));
      for (int y = 0; y < r.height; ++y)
        for (int x = 0; x < r.width; ++x)
          if (env_looks(to, r.width, r.height, x, y, 120)) {
            ASSERT_NEAR(value_at(made, x, y), 0.5, 0.13) << chain;
          }
    }
}

TEST(EnvmapCamera, KeepsWhatIsOpaqueHoweverItIsTurned) {
  for (const EnvKind& from : env_kinds) {
    const Image source =
        env_picture(from, 4, [](const Direction&, int c) { return c == 3 ? 1 : 0.3f; });
    for (const std::string& rest :
         {std::string("latlong --size 64x32"), std::string("cube-cross --size 30x40"),
          std::string("view --fov 150 --size 33x18"), std::string("equidistant --size 40x40"),
          std::string("equisolid --fov 300 --size 41x41")})
      for (const std::vector<double>& rotate : turns) {
        const std::string chain = "envmap --from " + from.name + " --to " + rest + option(rotate);
        const Image made = run_chain(chain, source);
        const Rect& r = made.spec().data_window;
        const std::string to = rest.substr(0, rest.find(' '));
        for (int y = 0; y < r.height; ++y)
          for (int x = 0; x < r.width; ++x) {
            const bool seen = env_looks(to, r.width, r.height, x, y, 150).has_value();
            ASSERT_EQ(value_at(made, x, y, 3), seen ? 1.0f : 0.0f) << chain;
            ASSERT_NEAR(value_at(made, x, y, 0), seen ? 0.3f : 0.0f, 2e-7) << chain;
          }
      }
  }
}

TEST(EnvmapCamera, SeesWhatTheFormulasOfItsLensesSay) {
  struct Lens {
    std::string layout;
    double fov;
    int width, height;
  };
  const Image source = env_picture(env_kinds[0], 3, env_smooth);
  for (const Lens& lens : {Lens{"view", 90, 64, 64},
                           {"view", 75, 64, 36},
                           {"view", 20, 7, 50},
                           {"view", 170, 50, 20},
                           {"view", 60, 1, 1},
                           {"equidistant", 180, 40, 40},
                           {"equidistant", 300, 41, 41},
                           {"equidistant", 1, 9, 9},
                           {"equisolid", 180, 40, 40},
                           {"equisolid", 360, 31, 31},
                           {"equisolid", 200, 1, 1}})
    for (const std::vector<double>& rotate : turns) {
      const std::string chain = "envmap --to " + lens.layout + " --fov " + format_value(lens.fov) +
                                " --size " + std::to_string(lens.width) + "x" +
                                std::to_string(lens.height) + " --no-antialias" + option(rotate);
      EXPECT_LT(worst_error(run_chain(chain, source), lens.layout, lens.fov, rotate), 0.004)
          << chain;
    }
}

TEST(EnvmapCamera, SeesOneFaceOfACubeWithNinetyDegrees) {
  const Image source = with_ids({"latlong", 128, 64}, 4);
  const Image cross = run_chain("envmap --to cube-cross --size 120x90 --no-antialias", source);
  struct Face {
    const char* rotate;
    int column, row;
  };
  for (const Face& face : {Face{"0", 1, 1},
                           {"90", 2, 1},
                           {"-90", 0, 1},
                           {"180", 3, 1},
                           {"0,90", 1, 0},
                           {"0,-90", 1, 2}}) {
    const Image view = run_chain(
        "envmap --to view --size 30x30 --no-antialias --rotate=" + std::string(face.rotate),
        source);
    const std::string cell = "cut --region 30x30+" + std::to_string(30 * face.column) + "+" +
                             std::to_string(30 * face.row);
    EXPECT_TRUE(same_pixels(view, run_chain(cell, cross))) << face.rotate;
  }
}

TEST(EnvmapCamera, WithAFisheyeOfAllDirectionsMakesAnAngularMap) {
  const Image source = with_ids({"latlong", 128, 64}, 3);
  const Image angular = run_chain("envmap --to angular --size 65x65", source);
  EXPECT_TRUE(
      same_pixels(run_chain("envmap --to equidistant --fov 360 --size 65x65", source), angular));
}

// A fisheye has the same number of pixels per angle as the input on its horizon.
TEST(EnvmapCamera, KeepsTheInputsResolutionInAFisheye) {
  const Image source = noise(spec_of({0, 0, 128, 64}, PixelType::f32, 1));
  const auto window = [&](const std::string& words) {
    return run_chain("envmap --to " + words, source).spec().data_window;
  };
  EXPECT_EQ(window("equidistant"), (Rect{0, 0, 64, 64}));
  EXPECT_EQ(window("equidistant --fov 90"), (Rect{0, 0, 32, 32}));
  EXPECT_EQ(window("equisolid --fov 90 --size 50%"), (Rect{0, 0, 16, 16}));
  EXPECT_EQ(window("equidistant --fov 0.01"), (Rect{0, 0, 1, 1}));
}

TEST(EnvmapCamera, IsTheSameInBandsAndInOnePiece) {
  for (const EnvKind& from : env_kinds)
    for (const std::string& rest :
         {std::string("view --fov 100 --size 70x40"), std::string("equisolid --size 33x33"),
          std::string("cube-cross --size 70%"), std::string("latlong --size 70%")}) {
      const Image source = with_ids(from, 3);
      const std::string chain =
          "envmap --from " + from.name + " --to " + rest + " --rotate 40,25,-15";
      EXPECT_TRUE(same_pixels(run_chain(chain, source, {.threads = 2}),
                              run_chain(chain, source, {.whole = true})))
          << chain;
    }
}

TEST(EnvmapCamera, RefusesWhatACameraCannotSee) {
  const Image source = flat(spec_of({0, 0, 64, 32}, PixelType::f32, 1), 1);
  const auto refusal = [&](const std::string& options) {
    return problem("envmap " + options, source);
  };
  EXPECT_EQ(refusal("--to view"),
            "envmap: the size of a view is missing: say --size WxH, in pixels");
  EXPECT_EQ(refusal("--to view --size 640x0"),
            "envmap: the size of a view is missing: say --size WxH, in pixels");
  EXPECT_EQ(refusal("--to view --size 64x36 --fov 180"),
            "envmap: --fov 180 is too wide for a view: use at most 179, or --to equidistant");
  EXPECT_EQ(refusal("--to view --size 64x36 --fov 0"),
            "envmap: --fov 0 is out of range: use 0.01 to 360");
  EXPECT_EQ(
      refusal("--to angular --fov 90"),
      "envmap: --fov does not go with --to angular: it is for view, equidistant and equisolid");
  EXPECT_EQ(refusal("--from view --to latlong"),
            "envmap: --from view is not possible: view shows only some directions: use it with "
            "--to");
  EXPECT_EQ(refusal("--to equisolid --size 64x32"),
            "envmap: 64x32 is no fisheye: --size: its sides must be equal");
  EXPECT_EQ(refusal("--to view --size 64x36 --sampling edges"),
            "envmap: --sampling edges is for latlong and cubes: leave it out");
  EXPECT_EQ(refusal("--to latlong --rotate 1,2,3,4"),
            "envmap: --rotate has 4 numbers: use YAW,PITCH,ROLL");
  EXPECT_EQ(refusal("--to latlong --rotate nan"),
            "envmap: --rotate nan holds 'nan', which is not a number: use -1000000 to 1000000");
}

}  // namespace
}  // namespace cuimg::test

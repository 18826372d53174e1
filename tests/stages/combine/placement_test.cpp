// SPDX-License-Identifier: Apache-2.0
// The position of a second image in the picture, and the pixels beyond its windows.
#include "base/error.h"
#include "stages/combine/combine_fixture.h"

namespace cuimg::test {
namespace {

TEST_F(Combine, AtPutsTheSecondImagesCornerInThePicture) {
  Spec logo = spec_of({7, 9, 4, 3}, PixelType::f32, 4);
  const std::string file = write("logo.exr", flat(logo, 1));
  Spec spec = spec_of({0, 0, 20, 20}, PixelType::f32, 3);
  const auto covered = [&](const Image& image) {
    Rect all;
    for (int y = image.spec().data_window.y; y < image.spec().data_window.bottom(); ++y)
      for (int x = image.spec().data_window.x; x < image.spec().data_window.right(); ++x)
        if (value_at(image, x, y) == 1) all = bounding(all, {x, y, 1, 1});
    return all;
  };
  EXPECT_EQ(covered(run_chain("over --with " + file, flat(spec, 0))), (Rect{7, 9, 4, 3}));
  EXPECT_EQ(covered(run_chain("over --at 0,0 --with " + file, flat(spec, 0))), (Rect{0, 0, 4, 3}));
  EXPECT_EQ(covered(run_chain("over --at -2,18 --with " + file, flat(spec, 0))),
            (Rect{0, 18, 2, 2}));
  spec.display_window = spec.data_window = {100, 50, 20, 20};
  EXPECT_EQ(covered(run_chain("over --at 3,4 --with " + file, flat(spec, 0))),
            (Rect{103, 54, 4, 3}));
  EXPECT_THROW(run_chain("over --at 1.5,0 --with " + file, flat(spec, 0)), Error);
  EXPECT_THROW(run_chain("over --at 1e9,0 --with " + file, flat(spec, 0)), Error);
}

TEST_F(Combine, TheResultReachesAsFarAsBothImagesInsideTheFrame) {
  Spec spec = spec_of({5, 5, 4, 4}, PixelType::f32, 4);
  spec.display_window = {0, 0, 20, 20};
  const std::string file = write("second.exr", flat(spec_of({2, 2, 30, 5}, PixelType::f32, 4), 1));
  EXPECT_EQ(run_chain("over --with " + file, flat(spec, 1)).spec().data_window,
            (Rect{2, 2, 18, 7}));
  EXPECT_EQ(run_chain("mul --with " + file, flat(spec, 1)).spec().data_window, spec.data_window);
}

TEST_F(Combine, ASecondImageKeepsToASide) {
  const std::string file = write("second.exr", pixel({1}));
  struct Case {
    const char* options;
    int x, y;
  };
  for (const Case& c :
       {Case{"--gravity northwest", 0, 0}, Case{"--gravity southeast", 4, 2},
        Case{"--gravity southeast --at 1,2", 3, 0}, Case{"--gravity center", 2, 1},
        Case{"--gravity north --at 1,2", 3, 2}, Case{"--gravity west --at 1,-1", 1, 0},
        Case{"--gravity northeast --at 3,1", 1, 1}, Case{"--at 1,2", 1, 2}}) {
    SCOPED_TRACE(c.options);
    const Image picture = flat(spec_of({7, -3, 5, 3}, PixelType::f32, 1), 0);
    const Image made = run_chain("over --with " + file + " " + c.options, picture);
    ASSERT_EQ(made.spec().data_window, picture.spec().data_window);
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x)
        EXPECT_EQ(at(made, 7 + x, y - 3), (Values{x == c.x && y == c.y ? 1.0f : 0.0f}))
            << x << " " << y;
  }
}

TEST_F(Combine, BeyondASmallerImageArithmeticLeavesThePictureAlone) {
  Spec second = spec_of({2, 2, 2, 2}, PixelType::f32, 4);
  second.display_window = {0, 0, 5, 5};
  const std::string file = write("second.exr", flat(second, 2));
  const Image first = flat(spec_of({0, 0, 9, 9}, PixelType::f32, 4), 3);
  const auto value = [&](const std::string& words, int x) {
    return value_at(run_chain(words + " --raw --with " + file, first), x, 3);
  };
  for (const std::string name : {"add", "sub", "mul", "div", "min", "max", "absdiff"})
    EXPECT_EQ(value(name, 8), 3) << name;
  // Within its display window, pixels that the second image lacks are zero.
  EXPECT_EQ(value("mul", 0), 0);
  EXPECT_EQ(value("min", 4), 0);
  EXPECT_EQ(value("mul", 2), 6);
  EXPECT_EQ(value("mix --amount 0.5", 8), 1.5f);
}

TEST_F(Combine, CornersOutsideBothWindowsOfTheSecondImageAreBeyondIt) {
  Spec second = spec_of({6, 2, 2, 2}, PixelType::f32, 3);
  second.display_window = {2, 6, 3, 2};
  const std::string apart = write("apart.exr", flat(second, 2));
  second.data_window = {4, 2, 2, 9};
  const std::string crossed = write("crossed.exr", flat(second, 2));
  const Image first = flat(spec_of({0, 0, 9, 12}, PixelType::f32, 3), 3);
  for (const std::string& file : {apart, crossed}) {
    const Rect display = second.display_window;
    const Rect data = file == apart ? Rect{6, 2, 2, 2} : second.data_window;
    for (const bool whole : {false, true}) {
      ChainOptions options;
      options.whole = whole;
      const Image made = run_chain("mul --with " + file, first, options);
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 9; ++x) {
          const Rect here = {x, y, 1, 1};
          ASSERT_EQ(value_at(made, x, y), data.contains(here)      ? 6
                                          : display.contains(here) ? 0
                                                                   : 3)
              << x << " " << y;
        }
    }
  }
}

TEST_F(Combine, AnotherSizeIsRefusedUnlessAPlaceIsSaid) {
  const Image first = flat(spec_of({0, 0, 9, 7}, PixelType::f32, 4), 1);
  Spec second = spec_of({0, 0, 5, 5}, PixelType::f32, 4);
  const std::string small = write("small.exr", flat(second, 0.5f));
  second.display_window = {0, 0, 9, 7};
  const std::string part = write("part.exr", flat(second, 0.5f));
  second.display_window = {0, 0, 100, 80};
  const std::string larger = write("larger.exr", flat(second, 0.5f));
  second = spec_of({3, -2, 5, 5}, PixelType::f32, 4);
  const std::string elsewhere = write("elsewhere.exr", flat(second, 0.5f));
  for (const std::string name :
       {"over", "dest-over", "in", "dest-in", "out", "dest-out", "atop", "dest-atop", "xor", "add",
        "sub", "mul", "div", "min", "max", "absdiff", "mix", "mask"}) {
    EXPECT_EQ(problem(name + " --with " + small, first),
              name +
                  ": the second image is 5x5 and the picture 9x7: say where it lies with "
                  "--at X,Y or --gravity, or resize one of them");
    EXPECT_EQ(problem(name + " --at 2,1 --with " + small, first), "none");
    for (const std::string& file : {part, larger, elsewhere})
      EXPECT_EQ(problem(name + " --with " + file, first), "none") << name << file;
  }
  EXPECT_EQ(problem("add --value 1 --at 0,0", first),
            "add: --at places a second image: give it with --with");
  const Image moved = run_chain("add --at 2,1 --with " + small, first);
  EXPECT_EQ(at(moved, 1, 1), (Values{1, 1, 1, 1}));
  EXPECT_EQ(at(moved, 2, 1), (Values{1.5f, 1.5f, 1.5f, 1}));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The texels that a region of a warped picture reads.
#include "stages/warp/texels_read.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "stages/warp/warp.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// The region of its input that a chain's last stage needs for a region of its output.
Rect needed(const std::string& words, const Spec& spec, const Rect& region) {
  const Plan plan = plan_of(parse_chain(words), spec);
  return plan.steps.back().operation->needed(region);
}

// Pixels outside of the area that a region claims to need must not affect the region.
TEST(TexelsRead, NothingElseIsRead) {
  const Spec spec = spec_of({0, 0, 150, 130}, PixelType::f32, 1);
  const Image image = noise(spec), rest = noise(spec, 99);
  std::mt19937 random(7);
  const auto number = [&](int low, int high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  for (const char* words :
       {"perspective --corners 20,10,140,40,120,100,3,128",
        "perspective --corners 20,10,140,40,120,100,3,128 --filter cubic --no-antialias",
        "distort --k1 0.4", "undistort --k1 -0.2 --border mirror", "undistort --p1 0.05 --k2 0.1",
        "distort --k1 2 --border wrap", "affine --matrix 0.4,0.1,0,0.7,3,20"}) {
    const Image whole = run_chain(words, image);
    for (int i = 0; i < 20; ++i) {
      const Rect& window = whole.spec().data_window;
      const Rect region{number(0, window.width - 41), number(0, window.height - 41), number(1, 40),
                        number(1, 40)};
      const Rect read = needed(words, spec, region);
      const Image other = image_of(spec, [&](int, int x, int y, int) {
        const bool is_read = read.contains(Rect{x, y, 1, 1});
        return is_read ? value_at(image, x, y) : value_at(rest, x, y);
      });
      const Image part = run_chain(words, other);
      for (int y = region.y; y < region.bottom(); ++y)
        for (int x = region.x; x < region.right(); ++x)
          ASSERT_EQ(value_at(part, x, y), value_at(whole, x, y)) << words << " " << x << "," << y;
    }
  }
}

TEST(TexelsRead, SmallRegionsReadLittle) {
  const Spec spec = spec_of({0, 0, 2000, 2000}, PixelType::f32, 1);
  const Rect region{1000, 600, 64, 64};
  for (const char* words : {"perspective --corners 100,50,1900,200,1800,1700,50,1950",
                            "undistort --k1 0.1", "distort --k1 0.1 --border mirror"})
    EXPECT_LT(needed(words, spec, region).pixels(), 200 * 200) << words;
}

// Several threads ask for the pixels of the same tiles many times.
TEST(TexelsRead, ThreadsThatAskTogetherGetTheSame) {
  const Spec spec = spec_of({0, 0, 700, 500}, PixelType::f32, 1);
  const Plan plan = plan_of(parse_chain("undistort --k1 0.1 --p1 0.01"), spec);
  const Operation& warp = *plan.steps.back().operation;
  const Plan again = plan_of(parse_chain("undistort --k1 0.1 --p1 0.01"), spec);
  std::vector<std::vector<Rect>> heard(4);
  std::vector<std::thread> threads;
  for (auto& answers : heard)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) answers.push_back(warp.needed({i * 3, i * 2, 90, 70}));
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 200; ++i)
    for (const auto& answers : heard)
      ASSERT_EQ(answers[static_cast<std::size_t>(i)],
                again.steps.back().operation->needed({i * 3, i * 2, 90, 70}));
}

}  // namespace
}  // namespace cuimg::test

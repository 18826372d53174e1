// SPDX-License-Identifier: Apache-2.0
// Data windows apart from the display window: they scale outward and are zero beyond themselves.
#include <gtest/gtest.h>

#include <cstdint>

#include "pipeline/apply.h"
#include "stages/resize.h"

namespace cuimg::test {
namespace {

TEST(ResizeWindow, ReadsZeroWhereAPixelsCentreLiesOutsideTheDataWindow) {
  // Columns 1 and 2 of 10 are 0.5 to 1.5 of 5, outward 0 and 1.
  Spec spec;
  spec.display_window = {0, 0, 10, 10};
  spec.data_window = rect_from_edges(1, 1, 3, 3);
  spec.layers = {{"", {"id"}, PixelType::u32}};
  Image input(spec);
  for (int y = 1; y < 3; ++y)
    for (int x = 0; x < 2; ++x)
      reinterpret_cast<std::uint32_t*>(input.row(0, y))[x] = static_cast<std::uint32_t>(7 + x);
  Resize resize;
  resize.size = percent(50);
  const Image output = apply(input, {bind(*find_stage("resize"), resize)}, Queue::cpu(1));
  // Centres of 0 and 1 are 1 and 3: the first lies inside, the second at the edge outside.
  ASSERT_EQ(output.spec().data_window, rect_from_edges(0, 0, 2, 2));
  const auto* first = reinterpret_cast<const std::uint32_t*>(output.row(0, 0));
  const auto* second = reinterpret_cast<const std::uint32_t*>(output.row(0, 1));
  EXPECT_EQ(first[0], 7u);
  EXPECT_EQ(first[1], 0u);
  EXPECT_EQ(second[0], 0u);
  EXPECT_EQ(second[1], 0u);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Medians of two neighbouring columns by their network, next to sorting.
#include "kernels/stencil/median_column_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace cuimg::test {
namespace {

int sorted_median(const std::vector<Keys<int, 6>>& rows, int y, int column) {
  std::vector<int> window;
  for (int j = y - 2; j <= y + 2; ++j)
    for (int k = 0; k < 5; ++k) window.push_back(rows[static_cast<std::size_t>(j)].v[column + k]);
  std::sort(window.begin(), window.end());
  return window[12];
}

TEST(MedianColumnPair, FindsTheMiddleValue) {
  std::mt19937 random(1);
  for (const int values : {2, 7, 1000})  // with many equal values, and with few
    for (int round = 0; round < 2000; ++round) {
      std::vector<Keys<int, 6>> rows(14);
      for (auto& row : rows)
        for (int& key : row.v) key = static_cast<int>(random() % static_cast<unsigned>(values));
      const auto row = [&](int y) { return rows[static_cast<std::size_t>(y)]; };
      int found = 0;
      MedianColumnPair<int> column;
      column.begin(2, row);
      for (int y = 2; y + column.rows + 2 <= 14; y += column.rows)
        column.step(y, row, [&](int at, int of, int median) {
          EXPECT_EQ(median, sorted_median(rows, at, of)) << at << ' ' << of;
          ++found;
        });
      ASSERT_EQ(found, 20);
      ASSERT_FALSE(HasFailure());
    }
}

}  // namespace
}  // namespace cuimg::test

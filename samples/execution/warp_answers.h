// SPDX-License-Identifier: Apache-2.0
// Questions between the lanes of a warp, and the expected answer for each lane. For nvcc.
#pragma once

#include <array>
#include <iterator>

#include "execution/block_count.h"

namespace cuimg::samples {

using Warp = std::array<unsigned, lanes>;

__host__ __device__ constexpr unsigned value_of(unsigned lane) { return 3 * lane % 11; }

constexpr const char* questions[] = {"its own value",   "all < 11",        "any > 10",
                                     "who has > 4",     "lane 5's",        "the next lane's",
                                     "lane 2 of its 8", "4 lanes down",    "sum up to here",
                                     "sum of all",      "who has the same"};
constexpr int count_of_questions = static_cast<int>(std::size(questions));

/// The expected answer for each lane.
inline Warp expected(int question) {
  Warp told{};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto mask_of = [](const auto& condition) {
      unsigned mask = 0;
      for (unsigned other = 0; other < lanes; ++other)
        if (condition(value_of(other))) mask |= 1u << other;
      return mask;
    };
    unsigned before = 0, sum = 0;
    for (unsigned other = 0; other < lanes; ++other) {
      sum += value_of(other);
      if (other <= lane) before += value_of(other);
    }
    const unsigned value = value_of(lane);
    // Lane 31 asks for lane 32's value and gets lane 0's, since the number is taken modulo the
    // width. A shift that would leave its 16 lanes gives the lane's own value.
    const unsigned down = lane % 16 + 4 < 16 ? value_of(lane + 4) : value;
    const unsigned by_question[] = {value,
                                    1,
                                    0,
                                    mask_of([](unsigned other) { return other > 4; }),
                                    value_of(5),
                                    value_of((lane + 1) % lanes),
                                    value_of(lane / 8 * 8 + 2),
                                    down,
                                    before,
                                    sum,
                                    mask_of([&](unsigned other) { return other == value; })};
    told[lane] = by_question[question];
  }
  return told;
}

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// The kinds of half, the number of floats that become each, and the floats at the bounds between
// them.
#pragma once

#include <cstdint>

namespace cuimg::samples {

constexpr int kinds = 5;
constexpr const char* kind_names[kinds] = {"zero", "denormal", "normal", "infinity", "NaN"};

/// The bits of each kind's least float above 0, and what follows the last.
constexpr std::uint32_t kind_bounds[kinds + 1] = {0,          0x33000001, 0x387fe000,
                                                  0x477ff000, 0x7f800001, 0x80000000};

/// With both signs.
constexpr unsigned long long floats_of_kind(int kind) {
  return 2ull * (kind_bounds[kind + 1] - kind_bounds[kind]);
}

struct FloatOfNote {
  std::uint32_t bits;
  const char* what;
};
constexpr FloatOfNote floats_of_note[] = {
    {0x45001000, "between 2048 and 2050: even"}, {0x45003000, "between 2050 and 2052: even"},
    {0x477fefff, "the last before infinity"},    {0x477ff000, "the first infinity"},
    {0x387fdfff, "the last denormal"},           {0x387fe000, "in the middle: the least normal"},
    {0x33000001, "the least that is not zero"},  {0x33000000, "in the middle: zero, the even"},
    {0x80000001, "a zero keeps its sign"},       {0xffc00001, "a NaN does not"}};

}  // namespace cuimg::samples

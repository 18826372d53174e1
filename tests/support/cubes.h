// SPDX-License-Identifier: Apache-2.0
// .cube files made in tests.
#pragma once

#include <array>
#include <string>

#include "options/parameter.h"

namespace cuimg::test {

using Rgb = std::array<float, 3>;

/// A grid whose entry at (r, g, b) of [0, 1] is `entry(Rgb)`.
template <class Entry>
std::string grid_text(int size, const Entry& entry) {
  std::string text = "LUT_3D_SIZE " + std::to_string(size) + "\n";
  const auto at = [&](int i) { return static_cast<float>(i) / static_cast<float>(size - 1); };
  for (int b = 0; b < size; ++b)
    for (int g = 0; g < size; ++g)
      for (int r = 0; r < size; ++r) {
        const Rgb made = entry(Rgb{at(r), at(g), at(b)});
        for (const float v : made) text += format_value(v) + ' ';
        text.back() = '\n';
      }
  return text;
}

/// Curves whose entry at v of [0, 1] is `entry(v)`.
template <class Entry>
std::string curves_text(int size, const Entry& entry) {
  std::string text = "LUT_1D_SIZE " + std::to_string(size) + "\n";
  for (int i = 0; i < size; ++i) {
    const Rgb made = entry(static_cast<float>(i) / static_cast<float>(size - 1));
    for (const float v : made) text += format_value(v) + ' ';
    text.back() = '\n';
  }
  return text;
}

}  // namespace cuimg::test

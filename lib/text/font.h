// SPDX-License-Identifier: Apache-2.0
// Text in pictures, in the library's own font: measures, shortens and draws it as coverage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// How much of each pixel letters cover; 255 means all of it.
struct TextCoverage {
  /// The position of its first pixel, relative to the start of the text on the baseline.
  int left = 0, top = 0;
  int width = 0, height = 0;
  std::vector<std::uint8_t> values;

  std::uint8_t at(int x, int y) const {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// DejaVu Sans at one size: Latin, Greek, Cyrillic and common signs. Any other character is a box,
/// and a byte that is not UTF-8 is U+FFFD. All lengths are in pixels; letters are the same
/// everywhere, since only float arithmetic fills their outlines.
class Font {
 public:
  /// @param size of the em square: a line of text is about 1.2 times as high.
  explicit Font(float size);

  float ascent() const;   ///< From the baseline to the top of high letters with accents.
  float descent() const;  ///< From the baseline down to the end of tails.

  /// The width of the text, including kerning.
  float width(std::string_view text) const;
  /// The text or, if it is wider than `most`, its start and end with an ellipsis between: names of
  /// frames differ at their ends. Empty if even the ellipsis is too wide.
  std::string shortened(std::string_view text, float most) const;
  TextCoverage drawn(std::string_view text) const;

 private:
  float scale_;
};

}  // namespace cuimg

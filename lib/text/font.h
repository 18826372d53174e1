// SPDX-License-Identifier: Apache-2.0
// Text in pictures, in the library's own font: measured, shortened, and drawn as coverage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// How much of each pixel letters cover, 255 for all of it.
struct TextCoverage {
  int left = 0, top = 0;  ///< Of its first pixel, from the start of the text on the baseline.
  int width = 0, height = 0;
  std::vector<std::uint8_t> values;

  std::uint8_t at(int x, int y) const {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// DejaVu Sans at one size: Latin, Greek, Cyrillic and common signs. Any other character is a box,
/// and a byte that is not UTF-8 is U+FFFD. All lengths are in pixels; letters are the same
/// everywhere, as their outlines are filled by float arithmetic alone.
class Font {
 public:
  /// @param size of the em square: a line of text is about 1.2 times as high.
  explicit Font(float size);

  float ascent() const;   ///< From the baseline to the top of high letters with accents.
  float descent() const;  ///< From the baseline down to the end of tails.

  /// How far the text reaches, kerned.
  float width(std::string_view text) const;
  /// The text, or, where that is wider than `most`, its start and its end with an ellipsis between:
  /// names of frames differ at their ends. Empty when even the ellipsis is too wide.
  std::string shortened(std::string_view text, float most) const;
  TextCoverage drawn(std::string_view text) const;

 private:
  float scale_;
};

}  // namespace cuimg

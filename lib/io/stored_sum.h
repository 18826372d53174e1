// SPDX-License-Identifier: Apache-2.0
// Detects whether two files store the same samples, for cases in which different samples give the
// same pixels: inks, doubles, colours that are cut off.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cuimg {

/// A decoder's description of the samples that its file stores.
struct StoredSamples {
  std::string kind;  ///< Sums of the same kind can be compared: "CMYK".
  std::string sum;   ///< The sum over all samples and their positions.
};

/// A sum over samples in any order, so that strips and tiles give the same sum. It does not protect
/// against deliberately constructed collisions.
class StoredSum {
 public:
  /// @param y, x the position as stored. @param sample its index in the pixel.
  void add(int y, std::size_t x, std::size_t sample, std::size_t samples, double value);
  void add_row(int y, std::span<const std::byte> row);
  /// In hexadecimal.
  std::string text() const;

 private:
  void add_word(int y, std::uint64_t place, std::uint64_t word);

  std::array<std::uint64_t, 2> sums_{};
};

}  // namespace cuimg

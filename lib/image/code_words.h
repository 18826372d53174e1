// SPDX-License-Identifier: Apache-2.0
// Looks up rows of 8-bit codes in a table of 32-bit words, such as floats.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cuimg {

class CodeWords {
 public:
  static constexpr std::size_t codes = 256;

  /// @param word of each code: floats or 32-bit integers.
  template <class Word>
  explicit CodeWords(const Word (&word)[codes]) {
    static_assert(sizeof(Word) == sizeof(std::uint32_t));
    for (std::size_t code = 0; code < codes; ++code)
      set(code, std::bit_cast<std::uint32_t>(word[code]));
  }

  /// target[i] is the word of source[i]. @param target `count` words of the table's type, which
  /// must not overlap `source`: the last values may be computed twice.
  void look_up(const std::uint8_t* source, void* target, std::size_t count) const;

 private:
  void set(std::size_t code, std::uint32_t word);

  std::array<std::uint32_t, codes> words_;
  /// Each byte of the words by itself: four registers of AVX-512 hold a byte of all words.
  alignas(64) std::array<std::array<std::uint8_t, codes>, sizeof(std::uint32_t)> bytes_;
};

}  // namespace cuimg

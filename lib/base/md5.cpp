// SPDX-License-Identifier: Apache-2.0
#include "base/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cuimg {
namespace {

using State = std::array<std::uint32_t, 4>;

// The whole part of 2^32 |sin i|, i from 1 on: far enough from whole numbers that any sine will do.
std::array<std::uint32_t, 64> make_sines() {
  std::array<std::uint32_t, 64> sines{};
  for (std::size_t i = 0; i < sines.size(); ++i)
    sines[i] = static_cast<std::uint32_t>(
        std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 0x1p32));
  return sines;
}

void add_block(const std::byte* block, State& state) {
  static const std::array<std::uint32_t, 64> sines = make_sines();
  constexpr int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < 64; ++i)
    words[i / 4] |= std::to_integer<std::uint32_t>(block[i]) << 8 * (i % 4);
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t round = i / 16;
    const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                : round == 1 ? (d & b) | (~d & c)
                                : round == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    constexpr std::size_t factor[] = {1, 5, 3, 7}, first[] = {0, 1, 5, 0};
    const std::uint32_t word = words[(factor[round] * i + first[round]) % 16];
    const std::uint32_t turned = std::rotl(a + mixed + sines[i] + word, shifts[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  }
  const State added = {a, b, c, d};
  for (std::size_t i = 0; i < 4; ++i) state[i] += added[i];
}

}  // namespace

std::string md5_of(std::span<const std::byte> bytes) {
  std::vector<std::byte> padded(bytes.begin(), bytes.end());
  padded.push_back(std::byte{0x80});
  while (padded.size() % 64 != 56) padded.push_back(std::byte{0});
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int i = 0; i < 8; ++i) padded.push_back(static_cast<std::byte>(bits >> 8 * i));
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (std::size_t at = 0; at < padded.size(); at += 64) add_block(&padded[at], state);
  std::string digits;
  for (const std::uint32_t word : state)
    for (int byte = 0; byte < 4; ++byte)
      for (const int shift : {4, 0}) digits += "0123456789ABCDEF"[word >> (8 * byte + shift) & 15];
  return digits;
}

}  // namespace cuimg

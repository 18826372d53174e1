// SPDX-License-Identifier: Apache-2.0
#include "io/stored_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cuimg {
namespace {

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), figure 16.
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

void StoredSum::add_word(int y, std::uint64_t place, std::uint64_t word) {
  const std::uint64_t at = mixed(mixed(static_cast<std::uint64_t>(y)) ^ place);
  sums_[0] += mixed(at ^ word);
  sums_[1] += mixed(mixed(at + 1) + word);
}

void StoredSum::add(int y, std::size_t x, std::size_t sample, std::size_t samples, double value) {
  constexpr std::uint64_t any_nan = 0x7ff8000000000000u;  // since all NaNs count as equal
  // Adding +0 turns -0 into 0, which equals it.
  add_word(y, x * samples + sample,
           std::isnan(value) ? any_nan : std::bit_cast<std::uint64_t>(value + 0.0));
}

void StoredSum::add_row(int y, std::span<const std::byte> row) {
  for (std::size_t at = 0; at < row.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &row[at], std::min(sizeof word, row.size() - at));
    add_word(y, at, word);
  }
}

std::string StoredSum::text() const { return fmt::format("{:016x}{:016x}", sums_[0], sums_[1]); }

}  // namespace cuimg

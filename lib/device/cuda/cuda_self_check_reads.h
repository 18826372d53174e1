// SPDX-License-Identifier: Apache-2.0
// What the self-check's parts share: fixed values, and reads that are compared in every bit.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace cuimg::self_check {

/// The reads of a sampler; of them so many tell a changed definition, in a millisecond.
inline constexpr int reads_per_case = 1024, reads_in_digest = 96;

/// A fixed sequence: PCG's output function over a counter (O'Neill 2014).
inline std::uint32_t scrambled(std::uint32_t i) {
  i = i * 747796405u + 2891336453u;
  const std::uint32_t word = ((i >> ((i >> 28) + 4)) ^ i) * 277803737u;
  return (word >> 22) ^ word;
}

/// A float of either sign: around 1, or else over 60 binades below; sometimes a special value.
inline float test_value(std::uint32_t i, bool around_1) {
  const std::uint32_t bits = scrambled(i);
  if (i % 97 == 5) {
    constexpr std::array special = {0.0f, -0.0f, 1e-40f, std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN()};
    return special[bits % special.size()];
  }
  const std::uint32_t exponent = around_1 ? 125 + scrambled(bits) % 4 : 97 + scrambled(bits) % 60;
  return std::bit_cast<float>((bits & 0x807fffffu) | exponent << 23);
}

using Reads = std::vector<float4>;

inline std::array<std::uint32_t, 4> bits(const float4& v) {
  return {std::bit_cast<std::uint32_t>(v.x), std::bit_cast<std::uint32_t>(v.y),
          std::bit_cast<std::uint32_t>(v.z), std::bit_cast<std::uint32_t>(v.w)};
}

inline bool same_bits(const Reads& a, const Reads& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const float4& x, const float4& y) { return bits(x) == bits(y); });
}

/// FNV-1a over words.
inline void add_to_digest(std::uint64_t& hash, const Reads& reads) {
  for (const float4& read : reads)
    for (const std::uint32_t word : bits(read)) hash = (hash ^ word) * 1099511628211u;
}

}  // namespace cuimg::self_check

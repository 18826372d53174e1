// SPDX-License-Identifier: Apache-2.0
// The table of light_keys.h, from the thresholds of sRGB.
#include "stages/filter/median/light_keys.h"

#include <bit>
#include <limits>

#include "image/srgb_tables.h"

namespace cuimg {
namespace {

NearCodes make_near_codes() {
  NearCodes near = {};
  for (float& threshold : near.thresholds) threshold = std::numeric_limits<float>::infinity();
  near.thresholds[0] = 0;
  // A threshold is in the only entry from which on codes are higher.
  const std::uint32_t* const encode = srgb8_tables().encode;
  for (std::uint32_t i = 0; i < Srgb8Tables::buckets; ++i) {
    const std::uint32_t low_bits = encode[i] & 0xffffu, code = encode[i] >> 16;
    const std::uint32_t start = (Srgb8Tables::first_bucket + i) << 16;
    if (low_bits != 0)
      near.thresholds[code + 1] = std::bit_cast<float>(start + 0x10000u - low_bits);
    // One at the very start is counted there already.
    if (code > 0 && near.thresholds[code] > 1) near.thresholds[code] = std::bit_cast<float>(start);
  }
  for (std::uint32_t i = 0; i < NearCodes::count; ++i) {
    const std::uint32_t start = (NearCodes::first + i) << 16;
    std::uint32_t code = 0, threshold = 0;
    for (int j = 1; j < 256; ++j) {
      const std::uint32_t bits =
          std::bit_cast<std::uint32_t>((near.thresholds[j] + key_offset) / 2);
      if (bits < start)
        ++code;
      else if (bits < start + 0x10000u + NearCodes::reach)
        threshold = bits;  // at most one: thresholds are further apart
    }
    const std::uint32_t offset = threshold != 0 ? (1u << 17) - threshold : (1u << 15) - start;
    near.entries[i] = ((code << 17) + offset) << 7;
  }
  return near;
}

}  // namespace

const NearCodes& near_codes() {
  static const NearCodes near = make_near_codes();
  return near;
}

}  // namespace cuimg

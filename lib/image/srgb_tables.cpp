// SPDX-License-Identifier: Apache-2.0
// sRGB (IEC 61966-2-1) in double, rounded to float tables.
#include "image/srgb_tables.h"

#include <bit>
#include <cmath>  // nextafter: exact
#include <cstdint>
#include <limits>
#include <memory>

#include "image/exact_math.h"

namespace cuimg {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double decode(double x) { return x <= 0.04045 ? x / 12.92 : exact::pow((x + 0.055) / 1.055, 2.4); }

/// The smallest float at or above the light between codes `code - 1` and `code`.
float threshold(int code, double codes) {
  const double light = decode((code - 0.5) / codes);
  const auto nearest = static_cast<float>(light);
  return nearest < light ? std::nextafter(nearest, infinity) : nearest;
}

Srgb8Tables make_srgb8() {
  Srgb8Tables tables;
  for (int code = 0; code < 256; ++code)
    tables.decode[code] = static_cast<float>(decode(code / 255.0));
  int code = 0;  // how many thresholds lie at or below the bucket's start
  for (std::uint32_t i = 0; i < Srgb8Tables::buckets; ++i) {
    const std::uint32_t start = (Srgb8Tables::first_bucket + i) << 16;
    while (code < 255 && std::bit_cast<std::uint32_t>(threshold(code + 1, 255)) <= start) ++code;
    std::uint32_t entry = static_cast<std::uint32_t>(code) << 16;
    if (code < 255) {
      const auto next = std::bit_cast<std::uint32_t>(threshold(code + 1, 255));
      if (next - start < 0x10000u) entry += 0x10000u - (next - start);
    }
    tables.encode[i] = entry;
  }
  return tables;
}

std::unique_ptr<Srgb16Tables> make_srgb16() {
  auto tables = std::make_unique<Srgb16Tables>();
  for (int code = 0; code < 65536; ++code)
    tables->decode[code] = static_cast<float>(decode(code / 65535.0));
  tables->thresholds[0] = -infinity;
  for (int code = 1; code < 65536; ++code) tables->thresholds[code] = threshold(code, 65535);
  tables->thresholds[65536] = infinity;
  return tables;
}

}  // namespace

const Srgb8Tables& srgb8_tables() {
  static const Srgb8Tables tables = make_srgb8();
  return tables;
}

const Srgb16Tables& srgb16_tables() {
  static const std::unique_ptr<Srgb16Tables> tables = make_srgb16();
  return *tables;
}

}  // namespace cuimg

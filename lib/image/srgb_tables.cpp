// SPDX-License-Identifier: Apache-2.0
// sRGB (IEC 61966-2-1) in double, rounded to float tables.
#include "image/srgb_tables.h"

#include <bit>
#include <cmath>  // nextafter: exact
#include <cstdint>
#include <limits>
#include <memory>

#include "base/exact_math.h"

namespace cuimg {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Decodes a sequence of close, ascending values: b^2.4 = b^2 (b^2)^(1/5), where Newton's method
/// for the root starts from the previous root. For 131,071 values this takes half the time of pow.
class Decoder {
 public:
  double operator()(double x) {
    if (x <= 0.04045) return x / 12.92;
    const double base = (x + 0.055) / 1.055, square = base * base;
    if (root_ == 0.0) root_ = exact::pow(base, 0.4);
    for (int step = 0; step < 3; ++step) {
      const double root2 = root_ * root_;
      root_ -= 0.2 * (root_ - square / (root2 * root2));
    }
    return square * root_;
  }

 private:
  double root_ = 0.0;
};

double decode(double x) { return Decoder()(x); }

/// The smallest float at or above the boundary in light between codes `code - 1` and `code`.
template <class Decode>
float threshold(Decode& decode_one, int code, double codes) {
  const double light = decode_one((code - 0.5) / codes);
  const auto nearest = static_cast<float>(light);
  return nearest < light ? std::nextafter(nearest, infinity) : nearest;
}

Srgb8Tables make_srgb8() {
  Srgb8Tables tables;
  for (int code = 0; code < 256; ++code)
    tables.decode[code] = static_cast<float>(decode(code / 255.0));
  int code = 0;  // the number of thresholds at or below the bucket's start
  for (std::uint32_t i = 0; i < Srgb8Tables::buckets; ++i) {
    const std::uint32_t start = (Srgb8Tables::first_bucket + i) << 16;
    while (code < 255 && std::bit_cast<std::uint32_t>(threshold(decode, code + 1, 255)) <= start)
      ++code;
    std::uint32_t entry = static_cast<std::uint32_t>(code) << 16;
    if (code < 255) {
      const auto next = std::bit_cast<std::uint32_t>(threshold(decode, code + 1, 255));
      if (next - start < 0x10000u) entry += 0x10000u - (next - start);
    }
    tables.encode[i] = entry;
  }
  return tables;
}

std::unique_ptr<Srgb16Tables> make_srgb16() {
  auto tables = std::make_unique<Srgb16Tables>();
  Decoder codes, thresholds;
  for (int code = 0; code < 65536; ++code)
    tables->decode[code] = static_cast<float>(codes(code / 65535.0));
  tables->thresholds[0] = -infinity;
  for (int code = 1; code < 65536; ++code)
    tables->thresholds[code] = threshold(thresholds, code, 65535);
  tables->thresholds[65536] = infinity;
  return tables;
}

std::unique_ptr<Srgb16Short> make_srgb16_short() {
  auto tables = std::make_unique<Srgb16Short>();
  constexpr int decode_scales = 8, encode_scales = 16;
  for (int i = 0; i < decode_scales; ++i)
    tables->decode_scale[i] = static_cast<float>(exact::pow(2.0, 2.4 * (i + 1 - decode_scales)));
  for (int i = 0; i < encode_scales; ++i)
    tables->encode_scale[i] =
        static_cast<float>(65535 * 1.055 * exact::pow(2.0, (i + 1 - encode_scales) / 2.4));
  const Srgb16Tables& exact_values = srgb16_tables();
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const float near = detail::srgb16_near_light(code, tables->decode_scale);
    const std::uint32_t correction =
        bits_of(exact_values.decode[code]) - bits_of(near) + Srgb16Short::no_correction;
    constexpr std::uint32_t in_word = Srgb16Short::corrections_in_word;
    tables->corrections[code / in_word] |= (correction & 15u) << (4 * (code % in_word));
  }
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

const Srgb16Short& srgb16_short() {
  static const std::unique_ptr<Srgb16Short> tables = make_srgb16_short();
  return *tables;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Pictures from formulas, so that other programs can be given the same ones, and changes to one
// value of a picture.
#pragma once

#include <algorithm>
#include <string>

#include "compare/compare.h"
#include "support/images.h"

namespace cuimg::test {

/// The code of one of three patterns, or of the same pattern with an error: small differences, a
/// shifted gradient, a shifted checkerboard.
inline int pattern_code(int kind, bool is_result, int x, int y, int c) {
  const int moved = is_result ? x + 1 : x;
  if (kind == 1) return (moved * moved / 40 + 3 * y + 40 * c) % 256;
  if (kind == 2) return (moved / 8 + y / 8) % 2 == 0 ? 40 + 20 * c : 200 - 30 * c;
  const int golden = (37 * x + 91 * y + 53 * c + x * y) % 256;
  return is_result ? std::clamp(golden + (3 * x + 5 * y + c) % 9 - 4, 0, 255) : golden;
}

inline Image pattern(int width, int height, int kind, bool is_result) {
  return image_of(spec_of({0, 0, width, height}, PixelType::u8, 3), [&](int, int x, int y, int c) {
    return static_cast<float>(pattern_code(kind, is_result, x, y, c)) / 255.0f;
  });
}
/// The same pattern as light from 0 to 64: (code / 32)^2.
inline Image pattern_of_light(int width, int height, int kind, bool is_result) {
  return image_of(spec_of({0, 0, width, height}, PixelType::f32, 3), [&](int, int x, int y, int c) {
    const float v = static_cast<float>(pattern_code(kind, is_result, x, y, c)) / 32.0f;
    return v * v;
  });
}

inline std::byte* value_address(Image& image, int x, int y, int channel, int layer = 0) {
  const LayerSpec& spec = image.spec().layer(layer);
  return image.row(layer, y) +
         static_cast<std::size_t>(x - image.spec().data_window.x) * spec.pixel_bytes() +
         static_cast<std::size_t>(channel) * bytes_of(spec.type);
}

/// A copy with one value replaced; `value` is in the form that store() takes.
inline Image with_value(const Image& image, int x, int y, int channel, float value, int layer = 0) {
  Image copy = copy_of(image);
  store(value_address(copy, x, y, channel, layer), copy.spec().layer(layer).type, value);
  return copy;
}

/// A copy in which one value's lowest bit is inverted.
inline Image with_bit_turned(const Image& image, int x, int y, int channel, int layer = 0) {
  Image copy = copy_of(image);
  *value_address(copy, x, y, channel, layer) ^= std::byte{1};
  return copy;
}

inline Verdict verdict(const Image& golden, const Image& result, const Limits& limits = {}) {
  return compare(golden, result, limits).verdict;
}

inline double metric(const Image& golden, const Image& result, const std::string& name,
                     const MetricOptions& options = {}) {
  CompareOptions all;
  all.metric = options;
  all.metrics = {name.substr(0, name.find('.'))};
  return compare(golden, result, {}, all).metric(name).value_or(-1);
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The formulas. Sines and powers are the project's own, so that the bits are the same on every
// machine.
#include "patterns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/exact_math.h"
#include "kernels/generate/pattern_generators.h"
#include "kernels/math/quantize.h"

namespace cuimg::samples {
namespace {

Image make(int width, int height, std::vector<std::string> channels, PixelType type,
           const ColorEncoding& color) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", std::move(channels), type}};
  spec.color = color;
  return Image(std::move(spec));
}

ColorEncoding as_srgb() { return {Curve::srgb, 1.0f, false, {}}; }
ColorEncoding as_light() { return {Curve::linear, 1.0f, true, {}}; }

}  // namespace

Image zoneplate(int size) {
  Image image = make(size, size, {"Y"}, PixelType::u8, as_srgb());
  const auto step = (std::uint64_t{1} << 61) / static_cast<std::uint64_t>(size);  // to Nyquist
  const Zoneplate rings{size, size, step, {1, 1, -1}};
  for (int y = 0; y < size; ++y) {
    auto* row = reinterpret_cast<std::uint8_t*>(image.row(0, y));
    for (int x = 0; x < size; ++x) {
      float v[4];
      rings(x, y, v);
      row[x] = float_to_unorm8(v[0]);
    }
  }
  return image;
}

Image checker(int width, int height) {
  Image image = make(width, height, {"R", "G", "B"}, PixelType::u16, as_srgb());
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint16_t*>(image.row(0, y));
    for (int x = 0; x < width; ++x) {
      const int column = x / 16;
      const bool dark = ((column + y / 16) & 1) != 0;
      const int grey = 65535 * y / (height - 1);
      for (int c = 0; c < 3; ++c) {
        const bool on = ((column % 7 + 1) >> c & 1) != 0;
        row[3 * x + c] = static_cast<std::uint16_t>(dark ? grey : on ? 65535 - grey / 2 : grey / 4);
      }
    }
  }
  return image;
}

Image stops(int width, int height) {
  Image image = make(width, height, {"R", "G", "B"}, PixelType::f32, as_light());
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<float*>(image.row(0, y));
    const int band = 4 * y / height;
    for (int x = 0; x < width; ++x) {
      const auto light = static_cast<float>(exact::pow(2, 16.0 * x / (width - 1) - 8));
      for (int c = 0; c < 3; ++c) row[3 * x + c] = band == 3 || band == c ? light : 0.0f;
    }
  }
  return image;
}

Image rotation_map(int width, int height, double degrees) {
  Image image = make(width, height, {"X", "Y"}, PixelType::f32, as_light());
  const double cosine = exact::cos_pi(degrees / 180), sine = exact::sin_pi(degrees / 180);
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<float*>(image.row(0, y));
    for (int x = 0; x < width; ++x) {
      const double dx = x + 0.5 - width / 2.0, dy = y + 0.5 - height / 2.0;
      // The source of an output pixel: the inverse of the turn. y points down.
      row[2 * x] = static_cast<float>(cosine * dx + sine * dy + width / 2.0);
      row[2 * x + 1] = static_cast<float>(cosine * dy - sine * dx + height / 2.0);
    }
  }
  return image;
}

Image swirl_map(int width, int height) {
  Image image = make(width, height, {"X", "Y"}, PixelType::f32, as_light());
  const double radius = std::min(width, height) / 2.0;
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<float*>(image.row(0, y));
    for (int x = 0; x < width; ++x) {
      const double dx = x + 0.5 - width / 2.0, dy = y + 0.5 - height / 2.0;
      const double inside = std::max(0.0, 1 - std::sqrt(dx * dx + dy * dy) / radius);
      const double half_turns = 0.75 * inside * inside;
      const double cosine = exact::cos_pi(half_turns), sine = exact::sin_pi(half_turns);
      row[2 * x] = static_cast<float>((cosine * dx + sine * dy) / width + 0.5);
      row[2 * x + 1] = static_cast<float>((cosine * dy - sine * dx) / height + 0.5);
    }
  }
  return image;
}

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// Artificial images for tests, encoded and decoded by a codec in memory.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/error.h"
#include "image/image.h"
#include "io/codec.h"

namespace cuimg::test {

inline Spec simple_spec(int width, int height, std::vector<std::string> channels, PixelType type) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", std::move(channels), type}};
  if (!is_floating(type) && type != PixelType::u32) spec.color = {Curve::srgb, 1.0f, false, {}};
  return spec;
}

/// Smooth gradients with noise in the low bits, finite in every type and different in each channel.
inline Image textured(Spec spec, unsigned seed = 1) {
  Image image(std::move(spec));
  std::minstd_rand random(seed);
  const Rect window = image.spec().data_window;
  for (int l = 0; l < image.spec().layer_count(); ++l) {
    const LayerSpec& layer = image.spec().layer(l);
    for (int y = window.y; y < window.bottom(); ++y) {
      std::byte* out = image.row(l, y);
      for (int x = 0; x < window.width; ++x)
        for (int c = 0; c < layer.channel_count(); ++c, out += bytes_of(layer.type)) {
          const auto noise = static_cast<std::uint32_t>(random());
          const auto slope = static_cast<std::uint32_t>(x + 2 * (y - window.y) + 40 * c);
          const std::uint8_t u8 = static_cast<std::uint8_t>(slope + noise % 3);
          const std::uint16_t u16 = static_cast<std::uint16_t>(slope * 64 + noise % 31);
          const std::uint16_t half =
              static_cast<std::uint16_t>(0x3000 + (slope + noise % 5) % 3072);
          const float f32 =
              static_cast<float>(slope) / 256.0f + static_cast<float>(noise % 7) / 9.0f;
          const std::uint32_t u32 = slope * 65536 + noise % 100;
          switch (layer.type) {
            case PixelType::u8:
              std::memcpy(out, &u8, 1);
              break;
            case PixelType::u16:
              std::memcpy(out, &u16, 2);
              break;
            case PixelType::half:
              std::memcpy(out, &half, 2);
              break;
            case PixelType::f32:
              std::memcpy(out, &f32, 4);
              break;
            case PixelType::u32:
              std::memcpy(out, &u32, 4);
              break;
          }
        }
    }
  }
  return image;
}

inline std::vector<std::byte> encoded(const Image& image, std::string_view format,
                                      const EncodeOptions& options = {}) {
  MemorySink sink;
  RowProgress ready;
  ready.finish();
  codec_named(format)->encode(image, options, ready, sink);
  return sink.bytes();
}

inline Image decoded(std::span<const std::byte> bytes, const DecodeOptions& options = {}) {
  const auto decoder = open_image(ByteSource::from_memory(bytes, "memory"), options);
  Image image(decoder->spec());
  RowProgress progress;
  decoder->read(image, progress);
  // All rows exist, so this returns without an exception.
  progress.wait_for(image.spec().data_window.height);
  return image;
}

inline bool same_pixels(const Image& a, const Image& b) {
  if (a.spec().layers != b.spec().layers || a.spec().data_window != b.spec().data_window)
    return false;
  const Rect window = a.spec().data_window;
  for (int l = 0; l < a.spec().layer_count(); ++l)
    for (int y = window.y; y < window.bottom(); ++y)
      if (std::memcmp(a.row(l, y), b.row(l, y), a.row_bytes(l)) != 0) return false;
  return true;
}

/// The message of a failing call; empty if it succeeds.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class T>
T value_at(const Image& image, int layer, int x, int y, int channel) {
  T value;
  const LayerSpec& spec = image.spec().layer(layer);
  std::memcpy(&value,
              image.row(layer, y) +
                  spec.pixel_bytes() * static_cast<std::size_t>(x - image.spec().data_window.x) +
                  bytes_of(spec.type) * static_cast<std::size_t>(channel),
              sizeof value);
  return value;
}

}  // namespace cuimg::test

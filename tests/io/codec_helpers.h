// SPDX-License-Identifier: Apache-2.0
// Common code of the codecs' tests: images of every kind, encoded to memory and decoded again.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "io/codecs.h"
#include "io/flat_image.h"

namespace cuimg::test {

using Bytes = std::vector<std::byte>;

inline Bytes encode(const Codec& codec, const Image& image, const EncodeOptions& options = {}) {
  RowProgress ready;
  ready.finish();
  MemorySink sink;
  codec.encode(image, options, ready, sink);
  return sink.bytes();
}

inline Image decode(const Codec& codec, std::span<const std::byte> bytes,
                    const DecodeOptions& options = {}) {
  const auto source = ByteSource::from_memory(bytes, "test");
  std::unique_ptr<Decoder> decoder;
  if (codec.open_file != nullptr) {
    const auto file = codec.open_file(source, options);
    decoder = file->open(find_part(*file, options.part, source->name()));
  } else {
    decoder = codec.open(source, options);
  }
  Image image(decoder->spec());
  RowProgress progress;
  decoder->read(image, progress);
  progress.wait_for(image.spec().data_window.height);
  return image;
}

inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Bytes bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return bytes_of_text(std::string(std::istreambuf_iterator<char>(file), {}));
}

template <class T>
T* pixels(Image& image) {
  return reinterpret_cast<T*>(image.row(0, image.spec().data_window.y));
}
template <class T>
const T* pixels(const Image& image) {
  return reinterpret_cast<const T*>(image.row(0, image.spec().data_window.y));
}

inline ColorEncoding srgb_straight() { return {Curve::srgb, 1.0f, false, {}}; }
inline ColorEncoding linear_premultiplied() { return {Curve::linear, 1.0f, true, {}}; }

/// Bit patterns that differ from pixel to pixel, finite for floating types.
inline Image noise(int width, int height, int channels, PixelType type) {
  Image image(flat_spec(width, height, channels, type,
                        is_floating(type) ? linear_premultiplied() : srgb_straight()));
  std::uint32_t state = 12345;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  const std::size_t count =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels);
  for (std::size_t i = 0; i < count; ++i) {
    switch (type) {
      case PixelType::u8:
        pixels<std::uint8_t>(image)[i] = static_cast<std::uint8_t>(next());
        break;
      case PixelType::u16:
        pixels<std::uint16_t>(image)[i] = static_cast<std::uint16_t>(next());
        break;
      case PixelType::half:
        pixels<std::uint16_t>(image)[i] = static_cast<std::uint16_t>(next() % 0x7c00);
        break;
      default:
        pixels<float>(image)[i] = static_cast<float>(next()) / 65536.0f - 100.0f;
    }
  }
  return image;
}

inline void expect_same_pixels(const Image& a, const Image& b) {
  ASSERT_EQ(a.spec().data_window, b.spec().data_window);
  ASSERT_EQ(a.spec().layers, b.spec().layers);
  for (int y = 0; y < a.spec().data_window.height; ++y)
    ASSERT_EQ(0, std::memcmp(a.row(0, y), b.row(0, y), a.row_bytes(0))) << "row " << y;
}

/// Writes `image` twice, which must give the same bytes, and reads them, which must give the image.
inline void expect_round_trip(const Codec& codec, const Image& image,
                              const EncodeOptions& options = {}) {
  SCOPED_TRACE(std::string(codec.name) + " " +
               std::to_string(image.spec().layers[0].channel_count()) + " channels of " +
               std::string(name_of(image.spec().layers[0].type)) + " " + options.compression);
  const Bytes bytes = encode(codec, image, options);
  EXPECT_EQ(bytes, encode(codec, image, options));
  ASSERT_TRUE(codec.sniff(bytes));
  const Image back = decode(codec, bytes);
  expect_same_pixels(image, back);
  EXPECT_EQ(image.spec().color.curve, back.spec().color.curve);
  if (image.spec().layers[0].alpha_index() >= 0) {
    EXPECT_EQ(image.spec().color.premultiplied, back.spec().color.premultiplied);
  }
}

/// A file cut short at any of 30 places must be refused, whether or not its format is recognised.
inline void expect_truncation_is_refused(const Codec& codec, const Bytes& whole) {
  SCOPED_TRACE(std::string(codec.name));
  ASSERT_NO_THROW(decode(codec, whole));
  for (std::size_t i = 0; i < 30; ++i) {
    // Half of the places are at equal distances, half at the end, where formats detect the least.
    const std::size_t length = i < 15 ? whole.size() * i / 15 : whole.size() - (i - 14);
    // A copy of exactly that length, so that a sanitizer detects reads past the end.
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(decode(codec, cut), Error) << length << " of " << whole.size() << " bytes";
  }
}

/// Changed bytes may give an Error or an image, but never a crash.
inline void expect_no_crash_on_changed_bytes(const Codec& codec, const Bytes& whole, int rounds) {
  std::uint32_t state = 99;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  DecodeOptions options;
  options.limit_pixels = 1 << 20;
  for (int round = 0; round < rounds; ++round) {
    Bytes changed = whole;
    const std::size_t range =
        round % 2 == 0 ? std::min<std::size_t>(64, whole.size()) : whole.size();
    for (int i = 0; i < 3; ++i) changed[next() % range] = static_cast<std::byte>(next());
    try {
      decode(codec, changed, options);
    } catch (const Error&) {
    }
  }
}

inline std::string shared_file(const std::string& name) {
  const char* elsewhere = std::getenv("CUIMG_SHARED");
  return std::string(elsewhere != nullptr ? elsewhere : CUIMG_SHARED) + "/images/" + name;
}

}  // namespace cuimg::test

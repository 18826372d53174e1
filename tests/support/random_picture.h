// SPDX-License-Identifier: Apache-2.0
// Repeatable random numbers, and pictures made of them: of every type and shape, with every kind of
// value.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/images.h"

namespace cuimg::test {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int number(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(random_() >> 8) * 0x1p-24f;
  }
  bool one_in(int n) { return random_() % static_cast<unsigned>(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[random_() % all.size()];
  }
  unsigned bits() { return random_(); }

 private:
  std::mt19937 random_;
};

/// The number in an environment variable.
inline unsigned number_in(const char* variable, unsigned otherwise) {
  const char* const wanted = std::getenv(variable);
  return wanted == nullptr ? otherwise : static_cast<unsigned>(std::stoul(wanted));
}

/// CUIMG_PARITY_SEED: another number gives other cases. It is printed, so that a failure can be
/// repeated.
inline unsigned parity_seed() {
  static const unsigned seed = [] {
    const unsigned number = number_in("CUIMG_PARITY_SEED", 1);
    std::printf("CUIMG_PARITY_SEED=%u\n", number);
    return number;
  }();
  return seed;
}

/// The seed of one case of a test. It depends only on parity_seed(), a name, and the case's number,
/// so that a new stage does not change the cases of the others. This is 32 of the 64 bits of
/// FNV-1a.
inline unsigned seed_of(std::string_view name, unsigned number) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](unsigned byte) { hash = (hash ^ (byte & 0xff)) * 0x100000001b3u; };
  for (const unsigned word : {parity_seed(), number})
    for (unsigned shift = 0; shift < 32; shift += 8) add(word >> shift);
  for (const char c : name) add(static_cast<unsigned char>(c));
  return static_cast<unsigned>(hash >> 32);
}

// Small, large and odd pictures; mostly ordinary values, sometimes random bits.
inline Image random_picture(Draw& draw, int largest = 300) {
  const int longest = draw.one_in(10) ? largest : draw.one_in(3) ? std::min(largest, 80) : 20;
  const Rect display = {draw.number(-5, 5), draw.number(-5, 5), draw.number(1, longest),
                        draw.number(1, longest)};
  Rect data = display;
  if (draw.one_in(3))
    data = {draw.number(-20, 20), draw.number(-20, 20), draw.number(1, longest),
            draw.number(1, longest)};
  const std::vector<PixelType> types = {PixelType::u8, PixelType::u16, PixelType::half,
                                        PixelType::f32};
  Spec spec = spec_of(data, draw.of(types), draw.number(1, 4));
  spec.display_window = display;
  if (draw.one_in(4)) spec.layers.push_back({"", {"Z"}, PixelType::f32});
  if (draw.one_in(4)) spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  Image image = noise(spec, draw.bits());
  if (draw.one_in(4))
    for (int l = 0; l < spec.layer_count(); ++l)
      for (int y = data.y; y < data.bottom(); ++y)
        for (std::size_t i = 0; i < image.row_bytes(l); ++i)
          if (draw.one_in(20)) image.row(l, y)[i] = static_cast<std::byte>(draw.bits());
  return image;
}

/// Quiet and signalling NaN, some with payloads, infinities, zeros, denormals, and the smallest and
/// largest normal numbers, of either sign.
inline constexpr std::uint32_t special_floats[] = {
    0x7fc00000, 0xffc00000, 0x7fc12345, 0xffffffff, 0x7f800001, 0xff8abcde, 0x7f800000,
    0xff800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x8012f3a7,
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f800000};
inline constexpr std::uint16_t special_halves[] = {
    0x7e00, 0xfe00, 0x7e15, 0xffff, 0x7c01, 0xfd55, 0x7c00, 0xfc00, 0x0000, 0x8000,
    0x0001, 0x8001, 0x03ff, 0x8123, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x3c00};

/// Replaces one value in `n` of the floating layers by a special value.
inline void add_special_values(Image& image, int n, Draw& draw) {
  const auto strew = [&](int layer, const auto& special) {
    using Bits = std::remove_cvref_t<decltype(special[0])>;
    const Rect& r = image.spec().data_window;
    for (int y = r.y; y < r.bottom(); ++y) {
      const std::span row(reinterpret_cast<Bits*>(image.row(layer, y)),
                          image.row_bytes(layer) / sizeof(Bits));
      for (Bits& value : row)
        if (draw.one_in(n)) value = special[draw.bits() % std::size(special)];
    }
  };
  for (int layer = 0; layer < image.spec().layer_count(); ++layer) {
    const PixelType type = image.spec().layer(layer).type;
    if (type == PixelType::f32) strew(layer, special_floats);
    if (type == PixelType::half) strew(layer, special_halves);
  }
}

/// A picture that every stage must handle.
struct ForcedPicture {
  enum class Shape { any, one_pixel, one_column, one_row } shape;
  PixelType type;
  int special_one_in;  ///< One in this many values is special; 0: none is.
};
inline constexpr ForcedPicture forced_pictures[] = {
    {ForcedPicture::Shape::one_pixel, PixelType::u8, 0},
    {ForcedPicture::Shape::one_column, PixelType::half, 0},
    {ForcedPicture::Shape::one_row, PixelType::f32, 0},
    {ForcedPicture::Shape::any, PixelType::f32, 3},
    {ForcedPicture::Shape::any, PixelType::half, 3},
    {ForcedPicture::Shape::one_pixel, PixelType::f32, 1},
    {ForcedPicture::Shape::one_column, PixelType::f32, 5},
    {ForcedPicture::Shape::one_row, PixelType::half, 5},
    {ForcedPicture::Shape::any, PixelType::f32, 40},
};

inline Image forced_picture(const ForcedPicture& forced, Draw& draw) {
  using Shape = ForcedPicture::Shape;
  Rect window = {draw.number(-3, 3), draw.number(-3, 3), draw.number(2, 40), draw.number(2, 40)};
  if (forced.shape == Shape::one_pixel || forced.shape == Shape::one_column) window.width = 1;
  if (forced.shape == Shape::one_pixel || forced.shape == Shape::one_row) window.height = 1;
  Image image = noise(spec_of(window, forced.type, draw.number(1, 4)), draw.bits());
  if (forced.special_one_in > 0) add_special_values(image, forced.special_one_in, draw);
  return image;
}

/// First the forced pictures, then random ones.
inline Image picture_of_case(unsigned number, Draw& draw) {
  return number < std::size(forced_pictures) ? forced_picture(forced_pictures[number], draw)
                                             : random_picture(draw);
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Sample by sample conversion; libtiff has put multi-byte samples into this machine's order.
#include "io/tiff/tiff_samples.h"

#include <tiff.h>

#include <cstring>
#include <limits>

namespace cuimg {
namespace {

template <class T>
T load(const std::byte* from, std::size_t index) {
  T value;
  std::memcpy(&value, from + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(std::byte* to, std::size_t index, T value) {
  std::memcpy(to + index * sizeof(T), &value, sizeof(T));
}

// Out-of-range conversions are undefined in C++; IEEE 754 gives infinity.
float narrowed(double value) {
  if (value > static_cast<double>(std::numeric_limits<float>::max()))
    return std::numeric_limits<float>::infinity();
  if (value < -static_cast<double>(std::numeric_limits<float>::max()))
    return -std::numeric_limits<float>::infinity();
  return static_cast<float>(value);
}

}  // namespace

bool TiffSamples::describe(unsigned format, unsigned stored_bits) {
  struct Kind {
    unsigned format, bits;
    StoredSample kind;
    PixelType type;
  };
  constexpr Kind kinds[] = {
      {SAMPLEFORMAT_INT, 8, StoredSample::s8, PixelType::f32},
      {SAMPLEFORMAT_INT, 16, StoredSample::s16, PixelType::f32},
      {SAMPLEFORMAT_INT, 32, StoredSample::s32, PixelType::f32},
      {SAMPLEFORMAT_UINT, 32, StoredSample::u32, PixelType::f32},
      {SAMPLEFORMAT_IEEEFP, 16, StoredSample::half, PixelType::half},
      {SAMPLEFORMAT_IEEEFP, 32, StoredSample::f32, PixelType::f32},
      {SAMPLEFORMAT_IEEEFP, 64, StoredSample::f64, PixelType::f32},
  };
  bits = stored_bits;
  for (const Kind& known : kinds)
    if (format == known.format && stored_bits == known.bits) {
      kind = known.kind;
      type = known.type;
      return true;
    }
  if ((format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) || stored_bits < 1 ||
      stored_bits > 16)
    return false;
  // Depths that 8 bits represent exactly remain 8 bits.
  type = 255 % ((1u << bits) - 1) == 0 ? PixelType::u8 : PixelType::u16;
  return true;
}

std::vector<std::uint16_t> TiffSamples::scaling(bool inverted) const {
  const unsigned largest = (1u << bits) - 1, full = type == PixelType::u8 ? 255 : 65535;
  std::vector<std::uint16_t> table(largest + 1);
  for (unsigned v = 0; v <= largest; ++v)
    table[inverted ? largest - v : v] =
        static_cast<std::uint16_t>((v * full + largest / 2) / largest);
  return table;
}

void TiffSamples::set_palette(const std::array<const std::uint16_t*, 3>& maps, bool wide) {
  palette.resize(std::size_t{1} << bits);
  // Many writers have 8-bit values for the 16-bit map: some store them unchanged, some multiplied
  // by 256.
  bool small = true, shifted = true, exact = !wide;
  for (std::size_t i = 0; i < palette.size(); ++i)
    for (const std::uint16_t* map : maps) {
      small = small && map[i] < 256;
      shifted = shifted && map[i] % 256 == 0;
    }
  for (std::size_t i = 0; i < palette.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const unsigned value = small     ? maps[c][i] * 257u
                             : shifted ? (maps[c][i] >> 8) * 257u
                                       : maps[c][i];
      exact = exact && value % 257 == 0;
      palette[i][c] = static_cast<std::uint16_t>(value);
    }
  type = exact ? PixelType::u8 : PixelType::u16;
  if (exact)
    for (auto& color : palette)
      for (std::uint16_t& value : color) value /= 257;
}

void TiffSamples::find_direct() {
  direct_ = palette.empty() && !becomes_float() &&
            static_cast<int>(channel_of.size()) == channels &&
            (kind != StoredSample::integer || bits == 8 * bytes_of(type));
  for (std::size_t i = 0; i < channel_of.size(); ++i)
    direct_ = direct_ && channel_of[i] == static_cast<int>(i);
  for (const auto& table : tables)
    for (std::size_t v = 0; v < table.size(); ++v) direct_ = direct_ && table[v] == v;
}

std::size_t TiffSamples::stored_bytes(std::size_t pixels, std::size_t samples) const {
  return (pixels * samples * bits + 7) / 8;
}

bool TiffSamples::is_signed() const {
  return kind == StoredSample::s8 || kind == StoredSample::s16 || kind == StoredSample::s32;
}

std::string TiffSamples::name() const {
  return is_signed() ? "signed integers" : kind == StoredSample::u32 ? "32-bit integers" : "floats";
}

std::string TiffSamples::change() const {
  if (kind == StoredSample::f64) return "double becomes float";
  if (kind == StoredSample::u32) return "32-bit integers become float";
  if (is_signed()) return "integers with a sign become float";
  if (kind == StoredSample::integer && type == PixelType::u16 && bits < 16 && palette.empty())
    return "samples of " + std::to_string(bits) + " bits become 16 bits";
  return "";
}

bool TiffSamples::rounds() const {
  return kind == StoredSample::s32 || kind == StoredSample::u32 || kind == StoredSample::f64;
}

bool TiffSamples::becomes_float() const { return is_signed() || rounds(); }

double TiffSamples::number(const std::byte* stored, std::size_t index) const {
  switch (kind) {
    case StoredSample::s8:
      return load<std::int8_t>(stored, index);
    case StoredSample::s16:
      return load<std::int16_t>(stored, index);
    case StoredSample::s32:
      return load<std::int32_t>(stored, index);
    case StoredSample::u32:
      return load<std::uint32_t>(stored, index);
    default:
      return load<double>(stored, index);
  }
}

unsigned TiffSamples::integer(const std::byte* stored, std::size_t index) const {
  if (bits == 8) return std::to_integer<unsigned>(stored[index]);
  if (bits == 16) return load<std::uint16_t>(stored, index);
  unsigned value = 0;
  for (std::size_t bit = index * bits; bit < (index + 1) * bits; ++bit)
    value = value << 1 | (std::to_integer<unsigned>(stored[bit / 8]) >> (7 - bit % 8) & 1);
  return value;
}

void TiffSamples::sum_up(const std::byte* stored, std::size_t pixels, std::size_t samples,
                         std::size_t first, int y, std::size_t x) const {
  if (exact_sum == nullptr) return;
  for (std::size_t p = 0; p < pixels; ++p)
    for (std::size_t s = 0; s < samples; ++s)
      if (channel_of[first + s] >= 0)
        exact_sum->add(y, x + p, first + s, channel_of.size(), number(stored, p * samples + s));
}

void TiffSamples::convert(const std::byte* stored, std::size_t pixels, std::size_t samples,
                          std::size_t first, std::byte* out) const {
  if (direct_ && samples == channel_of.size()) {
    std::memcpy(out, stored, stored_bytes(pixels, samples));
    return;
  }
  const auto put = [&](std::size_t at, std::uint16_t value) {
    if (type == PixelType::u8)
      store(out, at, static_cast<std::uint8_t>(value));
    else
      store(out, at, value);
  };
  for (std::size_t s = 0; s < samples; ++s) {
    const int channel = channel_of[first + s];
    if (channel < 0) continue;
    const auto c = static_cast<std::size_t>(channel), n = static_cast<std::size_t>(channels);
    for (std::size_t p = 0; p < pixels; ++p) {
      const std::size_t from = p * samples + s, to = p * n + c;
      if (becomes_float()) {
        store(out, to, narrowed(number(stored, from)));
      } else if (kind == StoredSample::f32) {
        store(out, to, load<std::uint32_t>(stored, from));
      } else if (kind == StoredSample::half) {
        store(out, to, load<std::uint16_t>(stored, from));
      } else if (first + s == 0 && !palette.empty()) {
        const auto& color = palette[integer(stored, from)];
        for (std::size_t i = 0; i < 3; ++i) put(to + i, color[i]);
      } else {
        put(to, tables[c][integer(stored, from)]);
      }
    }
  }
}

}  // namespace cuimg

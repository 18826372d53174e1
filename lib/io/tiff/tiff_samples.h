// SPDX-License-Identifier: Apache-2.0
// From TIFF's stored samples to an image's: bit depths, palettes, inverted grey and dropped
// channels, all through one table per channel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/pixel_type.h"
#include "io/stored_sum.h"

namespace cuimg {

/// `integer` is unsigned, of 1 to 16 bits. All that is neither that nor half becomes a float of the
/// same value, or of the nearest that there is.
enum class StoredSample { integer, s8, s16, s32, u32, half, f32, f64 };

class TiffSamples {
 public:
  StoredSample kind = StoredSample::integer;
  unsigned bits = 8;  ///< Of a stored sample.
  PixelType type = PixelType::u8;
  int channels = 1;  ///< Of the image.
  /// The image's channel of every stored sample, or -1 where it is dropped.
  std::vector<int> channel_of;
  /// For integers: the image's value of every stored value, one table for each channel.
  std::vector<std::vector<std::uint16_t>> tables;
  /// Colours of a palette, instead of tables for the first sample.
  std::vector<std::array<std::uint16_t, 3>> palette;

  /// Gets the samples where rounds() is true; mostly null.
  StoredSum* exact_sum = nullptr;

  /// Sets kind, bits and type by the tags SampleFormat and BitsPerSample. @returns false for
  /// samples that are not read.
  bool describe(unsigned format, unsigned stored_bits);
  /// Takes 2^bits colours and chooses the type: 16 bits where 8 do not hold the colours.
  /// @param wide 16 bits in any case.
  void set_palette(const std::array<const std::uint16_t*, 3>& maps, bool wide);
  /// Values 0 to 2^bits - 1 scaled to the type's range, to the nearest.
  std::vector<std::uint16_t> scaling(bool inverted) const;
  /// Finds whether stored pixels are the image's already. Called once all members are set.
  void find_direct();
  bool direct() const { return direct_; }
  bool is_signed() const;
  /// Whether the image's type does not hold every stored value.
  bool rounds() const;

  /// Bytes of `pixels` stored pixels of `samples` samples, padded to a whole byte.
  std::size_t stored_bytes(std::size_t pixels, std::size_t samples) const;
  /// Converts part of a row.
  /// @param samples stored in each pixel here: all of them, or 1 where planes lie apart.
  /// @param first the first of those among all of the pixel's samples.
  /// @param out the image's pixels; channels of other planes are left alone.
  void convert(const std::byte* stored, std::size_t pixels, std::size_t samples, std::size_t first,
               std::byte* out) const;
  /// Adds samples that are kept to `exact_sum`, if there is one. @param y, x where the row begins.
  void sum_up(const std::byte* stored, std::size_t pixels, std::size_t samples, std::size_t first,
              int y, std::size_t x) const;

 private:
  bool becomes_float() const;
  double number(const std::byte* stored, std::size_t index) const;
  unsigned integer(const std::byte* stored, std::size_t index) const;
  bool direct_ = false;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Converts TIFF's stored samples to an image's: bit depths, palettes, inverted grey and dropped
// channels, all through one table per channel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "image/pixel_type.h"
#include "io/stored_sum.h"

namespace cuimg {

/// `integer` is unsigned, with 1 to 16 bits. All types except `integer` and half become a float of
/// the same value, or of the nearest value.
enum class StoredSample { integer, s8, s16, s32, u32, half, f32, f64 };

class TiffSamples {
 public:
  StoredSample kind = StoredSample::integer;
  unsigned bits = 8;  ///< Bits of a stored sample.
  PixelType type = PixelType::u8;
  int channels = 1;  ///< The image's number of channels.
  /// The image's channel for every stored sample, or -1 if it is dropped.
  std::vector<int> channel_of;
  /// For integers: the image's value for every stored value, in one table for each channel.
  std::vector<std::vector<std::uint16_t>> tables;
  /// Colours of a palette, instead of tables for the first sample.
  std::vector<std::array<std::uint16_t, 3>> palette;

  /// Collects the samples if rounds(); usually null.
  StoredSum* exact_sum = nullptr;

  /// Sets kind, bits and type from the tags SampleFormat and BitsPerSample. @returns false for
  /// samples that are not supported.
  bool describe(unsigned format, unsigned stored_bits);
  /// Takes 2^bits colours and chooses the type: 16 bits if 8 bits cannot represent the colours.
  /// @param wide always 16 bits.
  void set_palette(const std::array<const std::uint16_t*, 3>& maps, bool wide);
  /// Values 0 to 2^bits - 1 scaled to the type's range, rounded to nearest.
  std::vector<std::uint16_t> scaling(bool inverted) const;
  /// Determines whether stored pixels already have the image's form. Called after all members are
  /// set.
  void find_direct();
  bool direct() const { return direct_; }
  bool is_signed() const;
  /// The stored samples, in words, if the image's are float.
  std::string name() const;
  /// How the image's samples differ from the stored ones, in words; or empty.
  std::string change() const;
  /// Whether the image's type cannot represent every stored value.
  bool rounds() const;

  /// Bytes of `pixels` stored pixels of `samples` samples, padded to a whole byte.
  std::size_t stored_bytes(std::size_t pixels, std::size_t samples) const;
  /// Converts part of a row.
  /// @param samples the number stored in each pixel here: all of them, or 1 for separate planes.
  /// @param first the index of the first of these among all of the pixel's samples.
  /// @param out the image's pixels; channels of other planes are not changed.
  void convert(const std::byte* stored, std::size_t pixels, std::size_t samples, std::size_t first,
               std::byte* out) const;
  /// Adds kept samples to `exact_sum`, if there is one. @param y, x the position of the row's
  /// start.
  void sum_up(const std::byte* stored, std::size_t pixels, std::size_t samples, std::size_t first,
              int y, std::size_t x) const;

 private:
  bool becomes_float() const;
  double number(const std::byte* stored, std::size_t index) const;
  unsigned integer(const std::byte* stored, std::size_t index) const;
  bool direct_ = false;
};

}  // namespace cuimg

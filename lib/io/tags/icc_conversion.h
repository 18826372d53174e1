// SPDX-License-Identifier: Apache-2.0
// Converts pixels with lcms2 by an ICC profile, if an encoding cannot express the profile or the
// caller wants the same result as in other programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "image/icc_rendering.h"
#include "image/pixel_type.h"
#include "image/spec.h"

namespace cuimg {

/// The content of pixels that come with a profile.
enum class IccPixels : std::uint8_t { grey, rgb, cmyk };

/// IccMethod::exact: lcms2 converts to XYZ in floating point, and from there pixels are converted
/// to Rec.2020, which contains the colours of inks and of most devices. IccMethod::tables: lcms2
/// converts to sRGB with tables that it makes first, from integers to integers.
class IccConversion {
 public:
  /// @param pixels grey may have a profile for RGB: then it is R = G = B.
  /// @param stored u8 or u16, as in the file.
  /// @returns null if lcms2 cannot use the profile, or if it is for other pixels.
  static std::shared_ptr<const IccConversion> make(std::span<const std::byte> profile,
                                                   IccPixels pixels, const IccRendering& rendering,
                                                   PixelType stored);
  ~IccConversion();
  IccConversion(const IccConversion&) = delete;
  IccConversion& operator=(const IccConversion&) = delete;

  /// The type of source and result: u16 if the method is exact, otherwise the stored type.
  PixelType type() const;
  /// The encoding of converted pixels: sRGB's curve, and the primaries of Rec.2020 or sRGB.
  ColorEncoding encoding() const;
  /// Whether grey pixels become colours by more than one 8-bit code, as on tinted paper with
  /// IccIntent::absolute. Then convert() takes them as R = G = B, otherwise as one channel.
  bool colors_grey() const;

  /// In place, on the colours of pixels with grey, or with R, G and B. Alpha, in channel 2 or 4,
  /// does not change, and colours must not be premultiplied by it. Safe to call from several
  /// threads.
  void convert(std::byte* row, std::size_t pixels, int channels) const;
  /// @param inks four values per pixel, the largest meaning full coverage. @param rgb three values
  /// per pixel; may be the same memory as `inks`. Safe to call from several threads.
  void convert_cmyk(const std::byte* inks, std::size_t pixels, std::byte* rgb) const;

 private:
  struct Engine;
  explicit IccConversion(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

/// Whether an intent or black point compensation changes the black or white of a profile without
/// tables: with tinted paper, or a curve that does not start at 0. False if lcms2 cannot use the
/// profile.
bool moves_black_or_white(std::span<const std::byte> profile, const IccRendering& rendering);

}  // namespace cuimg

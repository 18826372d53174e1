// SPDX-License-Identifier: Apache-2.0
// Converts pixels by lcms2 through an ICC profile, if an encoding cannot express the profile or the
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

/// What the pixels hold that a profile comes with.
enum class IccPixels : std::uint8_t { grey, rgb, cmyk };

/// IccMethod::exact: lcms2 goes to XYZ in floating point, and from there pixels go to Rec.2020,
/// which holds what inks and most devices can show. IccMethod::tables: lcms2 goes to sRGB through
/// tables that it makes first, from integers to integers.
class IccConversion {
 public:
  /// @param pixels grey may have a profile for RGB: it is R = G = B then.
  /// @param stored u8 or u16, as the file has it.
  /// @returns null where lcms2 cannot use the profile, or it is for other pixels.
  static std::shared_ptr<const IccConversion> make(std::span<const std::byte> profile,
                                                   IccPixels pixels, const IccRendering& rendering,
                                                   PixelType stored);
  ~IccConversion();
  IccConversion(const IccConversion&) = delete;
  IccConversion& operator=(const IccConversion&) = delete;

  /// Of the pixels that are given and made: u16 where the method is exact, else the stored type.
  PixelType type() const;
  /// What pixels are afterwards: of sRGB's curve, and Rec.2020's or sRGB's primaries.
  ColorEncoding encoding() const;
  /// Whether grey pixels become colours by more than one 8-bit code, as on tinted paper with
  /// IccIntent::absolute. convert() takes them as R = G = B then, and else as one channel.
  bool colors_grey() const;

  /// In place, on the colours of pixels of grey, or of R, G and B. Alpha, channel 2 or 4, stays,
  /// and colours must not be premultiplied with it. Safe to call from several threads.
  void convert(std::byte* row, std::size_t pixels, int channels) const;
  /// @param inks four values a pixel, the largest being all of it. @param rgb three values a
  /// pixel; may be where `inks` are. Safe to call from several threads.
  void convert_cmyk(const std::byte* inks, std::size_t pixels, std::byte* rgb) const;

 private:
  struct Engine;
  explicit IccConversion(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

/// Whether an intent or black point compensation moves black or white of a profile without tables:
/// tinted paper, or a curve that does not start at 0. False where lcms2 cannot use the profile.
bool moves_black_or_white(std::span<const std::byte> profile, const IccRendering& rendering);

}  // namespace cuimg

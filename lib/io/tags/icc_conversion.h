// SPDX-License-Identifier: Apache-2.0
// Pixels through an ICC profile that has no curve and primaries: lcms2 takes them to XYZ in
// floating point, relative to white, and from there they go to Rec.2020, which holds what inks
// and most devices can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "image/primaries.h"

namespace cuimg {

class IccConversion {
 public:
  /// @param space lcms2's signature of the profile's pixels: RGB or CMYK.
  /// @returns null where lcms2 cannot use the profile.
  static std::shared_ptr<const IccConversion> make(std::span<const std::byte> profile,
                                                   std::uint32_t space);
  ~IccConversion();
  IccConversion(const IccConversion&) = delete;
  IccConversion& operator=(const IccConversion&) = delete;

  /// What pixels are afterwards, with sRGB's curve.
  static constexpr Chromaticities made_primaries = primaries::rec2020;

  /// In place, on the colours of u16 pixels of R, G and B; alpha, the last of 4 channels, stays,
  /// and colours must not be premultiplied with it. Safe to call from several threads.
  void convert_rgb(std::byte* row, std::size_t pixels, int channels) const;
  /// @param inks four u16 a pixel, 65535 being all of it. @param rgb three u16 a pixel; may be
  /// where `inks` are.
  void convert_cmyk(const std::byte* inks, std::size_t pixels, std::byte* rgb) const;

 private:
  struct Engine;
  explicit IccConversion(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace cuimg

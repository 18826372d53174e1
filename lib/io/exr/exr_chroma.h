// SPDX-License-Identifier: Apache-2.0
// The arithmetic of luminance-chroma EXR, as OpenEXR's library has it, operation by operation. That
// library fuses some of them where it is compiled for a processor that can, as Debian's for 64-bit
// ARM is, and then a half is another one in ten thousand pixels.
#pragma once

#include <OpenEXR/ImfChromaticities.h>
#include <OpenEXR/ImfRgba.h>
#include <OpenEXR/ImfRgbaYca.h>

#include <array>

namespace cuimg {

/// The shares of R, G and B in the luminance.
using LuminanceWeights = std::array<float, 3>;

/// @throws std::invalid_argument for primaries that make no colours.
LuminanceWeights luminance_weights(const Imf::Chromaticities& chromaticities);

/// Fills in chroma at every odd pixel. `from` has N2 pixels more at both ends.
void fill_chroma_across(int width, const Imf::Rgba* from, Imf::Rgba* to);

/// The chroma of a row that has none, by the rows around it, of which `rows` [N2] is the row
/// itself.
void fill_chroma_down(int width, const std::array<const Imf::Rgba*, Imf::RgbaYca::N>& rows,
                      Imf::Rgba* to);

/// RY, Y and BY, which lie in R, G and B, to RGB; in place too.
void chroma_to_rgb(const LuminanceWeights& weights, int width, const Imf::Rgba* from,
                   Imf::Rgba* to);

/// Limits the saturation of the middle row's pixels by that of their diagonal neighbours.
void limit_saturation(const LuminanceWeights& weights, int width,
                      const std::array<const Imf::Rgba*, 3>& rows, Imf::Rgba* to);

}  // namespace cuimg

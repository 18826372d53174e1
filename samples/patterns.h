// SPDX-License-Identifier: Apache-2.0
// Pictures made by formulas, to test filters, borders and curves, and maps for remap.
#pragma once

#include "image/image.h"

namespace cuimg::samples {

/// Rings whose frequency grows from the centre to the Nyquist frequency at the sides: u8 Y, sRGB.
/// It shows the effect of a filter on every frequency and direction.
Image zoneplate(int size);

/// Squares of 16 pixels, colours along x, 16-bit steps of grey along y: u16 R, G, B, sRGB.
Image checker(int width, int height);

/// Light doubling sixteen times from left to right, 2^-8 to 2^8, in red, green, blue and grey
/// bands: float R, G, B, linear.
Image stops(int width, int height);

/// A map that turns a picture of its size clockwise about the middle: float X, Y in unnormalised
/// texture coordinates (`remap --coords pixel`). The corners read outside the picture.
/// @param degrees clockwise.
Image rotation_map(int width, int height, double degrees);

/// A map that twists the middle: float X, Y from 0 to 1 (`remap --coords normalized`).
Image swirl_map(int width, int height);

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// Converts rows of stored pixels to rows of working pixels (linear, premultiplied float) and back,
// on the host, at memory's speed if the types allow it. The results equal those of
// kernels/color/encoding.h in every bit.
#pragma once

#include <cstddef>

#include "image/pixel_type.h"
#include "kernels/color/encoding.h"

namespace cuimg {

/// The format of a row: interleaved channels of one type, and their relation to light.
struct RowFormat {
  PixelType type = PixelType::f32;
  int channels = 4;
  Encoding encoding;
};

/// @param source `pixels` pixels of `format`, aligned to the type.
/// @param target pixels * channels floats; may be `source` itself if the type is f32.
void rows_to_working(const RowFormat& format, const void* source, float* target,
                     std::size_t pixels);

/// @param target `pixels` pixels of `format`, aligned to the type; may be `source` itself if the
/// type is f32.
void working_to_rows(const RowFormat& format, const float* source, void* target,
                     std::size_t pixels);

/// One value of that type as a float: integers as v / largest, u32 unchanged.
float stored_value(const std::byte* at, PixelType type);

/// The tables that conversions between this type and light need, filled on first use.
ColorTables color_tables(PixelType type, Transfer transfer);

}  // namespace cuimg

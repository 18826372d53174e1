// SPDX-License-Identifier: Apache-2.0
// The filters that make PNG's rows compress better (PNG 1.2, section 6).
#pragma once

#include <cstdint>
#include <span>

namespace cuimg {

enum class PngFilter : std::uint8_t { none, sub, up, average, paeth };

/// @param row the bytes of a row; @param above those of the row above, zeros for the first one.
/// @param pixel bytes per pixel; @param out receives as many bytes as `row` has.
void apply_png_filter(PngFilter filter, std::span<const std::uint8_t> row,
                      std::span<const std::uint8_t> above, std::size_t pixel, std::uint8_t* out);

/// The sum of the filtered bytes' magnitudes as signed numbers: the smaller, the better they
/// compress.
std::uint64_t png_filter_cost(std::span<const std::uint8_t> filtered);

}  // namespace cuimg

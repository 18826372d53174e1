// SPDX-License-Identifier: Apache-2.0
// One pass over two layers of the same form: how far values differ, how many pixels differ and how
// many exceed limits. The results are the same on every device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compare/metrics/compared_layers.h"
#include "compare/metrics/measures.h"
#include "kernels/compare/value_state.h"

namespace cuimg {

/// @param ignored as in AlignedPair. @param states null, or receives a byte of pixel_state's bits
/// for each pixel. @throws DeviceError.
Differences find_differences(const ComparedLayers& layers, const ValueLimits& limits,
                             const std::vector<std::uint8_t>& ignored,
                             std::vector<std::uint8_t>* states = nullptr);

/// A value, and its whole pixel, in both pictures. @param layer, channel indices.
/// @param x, y absolute.
ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y, int channel);

/// @name One pass over the values, by rows: filled in by both a card and a processor. @{

struct RowFigures {
  static constexpr std::uint32_t none = 0xffffffffu;

  /// The sum of squared differences, of integers in codes; added in the order of row_sums.h.
  double squares = 0;
  std::uint32_t counts[8] = {};  ///< Pixels by bit of pixel_state; the last three count values.
  /// The largest of each; for floats their bits.
  std::uint32_t absolute = 0, relative = 0, steps = 0;
  std::uint32_t badness = 0;     ///< Of the worst value; 0 if there is none.
  std::uint32_t worst = 0;       ///< Its position, in values from the left; of equals the first.
  std::uint32_t first_x = none;  ///< Of the first pixel that differs, counted from the left.
};

/// How the rows of two layers are compared.
struct DifferencePass {
  StateLimits limits;
  bool counts_nans = false;
  bool is_matte = false;  ///< Whether every other channel contains ids.
  const std::vector<std::uint8_t>& ignored;
  std::vector<std::uint8_t>* states;  ///< Null, or a byte for each pixel, initially 0.
};

/// @param rows one for each row of the data window.
void find_row_figures_on_cpu(const ComparedLayers& layers, const DifferencePass& pass,
                             std::span<RowFigures> rows);
void find_row_figures_on_cuda(const ComparedLayers& layers, const DifferencePass& pass,
                              std::span<RowFigures> rows);
/// @}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A layer as a display shows it: linear light in Rec.709's primaries over a background. FLIP and
// colour differences use it.
#pragma once

#include <array>
#include <memory>

#include "compare/metrics/compared_layers.h"
#include "compare/metrics/float_buffer.h"

namespace cuimg {

class Operation;

/// Three floats per pixel, row by row; none is NaN or infinite.
struct DisplayPicture {
  int width = 0, height = 0;
  FloatBuffer rgb;

  const float* row(int y) const {
    return rgb.data() + 3 * static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// Computes rows of one layer's picture on the processor. May be used by several threads.
class DisplayRows {
 public:
  /// @param image must outlive this.
  DisplayRows(const Image& image, int layer, const std::array<float, 3>& background);
  ~DisplayRows();
  /// @param top relative to the data window's top. @param to in DisplayPicture's form.
  void make(int top, int rows, const Queue& serial, float* to) const;

 private:
  const Image& image_;
  Frame source_;
  std::unique_ptr<Operation> conversion_;
};

/// Both layers, on their queue's device.
struct DisplayPair {
  DisplayPicture golden, result;  ///< On the processor.
  /// On a card: the pictures before flip::display_light(), in rows of three floats with a stride of
  /// four.
  Frame golden_on_card, result_on_card;
};

/// @param layers colour layers. @param background linear light behind alpha. @throws DeviceError.
DisplayPair display_pair(const ComparedLayers& layers, const std::array<float, 3>& background);

}  // namespace cuimg

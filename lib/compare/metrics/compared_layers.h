// SPDX-License-Identifier: Apache-2.0
// Two layers of the same form and the queue that compares them. On a card they are uploaded when
// they are first needed, in their own type, and stay there.
#pragma once

#include <optional>

#include "base/row_progress.h"
#include "device/frame.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

class ComparedLayers {
 public:
  /// @param golden, result with the same window and layers; they and the queue must outlive this.
  ComparedLayers(const Image& golden, const Image& result, int layer, const Queue& queue)
      : golden_(&golden), result_(&result), layer_(layer), queue_(&queue) {}

  const Image& golden() const { return *golden_; }
  const Image& result() const { return *result_; }
  int layer() const { return layer_; }
  const LayerSpec& spec() const { return golden_->spec().layer(layer_); }
  const Rect& window() const { return golden_->spec().data_window; }
  const Queue& queue() const { return *queue_; }

  /// Sets another result, or the same after a change.
  void set_result(const Image& result) {
    result_ = &result;
    uploaded_result_.reset();
  }

  /// @name The layers in pitched memory of a card. Use them only on its queue. @throws DeviceError.
  /// @{
  const Frame& golden_on_card() const { return uploaded(*golden_, uploaded_golden_); }
  const Frame& result_on_card() const { return uploaded(*result_, uploaded_result_); }
  /// @}

 private:
  const Frame& uploaded(const Image& image, std::optional<Frame>& frame) const {
    if (!frame) {
      RowProgress ready;
      ready.finish();
      frame = queue_->upload(image, layer_, ready, Storage::pitched);
    }
    return *frame;
  }

  const Image* golden_;
  const Image* result_;
  int layer_;
  const Queue* queue_;
  mutable std::optional<Frame> uploaded_golden_, uploaded_result_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A stage's second image: a logo to lay over, a mask, the frame to subtract. Read once, when the
// stage is prepared; its pixels are converted where and as they are needed.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "stages/stage.h"

namespace cuimg {

class SecondImage {
 public:
  /// @param place and option for errors, "over" and "--with". @param path a file, or "-".
  /// @param context decides --raw, limits and threads. Parts and mip levels are the first image's
  /// alone.
  /// @throws Error when the path is empty or the file cannot be read.
  SecondImage(const std::string& place, const std::string& option, const std::string& path,
              const StageContext& context);
  /// One that was made in memory.
  explicit SecondImage(Image image) : image_(std::make_shared<const Image>(std::move(image))) {}

  /// As the file has it.
  const Spec& spec() const { return image_->spec(); }
  const Image& image() const { return *image_; }
  /// The layer that stands beside `wanted`, or null: one of the same name; for colour without one,
  /// the first colour.
  const LayerSpec* beside(const LayerSpec& wanted) const;

  /// Its pixels in another form: in other layers, colour as `color` says, the windows its own.
  class View {
   public:
    /// Whether it has a layer to give for the wanted one.
    bool has(int layer) const { return sources_[static_cast<std::size_t>(layer)] >= 0; }
    /// Where its pixels lie; outside they are zero.
    const Rect& data_window() const { return operation_->output().data_window; }
    const Rect& display_window() const { return operation_->output().display_window; }
    /// Pixels on the queue: of what `region` and the data window share at least. On a card
    /// they are all of them, made by the first call and kept.
    Frame frame(const Queue& queue, int layer, const Rect& region) const;

   private:
    friend class SecondImage;
    // The converted layers on a card.
    struct OnCard {
      std::mutex mutex;
      const CudaQueue* queue = nullptr;
      std::vector<Frame> layers;
    };
    Frame frame_on_card(const Queue& queue, int layer) const;
    bool lies_as_wanted(int layer) const;
    FrameFormat format(int layer, const Rect& region) const;

    std::shared_ptr<const Image> image_;
    std::vector<int> sources_;  // -1: none
    std::shared_ptr<const Operation> operation_;
    std::shared_ptr<OnCard> on_card_ = std::make_shared<OnCard>();
  };
  /// @param layers whose name and channels the pixels shall have, such as the first image's. Which
  /// of its own is taken: beside(). Channels go by name: grey to each colour, a missing alpha is
  /// opaque, others are zero.
  View view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw) const;
  /// Likewise, in the layers' own types.
  View typed_view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw) const;

 private:
  std::shared_ptr<const Image> image_;
};

}  // namespace cuimg

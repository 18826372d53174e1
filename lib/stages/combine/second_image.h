// SPDX-License-Identifier: Apache-2.0
// A stage's second image: a logo to lay over, a mask, the frame to subtract. Its pixels are read
// and converted where and as they are needed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stages/shared_image.h"

namespace cuimg {

class SecondImage {
 public:
  /// @param path a file, or "-". @param context decides --raw, limits and threads. @param use what
  /// of the file is taken. @throws Error when the file's header cannot be read.
  SecondImage(const std::string& path, const StageContext& context,
              const SharedImage::Use& use = {});
  /// An image that a stage has made.
  explicit SecondImage(Image image);

  /// As the file has it.
  const Spec& spec() const { return image_->spec(); }
  /// The layer to combine with `wanted`, or null: one of the same name; for colour without one,
  /// the first colour, unless it must be `by_name`.
  const LayerSpec* counterpart(const LayerSpec& wanted, bool by_name = false) const;

  /// Its pixels in another form: in other layers, colour as `color` says, the windows its own.
  class View {
   public:
    /// Whether it has a layer to give for the wanted one.
    bool has(int layer) const { return sources_[static_cast<std::size_t>(layer)] >= 0; }
    /// Where its pixels lie; outside they are zero.
    const Rect& data_window() const { return operation_->output().data_window; }
    const Rect& display_window() const { return operation_->output().display_window; }
    /// Pixels on the queue: of what `region` and the data window share at least. A card keeps all
    /// of them for the run, unless they would take too much of its memory (kept_or_part()).
    Frame frame(const Queue& queue, int layer, const Rect& region) const;
    /// The same for kernels that decode what they load: on a card the frame may only be seen as
    /// floats (Frame::seen_as_floats).
    Frame frame_of_light(const Queue& queue, int layer, const Rect& region) const;
    /// Whether that is a frame of halves, four channels or three.
    bool is_in_halves(int layer) const;

   private:
    friend class SecondImage;
    Frame frame_on_card(const Queue& queue, int layer, const Rect& region) const;
    bool lies_as_wanted(int layer) const;
    FrameFormat format(int layer, const Rect& region) const;

    std::shared_ptr<const SharedImage> image_;
    std::vector<int> sources_;  // -1: none
    std::shared_ptr<const Operation> operation_;
    std::vector<PerCard<Frame>> converted_;  // the layers on a card
  };
  /// @param layers whose name and channels the pixels shall have, such as the first image's. Which
  /// of its own is taken: counterpart(). Channels go by name: grey to each colour, a missing alpha
  /// is opaque, others are zero.
  View view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw) const;
  /// As view(), in the layers' own types. @param by_name for each layer, as counterpart() has it;
  /// empty: none must be.
  View typed_view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw,
                  const std::vector<bool>& by_name = {}) const;
  /// All of its own layers, by their numbers. @param color what colours are converted to, as
  /// floats; absent: every value is as the file stores it.
  View own_view(const std::optional<ColorEncoding>& color, bool raw) const;

 private:
  View view_of(std::vector<int> sources, const Spec& source, const Spec& target, bool raw) const;

  std::shared_ptr<const SharedImage> image_;
};

}  // namespace cuimg

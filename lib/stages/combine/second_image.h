// SPDX-License-Identifier: Apache-2.0
// A stage's second image: a logo, a mask, a frame to subtract. Its pixels are read and converted
// only as needed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stages/shared_image.h"

namespace cuimg {

class SecondImage {
 public:
  /// @param path a file, or "-". @param context gives --raw, limits and threads. @param use the
  /// content of the file that is used. @throws Error if the file's header cannot be read.
  SecondImage(const std::string& path, const StageContext& context,
              const SharedImage::Use& use = {});
  /// An image that a stage has made.
  explicit SecondImage(Image image);

  /// As stored in the file.
  const Spec& spec() const { return image_->spec(); }
  /// The layer to combine with `wanted`, or null: one of the same name; for a colour layer without
  /// such a layer, the first colour layer, unless `by_name` requires the name.
  const LayerSpec* counterpart(const LayerSpec& wanted, bool by_name = false) const;

  /// The image's pixels in another form: with other layers and with colour encoded as `color` says,
  /// in its own windows.
  class View {
   public:
    /// Whether it has a layer for the wanted one.
    bool has(int layer) const { return sources_[static_cast<std::size_t>(layer)] >= 0; }
    /// The window of its pixels; outside it pixels are zero.
    const Rect& data_window() const { return operation_->output().data_window; }
    const Rect& display_window() const { return operation_->output().display_window; }
    /// Pixels on the queue: at least the part of `region` that lies in the data window. A card
    /// keeps all of them for the run, unless they would take too much of its memory
    /// (kept_or_part()).
    Frame frame(const Queue& queue, int layer, const Rect& region) const;
    /// The same for kernels that decode what they load: on a card the frame may store another type
    /// that is read as floats (Frame::seen_as_floats).
    Frame frame_of_light(const Queue& queue, int layer, const Rect& region) const;
    /// Whether that frame stores halves, with four channels or three.
    bool is_in_halves(int layer) const;

   private:
    friend class SecondImage;
    Frame frame_on_card(const Queue& queue, int layer, const Rect& region) const;
    bool lies_as_wanted(int layer) const;
    FrameFormat format(int layer, const Rect& region) const;

    std::shared_ptr<const SharedImage> image_;
    std::vector<int> sources_;  // -1: none
    std::shared_ptr<const Operation> operation_;
    std::vector<PerCard<Frame>> converted_;  // the layers' copies on cards
  };
  /// @param layers the names and channels that the pixels shall have, such as the first image's.
  /// counterpart() chooses the source of each. Channels are matched by name: grey goes to each
  /// colour, a missing alpha is opaque, others are zero.
  View view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw) const;
  /// Like view(), but in the layers' own types. @param by_name for each layer, as in counterpart();
  /// empty: false for all.
  View typed_view(const std::vector<LayerSpec>& layers, const ColorEncoding& color, bool raw,
                  const std::vector<bool>& by_name = {}) const;
  /// All of the image's own layers, by their numbers. @param color what colours are converted to,
  /// as floats; absent: values are as stored in the file.
  View own_view(const std::optional<ColorEncoding>& color, bool raw) const;

 private:
  View view_of(std::vector<int> sources, const Spec& source, const Spec& target, bool raw) const;

  std::shared_ptr<const SharedImage> image_;
};

}  // namespace cuimg

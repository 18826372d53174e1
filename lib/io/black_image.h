// SPDX-License-Identifier: Apache-2.0
// The replacement for a missing frame: an image of the same form in which all values are 0,
// including alpha.
#pragma once

#include <cstring>
#include <memory>
#include <utility>

#include "io/codec.h"

namespace cuimg {

class BlackImage final : public Decoder {
 public:
  explicit BlackImage(std::unique_ptr<Decoder> form)
      : form_(std::move(form)), spec_(form_->spec()) {}
  const Spec& spec() const override { return spec_; }
  void read(Image& image, RowProgress& progress) override {
    const Rect& window = spec_.data_window;
    for (int y = window.y; y < window.bottom(); ++y) {
      progress.wait_for_room(y - window.y);
      for (int layer = 0; layer < spec_.layer_count(); ++layer)
        std::memset(image.row(layer, y), 0, image.row_bytes(layer));
      progress.advance(y - window.y + 1);
    }
    progress.finish();
  }
  std::unique_ptr<Decoder> open_level(LevelId level) const override {
    auto form = form_->open_level(level);
    return form ? std::make_unique<BlackImage>(std::move(form)) : nullptr;
  }

 private:
  const std::unique_ptr<Decoder> form_;
  const Spec spec_;
};

}  // namespace cuimg

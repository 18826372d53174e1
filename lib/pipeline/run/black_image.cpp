// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/black_image.h"

#include <cstring>
#include <utility>

namespace cuimg {
namespace {

class BlackImage final : public Decoder {
 public:
  explicit BlackImage(Spec spec) : spec_(std::move(spec)) {}
  const Spec& spec() const override { return spec_; }
  void read(Image& image, RowProgress& progress) override {
    const Rect& window = spec_.data_window;
    for (int y = window.y; y < window.bottom(); ++y) {
      progress.wait_for_room(y - window.y);
      for (int layer = 0; layer < static_cast<int>(spec_.layers.size()); ++layer)
        std::memset(image.row(layer, y), 0, image.row_bytes(layer));
      progress.advance(y - window.y + 1);
    }
    progress.finish();
  }

 private:
  const Spec spec_;
};

}  // namespace

std::unique_ptr<Decoder> black_image(Spec spec) {
  return std::make_unique<BlackImage>(std::move(spec));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Manages an image's pixel memory.
#include "image/image.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "image/require_memory.h"

namespace cuimg {
namespace {

// Stages find colours by position: red or grey first, alpha last.
void check_channels(const LayerSpec& layer) {
  const int count = layer.channel_count();
  if (count < 1 || count > 4)
    throw Error("image", "a layer of " + std::to_string(count) + " channels",
                "1 to 4 are possible");
  // Kernels move a matte's values as 32-bit words.
  if (layer.is_matte && layer.type != PixelType::f32)
    throw Error("image", "a layer of ids and coverages (is_matte) is not f32",
                "convert its values, or clear is_matte");
  if (!layer.is_color()) return;
  constexpr std::string_view order = "YRGBA";
  int last = -1;
  for (const std::string& channel : layer.channels) {
    const auto place = channel.size() == 1 ? order.find(channel) : std::string_view::npos;
    if (place == std::string_view::npos) continue;
    if (static_cast<int>(place) <= last)
      throw Error("image", "the channels of a layer are not in the order R, G, B, A",
                  "move the pixels, or give the channels other names");
    last = static_cast<int>(place);
  }
}

bool is_near(std::int64_t begin, int length) {
  return begin >= -farthest_edge && begin + length <= farthest_edge;
}

// Sums of an edge and a few sides must not overflow.
void check_edges(const Rect& window) {
  if (is_near(window.x, window.width) && is_near(window.y, window.height)) return;
  throw Error("image", "the window " + window_text(window) + " is too far from 0",
              "its edges may be at most " + std::to_string(farthest_edge));
}

void check_windows(const Rect& data, const Rect& display) {
  if (std::min(data.width, data.height) < 0 || std::max(data.width, data.height) > largest_side)
    throw Error("image", size_text(data) + " is not a size",
                "sides may be at most " + std::to_string(largest_side));
  if (std::min(display.width, display.height) < 0)
    throw Error("image", size_text(display) + " is not a size of the display window",
                "leave it empty to use the data window");
  check_edges(data);
  check_edges(display);
}

}  // namespace

Image::Image(Image&& other) noexcept
    : spec_(std::exchange(other.spec_, {})), planes_(std::exchange(other.planes_, {})) {}

Image& Image::operator=(Image&& other) noexcept {
  spec_ = std::exchange(other.spec_, {});
  planes_ = std::exchange(other.planes_, {});
  return *this;
}

Image::Image(Spec spec, Held held) : spec_(std::move(spec)) { allocate(held); }

Image Image::without_memory(Spec spec) {
  Image image;
  image.spec_ = std::move(spec);
  return image;
}

void Image::allocate(Held held) {
  const Rect& window = spec_.data_window;
  check_windows(window, spec_.display_window);
  for (const LayerSpec& layer : spec_.layers) check_channels(layer);
  if (spec_.display_window.empty()) spec_.display_window = window;
  planes_.clear();
  for (int i = 0; i < spec_.layer_count(); ++i) {
    const auto rows = static_cast<std::size_t>(spec_.data_window.height);
    planes_.push_back(allocate_pixels(row_bytes(i) * rows, "an image's", held));
  }
}

bool Image::has_memory() const {
  if (planes_.size() != spec_.layers.size()) return false;
  const auto rows = static_cast<std::size_t>(std::max(0, spec_.data_window.height));
  for (int i = 0; i < spec_.layer_count(); ++i)
    if (memory(i).get_deleter().bytes < row_bytes(i) * rows) return false;
  return true;
}

std::size_t Image::row_bytes(int layer) const {
  return spec_.layer(layer).pixel_bytes() * static_cast<std::size_t>(spec_.data_window.width);
}

std::byte* Image::row(int layer, int y) {
  return planes_[static_cast<std::size_t>(layer)].get() +
         row_bytes(layer) * static_cast<std::size_t>(y - spec_.data_window.y);
}

const std::byte* Image::row(int layer, int y) const {
  return const_cast<Image*>(this)->row(layer, y);
}

void Image::forget_rows(int first, int last) {
  last = std::min(last, spec_.data_window.height);
  for (int layer = 0; layer < static_cast<int>(planes_.size()); ++layer) {
    const std::size_t bytes = row_bytes(layer);
    forget_pixels(planes_[static_cast<std::size_t>(layer)], bytes * static_cast<std::size_t>(first),
                  bytes * static_cast<std::size_t>(last));
  }
}

Image copy_of(const Image& image) {
  require_memory(image, "image");
  Image copy(image.spec());
  const Rect& window = image.spec().data_window;
  for (int l = 0; l < image.spec().layer_count(); ++l)
    for (int y = window.y; y < window.bottom(); ++y)
      std::memcpy(copy.row(l, y), image.row(l, y), image.row_bytes(l));
  return copy;
}

}  // namespace cuimg

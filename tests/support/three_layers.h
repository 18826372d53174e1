// SPDX-License-Identifier: Apache-2.0
// A picture with layers of colour, depth and ids, and its layers as separate images.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "support/images.h"

namespace cuimg::test {

inline Spec three_layers() {
  Spec spec = spec_of({0, 0, 8, 6}, PixelType::half, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::half});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  return spec;
}

inline Image without(const Image& image, const std::vector<int>& kept) {
  Spec spec = image.spec();
  spec.layers.clear();
  for (const int layer : kept) spec.layers.push_back(image.spec().layer(layer));
  Image result(spec);
  const Rect& r = spec.data_window;
  for (int l = 0; l < static_cast<int>(kept.size()); ++l)
    for (int y = r.y; y < r.bottom(); ++y)
      std::memcpy(result.row(l, y), image.row(kept[static_cast<std::size_t>(l)], y),
                  result.row_bytes(l));
  return result;
}

// The bits of a pixel; empty if the image has no pixel there.
inline std::string bits_at(const Image& image, int layer, int x, int y) {
  const std::size_t bytes = image.spec().layer(layer).pixel_bytes();
  const Rect& r = image.spec().data_window;
  if (!r.contains({x, y, 1, 1})) return std::string(bytes, '\0');
  const auto* const row = reinterpret_cast<const char*>(image.row(layer, y));
  return {row + static_cast<std::size_t>(x - r.x) * bytes, bytes};
}

inline bool same_in_place(const Image& a, int layer_a, const Image& b, int layer_b) {
  const Rect all = bounding(a.spec().data_window, b.spec().data_window);
  for (int y = all.y; y < all.bottom(); ++y)
    for (int x = all.x; x < all.right(); ++x)
      if (bits_at(a, layer_a, x, y) != bits_at(b, layer_b, x, y)) return false;
  return true;
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// A functor over every pixel of a region, on the CPU's threads. device/cuda_map_pixels.cuh is the
// same on a card.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "device/frame.h"
#include "device/queue.h"
#include "kernels/pixel.h"
#include "kernels/texture.h"

namespace cuimg {

/// A host frame's rows as texels of T. x and y are absolute.
template <class T, int N>
struct HostRows {
  std::byte* first;
  std::ptrdiff_t pitch;
  int left, top;

  /// @param frame on the host, of N channels of sizeof(T) bytes.
  explicit HostRows(const Frame& frame)
      : first(frame.empty() ? nullptr : frame.pixel(frame.region().x, frame.region().y)),
        pitch(frame.pitch()),
        left(frame.region().x),
        top(frame.region().y) {}

  Texel<T, N>* row(int y) const {
    return reinterpret_cast<Texel<T, N>*>(first + pitch * (y - top));
  }
  Texel<T, N> texel(int x, int y) const { return row(y)[x - left]; }
  void store(int x, int y, const Texel<T, N>& value) const { row(y)[x - left] = value; }
  void store(int x, int y, const Pixel<N>& value) const {
    static_assert(std::is_same_v<T, float>, "other types are quantised by whoever stores");
    Texel<T, N> texel;
    for (int c = 0; c < N; ++c) texel.v[c] = value.v[c];
    store(x, y, texel);
  }
};

/// target.store(x, y, functor(source, x, y)) for every pixel of `region`, in bands of rows.
/// @param functor called from several threads at once.
template <class Functor, class Source, class Target>
void map_pixels(const Queue& queue, const Functor& functor, const Source& source,
                const Target& target, const Rect& region) {
  if (region.empty()) return;
  // Bands small enough to share out evenly, large enough to be worth handing out.
  constexpr int band_pixels = 1 << 14;
  const int band = std::max(1, band_pixels / region.width);
  queue.for_each((region.height + band - 1) / band, [&](int i) {
    const int top = region.y + i * band;
    const int bottom = std::min(region.bottom(), top + band);
    for (int y = top; y < bottom; ++y)
      for (int x = region.x; x < region.right(); ++x) target.store(x, y, functor(source, x, y));
  });
}

}  // namespace cuimg

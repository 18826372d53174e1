// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_filter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cuimg {
namespace {

std::uint8_t paeth(int left, int above, int corner) {
  const int to_left = std::abs(above - corner), to_above = std::abs(left - corner);
  const int to_corner = std::abs(left + above - 2 * corner);
  return static_cast<std::uint8_t>(to_left <= to_above && to_left <= to_corner ? left
                                   : to_above <= to_corner                     ? above
                                                                               : corner);
}

}  // namespace

void apply_png_filter(PngFilter filter, std::span<const std::uint8_t> row,
                      std::span<const std::uint8_t> above, std::size_t pixel, std::uint8_t* out) {
  const std::size_t size = row.size(), head = std::min(pixel, size);
  const std::uint8_t* r = row.data();
  const std::uint8_t* a = above.data();
  switch (filter) {
    case PngFilter::none:
      std::memcpy(out, r, size);
      break;
    case PngFilter::sub:
      std::memcpy(out, r, head);
      for (std::size_t i = head; i < size; ++i)
        out[i] = static_cast<std::uint8_t>(r[i] - r[i - pixel]);
      break;
    case PngFilter::up:
      for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(r[i] - a[i]);
      break;
    case PngFilter::average:
      for (std::size_t i = 0; i < head; ++i) out[i] = static_cast<std::uint8_t>(r[i] - a[i] / 2);
      for (std::size_t i = head; i < size; ++i)
        out[i] = static_cast<std::uint8_t>(r[i] - (r[i - pixel] + a[i]) / 2);
      break;
    case PngFilter::paeth:
      for (std::size_t i = 0; i < head; ++i) out[i] = static_cast<std::uint8_t>(r[i] - a[i]);
      for (std::size_t i = head; i < size; ++i)
        out[i] = static_cast<std::uint8_t>(r[i] - paeth(r[i - pixel], a[i], a[i - pixel]));
      break;
  }
}

std::uint64_t png_filter_cost(std::span<const std::uint8_t> filtered) {
  std::uint64_t cost = 0;
  for (const std::uint8_t byte : filtered) cost += byte < 128 ? byte : 256u - byte;
  return cost;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Walks through an image's values channel by channel, for stages that report on them.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "image/dispatch.h"
#include "image/image.h"
#include "stages/description.h"

namespace cuimg {

/// The largest code of an integer type; 0 for floats.
constexpr std::uint32_t largest_code(PixelType type) {
  return type == PixelType::u8    ? 0xff
         : type == PixelType::u16 ? 0xffff
         : type == PixelType::u32 ? 0xffffffff
                                  : 0;
}

/// Calls visit(value) for `count` values of a row: ids as they are, all others as float, integers
/// as their codes. @param first, step in values.
template <class Visit>
void each_value(PixelType type, const std::byte* row, int first, int step, int count,
                const Visit& visit) {
  with_stored_type(type, [&](auto tag) {
    using Stored = typename decltype(tag)::type;
    const std::byte* at = row + static_cast<std::size_t>(first) * sizeof(Stored);
    for (int i = 0; i < count; ++i, at += static_cast<std::size_t>(step) * sizeof(Stored)) {
      Stored stored;
      std::memcpy(&stored, at, sizeof stored);
      if constexpr (std::is_same_v<Stored, Half>)
        visit(half_to_float(stored));
      else if constexpr (std::is_same_v<Stored, std::uint32_t>)
        visit(stored);
      else
        visit(static_cast<float>(stored));
    }
  });
}

/// Fills a `Tally` from the values of each channel of each wanted layer. Bands of rows are gathered
/// separately and then merged. Unwanted layers get no channels. @param fresh (layer, channel) ->
/// Tally; it has operator()(value) and merge(const Tally&).
template <class Tally, class Fresh>
std::vector<std::vector<Tally>> tally_channels(const Image& image, const ReportContext& context,
                                               const Fresh& fresh) {
  const Spec& spec = image.spec();
  const Rect& window = spec.data_window;
  const int layers = spec.layer_count();
  const auto empty = [&] {
    std::vector<std::vector<Tally>> tallies(spec.layers.size());
    for (int l = 0; l < layers; ++l) {
      const auto i = static_cast<std::size_t>(l);
      if (!context.layers.contains(i)) continue;
      for (int c = 0; c < spec.layer(l).channel_count(); ++c) tallies[i].push_back(fresh(l, c));
    }
    return tallies;
  };
  std::vector<std::vector<Tally>> all = empty();
  std::mutex mutex;
  context.queue.for_rows(window, 128, [&](int top, int bottom) {
    std::vector<std::vector<Tally>> tallies = empty();
    for (int l = 0; l < layers; ++l) {
      const LayerSpec& layer = spec.layer(l);
      for (int c = 0; c < static_cast<int>(tallies[static_cast<std::size_t>(l)].size()); ++c) {
        Tally& tally = tallies[static_cast<std::size_t>(l)][static_cast<std::size_t>(c)];
        for (int y = top; y < bottom; ++y)
          each_value(layer.type, image.row(l, y), c, layer.channel_count(), window.width,
                     [&](auto value) { tally(value); });
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t l = 0; l < all.size(); ++l)
      for (std::size_t c = 0; c < all[l].size(); ++c) all[l][c].merge(tallies[l][c]);
  });
  return all;
}

}  // namespace cuimg

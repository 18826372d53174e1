// SPDX-License-Identifier: Apache-2.0
#include "stages/color/measured_color.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/exact_moments.h"
#include "kernels/math/math.h"
#include "kernels/math/order.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

// At most this many parts of an image are measured separately, since each needs its own tables.
constexpr int most_parts = 16;

// Calls visit(part, v, shape) for the pixels of a layer, all pixels of a part in order on one
// thread, then merge(part), one part at a time.
template <class Part, class Visit, class Merge>
void each_pixel(const Image& image, std::size_t layer, const MeasureContext& context,
                const Part& fresh, const Visit& visit, const Merge& merge) {
  const PixelShape shape = form_of(image.spec().layers[layer]).shape;
  const Rect& window = image.spec().data_window;
  std::mutex mutex;
  const int parts = std::min(most_parts, window.height);
  context.queue.for_each(parts, [&](int index) {
    Part part = fresh;
    const auto edge = [&](std::int64_t i) {
      return window.y + static_cast<int>(i * window.height / parts);
    };
    for (int y = edge(index); y < edge(index + 1); ++y) {
      const auto* v = reinterpret_cast<const float*>(image.row(static_cast<int>(layer), y));
      for (int x = 0; x < window.width; ++x, v += shape.channels) visit(part, v, shape);
    }
    const std::lock_guard lock(mutex);
    merge(part);
  });
}

// Maps finite floats to unsigned integers in the same order.
std::uint32_t rank_key(float value) {
  return static_cast<std::uint32_t>(Order<float>::key(value)) ^ 0x80000000u;
}
float value_of_rank_key(std::uint32_t key) {
  return Order<float>::value(static_cast<std::int32_t>(key ^ 0x80000000u));
}

// Finds values by their rank: it first counts values by the upper half of their key, then values
// with the right upper half by the lower half.
class Ranks {
 public:
  using Counts = std::vector<std::uint64_t>;
  static constexpr std::size_t bins = 1 << 16;

  template <class EachValue>
  explicit Ranks(const EachValue& each_value) {
    high_ = each_value([](std::uint32_t key) -> std::size_t { return key >> 16; });
    for (const std::uint64_t count : high_) count_ += count;
  }
  std::uint64_t count() const { return count_; }

  /// The key with `rank` others below it. @param rank below count().
  template <class EachValue>
  std::uint32_t key_at(std::uint64_t rank, const EachValue& each_value) const {
    const std::uint32_t upper = bin_of(high_, rank);
    const Counts low = each_value([upper](std::uint32_t key) -> std::size_t {
      return key >> 16 == upper ? key & 0xffffu : bins;
    });
    return upper << 16 | bin_of(low, rank);
  }

 private:
  // The bin that contains the rank; reduces the rank by the values in lower bins.
  static std::uint32_t bin_of(const Counts& counts, std::uint64_t& rank) {
    std::uint32_t bin = 0;
    while (rank >= counts[bin]) rank -= counts[bin++];
    return bin;
  }

  Counts high_;
  std::uint64_t count_ = 0;
};

// The smallest and largest finite values in some of a layer's channels, after the cut, or nothing
// if there are none.
std::optional<ValueEnds> ends_of(const Image& image, std::size_t layer, std::uint8_t channels,
                                 const MeasureContext& context, double cut_share) {
  using Counts = Ranks::Counts;
  const bool alpha_covers = image.spec().color.alpha_covers;
  const auto each_value = [&](const auto& bin) {
    Counts all(Ranks::bins);
    each_pixel(
        image, layer, context, Counts(Ranks::bins),
        [&](Counts& counts, const float* v, const PixelShape& shape) {
          if (alpha_covers && shape.alpha >= 0 && v[shape.alpha] == 0) return;
          for (int c = 0; c < shape.colors; ++c) {
            if (!has_channel(channels, c) || !is_finite(v[c])) continue;
            const std::size_t at = bin(rank_key(v[c]));
            if (at < Ranks::bins) ++counts[at];
          }
        },
        [&](const Counts& counts) {
          for (std::size_t i = 0; i < Ranks::bins; ++i) all[i] += counts[i];
        });
    return all;
  };
  const Ranks ranks(each_value);
  if (ranks.count() == 0) return std::nullopt;
  const auto cut =
      std::min(static_cast<std::uint64_t>(static_cast<double>(ranks.count()) * cut_share),
               (ranks.count() - 1) / 2);
  return ValueEnds{value_of_rank_key(ranks.key_at(cut, each_value)),
                   value_of_rank_key(ranks.key_at(ranks.count() - 1 - cut, each_value))};
}

bool is_measured_layer(const Image& image, std::size_t layer, const MeasureContext& context) {
  const LayerSpec& spec = image.spec().layers[layer];
  return context.layers.contains(layer) && spec.type == PixelType::f32 && !spec.holds_ids();
}

}  // namespace

EndsByLayer value_ends(const Image& image, const MeasureContext& context, double cut_share,
                       bool each) {
  EndsByLayer result;
  for (std::size_t i = 0; i < image.spec().layers.size(); ++i) {
    if (!is_measured_layer(image, i, context)) continue;
    const LayerSpec& layer = image.spec().layers[i];
    const int colors = form_of(layer).shape.colors;
    std::array<ValueEnds, 4> ends{};
    bool found = false;
    for (int c = 0; c < colors; ++c) {
      if (!each && c > 0) {
        ends[static_cast<std::size_t>(c)] = ends[0];
        continue;
      }
      const int channels = each ? 1 << c : (1 << colors) - 1;
      const auto some = ends_of(image, i, static_cast<std::uint8_t>(channels), context, cut_share);
      found = found || some;
      ends[static_cast<std::size_t>(c)] = some.value_or(ValueEnds{});
    }
    if (found) result[layer.full_name(0)] = ends;
  }
  return result;
}

MeansByLayer value_means(const Image& image, const MeasureContext& context) {
  using Sums = std::array<ExactMoments, 4>;
  MeansByLayer result;
  for (std::size_t i = 0; i < image.spec().layers.size(); ++i) {
    if (!is_measured_layer(image, i, context)) continue;
    const auto sums = std::make_unique<Sums>();
    each_pixel(
        image, i, context, Sums{},
        [](Sums& part, const float* v, const PixelShape& shape) {
          for (int c = 0; c < shape.colors; ++c)
            if (is_finite(v[c])) part[static_cast<std::size_t>(c)].add(v[c]);
        },
        [&](const Sums& part) {
          for (std::size_t c = 0; c < 4; ++c) (*sums)[c].merge(part[c]);
        });
    std::array<double, 4>& means = result[image.spec().layers[i].full_name(0)];
    for (std::size_t c = 0; c < 4; ++c) means[c] = (*sums)[c].mean();
  }
  return result;
}

}  // namespace cuimg

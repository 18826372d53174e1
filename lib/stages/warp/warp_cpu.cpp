// SPDX-License-Identifier: Apache-2.0
// Warps on the CPU: computes the positions of a row, then reads.
#include <cstring>
#include <vector>

#include "base/instruction_set.h"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/footprint.h"
#include "kernels/warp/warp_taps.h"
#include "stages/pass/gather_texels.h"
#include "stages/resample/texture_view.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

// The source positions of a row's pixels.
struct RowPlaces {
  std::vector<WarpPosition> at;
  std::vector<WarpDerivative> slope;
  std::vector<char> seen;

  RowPlaces(std::size_t count, bool slopes) : at(count), slope(slopes ? count : 0), seen(count) {}

  // @param unseen the position given to pixels that see nothing.
  void find(const WarpMap& map, int left, int y, const WarpPosition& unseen) {
    map.visit([&](const auto& m) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        const int x = left + static_cast<int>(i);
        seen[i] = slope.empty() ? m.at(x, y, at[i]) : m.at(x, y, at[i], slope[i]);
        if (!seen[i]) at[i] = unseen;
      }
    });
  }
};

// The position in the texture of a frame's first texel.
WarpPosition first_position(const Frame& frame) {
  return {std::int64_t{frame.region().x} << 32, std::int64_t{frame.region().y} << 32};
}

// Texels of one type and channel count with the border's rule. The frame may be a part of the
// texture; indices and positions are relative to the texture's first texel.
template <class T, int N>
struct Source {
  Texture2D<T, N> part;
  int left, top;
  int width, height;  ///< The texture's size.
  Address address;
  Texel<T, N> border;

  Source(const WarpPlan& plan, const WarpPlan::Layer& layer, const Frame& frame)
      : part{texture_view(frame).data, texture_view(frame).pitch_bytes, frame.region().width,
             frame.region().height},
        left(frame.region().x),
        top(frame.region().y),
        width(plan.texture.width),
        height(plan.texture.height),
        address(plan.address),
        border(border_texel<T, N>(plan.sampler(layer))) {}

  Texel<T, N> operator()(int i, int j) const {
    return i == outside || j == outside ? border : part.texel(i - left, j - top);
  }
  Pixel<N> linear(const WarpPosition& at) const {
    return linear_2d_taps<T, N>(unit_taps(address, at.x, width), unit_taps(address, at.y, height),
                                *this);
  }
};

template <int N>
void put(const Pixel<N>& pixel, float* to) {
  std::memcpy(to, pixel.v, sizeof pixel.v);
}

// Linear reads of many positions by the texture unit, with separate handling of cases that it gets
// wrong: wrapped positions, and those that a float coordinate cannot represent.
template <class T, int N>
class UnitReads {
 public:
  UnitReads(const WarpPlan& plan, const WarpPlan::Layer& layer, const Frame& frame)
      : source_(plan, layer, frame),
        view_(texture_view(frame)),
        first_(first_position(frame)),
        sampler_(plan.sampler(layer)),
        periodic_(plan.is_periodic()),
        fits_(view_.width <= longest_side_in_float && view_.height <= longest_side_in_float) {}

  const Source<T, N>& source() const { return source_; }

  void read(const std::vector<WarpPosition>& at, float* out) {
    xs_.resize(at.size());
    ys_.resize(at.size());
    for (std::size_t i = 0; i < at.size() && fits_; ++i) {
      xs_[i] = unit_coordinate(at[i].x - first_.x, view_.width);
      ys_[i] = unit_coordinate(at[i].y - first_.y, view_.height);
    }
    if (fits_)
      sample_row(view_, sampler_, xs_.data(), ys_.data(), static_cast<std::ptrdiff_t>(at.size()),
                 out);
    if (fits_ && !periodic_) return;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (!fits_ || passes(at[i].x - first_.x, view_.width) ||
          passes(at[i].y - first_.y, view_.height))
        put(source_.linear(at[i]), out + i * N);
  }

 private:
  // Whether a read includes texels past an edge.
  static bool passes(std::int64_t position, int size) {
    const auto [texel, fraction] = unit_position(position);
    return texel < 0 || texel >= size || (texel == size - 1 && fraction > 0);
  }

  Source<T, N> source_;
  TextureView2D view_;
  WarpPosition first_;
  Sampler sampler_;
  bool periodic_, fits_;
  std::vector<float> xs_, ys_;
};

template <class T, int N>
void read_unit(const WarpPlan& plan, const WarpPlan::Layer& layer, const Frame& source,
               const Frame& target) {
  const Rect& t = target.region();
  UnitReads<T, N> reads(plan, layer, source);
  const Pixel<N> hidden = decode(reads.source().border);
  RowPlaces places(static_cast<std::size_t>(t.width), false);
  for (int y = t.y; y < t.bottom(); ++y) {
    auto* out = target.pixel_as<float>(t.x, y);
    places.find(plan.map, t.x, y, first_position(source));
    reads.read(places.at, out);
    for (std::size_t i = 0; i < places.at.size(); ++i)
      if (!places.seen[i]) put(hidden, out + i * N);
  }
}

// The source and its halved pictures, each with the picture's first texel at (0, 0). A source
// without halved pictures may be a part of the picture.
using Levels = std::vector<Frame>;

std::vector<LevelScale> scales_of(const WarpPlan& plan) {
  std::vector<LevelScale> scales;
  for (int l = 0; l <= plan.last_level; ++l)
    scales.push_back({level_axis(plan.texture.width, l), level_axis(plan.texture.height, l)});
  return scales;
}

// A texel of a level, however far outside. @param r the whole extent of the level.
template <int N>
Pixel<N> level_texel(const Frame& level, const Rect& r, Address address, const Pixel<N>& border,
                     int x, int y) {
  const int i = addressed(address, x - r.x, r.width), j = addressed(address, y - r.y, r.height);
  if (i == outside || j == outside) return border;
  Pixel<N> pixel;
  std::memcpy(pixel.v, level.pixel(r.x + i, r.y + j), sizeof pixel.v);
  return pixel;
}

template <int N>
struct LevelTexels {
  const Levels& levels;
  Rect picture;
  Address address;
  Pixel<N> border_color;
  std::vector<LevelScale> scales;

  bool is_even(int level) const { return scale(level).is_even(); }
  const LevelScale& scale(int level) const { return scales[static_cast<std::size_t>(level)]; }
  TexelBox box(int level) const {
    const Rect r = extent(level);
    return {r.x, r.y, r.right(), r.bottom()};
  }
  const Pixel<N>* border() const { return address == Address::border ? &border_color : nullptr; }
  auto row(int level, int x, int y) const {
    return [from = levels[static_cast<std::size_t>(level)].pixel(x, y)](int i) {
      Pixel<N> pixel;
      std::memcpy(pixel.v, from + std::ptrdiff_t{i} * std::ptrdiff_t{sizeof pixel}, sizeof pixel.v);
      return pixel;
    };
  }
  Pixel<N> operator()(int level, int x, int y) const {
    return level_texel<N>(levels[static_cast<std::size_t>(level)], extent(level), address,
                          border_color, x, y);
  }

 private:
  Rect extent(int level) const {
    return level == 0 ? picture : levels[static_cast<std::size_t>(level)].region();
  }
};

constexpr int band_rows = 16;

template <int N>
Levels make_levels(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                   const Frame& source) {
  Levels levels = {source};
  Pixel<N> border;
  std::memcpy(border.v, layer.border.data(), sizeof border.v);
  for (int l = 0; l < plan.last_level; ++l) {
    const Frame finer = levels.back();
    const Rect r = halved_region(finer.region(), plan.address);
    const Frame level = Frame::new_host(finer.format().over(r));
    const auto fetch = [&](int x, int y) {
      return level_texel<N>(finer, finer.region(), plan.address, border, x, y);
    };
    const int width = halved_side(plan.texture.width, l);
    const int height = halved_side(plan.texture.height, l);
    std::vector<TentTaps> columns;
    for (int x = r.x; x < r.right(); ++x) columns.emplace_back(x, width);
    queue.for_rows(r, band_rows, [&](int top, int bottom) {
      for (int y = top; y < bottom; ++y) {
        const TentTaps rows(y, height);
        auto* out = level.pixel_as<float>(r.x, y);
        for (const TentTaps& column : columns) {
          put(halved_texel<N>(column, rows, fetch), out);
          out += N;
        }
      }
    });
    levels.push_back(level);
  }
  return levels;
}

template <int N>
void read_filtered(const WarpPlan& plan, const WarpPlan::Layer& layer, const Levels& levels,
                   const Frame& target) {
  const Rect& t = target.region();
  UnitReads<float, N> reads(plan, layer, levels.front());
  Pixel<N> border;
  std::memcpy(border.v, layer.border.data(), sizeof border.v);
  const int width = plan.texture.width, height = plan.texture.height;
  const LevelTexels<N> texels{levels, {0, 0, width, height}, plan.address, border, scales_of(plan)};
  const Source<float, N> source = reads.source();
  const auto texel = [&](int i, int j) {
    return decode(source.part.texel(i - source.left, j - source.top));
  };
  const auto any_texel = [&](int i, int j) {
    return i == outside || j == outside ? border : texel(i, j);
  };
  const Address address[2] = {plan.address, plan.address};
  RowPlaces places(static_cast<std::size_t>(t.width), plan.shrinks);
  std::vector<WarpPosition> linear;
  std::vector<std::size_t> linear_at;
  std::vector<float> linear_pixels;
  Footprint ellipse{};
  const auto read_weighed = [&](float* out) {
    for (std::size_t i = 0; i < places.at.size(); ++i) {
      const WarpPosition& at = places.at[i];
      if (!places.seen[i]) {
        put(border, out + i * N);
      } else if (plan.shrinks && !reads_unfiltered(places.slope[i])) {
        if (i == 0 || places.slope[i] != places.slope[i - 1])
          ellipse = footprint_of(places.slope[i], plan.last_level);
        put(footprint_read<N>(ellipse, at, texels), out + i * N);
      } else if (layer.cubic) {
        put(cubic_read<N>(cubic_axis_at(at.x), cubic_axis_at(at.y), address, true, width, height,
                          texel, any_texel),
            out + i * N);
      } else {
        linear.push_back(at);
        linear_at.push_back(i);
      }
    }
  };
  for (int y = t.y; y < t.bottom(); ++y) {
    auto* out = target.pixel_as<float>(t.x, y);
    places.find(plan.map, t.x, y, first_position(levels.front()));
    linear.clear();
    linear_at.clear();
    with_best_instructions([&] { read_weighed(out); });
    linear_pixels.resize(linear.size() * N);
    reads.read(linear, linear_pixels.data());
    for (std::size_t i = 0; i < linear.size(); ++i)
      std::memcpy(out + linear_at[i] * N, linear_pixels.data() + i * N, N * sizeof(float));
  }
}

void copy_nearest(const WarpPlan& plan, const WarpPlan::Layer& layer, const Frame& source,
                  const Frame& target) {
  const Rect& t = target.region();
  RowPlaces places(static_cast<std::size_t>(t.width), false);
  for (int y = t.y; y < t.bottom(); ++y) {
    places.find(plan.map, t.x, y, first_position(source));
    gather_row(target, t.x, t.right(), y, [&](int x) -> const std::byte* {
      const auto i = static_cast<std::size_t>(x - t.x);
      const int column = nearest_texel(plan.address, places.at[i].x, plan.texture.width);
      const int row = nearest_texel(plan.address, places.at[i].y, plan.texture.height);
      const bool nothing = !places.seen[i] || column == outside || row == outside;
      return nothing ? layer.fill.data() : source.pixel(column, row);
    });
  }
}

void read_rows(const WarpPlan& plan, const WarpPlan::Layer& layer, const Levels& levels,
               const Frame& target) {
  const Frame& source = levels.front();
  if (layer.method == WarpMethod::nearest) return copy_nearest(plan, layer, source, target);
  if (layer.method == WarpMethod::filtered)
    return with_channels(source.format().channels,
                         [&](auto n) { read_filtered<n()>(plan, layer, levels, target); });
  with_texel_type(source.format().type, [&](auto type) {
    using T = typename decltype(type)::type;
    with_channels(source.format().channels,
                  [&](auto n) { read_unit<T, n()>(plan, layer, source, target); });
  });
}

}  // namespace

void warp_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target) {
  if (layer.method == WarpMethod::levels)
    return warp_levels_on_cpu(queue, plan, layer, source, target);
  Levels levels = {
      source.moved_to(source.region().x - plan.texture.x, source.region().y - plan.texture.y)};
  // With levels one call makes all rows, otherwise it makes some of them.
  if (plan.last_level == 0) return read_rows(plan, layer, levels, target);
  if (layer.method == WarpMethod::filtered)
    with_channels(source.format().channels,
                  [&](auto n) { levels = make_levels<n()>(queue, plan, layer, levels.front()); });
  const Rect& t = target.region();
  queue.for_rows(t, band_rows, [&](int top, int bottom) {
    read_rows(plan, layer, levels, target.cropped(rect_from_edges(t.x, top, t.right(), bottom)));
  });
}

}  // namespace cuimg

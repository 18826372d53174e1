// SPDX-License-Identifier: Apache-2.0
// The rows of envmap on the CPU.
#include <cstring>
#include <vector>

#include "base/instruction_set.h"
#include "base/mapped_pages.h"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_pixel.h"
#include "stages/geometry/envmap.h"
#include "stages/pass/gather_texels.h"

namespace cuimg {
namespace {

// The source positions for three rows of pixels and their neighbours, the last ones requested.
class PlaceRows {
 public:
  PlaceRows(const EnvmapPlan& plan, const Rect& region) : plan_(plan), region_(region) {
    for (int y = region.y - 1; y <= region.y; ++y) fill(y);
  }
  // Computes the pixels of a row and of the next one. Rows are requested in order.
  void reach(int y) { fill(y + 1); }
  const EnvPosition& operator()(int x, int y) const {
    return rows_[row_of(y)][static_cast<std::size_t>(x - region_.x + 1)];
  }

 private:
  std::size_t row_of(int y) const { return static_cast<std::size_t>(y - region_.y + 1) % 3; }
  // Compiled once instead of inlined into every loop over pixels.
  [[gnu::noinline]] void fill(int y) {
    std::vector<EnvPosition>& row = rows_[row_of(y)];
    row.resize(static_cast<std::size_t>(region_.width) + 2);
    with_best_instructions([&] {
      for (int x = region_.x - 1; x <= region_.right(); ++x)
        row[static_cast<std::size_t>(x - region_.x + 1)] =
            env_place(plan_.to, plan_.from, env_pixel_at(plan_.to.layout, x, y));
    });
  }

  const EnvmapPlan& plan_;
  Rect region_;
  std::vector<EnvPosition> rows_[3];
};

template <int N>
void map_rows(const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  const Rect& r = target.region();
  const auto row_at = [&](int x, int y) {
    return [from = source.pixel(x, y)](int i) {
      Pixel<N> pixel;
      std::memcpy(pixel.v, from + std::ptrdiff_t{i} * std::ptrdiff_t{sizeof pixel}, sizeof pixel.v);
      return pixel;
    };
  };
  with_best_instructions([&] {
    PlaceRows places(plan, r);
    MappedPagesCheck pages;  // near a pole a row reads scattered places of the picture
    for (int y = r.y; y < r.bottom(); ++y) {
      places.reach(y);
      for (int x = r.x; x < r.right(); ++x) {
        pages.next();
        const EnvPixel at = env_pixel_at(plan.to.layout, x, y);
        const auto known = [&](int dx, int dy) { return places(x + dx, y + dy); };
        Pixel<N> pixel{};
        if (at.face >= 0 && !plan.antialias)
          pixel = env_pixel_in<N>(plan.from, places(x, y), row_at);
        else if (at.face >= 0 && !env_pixel_even<N>(plan.to, plan.from, at, known, row_at, pixel))
          pixel = env_pixel_uneven<N>(plan.to, plan.from, at, places(x, y), row_at);
        std::memcpy(target.pixel(x, y), pixel.v, sizeof pixel.v);
      }
    }
  });
}

void map_ids(const Queue& queue, const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  const Rect& r = target.region();
  queue.for_rows(r, 16, [&](int top, int bottom) {
    MappedPagesCheck pages;
    for (int y = top; y < bottom; ++y)
      gather_row(target, r.x, r.right(), y, [&](int x) -> const std::byte* {
        pages.next();
        EnvTexel texel;
        const bool found = env_nearest_pixel(plan.to, plan.from, x, y, texel);
        return found ? source.pixel(texel.x, texel.y) : zero_texel.data();
      });
  });
}

}  // namespace

void map_environment_on_cpu(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                            const Frame& target) {
  if (target.format().type == PixelType::u32) return map_ids(queue, plan, source, target);
  if (plan.last_level > 0) return map_levels_on_cpu(queue, plan, source, target);
  with_channels(target.format().channels, [&](auto n) { map_rows<n()>(plan, source, target); });
}

}  // namespace cuimg

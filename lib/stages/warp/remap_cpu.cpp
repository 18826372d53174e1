// SPDX-License-Identifier: Apache-2.0
// Texture reads on the CPU, for one row of coordinates after another.
#include <algorithm>
#include <vector>

#include "base/instruction_set.h"
#include "base/mapped_pages.h"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/cubic.h"
#include "stages/pass/gather_texels.h"
#include "stages/resample/texture_view.h"
#include "stages/warp/remap.h"

namespace cuimg {
namespace {

template <class T, int N>
void read_cubic(const TextureLookup& read, const Texture2D<T, N>& texture, const float* xs,
                const float* ys, std::size_t count, float* target) {
  const Pixel<N> border = decode(border_texel<T, N>(read.sampler));
  const auto texel = [&](int x, int y) { return decode(texture.texel(x, y)); };
  const auto any = [&](int x, int y) {
    return x == outside || y == outside ? border : texel(x, y);
  };
  with_best_instructions([&] {
    for (std::size_t i = 0; i < count; ++i) {
      const Pixel<N> pixel =
          cubic_read<N>(cubic_axis(read.sampler, 0, texture.width, xs[i]),
                        cubic_axis(read.sampler, 1, texture.height, ys[i]), read.sampler.address,
                        read.sampler.normalized, texture.width, texture.height, texel, any);
      for (int c = 0; c < N; ++c) *target++ = pixel.v[c];
    }
  });
}

void read_cubic_row(const TextureLookup& read, PixelType type, const TextureView2D& v,
                    const float* xs, const float* ys, std::size_t count, float* target) {
  with_texel_type(type, [&](auto texel) {
    using T = typename decltype(texel)::type;
    with_channels(v.channels, [&](auto n) {
      const Texture2D<T, n()> texture{v.data, v.pitch_bytes, v.width, v.height};
      read_cubic(read, texture, xs, ys, count, target);
    });
  });
}

// Ids are not a texture format: whole texels are copied from the position that a point read would
// use. Outside the source they are 0.
void copy_ids(const Sampler& sampler, const Frame& source, const float* xs, const float* ys, int y,
              const Frame& target) {
  const Rect& r = source.region();
  const Rect& t = target.region();
  gather_row(target, t.x, t.right(), y, [&](int at) -> const std::byte* {
    const int x = point_tap(sampler, 0, {r.width, r.height}, xs[at - t.x]);
    const int row = point_tap(sampler, 1, {r.height, r.width}, ys[at - t.x]);
    return x == outside || row == outside ? zero_texel.data() : source.pixel(r.x + x, r.y + row);
  });
}

// Reads pixels of a row. @param xs, ys have room for their coordinates.
void read_run(const TextureLookup& read, const Frame& source, const Frame& map, const Frame& target,
              int y, std::vector<float>& xs, std::vector<float>& ys) {
  const Rect& t = target.region();
  const auto count = static_cast<std::size_t>(t.width);
  const auto width = static_cast<float>(source.region().width);
  const auto height = static_cast<float>(source.region().height);
  const float* coordinates = map.pixel_as<float>(t.x, y);
  for (std::size_t i = 0; i < count; ++i) {
    xs[i] = read.divide_by_size ? coordinates[2 * i] / width : coordinates[2 * i];
    ys[i] = read.divide_by_size ? coordinates[2 * i + 1] / height : coordinates[2 * i + 1];
  }
  if (source.format().type == PixelType::u32)
    copy_ids(read.sampler, source, xs.data(), ys.data(), y, target);
  else if (read.filter == ReadFilter::cubic)
    read_cubic_row(read, source.format().type, texture_view(source), xs.data(), ys.data(), count,
                   target.pixel_as<float>(t.x, y));
  else
    sample_row(texture_view(source), read.sampler, xs.data(), ys.data(),
               static_cast<std::ptrdiff_t>(count), target.pixel_as<float>(t.x, y));
}

}  // namespace

void read_texture_on_cpu(const TextureLookup& read, const Frame& source, const Frame& map,
                         const Frame& target) {
  // Coordinates may be scattered, each on a different page of memory.
  constexpr int run = 64;
  const Rect& t = target.region();
  std::vector<float> xs(run), ys(run);
  for (int y = t.y; y < t.bottom(); ++y)
    for (int x = t.x; x < t.right(); x += run) {
      const Rect part = {x, t.y, std::min(run, t.right() - x), t.height};
      read_run(read, source, map, target.cropped(part), y, xs, ys);
      keep_mapped_pages_few();
    }
}

}  // namespace cuimg

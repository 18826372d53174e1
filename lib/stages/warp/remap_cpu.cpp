// SPDX-License-Identifier: Apache-2.0
// Texture reads on the CPU, row by row of the coordinates.
#include <cstring>
#include <vector>

#include "base/instruction_set.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/cubic.h"
#include "stages/resample/texture_view.h"
#include "stages/warp/remap.h"

namespace cuimg {
namespace {

template <class T, int N>
void read_cubic(const TextureLookup& read, const Texture2D<T, N>& texture, const float* xs,
                const float* ys, std::size_t count, float* target) {
  const Pixel<N> border = decode(border_texel<T, N>(read.sampler));
  const auto fetch = [&](int x, int y) {
    return x == outside || y == outside ? border : decode(texture.texel(x, y));
  };
  with_best_instructions([&] {
    for (std::size_t i = 0; i < count; ++i) {
      const Pixel<N> pixel =
          cubic_read<N>(cubic_taps(read.sampler, 0, texture.width, xs[i]),
                        cubic_taps(read.sampler, 1, texture.height, ys[i]), fetch);
      for (int c = 0; c < N; ++c) *target++ = pixel.v[c];
    }
  });
}

template <class T>
void read_cubic(const TextureLookup& read, const TextureView2D& v, const float* xs, const float* ys,
                std::size_t count, float* target) {
  const auto as = [&]<int N>() {
    read_cubic(read, Texture2D<T, N>{v.data, v.pitch_bytes, v.width, v.height}, xs, ys, count,
               target);
  };
  switch (v.channels) {
    case 1:
      return as.template operator()<1>();
    case 2:
      return as.template operator()<2>();
    case 3:
      return as.template operator()<3>();
    default:
      return as.template operator()<4>();
  }
}

void read_cubic_row(const TextureLookup& read, const TextureView2D& v, const float* xs,
                    const float* ys, std::size_t count, float* target) {
  switch (v.type) {
    case TexelType::u8:
      return read_cubic<std::uint8_t>(read, v, xs, ys, count, target);
    case TexelType::u16:
      return read_cubic<std::uint16_t>(read, v, xs, ys, count, target);
    case TexelType::half:
      return read_cubic<Half>(read, v, xs, ys, count, target);
    default:
      return read_cubic<float>(read, v, xs, ys, count, target);
  }
}

// Ids are no texture format: whole texels are copied from where a point read would look. Outside
// they are 0.
void copy_ids(const Sampler& sampler, const Frame& source, const float* xs, const float* ys,
              std::size_t count, std::byte* target) {
  const Rect& r = source.region();
  const std::size_t bytes = source.format().pixel_bytes();
  for (std::size_t i = 0; i < count; ++i, target += bytes) {
    const int x = point_tap(sampler, 0, r.width, xs[i]);
    const int y = point_tap(sampler, 1, r.height, ys[i]);
    if (x == outside || y == outside)
      std::memset(target, 0, bytes);
    else
      std::memcpy(target, source.pixel(r.x + x, r.y + y), bytes);
  }
}

}  // namespace

void read_texture_on_cpu(const TextureLookup& read, const Frame& source, const Frame& map,
                         const Frame& target) {
  const Rect& t = target.region();
  const auto count = static_cast<std::size_t>(t.width);
  const auto width = static_cast<float>(source.region().width);
  const auto height = static_cast<float>(source.region().height);
  std::vector<float> xs(count), ys(count);
  for (int y = t.y; y < t.bottom(); ++y) {
    const float* coordinates = map.pixel_as<float>(t.x, y);
    for (std::size_t i = 0; i < count; ++i) {
      xs[i] = read.divide_by_size ? coordinates[2 * i] / width : coordinates[2 * i];
      ys[i] = read.divide_by_size ? coordinates[2 * i + 1] / height : coordinates[2 * i + 1];
    }
    if (source.format().type == PixelType::u32)
      copy_ids(read.sampler, source, xs.data(), ys.data(), count, target.pixel(t.x, y));
    else if (read.filter == ReadFilter::cubic)
      read_cubic_row(read, texture_view(source), xs.data(), ys.data(), count,
                     target.pixel_as<float>(t.x, y));
    else
      sample_row(texture_view(source), read.sampler, xs.data(), ys.data(),
                 static_cast<std::ptrdiff_t>(count), target.pixel_as<float>(t.x, y));
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The microscope: what tex1D returns at evenly spaced coordinates, from a card or from the software
// unit.
#pragma once

#include <cmath>
#include <vector>

#include "build_config.h"
#include "kernels/texture/texture_unit.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

namespace cuimg::samples {

struct Range {
  float base, increment;
  int count;
};

struct Reading {
  float x, value;
};

std::vector<Reading> read_on_card(const std::vector<float>& texels, const Sampler&, const Range&);

inline std::vector<Reading> read_on_cpu(const std::vector<float>& texels, const Sampler& sampler,
                                        const Range& range) {
  const Texture1D<float, 1> texture{texels.data(), static_cast<int>(texels.size())};
  std::vector<Reading> readings;
  for (int i = 0; i < range.count; ++i) {
    const float x = range.base + static_cast<float>(i) * range.increment;
    readings.push_back({x, sample(texture, sampler, x).v[0]});
  }
  return readings;
}

inline std::vector<Reading> read(bool on_card, const std::vector<float>& texels,
                                 const Sampler& sampler, const Range& range) {
  if constexpr (build::has_cuda)
    if (on_card) return read_on_card(texels, sampler, range);
  return read_on_cpu(texels, sampler, range);
}

/// What the programming guide's formulas give for a coordinate: a check that does not use the
/// software unit. Point: the texel at floor(x). Linear: the two texels whose centres are around x,
/// with the right one's weight rounded to 1/256. Nothing else is rounded, since double is precise
/// enough.
inline double guide_value(const std::vector<float>& texels, const Sampler& sampler, float x) {
  const int size = static_cast<int>(texels.size());
  const double position = sampler.normalized ? static_cast<double>(x) * size : x;
  const auto texel = [&](double at) -> double {
    int i = static_cast<int>(at);
    const bool periodic = sampler.normalized;  // otherwise wrap and mirror act as clamp
    switch (sampler.address[0]) {
      case Address::border:
        return i < 0 || i >= size ? sampler.border[0] : texels[static_cast<std::size_t>(i)];
      case Address::wrap:
        if (periodic) i = (i % size + size) % size;
        break;
      case Address::mirror:
        if (periodic) i = (i % (2 * size) + 2 * size) % (2 * size);
        if (periodic && i >= size) i = 2 * size - 1 - i;
        break;
      case Address::clamp:
        break;
    }
    return texels[static_cast<std::size_t>(i < 0 ? 0 : i >= size ? size - 1 : i)];
  };
  if (sampler.filter == Filter::point) return texel(std::floor(position));
  const double left = std::floor(position - 0.5);
  const double share = std::floor((position - 0.5 - left) * 256 + 0.5) / 256;
  return (1 - share) * texel(left) + share * texel(left + 1);
}

/// Whether no other float is nearer to the value. Of two equally near floats, a C++ cast takes the
/// even one and the texture unit takes the one farther from zero.
inline bool is_nearest_float(float value, double exact) {
  return std::fabs(double{value} - exact) <= std::fabs(double{static_cast<float>(exact)} - exact);
}

#ifdef __CUDACC__
// Works with any number of threads, because each strides over the coordinates.
inline __global__ void read_range(cudaTextureObject_t texture, Range range, Reading* readings) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < range.count;
       i += step) {
    const float x = range.base + static_cast<float>(i) * range.increment;
    readings[i] = {x, tex1D<float>(texture, x)};
  }
}

inline std::vector<Reading> read_on_card(const std::vector<float>& texels, const Sampler& sampler,
                                         const Range& range) {
  const ArrayHandle array = array_of(texels, static_cast<int>(texels.size()), 0);
  const TextureHandle texture = new_texture(in_array(array), sampler);
  const DeviceArray<Reading> readings(static_cast<std::size_t>(range.count));
  // The book's launch.
  read_range<<<2, 384>>>(texture.get(), range, readings.get());
  check_launch("read_range");
  return readings.to_host();
}
#endif

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// The card's work on blocks of coefficients, done on the host with kernels/dct, sample by sample.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "image/dct_image.h"
#include "image/image.h"
#include "kernels/dct/forward_dct.h"
#include "kernels/dct/inverse_dct.h"
#include "kernels/dct/sampling.h"
#include "kernels/dct/ycc.h"

namespace cuimg::test {

/// Fills `image`, which must have 8 bits and the layout's colours and size after turning. @returns
/// false if decoders need not agree on the pixels.
inline bool fill_from_blocks(const DctImage& blocks, Image& image) {
  const DctLayout& layout = blocks.layout();
  std::vector<std::vector<std::uint8_t>> rows;
  std::vector<SamplePlane> planes;
  bool agreed = true;
  for (std::size_t c = 0; c < layout.components.size(); ++c) {
    const DctComponent& component = layout.components[c];
    const int pitch = 8 * component.width_blocks;
    auto& plane = rows.emplace_back(static_cast<std::size_t>(pitch) * 8 *
                                    static_cast<std::size_t>(component.height_blocks));
    std::uint16_t steps[64];
    std::copy(component.steps.begin(), component.steps.end(), steps);
    for (int y = 0; y < component.height_blocks; ++y)
      for (int x = 0; x < component.width_blocks; ++x) {
        std::int16_t coefficients[64];
        std::uint8_t samples[64];
        const auto* const from = blocks.blocks(c) + 64 * (y * component.stored_width_blocks + x);
        std::copy(from, from + 64, coefficients);
        agreed = inverse_dct(coefficients, steps, samples) && agreed;
        for (int row = 0; row < 8; ++row)
          std::copy(samples + 8 * row, samples + 8 * row + 8,
                    plane.begin() + (8 * y + row) * pitch + 8 * x);
      }
    planes.push_back({plane.data(), pitch, layout.width_samples(component),
                      layout.height_samples(component), layout.h_samples() / component.h_samples,
                      layout.v_samples() / component.v_samples});
  }
  const Rect& window = image.spec().data_window;
  for (int row = 0; row < window.height; ++row) {
    auto* to = reinterpret_cast<std::uint8_t*>(image.row(0, window.y + row));
    for (int column = 0; column < window.width; ++column) {
      int x = layout.turn.mirrors_columns ? window.width - 1 - column : column;
      int y = layout.turn.mirrors_rows ? window.height - 1 - row : row;
      if (layout.turn.transposes) std::swap(x, y);
      Triple8 values = {};
      for (std::size_t c = 0; c < planes.size(); ++c)
        values.v[c] = static_cast<std::uint8_t>(upsampled(planes[c], x, y));
      if (layout.colors == DctLayout::Colors::ycc)
        values = rgb_of_ycc(values.v[0], values.v[1], values.v[2]);
      for (std::size_t c = 0; c < planes.size(); ++c) *to++ = values.v[c];
    }
  }
  return agreed;
}

/// The blocks of an 8-bit image with the layout's size and colours, grey or RGB.
inline DctImage blocks_of(const Image& image, const DctLayout& layout) {
  DctImage made(layout);
  const Rect& window = image.spec().data_window;
  const int channels = image.spec().layers.front().channel_count();
  for (std::size_t c = 0; c < layout.components.size(); ++c) {
    const DctComponent& component = layout.components[c];
    const auto value = [&](int x, int y) -> int {
      const auto* pixel = reinterpret_cast<const std::uint8_t*>(image.row(0, window.y + y)) +
                          static_cast<std::ptrdiff_t>(x) * channels;
      return channels == 1 ? pixel[0] : ycc_of_rgb(pixel[0], pixel[1], pixel[2]).v[c];
    };
    std::uint16_t steps[64];
    std::copy(component.steps.begin(), component.steps.end(), steps);
    for (int y = 0; y < component.height_blocks; ++y)
      for (int x = 0; x < component.width_blocks; ++x) {
        std::uint8_t samples[64];
        std::int16_t coefficients[64];
        for (int i = 0; i < 64; ++i)
          samples[i] = static_cast<std::uint8_t>(downsampled(
              value, layout.width, layout.height, 8 * x + i % 8, 8 * y + i / 8,
              layout.h_samples() / component.h_samples, layout.v_samples() / component.v_samples));
        forward_dct(samples, steps, coefficients);
        std::copy(coefficients, coefficients + 64,
                  made.blocks(c) + 64 * (y * component.stored_width_blocks + x));
      }
  }
  return made;
}

}  // namespace cuimg::test

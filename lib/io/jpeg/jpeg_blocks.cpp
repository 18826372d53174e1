// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_blocks.h"

#include <algorithm>

#include "io/jpeg/jpeg_decompressor.h"

namespace cuimg {
namespace {

// Nothing for layouts that upsampled() does not support.
std::optional<DctLayout> layout_of(const jpeg_decompress_struct& info) {
  static_assert(BITS_IN_JSAMPLE == 8 && sizeof(JBLOCK) == 64 * sizeof(std::int16_t));
  DctLayout layout;
  layout.width = static_cast<int>(info.image_width);
  layout.height = static_cast<int>(info.image_height);
  if (info.jpeg_color_space == JCS_GRAYSCALE && info.num_components == 1)
    layout.colors = DctLayout::Colors::grey;
  else if (info.jpeg_color_space == JCS_RGB && info.num_components == 3)
    layout.colors = DctLayout::Colors::rgb;
  else if (info.jpeg_color_space == JCS_YCbCr && info.num_components == 3)
    layout.colors = DctLayout::Colors::ycc;
  else
    return std::nullopt;
  if (info.data_precision != 8) return std::nullopt;
  for (int i = 0; i < info.num_components; ++i) {
    DctComponent component;
    component.h_samples = info.comp_info[i].h_samp_factor;
    component.v_samples = info.comp_info[i].v_samp_factor;
    layout.components.push_back(component);
  }
  for (const DctComponent& component : layout.components)
    if (layout.h_samples() % component.h_samples != 0 ||
        layout.v_samples() % component.v_samples != 0)
      return std::nullopt;
  count_blocks(layout);
  return layout;
}

// Whether all scans for the first coefficients have arrived; otherwise libjpeg smooths the blocks.
bool is_complete(const jpeg_decompress_struct& info) {
  if (!info.progressive_mode) return true;
  if (info.coef_bits == nullptr) return false;
  constexpr int looked_at = 10;
  for (int i = 0; i < info.num_components; ++i)
    if (std::any_of(info.coef_bits[i], info.coef_bits[i] + looked_at,
                    [](int missing) { return missing != 0; }))
      return false;
  return true;
}

bool take_steps(const jpeg_decompress_struct& info, DctLayout& layout) {
  for (std::size_t i = 0; i < layout.components.size(); ++i) {
    const JQUANT_TBL* const table = info.comp_info[i].quant_table;
    if (table == nullptr) return false;  // no scan contained the component
    std::copy(std::begin(table->quantval), std::end(table->quantval),
              layout.components[i].steps.begin());
  }
  return true;
}

}  // namespace

std::size_t jpeg_block_bytes(const jpeg_decompress_struct& info) {
  const auto layout = layout_of(info);
  return layout ? layout->bytes() : 0;
}

std::optional<DctImage> read_jpeg_blocks(std::span<const std::byte> file) {
  Decompressor jpeg;
  if (!jpeg.read_header(file)) return std::nullopt;
  auto layout = layout_of(jpeg.info);
  if (!layout) return std::nullopt;
  DctImage image(*std::move(layout));
  JpegArrays arrays(image);
  // Stray bytes: the decoder to pixels reports them.
  if (!jpeg.read_blocks(arrays) || !is_complete(jpeg.info) || jpeg.errors.stray_bytes > 0 ||
      !take_steps(jpeg.info, image.editable_layout()))
    return std::nullopt;
  return image;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_halves.h"

#include <OpenEXR/ImfChannelList.h>

#include <cstring>

#include "io/exr/exr_layout.h"
#include "io/exr/exr_names.h"
#include "kernels/math/bits.h"
#include "kernels/math/half.h"

namespace cuimg {
namespace {

// A half that was widened gets its original bits, even if it is a NaN.
Half narrowed_half(float value) {
  const std::uint32_t bits = bits_of(value), dropped = 0x1fff;
  const bool is_widened_nan = (bits & 0x7fffffff) > 0x7f800000 && (bits & dropped) == 0;
  if (!is_widened_nan) return float_to_half(value);
  return {static_cast<std::uint16_t>((bits >> 16 & 0x8000) | 0x7c00 | (bits >> 13 & 0x3ff))};
}

}  // namespace

void narrow_exr_samples(const std::byte* floats, std::size_t step, std::size_t count,
                        std::byte* halves) {
  for (std::size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, floats + i * step, sizeof value);
    const Half half = narrowed_half(value);
    std::memcpy(halves + i * sizeof half, &half, sizeof half);
  }
}

void widen_exr_samples(const std::byte* halves, std::size_t step, std::size_t count,
                       std::byte* floats) {
  for (std::size_t i = 0; i < count; ++i) {
    Half half;
    std::memcpy(&half, halves + i * sizeof half, sizeof half);
    const float value = half_to_float(half);
    std::memcpy(floats + i * step, &value, sizeof value);
  }
}

ExrHalves::ExrHalves(const Imf::Header& header, const Image& image, Held held) : image_(image) {
  const Spec& spec = image.spec();
  Spec made;
  made.data_window = spec.data_window;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    for (int i = 0; i < layer.channel_count() && layer.type == PixelType::f32; ++i) {
      const std::string name = exr_name_among(header.channels(), layer, i);
      if (header.channels()[name].type != Imf::HALF) continue;
      channels_.push_back({name, l, sizeof(float) * static_cast<std::size_t>(i)});
      made.layers.push_back({name, {"half"}, PixelType::half});
    }
  }
  if (!empty()) halves_ = Image(std::move(made), held);
}

void ExrHalves::add(int first, int last) {
  const Rect& window = image_.spec().data_window;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Channel& channel = channels_[c];
    const std::size_t step = image_.spec().layer(channel.layer).pixel_bytes();
    for (int y = window.y + first; y < window.y + last; ++y)
      narrow_exr_samples(image_.row(channel.layer, y) + channel.offset, step,
                         static_cast<std::size_t>(window.width),
                         halves_.row(static_cast<int>(c), y));
  }
}

void ExrHalves::add_to(Imf::FrameBuffer& buffer) const {
  const Rect& window = image_.spec().data_window;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto layer = static_cast<int>(c);
    buffer.insert(channels_[c].name,
                  Imf::Slice::Make(Imf::HALF, halves_.row(layer, window.y), box_of(window),
                                   sizeof(Half), halves_.row_bytes(layer)));
  }
}

void ExrHalves::round(Image& image) const {
  const Rect& window = image.spec().data_window;
  const auto width = static_cast<std::size_t>(window.width);
  std::vector<std::byte> row(sizeof(Half) * width);
  for (const Channel& channel : channels_) {
    const std::size_t step = image.spec().layer(channel.layer).pixel_bytes();
    for (int y = window.y; y < window.bottom(); ++y) {
      std::byte* const samples = image.row(channel.layer, y) + channel.offset;
      narrow_exr_samples(samples, step, width, row.data());
      widen_exr_samples(row.data(), step, width, samples);
    }
  }
}

}  // namespace cuimg

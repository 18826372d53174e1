// SPDX-License-Identifier: Apache-2.0
#include "stages/pass/border_color.h"

#include <cstring>

#include "base/error.h"
#include "image/primaries.h"
#include "stages/pass/conversion.h"

namespace cuimg {

void check_border_color(const std::string& stage, Border border, const Color& color,
                        const std::string& option) {
  if (border != Border::border && color != Color{})
    throw Error(stage, "--" + option + " is only used by --border border",
                "give that too, or leave out --" + option);
}

namespace {

float luminance_of(const Color& color, const Spec& spec) {
  const auto& [r, g, b, a] = color.rgba;
  if (r == g && g == b) return r;  // exact in every bit, whatever the sum of the weights
  const auto& y = rgb_to_xyz(spec.color.primaries.value_or(Chromaticities{})).m[1];
  return static_cast<float>(y[0] * static_cast<double>(r) + y[1] * static_cast<double>(g) +
                            y[2] * static_cast<double>(b));
}

}  // namespace

std::array<float, 4> border_values(const Color& color, const Spec& spec, const LayerSpec& layer) {
  std::array<float, 4> values{};
  for (std::size_t i = 0; i < layer.channels.size(); ++i) {
    const std::string& c = layer.channels[i];
    const std::size_t component = c == "A" ? 3 : c == "B" ? 2 : c == "G" ? 1 : c == "R" ? 0 : i;
    const bool is_grey = c == "Y" && layer.channel_index("X") < 0;  // otherwise a coordinate
    values[i] = !is_grey           ? color.rgba[component]
                : layer.is_color() ? luminance_of(color, spec)
                                   : color.rgba[0];
  }
  return values;
}

StoredTexel stored_color(const Color& color, const Spec& spec, const LayerSpec& layer, bool raw) {
  StoredTexel texel{};
  if (layer.holds_ids()) return texel;
  const std::array<float, 4> values = border_values(color, spec, layer);
  alignas(16) std::array<std::byte, 64> row{};  // rows may be written in whole vectors
  store_light(spec, layer, raw, values.data(), row.data());
  std::memcpy(texel.data(), row.data(), layer.pixel_bytes());
  return texel;
}

}  // namespace cuimg

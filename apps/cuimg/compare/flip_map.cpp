// SPDX-License-Identifier: Apache-2.0
#include "flip_map.h"
#include "base/contains.h"

#include <cstring>

#include "base/error.h"
#include "base/message_text.h"
#include "pipeline/run/apply.h"

namespace cuimg {
namespace {

bool holds_floats(const Codec& codec) {
  return codec.is_written() && contains(codec.capabilities.types, PixelType::f32);
}

Image map_of_zeros(const Rect& window, const Rect& display_window) {
  Spec spec;
  spec.data_window = window;
  spec.display_window = display_window;
  spec.layers = {{"", {"Y"}, PixelType::f32}};
  Image map(spec);
  for (int y = window.y; y < window.bottom(); ++y) std::memset(map.row(0, y), 0, map.row_bytes(0));
  return map;
}

// Of files that are equal in every byte nothing was decoded.
std::optional<Image> map_of_equal_files(const Comparison& comparison, const DecodeOptions& decode) {
  const std::string& file = comparison.golden == "-" ? comparison.result : comparison.golden;
  for (const DecodedPair::Part& part : decode_pair(file, "", decode, comparison.content).parts)
    if (part.golden && part.golden->spec().first_color() >= 0)
      return map_of_zeros(part.golden->spec().data_window, part.golden->spec().display_window);
  return std::nullopt;
}

}  // namespace

void check_flip_map(const std::string& path) {
  const Codec* codec = nullptr;
  try {
    codec = &codec_for_output(path, "");
  } catch (const Error& error) {
    throw Error("compare", std::string("--flip-map ") + error.what());
  }
  if (holds_floats(*codec)) return;
  std::string names;
  for (const Codec& other : codecs())
    if (holds_floats(other)) add_item(names, other.description);
  throw Error("compare",
              "--flip-map " + path + ": " + std::string(codec->description) + " cannot hold floats",
              "write " + names);
}

std::optional<Image> measured_flip_map(const Comparison& comparison, const DecodedPair& decoded,
                                       const DecodeOptions& decode) {
  if (comparison.equal_bytes) return map_of_equal_files(comparison, decode);
  for (const LayerComparison& layer : comparison.layers)
    for (const DecodedPair::Part& part : decoded.parts) {
      const auto at = static_cast<std::size_t>(layer.golden_layer);
      if (!layer.is_color || part.number != layer.part || part.level != layer.level ||
          !part.golden || at >= part.forgiven.size())
        continue;
      const Rect& window = part.forgiven[at].window;
      Image map = map_of_zeros(window, part.golden->spec().display_window);
      // Without a difference there is no map.
      if (const std::vector<float>& errors = part.flip[at]; !errors.empty())
        std::memcpy(map.row(0, window.y), errors.data(), errors.size() * sizeof(float));
      return map;
    }
  return std::nullopt;
}

void write_flip_map(const std::string& path, const Comparison& comparison,
                    const std::optional<Image>& map, const Queue& queue) {
  if (comparison.verdict == Verdict::error) return;
  const bool was_compared = comparison.equal_bytes || !comparison.layers.empty();
  if (!map)
    throw Error("compare",
                std::string("--flip-map: ") +
                    (was_compared ? "no layer holds colour" : "no picture was compared"));
  const Codec& codec = codec_for_output(path, "");
  write_image(path, apply(*map, {}, queue, &codec, PixelType::f32), codec);
}

}  // namespace cuimg

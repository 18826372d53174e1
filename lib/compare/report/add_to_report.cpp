// SPDX-License-Identifier: Apache-2.0
#include "compare/report/add_to_report.h"

#include <cstring>
#include <deque>
#include <utility>

#include "base/contains.h"
#include "compare/metrics/flip_map.h"

namespace cuimg {
namespace {

std::vector<float> values_of(const Image& map) {
  const Rect& window = map.spec().data_window;
  const auto* first = reinterpret_cast<const float*>(map.row(0, window.y));
  return {first, first + window.pixels()};
}

// The result with the golden's values in forgiven pixels. Both images have the same form.
Image without_forgiven(const Image& golden, const Image& result, int layer,
                       const ForgivenMap& forgiven) {
  Image image = copy_of(result);
  const Rect& window = image.spec().data_window;
  const std::size_t bytes = image.spec().layer(layer).pixel_bytes();
  const auto width = static_cast<std::size_t>(window.width);
  for (std::size_t i = 0; i < forgiven.pixels.size(); ++i) {
    if (forgiven.pixels[i] == 0) continue;
    const int y = window.y + static_cast<int>(i / width);
    std::memcpy(image.row(layer, y) + i % width * bytes, golden.row(layer, y) + i % width * bytes,
                bytes);
  }
  return image;
}

std::vector<float> flip_map_of(const DecodedPair::Part& part, std::size_t layer,
                               const MetricOptions& metric, const Queue& queue) {
  const auto pixels = static_cast<std::size_t>(part.golden->spec().data_window.pixels());
  const auto index = static_cast<int>(layer);
  if (layer >= part.forgiven.size() || part.forgiven[layer].pixels.size() != pixels)
    return values_of(flip_image(*part.golden, *part.result, index, metric, queue));
  const Image counted = without_forgiven(*part.golden, *part.result, index, part.forgiven[layer]);
  return values_of(flip_image(*part.golden, counted, index, metric, queue));
}

// Maps by the golden's layer: FLIP's for colour layers if it was measured or both sides have the
// same form, and the forgiven pixels.
std::vector<ReportMaps> maps_of(DecodedPair::Part& part, const MetricOptions& metric,
                                const Queue& queue, std::deque<std::vector<float>>& storage) {
  if (!part.golden || !part.result) return {};
  const Spec &golden = part.golden->spec(), &result = part.result->spec();
  std::vector<ReportMaps> maps(golden.layers.size());
  const bool have_one_form =
      golden.data_window == result.data_window && golden.layers == result.layers;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    Rect compared;
    if (i < part.forgiven.size()) {
      compared = part.forgiven[i].window;
      maps[i].forgiven = {compared, part.forgiven[i].pixels};
    }
    // A map that the metric has computed is reused.
    if (i < part.flip.size() && !part.flip[i].empty()) {
      storage.push_back(std::move(part.flip[i]));
      maps[i].flip = {compared, storage.back()};
    } else if (have_one_form && golden.layers[i].is_color()) {
      storage.push_back(flip_map_of(part, i, metric, queue));
      maps[i].flip = {golden.data_window, storage.back()};
    }
  }
  return maps;
}

void add_thumbnail(HtmlReport& report, ReportPair pair, const ComparedFiles& files,
                   const DecodedPair& decoded, const DecodeOptions& decode) {
  std::optional<Image> picture;
  if (decoded.parts.empty()) picture = first_picture(files.result, decode);
  if (decoded.parts.empty() && !picture) picture = first_picture(files.golden, decode);
  const auto pointer = [](const std::optional<Image>& image) { return image ? &*image : nullptr; };
  if (picture)
    pair.parts.push_back({"", nullptr, &*picture, {}});
  else if (!decoded.parts.empty())
    pair.parts.push_back(
        {"", pointer(decoded.parts.front().golden), pointer(decoded.parts.front().result), {}});
  report.add(pair);
}

}  // namespace

void add_to_report(HtmlReport& report, const ComparedFiles& files, DecodedPair decoded,
                   const MetricOptions& metric, const DecodeOptions& decode, const Queue& queue) {
  ReportPair pair = {files.number, files.name, files.json, {}, files.keeps_pixels};
  if (!files.keeps_pixels) {
    add_thumbnail(report, std::move(pair), files, decoded, decode);
    return;
  }
  if (decoded.parts.empty()) {
    decoded = decode_pair(files.golden, files.result, decode, files.content);
    for (DecodedPair::Part& part : decoded.parts)
      if (contains(files.compared_parts, part.number)) move_onto_golden(part);
  }
  std::deque<std::vector<float>> maps;
  for (DecodedPair::Part& part : decoded.parts)
    pair.parts.push_back({part.name, part.golden ? &*part.golden : nullptr,
                          part.result ? &*part.result : nullptr, maps_of(part, metric, queue, maps),
                          part.golden ? part.number : -1, part.level, part.moved});
  report.add(pair);
}

}  // namespace cuimg

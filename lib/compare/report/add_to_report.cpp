// SPDX-License-Identifier: Apache-2.0
#include "compare/report/add_to_report.h"

#include <deque>
#include <utility>

#include "compare/metrics/flip_map.h"

namespace cuimg {
namespace {

std::vector<float> values_of(const Image& map) {
  const Rect& window = map.spec().data_window;
  const auto width = static_cast<std::size_t>(window.width);
  std::vector<float> values;
  values.reserve(width * static_cast<std::size_t>(window.height));
  for (int y = window.y; y < window.bottom(); ++y) {
    const auto* row = reinterpret_cast<const float*>(map.row(0, y));
    values.insert(values.end(), row, row + width);
  }
  return values;
}

// Maps by the golden's layer; those of layers without colour are empty.
std::vector<ReportMaps> flip_maps(DecodedPair::Part& part, const MetricOptions& metric,
                                  const Queue& queue, std::deque<std::vector<float>>& storage) {
  if (!part.golden || !part.result) return {};
  const Spec &golden = part.golden->spec(), &result = part.result->spec();
  if (golden.data_window != result.data_window || golden.layers != result.layers) return {};
  const auto pixels = static_cast<std::size_t>(golden.data_window.pixels());
  std::vector<ReportMaps> maps(golden.layers.size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (!golden.layers[i].is_color()) continue;
    // What the metric has measured need not be computed again.
    const bool is_there = i < part.flip.size() && part.flip[i].size() == pixels;
    storage.push_back(is_there ? std::move(part.flip[i])
                               : values_of(flip_image(*part.golden, *part.result,
                                                      static_cast<int>(i), metric, queue)));
    maps[i].flip = {golden.data_window, storage.back()};
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
  if (decoded.parts.empty()) decoded = decode_pair(files.golden, files.result, decode);
  std::deque<std::vector<float>> maps;
  for (DecodedPair::Part& part : decoded.parts)
    pair.parts.push_back({part.name, part.golden ? &*part.golden : nullptr,
                          part.result ? &*part.result : nullptr,
                          flip_maps(part, metric, queue, maps)});
  report.add(pair);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "flip_map.h"

#include <algorithm>
#include <utility>

#include "apps/cuimg/commands.h"
#include "base/error.h"
#include "base/message_text.h"
#include "compare/compared_content.h"
#include "compare/decoded_pair.h"
#include "compare/metrics/flip_map.h"
#include "compare/metrics/metric.h"
#include "pipeline/run/apply.h"

namespace cuimg {
namespace {

bool holds_floats(const Codec& codec) {
  return codec.is_written() && std::ranges::find(codec.capabilities.types, PixelType::f32) !=
                                   codec.capabilities.types.end();
}

// The first compared part.
std::pair<Image, Image> read_pair(const std::vector<std::string>& files,
                                  const DecodeOptions& decode, const ComparedContent& content) {
  if (content.is_all()) return {read_image(files[0], decode), read_image(files[1], decode)};
  for (DecodedPair::Part& part : decode_pair(files[0], files[1], decode, content).parts)
    if (part.golden && part.result) return {*std::move(part.golden), *std::move(part.result)};
  throw Error("compare", "--flip-map: no part is in both files");
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

void write_flip_map(const std::string& path, const std::vector<std::string>& files,
                    const CommonOptions& common, const Limits& limits, const MetricOptions& metric,
                    Measurer& measurer) {
  const auto [golden, result] =
      read_pair(files, verbose_decode_options(common), content_of(limits));
  const int colored = golden.spec().first_color();
  if (colored < 0) throw Error("compare", "--flip-map: no layer holds colour");
  const Codec& codec = codec_for_output(path, "");
  Image map;
  const double pixels = static_cast<double>(golden.spec().data_window.pixels());
  const Measurer::Cost cost = {find_metric("flip")->processor_ns * 1e-6 * pixels,
                               static_cast<double>(golden.spec().pixel_bytes()) * 2};
  measurer.run(files[1], cost, [&](const Queue& queue) {
    map = flip_image(golden, result, colored, metric, queue);
  });
  write_image(path, apply(map, {}, measurer.processor(), &codec, PixelType::f32), codec);
}

}  // namespace cuimg

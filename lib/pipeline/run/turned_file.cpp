// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/turned_file.h"

#include <algorithm>
#include <span>

#include "io/tags/orientation.h"
#include "options/layer_names.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

// Whether --type and --layers name what the file has anyway.
bool takes_all(const Spec& file, const CommonOptions& common) {
  const auto is_taken = [&](const LayerSpec& layer) {
    const auto names_it = [&](const std::string& name) { return names_layer(name, layer.label()); };
    return (!common.type || layer.type == *common.type) &&
           (common.layers.empty() || std::ranges::any_of(common.layers, names_it));
  };
  return std::ranges::all_of(file.layers, is_taken);
}

}  // namespace

bool only_turns(const FileRun& file, const ChainOutput& output, const Decoder& input,
                const Spec& written) {
  const CommonOptions& common = output.common;
  const auto stages = std::span(file.invocation.stages).first(output.stages);
  const bool are_turns = std::ranges::all_of(
      stages, [](const BoundStage& stage) { return stage.description->turn != 0; });
  const bool as_it_is =
      common.compression.empty() && !common.quality && takes_all(input.spec(), common);
  // Without any other change, convert turns CMYK into RGB.
  const bool changes_entries =
      common.metadata != MetadataPolicy::keep || !common.set.entries.empty();
  const bool converts_inks = stages.empty() && !changes_entries && has_inks(input);
  return output.codec != nullptr && are_turns && as_it_is && !converts_inks && !file.job.black &&
         written.storage.format == output.codec->name;
}

std::optional<TurnedFile> turned_file(const FileRun& file, const ChainOutput& output,
                                      const Decoder& input, const Spec& written) {
  if (!only_turns(file, output, input, written)) return std::nullopt;
  Orientation turn;
  for (const BoundStage& stage : std::span(file.invocation.stages).first(output.stages))
    turn = both(turn, {stage.description->turn});
  return input.turned(turn.exif, written, output.common.metadata == MetadataPolicy::keep);
}

}  // namespace cuimg

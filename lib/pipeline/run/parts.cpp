// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include "base/contains.h"
#include "image/cryptomatte.h"
#include "io/flat_image.h"
#include "pipeline/layers.h"
#include "pipeline/run/layers_of_parts.h"

namespace cuimg {
namespace {

Error loss_error(const std::string& source, const std::vector<std::string>& lost) {
  return {source,
          fmt::format("--in-place would not keep all of the file: {}", fmt::join(lost, "; ")),
          "write to another file"};
}

void refuse_rgb_of_inks(const Decoder& part, const std::string& source) {
  if (!has_inks(part)) return;
  const Metadata facts = part.file_facts();
  const auto* profile = find_entry<std::string>(facts, profile_fact);
  throw Error(source,
              "--in-place would store RGB where the file has CMYK" +
                  (profile != nullptr ? " and delete its ICC profile '" + *profile + "'" : ""),
              "write to another file");
}

}  // namespace

ChosenParts choose_parts(const ImageFile& file, const PartChoice& choice, const std::string& source,
                         const std::string& why_one, const std::vector<int>& among) {
  const int count = file.part_count();
  if (choice.kind == PartChoice::Kind::one) return {{find_part(file, choice.id, source)}, {}};
  if (count == 1) return {{0}, {}};
  const std::string parts = std::to_string(count) + " parts";
  if (why_one.empty()) {
    ChosenParts chosen{std::vector<int>(static_cast<std::size_t>(count)), {}};
    std::iota(chosen.numbers.begin(), chosen.numbers.end(), 0);
    return chosen;
  }
  if (choice.kind == PartChoice::Kind::all)
    throw Error(source, parts + ", of which one can be " + why_one, "choose it with --part");
  const int first = among.empty() ? 0 : among.front();
  if (among.size() == 1) return {{first}, {}};
  return {{first},
          parts + "; only part " + part_text(first, file.summary(first).name) + " is " + why_one +
              "; --part chooses"};
}

std::vector<PartTaken> parts_taken(ImageFile& file, const CommonOptions& common,
                                   const std::vector<ChainOutput>& outputs,
                                   const std::string& source, const Notify& warn) {
  const LayersOfParts layers(file, common);
  const std::vector<int> named = layers.parts_with_any();
  std::map<int, PartTaken> taken;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Codec* const codec = outputs[i].codec;
    const bool one = codec && !codec->writes_parts();
    const ChosenParts chosen = choose_parts(
        file, common.part, source,
        one ? "written, " + std::string(codec->description) + " holds one" : "", named);
    if (!chosen.warning.empty()) warn(chosen.warning);
    for (const int number : chosen.numbers) {
      PartTaken& part = taken[number];
      part.outputs.resize(outputs.size());
      part.outputs[i] = true;
    }
  }
  std::vector<PartTaken> parts;
  for (auto& [number, part] : taken) {
    part.number = number;
    part.part_count = file.part_count();
    part.is_one_of_several = taken.size() > 1;
    if (layers.apply()) {
      part.layers = layers.names(number);
      part.is_left_alone = part.layers.empty();
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

void check_replaces_all_parts(const ImageFile& file, const PartChoice& choice,
                              const std::string& source) {
  const int others = file.part_count() - 1;
  if (choice.kind != PartChoice::Kind::one || others == 0) return;
  throw Error(source,
              "--in-place with --part would delete the file's " +
                  (others == 1 ? "other part" : std::to_string(others) + " other parts"),
              "leave out --part to change all of them, or write the part to another file");
}

void check_replaces_own_format(const ByteSource& source, const Codec& written) {
  const Codec* const content = codec_of_content(source.bytes());
  // A variant has a different name: pgm for pnm.
  if (content == nullptr || content->name == written.name ||
      contains(content->variants, written.name, &Codec::name))
    return;
  throw Error(source.name(),
              fmt::format("its content is {}, and --in-place would store {} under this name",
                          content->description, written.description),
              content->is_written()
                  ? fmt::format("rename it to end in .{}, or write to another file",
                                content->extensions.front())
                  : "write to another file");
}

void check_replaces_own_variant(const Spec& part, const Codec& written, const std::string& source) {
  const Capabilities& can = written.capabilities;
  const LayerSpec& layer = part.layer(0);
  const bool loses_color = !can.color && layer.is_color() && layer.channels.front() != "Y";
  const bool loses_alpha = !can.alpha && layer.alpha_index() >= 0;
  if (loses_color || loses_alpha)
    throw Error(source,
                fmt::format("--in-place would delete its {}, which {} does not hold",
                            loses_color ? "colours" : "alpha", written.description),
                "rename it, or write to another file");
}

void check_replaces_whole_part(const Decoder& part, const CommonOptions& common,
                               const std::string& source) {
  if (!common.in_place) return;
  const Metadata facts = part.file_facts();
  if (const auto* frames = find_entry<std::int64_t>(facts, "frames"); frames && *frames > 1)
    throw Error(source, "--in-place would delete all frames of the animation but the first",
                "write to another file");
  std::vector<std::string> lost = part.lost_in_place();
  if (const std::string rest = part.left_out(); !rest.empty()) lost.insert(lost.begin(), rest);
  if (!lost.empty()) throw loss_error(source, lost);
  if (common.mip_level > 0)
    throw Error(source, "--in-place with --mip-level would delete the file's other levels",
                "write the level to another file");
  if (!common.raw && facts.contains("luminance-chroma"))
    throw Error(source, "--in-place would store RGB where the file has luminance and chroma",
                "write to another file");
}

Error error_of_part(const Error& error, const std::string& source, const std::string& part) {
  const std::string line = error.what(), start = source + ": ";
  return line.starts_with(start) ? Error(source, "part " + part + ": " + line.substr(start.size()))
                                 : Error("part " + part, line);
}

std::string note_on_hard_links(const std::string& path) {
  std::error_code error;
  const std::uintmax_t names = std::filesystem::hard_link_count(path, error);
  if (error || names < 2) return "";
  return names == 2
             ? "its other name (a hard link) keeps the file as it was"
             : fmt::format("its {} other names (hard links) keep the file as it was", names - 1);
}

bool has_inks(const Decoder& part) { return part.file_facts().contains(stored_as_fact); }

void refuse_losses_of_decoding(const Decoder& part, const std::string& source) {
  refuse_rgb_of_inks(part, source);
  if (const std::vector<std::string> lost = part.lost_when_decoded(); !lost.empty())
    throw loss_error(source, lost);
}

bool leave_out_unused_mattes(std::vector<PartToWrite>& parts) {
  std::vector<std::string> layers;
  for (const PartToWrite& part : parts)
    for (std::string& name : matte_layer_names(part.spec)) layers.push_back(std::move(name));
  bool are_left_out = false;
  for (PartToWrite& part : parts)
    are_left_out = leave_out_unused_mattes(part.spec.metadata, layers) || are_left_out;
  return are_left_out;
}

std::vector<std::string> warnings_of_shared_windows(const std::vector<PartToWrite>& parts) {
  const auto differs = [&](auto member) {
    return std::ranges::any_of(parts, [&](const PartToWrite& part) {
      return part.spec.*member != parts.front().spec.*member;
    });
  };
  std::vector<std::string> warnings;
  if (differs(&Spec::display_window))
    warnings.push_back(
        "the parts' display windows differ; the file has one for all parts, the smallest that "
        "holds them");
  if (differs(&Spec::pixel_aspect))
    warnings.push_back("the parts' pixel aspects differ; the file has the first part's");
  return warnings;
}

void refuse_parts_as_layers(const Error& error, const ImageFile& file) {
  const auto* const unknown = dynamic_cast<const UnknownLayer*>(&error);
  if (unknown == nullptr || unknown->layer.empty()) return;
  for (int part = 0; part < file.part_count(); ++part)
    if (file.summary(part).name == unknown->layer)
      throw Error("--layers " + unknown->layer,
                  "the image has no such layer, but the file has a part of that name",
                  "choose it with --part " + unknown->layer);
}

}  // namespace cuimg

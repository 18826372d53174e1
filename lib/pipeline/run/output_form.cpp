// SPDX-License-Identifier: Apache-2.0
// The Spec of an output's file: metadata that options choose and that is still true.
#include <algorithm>

#include "base/contains.h"
#include "image/cryptomatte.h"
#include "io/flat_image.h"
#include "io/tags/exif.h"
#include "io/tags/photoshop.h"
#include "pipeline/output_metadata.h"
#include "pipeline/run/output_run.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/turned_file.h"
#include "stages/registry.h"

namespace cuimg {

// Whether EXIF's statements about the input's colours may be wrong for the output's.
bool OutputRun::changes_colors(const Spec& written) const {
  const ColorEncoding& to = written.color;
  const auto primaries_of = [](const ColorEncoding& color) {
    return color.primaries.value_or(Chromaticities{});
  };
  const auto differs = [&](const ColorEncoding& from) {
    return from.curve != to.curve || from.gamma != to.gamma || from.profile != to.profile ||
           primaries_of(from) != primaries_of(to);
  };
  if (input_ == nullptr) return differs(plan_.end.home);
  if (only_turns(file_, output_, *input_, written)) return false;
  const ColorEncoding& from = input_->spec().color;
  const bool is_read_as_other =
      has_inks(*input_) || (input_->file_facts().contains(profile_fact) && !from.profile);
  return is_read_as_other || differs(from);
}

// Whether size, channels and type are the same as in the input's file.
bool OutputRun::has_form_of_input(const Spec& written) const {
  if (input_ == nullptr) return false;
  const Spec& read = input_->spec();
  const Metadata facts = input_->file_facts();
  const auto* const bits = find_entry<std::int64_t>(facts, "bit depth");
  const auto* const layout = find_entry<std::string>(facts, "layout");
  const auto has_stored_bits = [&](const LayerSpec& layer) {
    return bits == nullptr || *bits == static_cast<std::int64_t>(8 * bytes_of(layer.type));
  };
  return !facts.contains("samples") && !facts.contains("sample format") &&
         !facts.contains("planes") && std::ranges::all_of(read.layers, has_stored_bits) &&
         (layout == nullptr || !layout->ends_with("planes apart")) &&
         read.display_window.width == written.display_window.width &&
         read.display_window.height == written.display_window.height &&
         read.layers == written.layers;
}

// Whether every stage before the output belongs to one of these families.
bool OutputRun::has_only(std::initializer_list<std::string_view> families) const {
  const auto stages = std::span(file_.invocation.stages).first(output_.stages);
  return std::ranges::all_of(stages, [&](const BoundStage& stage) {
    return contains(families, family_of(*stage.description));
  });
}

// Whether no pixel has moved: filters and colour stages keep positions.
bool OutputRun::keeps_places(const Spec& written) const {
  return input_ != nullptr && input_->spec().display_window == written.display_window &&
         has_only({"Filter", "Colour"});
}

// On the light for which the picture was graded. Geometry may cut pixels off or add some.
void OutputRun::keep_true_light(Spec& written, bool changes) {
  const bool keeps_colors =
      input_ != nullptr && !changes && plan_.end.keeps_values && has_only({"Geometry"});
  const bool keeps_pixels =
      keeps_colors && input_->spec().data_window.pixels() == plan_.end.image.data_window.pixels();
  leave_out_stale_light(written.metadata, keeps_colors, keeps_pixels, report_.warnings);
}

// --metadata and --set.
Spec OutputRun::written_spec() {
  if (output_.codec == nullptr) return plan_.output();
  Spec spec = file_spec(plan_.output(), *output_.codec, common_.type);
  spec.metadata = kept_metadata(spec.metadata, common_.metadata, report_.warnings);
  const bool takes_one = file_.common.part.kind == PartChoice::Kind::one;
  leave_out_stale_description(spec.metadata, has_form_of_input(spec), part_.part_count,
                              takes_one || !output_.codec->writes_parts() ? 1 : part_.part_count,
                              report_.warnings);
  if (!keeps_places(spec) && leave_out_photoshop_places(spec.metadata))
    report_.notes.emplace_back(
        "Photoshop's paths and guides are left out, since they refer to the picture's old "
        "geometry");
  if (!keeps_places(spec) && spec.metadata.erase(view_key) > 0)
    report_.notes.push_back(std::string(view_key) + " is left out, since pixels move");
  const bool changes = changes_colors(spec);
  if (changes) set_exif_color(spec.metadata, spec.color);
  keep_true_light(spec, changes);
  if (input_ != nullptr)
    leave_out_stale_color(
        spec, input_->spec().color, changes,
        common_.compression.empty() ? output_.codec->kept_compression(spec) : common_.compression,
        report_.notes);
  change_metadata(spec, common_.set, *output_.codec);
  // In a file with layers, other parts may contain the ids: see leave_out_unused_mattes() for
  // parts.
  if (!output_.codec->capabilities.layers &&
      leave_out_unused_mattes(spec.metadata, matte_layer_names(spec)))
    report_.notes.emplace_back(unused_mattes_note);
  if (common_.metadata == MetadataPolicy::strip) spec.storage.preview_side = 0;
  // The name of a TIFF page is free text, so it may contain names of people. An EXR needs the names
  // of its parts: readers choose a part by its name.
  const Codec* const read = codec_named(spec.storage.format);
  const bool names_a_part = read != nullptr && read->capabilities.layers;
  if (common_.metadata != MetadataPolicy::keep &&
      !(names_a_part && output_.codec->capabilities.layers))
    spec.part_name.clear();
  return spec;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/lost_entries.h"

#include <algorithm>

#include "base/message_text.h"
#include "io/flat_image.h"
#include "io/tags/exif.h"
#include "io/tags/xmp.h"
#include "pipeline/output_metadata.h"

namespace cuimg {
namespace {

// If pixels are not square, the vertical density differs from the horizontal one.
bool holds_both_densities(const Codec& codec, const Spec& spec) {
  const auto& range = codec.capabilities.densities;
  const double across = metadata_number(spec.metadata, "xDensity").value_or(0);
  return !range || range->holds(across * static_cast<double>(spec.pixel_aspect));
}

}  // namespace

void note_lost_entries(const Codec& codec, const Spec& written, RunReport& report) {
  std::string lost;
  const auto lose = [&](const std::string& what) { add_item(lost, what); };
  const Capabilities& can = codec.capabilities;
  bool keeps_exif = false;
  for (const auto& [key, value] : written.metadata) {
    const bool is_kept = can.keeps != nullptr && can.keeps(key, value);
    const auto* const xmp = key == xmp_key ? std::get_if<Blob>(&value) : nullptr;
    // It may contain the copyright, and the format holds smaller ones.
    if (xmp != nullptr && !is_kept && can.keeps != nullptr && can.keeps(key, Blob(1))) {
      report.warnings.push_back(std::string(codec.description) + " cannot hold XMP of " +
                                counted(static_cast<std::int64_t>(xmp->size()), "byte") +
                                "; it is left out");
      continue;
    }
    if (!is_kept || (key == "xDensity" && !holds_both_densities(codec, written))) lose(key);
    keeps_exif = keeps_exif || (is_kept && key == exif_key);
  }
  if (can.loses != nullptr) {
    constexpr std::size_t most_named = 20;  // of the thousands that a malicious file may have
    const std::vector<std::string> parts = can.loses(written);
    for (std::size_t i = 0; i < std::min(parts.size(), most_named); ++i) lose(parts[i]);
    if (parts.size() > most_named) lose(std::to_string(parts.size() - most_named) + " more");
  }
  if (keeps_exif && !can.exif_thumbnail && has_exif_thumbnail(written.metadata))
    lose("the thumbnail of exif");
  if (written.storage.preview_side > 0 && !can.preview) lose("the preview");
  if (written.pixel_aspect != 1 && !can.pixel_aspect) lose("the pixels' aspect");
  if (!lost.empty())
    report.notes.push_back(std::string(codec.description) + " cannot hold " + lost);
}

}  // namespace cuimg

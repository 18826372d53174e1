// SPDX-License-Identifier: Apache-2.0
// `cuimg info`: a file's content, read from its header only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "base/message_text.h"
#include "commands.h"
#include "io/tags/cicp.h"
#include "io/tags/exif.h"
#include "io/tags/exif_listing.h"
#include "io/tags/iptc.h"
#include "io/tags/xmp.h"
#include "pipeline/standard_entries.h"

namespace cuimg {
namespace {

struct Info {};

std::string format_of(const ByteSource& source) {
  for (const Codec& codec : codecs())
    if (codec.sniff != nullptr && codec.sniff(source.bytes()))
      return std::string(codec.description);
  return "unknown";
}

std::string_view name_of(Curve curve) {
  switch (curve) {
    case Curve::linear:
      return "linear";
    case Curve::srgb:
      return "sRGB";
    case Curve::gamma:
      return "gamma";
    case Curve::pq:
      return "PQ";
    case Curve::hlg:
      return "HLG";
    case Curve::profile:
      return "profile";
    case Curve::raw:
      return "raw";
  }
  return "?";
}

std::string encoding_text(const ColorEncoding& color) {
  std::string text(name_of(color.curve));
  if (color.curve == Curve::gamma) text += fmt::format(" {}", color.gamma);
  const bool says_more = color.curve != Curve::pq && color.curve != Curve::hlg;
  if (color.tag && says_more && color.tag->curve != CurveCode::power)
    text += ", tagged " + name_of(color.tag->curve);
  text += color.premultiplied ? ", premultiplied" : ", straight alpha";
  if (!color.primaries) return text + ", Rec.709 assumed";
  const Chromaticities& p = *color.primaries;
  if (p == Chromaticities{}) return text + ", Rec.709";
  return text + fmt::format(", primaries R {},{} G {},{} B {},{} white {},{}", p.rx, p.ry, p.gx,
                            p.gy, p.bx, p.by, p.wx, p.wy);
}

bool has_one_type(const FileStorage& storage, const LayerSpec& layer) {
  for (int c = 0; c < layer.channel_count(); ++c)
    if (storage.type_of(layer, c) != layer.type) return false;
  return true;
}

// "R G B (half)", or "R (half) G (half) B (float)".
std::string layer_text(const FileStorage& storage, const LayerSpec& layer) {
  const bool is_one = has_one_type(storage, layer);
  std::string text;
  for (int c = 0; c < layer.channel_count(); ++c) {
    add_item(text, layer.full_name(c), " ");
    if (!is_one) text += fmt::format(" ({})", name_of(storage.type_of(layer, c)));
  }
  return is_one ? fmt::format("{} ({})", text, name_of(layer.type)) : text;
}

Json layer_json(const FileStorage& storage, const LayerSpec& layer) {
  Json object = Json::object(
      {{"name", layer.name}, {"channels", layer.channels}, {"type", name_of(layer.type)}});
  if (has_one_type(storage, layer)) return object;
  Json types = Json::list();
  for (int c = 0; c < layer.channel_count(); ++c) types.push(name_of(storage.type_of(layer, c)));
  object.set("channel_types", types);
  return object;
}

Json value_json(const MetadataValue& value) {
  if (const auto* blob = std::get_if<Blob>(&value)) return fmt::format("{} bytes", blob->size());
  return std::visit(
      [](const auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, Blob>)
          return Json();
        else
          return Json(v);
      },
      value);
}

std::string value_text(const MetadataValue& value) {
  if (std::holds_alternative<Blob>(value))
    return fmt::format("{} bytes", std::get<Blob>(value).size());
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
  // JSON cannot represent them.
  if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number))
    return fmt::format("{}", *number);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value);
      numbers && !std::ranges::all_of(*numbers, [](double v) { return std::isfinite(v); }))
    return fmt::format("[{}]", fmt::join(*numbers, ", "));
  return value_json(value).text();
}

// A block's entries, each under the key for --set; nothing for other values.
Metadata entries_of_block(const std::string& key, const MetadataValue& value) {
  const auto* blob = std::get_if<Blob>(&value);
  if (blob == nullptr) return {};
  return key == exif_key   ? exif_listing(ExifBlock(*blob))
         : key == iptc_key ? iptc_listing(*blob)
                           : Metadata();
}

Json metadata_json(const Metadata& metadata) {
  Json object = Json::object();
  for (const auto& [key, value] : metadata) {
    const auto* blob = std::get_if<Blob>(&value);
    if (const Metadata entries = entries_of_block(key, value); !entries.empty())
      object.set(key, metadata_json(entries));
    else if (blob != nullptr && key == xmp_key)
      object.set(key, text_of_bytes(*blob));
    else
      object.set(key, value_json(value));
  }
  return object;
}

Json rect_json(const Rect& r) {
  return Json::object({{"x", r.x}, {"y", r.y}, {"width", r.width}, {"height", r.height}});
}

// Members that describe a part, or a file with one part.
void add_part_json(Json& object, const Decoder& decoder) {
  const Spec& spec = decoder.spec();
  Json layers = Json::list();
  for (const LayerSpec& layer : spec.layers) layers.push(layer_json(spec.storage, layer));
  Json color = Json::object(
      {{"curve", name_of(spec.color.curve)}, {"premultiplied", spec.color.premultiplied}});
  if (spec.color.curve == Curve::gamma) color.set("gamma", spec.color.gamma);
  if (const auto& p = spec.color.primaries)
    color.set("primaries", Json::object({{"red", Json::list({p->rx, p->ry})},
                                         {"green", Json::list({p->gx, p->gy})},
                                         {"blue", Json::list({p->bx, p->by})},
                                         {"white", Json::list({p->wx, p->wy})}}));
  object.set("width", spec.display_window.width);
  object.set("height", spec.display_window.height);
  object.set("data_window", rect_json(spec.data_window));
  object.set("display_window", rect_json(spec.display_window));
  object.set("pixel_aspect", spec.pixel_aspect);
  object.set("layers", layers);
  object.set("encoding", color);
  object.set("facts", metadata_json(decoder.file_facts()));
  object.set("metadata", metadata_json(spec.metadata));
}

Json part_json(const OpenParts& parts, int number) {
  const PartSummary summary = parts.file->summary(number);
  Json object = Json::object({{"part", number}, {"name", summary.name}, {"view", summary.view}});
  if (summary.refused.empty())
    add_part_json(object, *parts.file->open(number));
  else
    object.set("refused", summary.refused);
  return object;
}

void print_json(const std::string& file, const std::string& format, const OpenParts& parts) {
  Json object = Json::object({{"file", file}, {"format", format}});
  if (parts.numbers.size() == 1) {
    const int number = parts.numbers.front();
    const std::unique_ptr<Decoder> decoder = parts.file->open(number);
    object.set("part_count", parts.file->part_count());
    object.set("part", number);
    object.set("part_name", decoder->spec().part_name);
    add_part_json(object, *decoder);
  } else {
    Json list = Json::list();
    for (const int number : parts.numbers) list.push(part_json(parts, number));
    object.set("part_count", parts.file->part_count());
    object.set("parts", list);
  }
  print(object.line());
}

void print_line(const std::string& name, const std::string& value) {
  print(fmt::format("  {:<16} {}\n", printable(name), value));
}

void print_windows(const Spec& spec) {
  if (spec.data_window == spec.display_window && spec.data_window.x == 0 && spec.data_window.y == 0)
    return;
  print_line("data window", window_text(spec.data_window));
  print_line("display window", window_text(spec.display_window));
}

void print_part(const Decoder& decoder) {
  const Spec& spec = decoder.spec();
  print_windows(spec);
  if (spec.pixel_aspect != 1.0f) print_line("pixel aspect", fmt::format("{}", spec.pixel_aspect));
  for (const LayerSpec& layer : spec.layers)
    print_line("channels", printable(layer_text(spec.storage, layer)));
  print_line("encoding", encoding_text(spec.color));
  for (const auto& [key, value] : decoder.file_facts()) print_line(key, value_text(value));
  for (const auto& [key, value] : spec.metadata) {
    const Metadata entries = entries_of_block(key, value);
    const std::string standard = standard_text(key, value);
    if (entries.empty()) print_line(key, standard.empty() ? value_text(value) : standard);
    for (const auto& [name, entry] : entries) {
      const std::string words = key == exif_key ? exif_words(name, entry) : "";
      print_line(key + ":" + name, value_text(entry) + (words.empty() ? "" : " (" + words + ")"));
    }
  }
}

void print_text(const std::string& file, const std::string& format, const OpenParts& parts) {
  const std::string name = printable(file);
  if (parts.numbers.size() == 1) {
    const int number = parts.numbers.front();
    const std::unique_ptr<Decoder> decoder = parts.file->open(number);
    print(fmt::format("{}: {} {}\n", name, size_text(decoder->spec().display_window), format));
    const std::string part = part_text(number, decoder->spec().part_name);
    if (parts.file->part_count() > 1)
      print_line("part", printable(part) + fmt::format(" of {}", parts.file->part_count()));
    else if (!decoder->spec().part_name.empty())
      print_line("part name", printable(decoder->spec().part_name));
    print_part(*decoder);
    return;
  }
  print(fmt::format("{}: {} parts, {}\n", name, parts.numbers.size(), format));
  for (const int number : parts.numbers) {
    const PartSummary summary = parts.file->summary(number);
    const std::string part = "part " + printable(part_text(number, summary.name));
    if (!summary.refused.empty()) {
      print(fmt::format("{}: {}, which is not supported\n", part, summary.refused));
      continue;
    }
    const std::unique_ptr<Decoder> decoder = parts.file->open(number);
    print(fmt::format("{}: {}\n", part, size_text(decoder->spec().display_window)));
    print_part(*decoder);
  }
}

int run_info(const void*, const std::vector<std::string>& files, const CommonOptions& common) {
  return for_each_input("info", files, common, [&](const std::string& file) {
    const std::shared_ptr<const ByteSource> source = ByteSource::open(file);
    const OpenParts parts = open_parts(source, common);
    (common.json ? print_json : print_text)(file, format_of(*source), parts);
  });
}

}  // namespace

Command info_command() {
  const Description description =
      describe<Info>("info", "print the size, channels, windows, encoding and metadata of files")
          .example("cuimg info in.exr")
          .example("cuimg info --json renders/*.exr")
          .example("cuimg info -r --include '*.exr' renders");
  return {
      description, "FILE...", listing_options(), run_info,
      listing_wordings("print one object a line for each file, with its parts, windows, channels, "
                       "encoding and metadata; for a file that fails, with the error")};
}

}  // namespace cuimg

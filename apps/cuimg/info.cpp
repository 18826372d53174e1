// SPDX-License-Identifier: Apache-2.0
// `cuimg info`: what a file holds, from its header alone.
#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "commands.h"
#include "io/tags/cicp.h"

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
    case Curve::raw:
      return "raw";
  }
  return "?";
}

std::string encoding_text(const ColorEncoding& color) {
  std::string text(name_of(color.curve));
  if (color.curve == Curve::gamma) text += fmt::format(" {}", color.gamma);
  if (color.tag && color.tag->curve != CurveCode::power)
    text += ", tagged " + name_of(color.tag->curve);
  text += color.premultiplied ? ", premultiplied" : ", straight alpha";
  if (!color.primaries) return text + ", Rec.709 assumed";
  const Chromaticities& p = *color.primaries;
  if (p == Chromaticities{}) return text + ", Rec.709";
  return text + fmt::format(", primaries R {},{} G {},{} B {},{} white {},{}", p.rx, p.ry, p.gx,
                            p.gy, p.bx, p.by, p.wx, p.wy);
}

std::string window_text(const Rect& r) {
  return fmt::format("{}x{}{:+}{:+}", r.width, r.height, r.x, r.y);
}

std::string layer_text(const LayerSpec& layer) {
  std::string text;
  for (int c = 0; c < layer.channel_count(); ++c) text += (c == 0 ? "" : " ") + layer.full_name(c);
  return fmt::format("{} ({})", text, name_of(layer.type));
}

Json value_json(const MetadataValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

std::string value_text(const MetadataValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
  return value_json(value).text();
}

Json metadata_json(const Metadata& metadata) {
  Json object = Json::object();
  for (const auto& [key, value] : metadata) object.set(key, value_json(value));
  return object;
}

Json rect_json(const Rect& r) {
  return Json::object({{"x", r.x}, {"y", r.y}, {"width", r.width}, {"height", r.height}});
}

void print_json(const std::string& file, const std::string& format, const Decoder& decoder) {
  const Spec& spec = decoder.spec();
  Json layers = Json::list();
  for (const LayerSpec& layer : spec.layers)
    layers.push(Json::object(
        {{"name", layer.name}, {"channels", layer.channels}, {"type", name_of(layer.type)}}));
  Json color = Json::object(
      {{"curve", name_of(spec.color.curve)}, {"premultiplied", spec.color.premultiplied}});
  if (spec.color.curve == Curve::gamma) color.set("gamma", spec.color.gamma);
  if (const auto& p = spec.color.primaries)
    color.set("primaries", Json::object({{"red", Json::list({p->rx, p->ry})},
                                         {"green", Json::list({p->gx, p->gy})},
                                         {"blue", Json::list({p->bx, p->by})},
                                         {"white", Json::list({p->wx, p->wy})}}));
  print(Json::object({{"file", file},
                      {"format", format},
                      {"width", spec.display_window.width},
                      {"height", spec.display_window.height},
                      {"data_window", rect_json(spec.data_window)},
                      {"display_window", rect_json(spec.display_window)},
                      {"pixel_aspect", spec.pixel_aspect},
                      {"layers", layers},
                      {"encoding", color},
                      {"facts", metadata_json(decoder.file_facts())},
                      {"metadata", metadata_json(spec.metadata)}})
            .line());
}

void print_text(const std::string& file, const std::string& format, const Decoder& decoder) {
  const Spec& spec = decoder.spec();
  const auto line = [](const std::string& name, const std::string& value) {
    print(fmt::format("  {:<16} {}\n", printable(name), value));
  };
  print(fmt::format("{}: {}x{} {}\n", printable(file), spec.display_window.width,
                    spec.display_window.height, format));
  if (spec.data_window != spec.display_window || spec.data_window.x != 0 ||
      spec.data_window.y != 0) {
    line("data window", window_text(spec.data_window));
    line("display window", window_text(spec.display_window));
  }
  if (spec.pixel_aspect != 1.0f) line("pixel aspect", fmt::format("{}", spec.pixel_aspect));
  for (const LayerSpec& layer : spec.layers) line("channels", printable(layer_text(layer)));
  line("encoding", encoding_text(spec.color));
  for (const auto& [key, value] : decoder.file_facts()) line(key, value_text(value));
  for (const auto& [key, value] : spec.metadata) line(key, value_text(value));
}

int run_info(const void*, const std::vector<std::string>& files, const CommonOptions& common) {
  return for_each_file("info", files, [&](const std::string& file) {
    const std::shared_ptr<const ByteSource> source = ByteSource::open(file);
    const std::unique_ptr<Decoder> decoder = open_image(source, verbose_decode_options(common));
    (common.json ? print_json : print_text)(file, format_of(*source), *decoder);
  });
}

}  // namespace

Command info_command() {
  const Description description =
      describe<Info>("info", "size, channels, windows, encoding and metadata of files")
          .example("cuimg info in.exr")
          .example("cuimg info --json renders/*.exr");
  return {description, "FILE...", reading_options(), run_info};
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "compare/report/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"
#include "version.h"

namespace cuimg {
namespace {

// JSON has neither NaN nor infinities, but a pixel's are worth showing.
Json value_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json values_json(const std::vector<double>& values) {
  Json list = Json::list();
  for (const double value : values) list.push(value_json(value));
  return list;
}

Json place_json(const std::optional<ValuePlace>& place, const std::string& level) {
  if (!place) return nullptr;
  Json object = Json::object({{"part", place->part},
                              {"layer", place->layer},
                              {"x", place->x},
                              {"y", place->y},
                              {"channel", place->channel_name},
                              {"golden", value_json(place->golden)},
                              {"result", value_json(place->result)},
                              {"golden_pixel", values_json(place->golden_pixel)},
                              {"result_pixel", values_json(place->result_pixel)}});
  if (!level.empty()) object.set("level", level);
  return object;
}

Json number_json(const MetricValue& metric) {
  return metric.value ? Json(*metric.value) : Json(nullptr);
}

// Names with a dot become objects: those of one metric are adjacent.
Json metrics_json(const std::vector<MetricValue>& metrics) {
  Json to = Json::object();
  std::string group_name;
  Json group = Json::object();
  const auto close = [&] {
    if (!group_name.empty()) to.set(group_name, group);
    group_name.clear();
    group = Json::object();
  };
  for (const MetricValue& metric : metrics) {
    const std::size_t dot = metric.name.find('.');
    const std::string head = metric.name.substr(0, dot);
    if (dot == std::string::npos || head != group_name) close();
    if (dot == std::string::npos) {
      to.set(metric.name, number_json(metric));
    } else {
      group_name = head;
      group.set(metric.name.substr(dot + 1), number_json(metric));
    }
  }
  close();
  return to;
}

// The given member of all reasons.
Json list_of(const std::vector<Reason>& reasons, std::string Reason::*member) {
  Json list = Json::list();
  for (const Reason& reason : reasons) list.push(reason.*member);
  return list;
}

Json layer_json(const LayerComparison& layer) {
  const Differences& d = layer.differences;
  Json object = Json::object({{"part", layer.part},
                              {"part_name", layer.part_name},
                              {"layer", layer.name},
                              {"golden_layer", layer.golden_layer},
                              {"pixels", d.pixels},
                              {"pixels_differing", d.differing},
                              {"pixels_failing", d.failing},
                              {"non_finite_mismatches", d.mismatches}});
  if (!layer.level.empty()) object.set("level", layer.level);
  object.set("metrics", metrics_json(layer.metrics));
  object.set("first", place_json(d.first, layer.level));
  object.set("worst", place_json(d.worst, layer.level));
  return object;
}

// "part beauty, layers diffuse, specular; not RGBA, Z", or empty.
std::string content_text(const ComparedContent& content) {
  std::string text = content.part.empty() ? "" : "part " + content.part;
  if (!content.compared.empty())
    text += fmt::format("{}layers {}", text.empty() ? "" : ", ", fmt::join(content.compared, ", "));
  if (!content.left_out.empty()) text += fmt::format("; not {}", fmt::join(content.left_out, ", "));
  return text;
}

std::string figures_text(const std::vector<MetricValue>& metrics) {
  std::string text;
  for (const MetricValue& metric : metrics) {
    if (metric.name.find("_of_channel") != std::string::npos) continue;
    const std::string value = metric.value ? fmt::format("{:.7g}", *metric.value) : "undefined";
    text += fmt::format("  {:<24} {}\n", metric.name, value);
  }
  return text;
}

std::string place_text(const char* what, const std::optional<ValuePlace>& place,
                       const std::string& level, bool names_part) {
  if (!place) return {};
  return fmt::format("  {:<24} {}{}{},{} {}: golden {:.9g}, result {:.9g}\n", what,
                     names_part ? part_prefix(place->part, "") : "",
                     level.empty() ? "" : "level " + level + ": ", place->x, place->y,
                     printable(place->channel_name), place->golden, place->result);
}

}  // namespace

std::string comparison_text(const Comparison& c, bool figures) {
  // If a file may lack a counterpart, nothing was compared.
  const bool is_allowed_alone = !c.lone.empty() && c.verdict == Verdict::same;
  std::string text = !c.skipped.empty() ? "skipped:"
                     : is_allowed_alone ? c.lone + " (allowed):"
                                        : fmt::format("{}:", name_of(c.verdict));
  for (const std::string& name : {c.golden, c.result})
    if (!name.empty()) text += " " + printable(name);
  if (c.equal_bytes) text += " (equal bytes)";
  if (!c.variant.empty()) text += " (variant " + printable(c.variant) + ")";
  text += "\n";
  if (!c.skipped.empty()) text += "  " + printable(c.skipped) + "\n";
  for (const Reason& reason : c.reasons) text += "  " + printable(reason.text) + "\n";
  for (const Reason& warning : c.warnings) text += "  warning: " + printable(warning.text) + "\n";
  for (const std::string& line : c.allowed) text += "  allowed: " + printable(line) + "\n";
  if (const std::string content = content_text(c.content); !content.empty())
    text += "  compared: " + printable(content) + "\n";
  if (!c.device.empty()) text += "  device: " + printable(c.device) + "\n";
  if (!c.rule.empty()) text += "  rule: " + printable(c.rule) + "\n";
  const Forgiven& f = c.forgiven;
  const auto forgiven = [&](const char* what, std::uint64_t count) {
    if (count > 0) text += fmt::format("  {:<24} {}\n", what, count);
  };
  forgiven("ignored pixels", f.ignored);
  forgiven("shifted pixels", f.shifted);
  forgiven("antialiased pixels", f.antialiased);
  forgiven("non-finite values", f.non_finite);
  if (c.layers.empty() || !(figures || c.verdict != Verdict::same)) return text;
  text += fmt::format("  {:<24} {} of {}\n", "pixels differing", c.pixels_differing, c.pixels);
  text += figures_text(c.metrics);
  return text + place_text("first", c.first, c.first_level, c.has_several_parts) +
         place_text("worst", c.worst, c.worst_level, c.has_several_parts);
}

Json comparison_json(const Comparison& c) {
  Json object = Json::object({{"golden", c.golden},
                              {"result", c.result},
                              {"verdict", name_of(c.verdict)},
                              {"reasons", list_of(c.reasons, &Reason::text)},
                              {"reason_codes", list_of(c.reasons, &Reason::code)},
                              {"warnings", list_of(c.warnings, &Reason::text)},
                              {"allowed", c.allowed},
                              {"equal_bytes", c.equal_bytes}});
  if (!c.name.empty()) object.set("name", c.name);
  if (!c.content.is_all())
    object.set("compared", Json::object({{"layers", c.content.layers},
                                         {"ignored", c.content.ignored},
                                         {"part", c.content.part},
                                         {"labels", c.content.compared},
                                         {"left_out", c.content.left_out}}));
  if (!c.lone.empty()) object.set("lone", c.lone);
  if (!c.skipped.empty()) object.set("skipped", c.skipped);
  if (!c.variant.empty()) object.set("variant", c.variant);
  if (!c.device.empty()) object.set("device", c.device);
  if (!c.rule.empty()) object.set("rule", c.rule);
  Json metrics = metrics_json(c.metrics);
  metrics.set("pixels", c.pixels);
  metrics.set("pixels_differing", c.pixels_differing);
  metrics.set("pixels_failing", c.pixels_failing);
  metrics.set("non_finite_mismatches", c.mismatches);
  metrics.set("first", place_json(c.first, c.first_level));
  metrics.set("worst", place_json(c.worst, c.worst_level));
  object.set("metrics", metrics);
  object.set("forgiven", Json::object({{"ignored", c.forgiven.ignored},
                                       {"shifted", c.forgiven.shifted},
                                       {"antialiased", c.forgiven.antialiased},
                                       {"non_finite", c.forgiven.non_finite}}));
  Json layers = Json::list();
  for (const LayerComparison& layer : c.layers) layers.push(layer_json(layer));
  object.set("layers", layers);
  Json versions = Json::object({{"cuimg", version()}});
  for (const auto& [name, number] : library_versions()) versions.set(name, number);
  object.set("versions", versions);
  return object;
}

}  // namespace cuimg

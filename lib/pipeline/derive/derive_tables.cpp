// SPDX-License-Identifier: Apache-2.0
// `cuimg stages`: the table of stages as text, as JSON, and in the README's form.
#include <fmt/format.h>

#include "base/json.h"
#include "pipeline/derive/program.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

Json parameter_json(const Parameter& p) {
  Json object = Json::object({{"name", p.name}, {"type", p.type}, {"help", p.help}});
  if (p.is_flag) {
    object.set("default", p.default_text == "true");
  } else if (p.unset_by_default && p.default_text.empty()) {
    object.set("default", nullptr);
  } else {
    object.set("default", p.default_text);
  }
  if (p.range) {
    const Range unbounded;
    if (p.range->lowest != unbounded.lowest) object.set("lowest", p.range->lowest);
    if (p.range->highest != unbounded.highest) object.set("highest", p.range->highest);
  }
  if (!p.unit.empty()) object.set("unit", p.unit);
  if (p.choices.empty()) return object;
  Json choices = Json::list();
  for (const Choice<int>& choice : p.choices)
    choices.push(
        Json::object({{"name", choice.name}, {"help", choice.help}, {"aliases", choice.aliases}}));
  object.set("choices", std::move(choices));
  return object;
}

Json parameters_json(const Description& d) {
  Json parameters = Json::list();
  for (const Parameter& p : d.parameters) parameters.push(parameter_json(p));
  return parameters;
}

Json description_json(const Description& d, Kind kind) {
  return Json::object({{"name", d.name},
                       {"summary", d.summary},
                       {"kind", name_of(kind)},
                       {"details", d.details},
                       {"examples", d.examples},
                       {"parameters", parameters_json(d)}});
}

// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string stages_text(const Program& program) {
  const auto line = [](const Description& d, Kind kind) {
    return fmt::format("  {:<14} {:<8} {}\n", d.name, name_of(kind), d.summary);
  };
  std::string text;
  for (const StageFamily& family : program.families) {
    text += fmt::format("{}\n", family.name);
    for (const StageDescription* stage : family.stages) text += line(*stage, stage->kind);
  }
  text += "Besides stages\n";
  for (const PlainSegment& segment : plain_segments())
    text += line(segment.description(), Kind::filter);
  return text;
}

std::string stages_json(const Program& program) {
  Json stages = Json::list();
  for (const StageFamily& family : program.families)
    for (const StageDescription* stage : family.stages) {
      Json object = description_json(*stage, stage->kind);
      object.set("family", family.name);
      stages.push(std::move(object));
    }
  for (const PlainSegment& segment : plain_segments())
    stages.push(description_json(segment.description(), Kind::filter));
  const Json all =
      Json::object({{"stages", stages}, {"common_options", parameters_json(common_options())}});
  return all.indented() + "\n";
}

std::string stages_markdown(const Program& program) {
  std::string text = "| stage | what it does | options (default) |\n|---|---|---|\n";
  const auto row = [&](const Description& d) {
    std::string options;
    for (const Parameter& p : d.parameters) {
      if (!options.empty()) options += ", ";
      options += "`--" + std::string(p.negatable() ? "[no-]" : "") + p.name + "`";
      if (!p.is_flag && !p.default_text.empty()) options += " (" + p.default_text + ")";
    }
    text += "| `" + d.name + "` | " + cell(d.summary) + " | " + cell(options) + " |\n";
  };
  for (const StageFamily& family : program.families) {
    text += fmt::format("| **{}** | | |\n", family.name);
    for (const StageDescription* stage : family.stages) row(*stage);
  }
  text += "| **Besides stages** | | |\n";
  for (const PlainSegment& segment : plain_segments()) row(segment.description());
  return text;
}

}  // namespace cuimg

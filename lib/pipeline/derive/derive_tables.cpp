// SPDX-License-Identifier: Apache-2.0
// `cuimg stages`: the table of stages as text, as JSON, and as the README has it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pipeline/derive/program.h"
#include "pipeline/grammar.h"

namespace cuimg {
namespace {

using Json = nlohmann::ordered_json;

Json parameter_json(const Parameter& p) {
  Json object = {{"name", p.name}, {"type", p.type}, {"help", p.help}};
  if (p.is_flag) {
    object["default"] = p.default_text == "true";
  } else if (p.unset_by_default && p.default_text.empty()) {
    object["default"] = nullptr;
  } else {
    object["default"] = p.default_text;
  }
  if (p.range) {
    const Range unbounded;
    if (p.range->lowest != unbounded.lowest) object["lowest"] = p.range->lowest;
    if (p.range->highest != unbounded.highest) object["highest"] = p.range->highest;
  }
  if (!p.unit.empty()) object["unit"] = p.unit;
  for (const Choice<int>& choice : p.choices)
    object["choices"].push_back(
        {{"name", choice.name}, {"help", choice.help}, {"aliases", choice.aliases}});
  return object;
}

Json description_json(const Description& d, std::string_view kind) {
  Json object = {{"name", d.name}, {"summary", d.summary}, {"kind", kind}, {"details", d.details}};
  object["examples"] = d.examples;
  object["parameters"] = Json::array();
  for (const Parameter& p : d.parameters) object["parameters"].push_back(parameter_json(p));
  return object;
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
  return text + "No stage at all\n" + line(convert_command(), Kind::filter);
}

std::string stages_json(const Program& program) {
  Json stages = Json::array();
  for (const StageFamily& family : program.families)
    for (const StageDescription* stage : family.stages) {
      stages.push_back(description_json(*stage, name_of(stage->kind)));
      stages.back()["family"] = family.name;
    }
  stages.push_back(description_json(convert_command(), name_of(Kind::filter)));
  const Json all = {{"stages", stages},
                    {"common_options", description_json(common_options(), "")["parameters"]}};
  return all.dump(2) + "\n";
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
  text += "| **No stage at all** | | |\n";
  row(convert_command());
  return text;
}

}  // namespace cuimg

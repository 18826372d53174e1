// SPDX-License-Identifier: Apache-2.0
// Building blocks of help, the man page and the tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "base/contains.h"
#include "pipeline/derive/program.h"
#include "pipeline/grammar.h"

namespace cuimg {
namespace {

std::string files_of(Kind kind) {
  constexpr const char* files[] = {"OUTPUT", "INPUT OUTPUT", "INPUT...", "INPUT... -o OUTPUT"};
  return files[static_cast<std::size_t>(kind)];
}

std::string joined(const std::vector<Choice<int>>& choices) {
  return fmt::format("{}", fmt::join(choices | std::views::transform(&Choice<int>::name), ", "));
}

}  // namespace

const std::string_view about_chains =
    "A chain is several stages joined by +; between them pixels stay in memory. Common options may "
    "be given in any segment; after -- everything is a file. A file named - is standard input or "
    "output.\n\nWith -o there may be several inputs and folders. Stages that make one image from "
    "all inputs need -o for their output. If INPUT is a sequence, such as in.####.exr, files that "
    "options name may be sequences too: over --with bg.####.exr reads the frame with the input's "
    "number. A file that is read is never replaced, unless --in-place is given.\n\n@FILE is "
    "replaced by a chain, or a part of one, from a file. The file holds the same words as the "
    "command line; it may have # comments and line breaks. @FILE begins a segment. Paths in it are "
    "relative to the current folder.";

Parameter with_own_help(std::string_view name, std::string_view help) {
  Parameter p = *common_options().find(name);
  p.help = help;
  return p;
}

std::vector<Parameter> common_parameters(const Command& command) {
  std::vector<Parameter> result;
  for (const Parameter& p : common_options().parameters) {
    if (!contains(command.common, p.name)) continue;
    const auto own = std::ranges::find(command.reworded, p.name, &Parameter::name);
    result.push_back(own == command.reworded.end() ? p : *own);
  }
  return result;
}

std::string choice_text(const Choice<int>& choice) {
  std::string text(choice.help);
  if (!choice.aliases.empty()) text += fmt::format(" (or {})", choice.aliases);
  return text;
}

bool explains_choices(const Parameter& parameter) {
  return !parameter.choices.empty() &&
         std::ranges::all_of(parameter.choices, [](const auto& c) { return !c.help.empty(); });
}

std::string parameter_text(const Parameter& p) {
  std::string text = p.help;
  if (!p.unit.empty()) text += ", in " + p.unit;
  const std::string allowed = p.range ? p.range->text() : "";
  if (!allowed.empty()) text += "; " + allowed;
  if (!p.choices.empty() && !explains_choices(p)) text += ": " + joined(p.choices);
  if (p.negatable()) {
    text += " (on by default)";
  } else if (!p.is_flag && !p.default_text.empty()) {
    text += " (default " + p.default_text + ")";
  }
  return text;
}

std::string parameter_usage(const Parameter& p) {
  std::string text;
  if (p.short_name != 0) text = std::string("-") + p.short_name + ", ";
  text += p.negatable() ? "--[no-]" : "--";
  text += p.name;
  if (!p.is_flag) text += " " + p.placeholder;
  return text;
}

std::string usage_line(const StageDescription& stage) {
  // A stage that may take all inputs takes several.
  const Kind kind = stage.kind_given ? Kind::reducer : stage.kind;
  return "cuimg " + stage.name + " [options] " + files_of(kind);
}

std::string usage_line(const Command& command) {
  const bool has_options = !command.description.parameters.empty() || !command.common.empty();
  return "cuimg " + command.description.name + (has_options ? " [options]" : "") +
         (command.operands.empty() ? "" : " " + command.operands);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t start,
                    std::size_t width) {
  std::string result;
  std::size_t column = start;
  bool line_empty = true;
  while (!text.empty()) {
    if (text.starts_with("\n\n")) {
      result += "\n\n" + std::string(indent, ' ');
      text.remove_prefix(2);
      column = indent;
      line_empty = true;
      continue;
    }
    if (text.front() == ' ' || text.front() == '\n') {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    if (!line_empty && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      line_empty = true;
    }
    if (!line_empty) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    line_empty = false;
    text.remove_prefix(word.size());
  }
  return result;
}

}  // namespace cuimg

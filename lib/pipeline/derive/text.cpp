// SPDX-License-Identifier: Apache-2.0
// The pieces of which help, man page and tables are made.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

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

bool explains_choices(const Parameter& parameter) {
  return !parameter.choices.empty() &&
         std::ranges::all_of(parameter.choices, [](const auto& c) { return !c.help.empty(); });
}

std::string parameter_text(const Parameter& p) {
  std::string text = p.help;
  if (!p.unit.empty()) text += ", in " + p.unit;
  // That a count is not negative goes without saying.
  const std::string allowed = p.range ? p.range->text() : "";
  if (!allowed.empty() && allowed != "at least 0") text += "; " + allowed;
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
  // One that may take all inputs takes several.
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

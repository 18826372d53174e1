// SPDX-License-Identifier: Apache-2.0
// The manual page, in troff.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/message_text.h"
#include "base/split_text.h"
#include "pipeline/derive/program.h"
#include "pipeline/segments.h"
#include "version.h"

namespace cuimg {
namespace {

// Text that troff takes literally: dashes that can be copied, no escapes, no requests.
std::string escaped(std::string_view text) {
  constexpr std::pair<char, const char*> escapes[] = {
      {'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}};
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    const auto* const found = std::ranges::find(escapes, c, &std::pair<char, const char*>::first);
    if (found != std::end(escapes))
      result += found->second;
    else
      result += c;
  }
  return result;
}

// Empty lines separate paragraphs.
std::string paragraphs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    result += ".PP\n" + escaped(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return result;
}

std::string parameter(const Parameter& p) {
  std::string text =
      fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(parameter_usage(p)), escaped(parameter_text(p)));
  if (!explains_choices(p)) return text;
  text += ".RS\n";
  for (const Choice<int>& choice : p.choices)
    text +=
        fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(choice.name), escaped(choice_text(choice)));
  return text + ".RE\n";
}

// The length of a line in an example that fits 80 columns: a section's text begins in the eighth
// column, and an example's is indented by four more.
constexpr std::size_t example_width = 80 - 7 - 4;

// Splits a command into lines that a shell joins again. It does not break at spaces in quotes.
std::string in_lines(std::string_view command) {
  constexpr std::string_view indent = "    ", join = " \\";
  std::string result;
  std::size_t column = 0;
  while (!command.empty()) {
    char quote = 0;
    std::size_t end = 0;
    for (; end < command.size() && (quote != 0 || command[end] != ' '); ++end) {
      const char c = command[end];
      if (quote == 0 && (c == '\'' || c == '"'))
        quote = c;
      else if (c == quote)
        quote = 0;
    }
    const bool is_last = end == command.size();
    if (column > 0 && column + 1 + end + (is_last ? 0 : join.size()) > example_width) {
      result += fmt::format("{}\n{}", join, indent);
      column = indent.size();
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += command.substr(0, end);
    column += end;
    command.remove_prefix(is_last ? end : end + 1);
  }
  return result;
}

std::string examples(const Description& d) {
  std::string text;
  for (const std::string& example : d.examples)
    text += ".PP\n.RS 4\n.nf\n" + escaped(in_lines(example)) + "\n.fi\n.RE\n";
  return text;
}

std::string section(const Description& d, const std::string& usage) {
  std::string text = fmt::format(".SS {}\n{}\n", escaped(d.name), escaped(d.summary));
  std::string lines;
  for (const std::string_view line : split_at(usage, "\n"))
    add_item(lines, escaped(line), "\n.br\n");
  text += ".PP\n\\fB" + lines + "\\fR\n" + paragraphs(d.details);
  for (const Parameter& p : d.parameters) text += parameter(p);
  return text;
}

// A command only lists the common options that have another meaning for it.
std::string command_section(const Command& command) {
  std::string text = section(command.description, usage_line(command));
  for (const Parameter& p : command.reworded) text += parameter(p);
  std::string others;
  for (const Parameter& p : common_parameters(command))
    if (!contains(command.reworded, p.name, &Parameter::name))
      others += (others.empty() ? "--" : ", --") + p.name;
  text += paragraphs("Of the common options it takes " + others + ".");
  return text + examples(command.description);
}

// "cuimg STAGE [options] -o DIR/": placeholders in italics, literal words in bold.
std::string synopsis(std::string_view usage) {
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  while (!usage.empty()) {
    const std::size_t end = std::min(usage.find_first_of(" []./@"), usage.size());
    const std::string_view word = usage.substr(0, end);
    const bool is_name = word.find_first_not_of(capitals) == std::string_view::npos;
    const bool is_typed = word == "cuimg" || word.starts_with('-');
    if (end == 0)
      text += usage.front();
    else if (is_name || is_typed)
      text += (is_name ? "\\fI" : "\\fB") + escaped(word) + "\\fR";
    else
      text += escaped(word);
    usage.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return text;
}

}  // namespace

std::string man_page(const Program& program) {
  // Without a date, so that the page is the same whenever it is made.
  std::string text = fmt::format(
      ".TH CUIMG 1 \"\" \"cuimg {}\" \"User Commands\"\n.SH NAME\n"
      "cuimg \\- {}\n"
      ".SH SYNOPSIS\n",
      version(), program_summary);
  for (const std::string_view usage : usages)
    text += (usage == usages[0] ? "" : ".br\n") + synopsis(usage) + "\n";
  text += ".SH DESCRIPTION\n" + paragraphs(about_chains);
  text += ".SH STAGES\n";
  for (const StageDescription* stage : program.stages())
    text += section(*stage, usage_line(*stage)) + examples(*stage);
  for (const PlainSegment& segment : plain_segments())
    text += section(segment.description(), std::string(segment.usage)) +
            examples(segment.description());
  text += ".SH COMMANDS\n";
  for (const Command& command : program.commands) text += command_section(command);
  text += ".SH COMMON OPTIONS\n" + paragraphs(common_options().details);
  std::string group;
  for (const Parameter& p : common_options().parameters) {
    if (p.group != group) text += ".SS " + escaped(p.group) + "\n";
    group = p.group;
    text += parameter(p);
  }
  text += ".SH FORMATS THAT ARE WRITTEN\n" + paragraphs(about_formats);
  for (const FormatEntry& format : written_formats())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(format.names), escaped(format.text));
  text +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\na comparison differs\n.TP\n2\nan error of use or of "
      "work\n.TP\n130\nin a shell: ended by Ctrl\\-C (SIGINT)\n";
  return text;
}

}  // namespace cuimg

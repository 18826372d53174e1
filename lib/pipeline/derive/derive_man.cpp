// SPDX-License-Identifier: Apache-2.0
// The manual page, in troff.
#include <fmt/format.h>

#include <algorithm>

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
  for (const Choice<int>& choice : p.choices) {
    std::string about(choice.help);
    if (!choice.aliases.empty()) about += fmt::format(" (or {})", choice.aliases);
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(choice.name), escaped(about));
  }
  return text + ".RE\n";
}

std::string section(const Description& d, const std::string& usage) {
  std::string text = fmt::format(".SS {}\n{}\n", escaped(d.name), escaped(d.summary));
  text += ".PP\n\\fB" + escaped(usage) + "\\fR\n" + paragraphs(d.details);
  for (const Parameter& p : d.parameters) text += parameter(p);
  for (const std::string& example : d.examples)
    text += ".PP\n.RS 4\n.nf\n" + escaped(example) + "\n.fi\n.RE\n";
  return text;
}

}  // namespace

std::string man_page(const Program& program) {
  // No date: the page is the same whenever it is made.
  std::string text = fmt::format(
      ".TH CUIMG 1 \"\" \"cuimg {}\" \"User Commands\"\n.SH NAME\n"
      "cuimg \\- {}\n"
      ".SH SYNOPSIS\n"
      "\\fBcuimg\\fR \\fISTAGE\\fR [options] [+ \\fISTAGE\\fR [options]]... "
      "\\fIINPUT\\fR \\fIOUTPUT\\fR\n.br\n"
      "\\fBcuimg\\fR \\fISTAGE\\fR [options] [+ ...] \\fB\\-o\\fR \\fIFOLDER\\fR/ "
      "\\fIINPUT\\fR...\n.br\n"
      "\\fBcuimg\\fR @\\fIRECIPE\\fR [+ ...] \\fIINPUT\\fR \\fIOUTPUT\\fR\n.br\n"
      "\\fBcuimg\\fR \\fICOMMAND\\fR [options] [\\fIFILE\\fR...]\n",
      version(), program_summary);
  text += ".SH STAGES\n";
  for (const StageDescription* stage : program.stages())
    text += section(*stage, usage_line(*stage));
  for (const PlainSegment& segment : plain_segments())
    text += section(segment.description(), std::string(segment.usage));
  text += ".SH COMMANDS\n";
  for (const Command& command : program.commands)
    text += section(command.description, usage_line(command));
  text += ".SH COMMON OPTIONS\n" + paragraphs(common_options().details);
  std::string group;
  for (const Parameter& p : common_options().parameters) {
    if (p.group != group) text += ".SS " + escaped(p.group) + "\n";
    group = p.group;
    text += parameter(p);
  }
  text +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\na comparison differs\n.TP\n2\nan error of use or of "
      "work\n";
  return text;
}

}  // namespace cuimg

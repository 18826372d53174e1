// SPDX-License-Identifier: Apache-2.0
// Help: an overview, and a page for each stage, command and the common options. 80 columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/split_text.h"
#include "pipeline/derive/program.h"
#include "pipeline/familiar_names.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

constexpr std::size_t text_column = 26;

// "  name        text", the text wrapped next to the name, or below a long one.
std::string entry(const std::string& name, const std::string& text) {
  std::string line = "  " + name;
  if (line.size() + 2 > text_column) line += "\n" + std::string(text_column, ' ');
  if (line.find('\n') == std::string::npos) line.resize(text_column, ' ');
  return line + wrapped(text, text_column, text_column) + "\n";
}

std::string parameter_entry(const Parameter& p) {
  // Long names begin in the same column, with or without a short name before them.
  std::string text =
      entry((p.short_name == 0 ? "    " : "") + parameter_usage(p), parameter_text(p));
  if (!explains_choices(p)) return text;
  std::size_t longest = 0;
  for (const Choice<int>& choice : p.choices) longest = std::max(longest, choice.name.size());
  for (const Choice<int>& choice : p.choices) {
    std::string line = fmt::format("{:{}}  {:<{}}  ", "", text_column, choice.name, longest);
    const std::size_t column = line.size();
    text += line + wrapped(choice_text(choice), column, column) + "\n";
  }
  return text;
}

std::string parameter_entries(const std::vector<Parameter>& parameters) {
  std::string result, group = "\n";
  for (const Parameter& p : parameters) {
    if (p.group != group) {
      group = p.group;
      result += "\n" + (group.empty() ? "Options" : group) + ":\n";
    }
    result += parameter_entry(p);
  }
  return result;
}

std::string format_entries() {
  std::string text =
      fmt::format("\nFormats that are written:\n  {}\n", wrapped(about_formats, 2, 2));
  for (const FormatEntry& format : written_formats()) text += entry(format.names, format.text);
  return text;
}

std::string page(const Description& d, const std::string& usage,
                 const std::vector<Parameter>& parameters) {
  std::string text = fmt::format("{}: {}\n\nUsage: {}\n", d.name, d.summary,
                                 fmt::join(split_at(usage, "\n"), "\n       "));
  if (!d.details.empty()) text += "\n" + wrapped(d.details, 0, 0) + "\n";
  text += parameter_entries(parameters);
  if (!d.examples.empty()) {
    text += d.examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
    for (const std::string& example : d.examples) text += "  " + example + "\n";
  }
  return text;
}

std::string common_note() {
  std::string names;
  for (const Parameter& p : common_options().parameters) names += " --" + p.name;
  return "\nCommon options, explained by cuimg help options:\n  " + wrapped(names, 2, 2) + "\n";
}

}  // namespace

std::string usage_text(const Program&) {
  return fmt::format(
      "Usage: {}\n       {}\n"
      "cuimg --help lists the stages and commands.\n",
      chain_usage, command_usage);
}

std::string overview_text(const Program& program) {
  std::string text = fmt::format("cuimg: {}\n\nUsage: {}\n\n{}\n", program_summary,
                                 fmt::join(usages, "\n       "), wrapped(about_chains, 0, 0));
  for (const StageFamily& family : program.families) {
    text += fmt::format("\n{} stages (cuimg help STAGE):\n", family.name);
    for (const StageDescription* stage : family.stages) text += entry(stage->name, stage->summary);
  }
  text += "\nBesides stages:\n";
  for (const PlainSegment& segment : plain_segments())
    text += entry(segment.description().name, segment.description().summary);
  text += "\nCommands (cuimg help COMMAND):\n";
  for (const Command& command : program.commands)
    text += entry(command.description.name, command.description.summary);
  text += parameter_entries(common_options().parameters);
  text +=
      "\nExit status: 0 done, 1 a comparison differs, 2 an error.\n"
      "After Ctrl-C it ends by SIGINT, which a shell counts as 130.\n"
      "\nExamples:\n"
      "  cuimg resize --size 50% in.exr out.exr\n"
      "  cuimg resize --size 640x0 -o small/ renders/*.exr\n"
      "  cuimg resize --size 50% -r -o 'half/{dir}/{stem}_s.{ext}' renders\n";
  return text;
}

std::vector<std::string> topics(const Program& program) {
  std::vector<std::string> names;
  for (const StageDescription* stage : program.stages()) names.push_back(stage->name);
  for (const PlainSegment& segment : plain_segments()) names.push_back(segment.description().name);
  for (const Command& command : program.commands) names.push_back(command.description.name);
  names.push_back(common_options().name);
  return names;
}

std::string topic_text(const Program& program, const std::string& topic) {
  for (const StageDescription* stage : program.stages())
    if (stage->name == topic)
      return page(*stage, usage_line(*stage), stage->parameters) + common_note();
  for (const PlainSegment& segment : plain_segments())
    if (segment.description().name == topic)
      return page(segment.description(), std::string(segment.usage), {}) + common_note();
  if (topic == common_options().name)
    return page(common_options(), std::string(chain_usage), common_options().parameters) +
           format_entries();
  for (const Command& command : program.commands) {
    if (command.description.name != topic) continue;
    std::vector<Parameter> parameters = command.description.parameters;
    for (const Parameter& p : common_parameters(command)) parameters.push_back(p);
    // The few options of a command need no headings.
    for (Parameter& p : parameters) p.group.clear();
    return page(command.description, usage_line(command), parameters);
  }
  throw Error("help", topic + " is unknown",
              advice_on_name(topic, topics(program), "see cuimg --help"));
}

}  // namespace cuimg

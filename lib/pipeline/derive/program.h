// SPDX-License-Identifier: Apache-2.0
// The program as its tables describe it, and the texts derived from them: help, completion, man
// page, tables. Nothing is stated twice: names, defaults, ranges and help come from the
// descriptions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/description.h"
#include "pipeline/options.h"
#include "stages/registry.h"

namespace cuimg {

struct Program;

/// A command other than a stage: info, devices, help.
struct Command {
  Description description;
  /// "FILE...", as in its usage line; empty: it takes no operands.
  std::string operands;
  std::vector<std::string> common;  ///< The common options that apply to it.
  /// @returns the exit code. @throws Error.
  std::function<int(const void* values, const std::vector<std::string>& files,
                    const CommonOptions& common)>
      run;
  /// Those of `common` whose meaning differs from that for stages, made by with_own_help().
  std::vector<Parameter> reworded = {};
  /// The words that complete an operand; absent: files, if it takes operands.
  std::function<std::vector<std::string>(const Program&)> operand_words = {};
};

struct Program {
  std::span<const StageFamily> families;
  std::span<const Command> commands;

  /// Grouped by family.
  std::vector<const StageDescription*> stages() const {
    std::vector<const StageDescription*> all;
    for (const StageFamily& family : families)
      all.insert(all.end(), family.stages.begin(), family.stages.end());
    return all;
  }
};

/// A common option for which a command has its own help text.
Parameter with_own_help(std::string_view name, std::string_view help);
/// The common options that apply to a command, with its own help texts if it has any.
std::vector<Parameter> common_parameters(const Command& command);

/// A few lines for `cuimg` alone.
std::string usage_text(const Program& program);
/// `cuimg --help`: every stage, command and common option.
std::string overview_text(const Program& program);
/// `cuimg help TOPIC`: a stage, a command, or `options`. @throws Error with the nearest topic.
std::string topic_text(const Program& program, const std::string& topic);
/// The topics of topic_text().
std::vector<std::string> topics(const Program& program);

std::string stages_text(const Program& program);
std::string stages_json(const Program& program);
std::string stages_markdown(const Program& program);

/// The shells for which there are completion scripts.
std::vector<std::string> completion_shells();
/// @param shell one of those. @throws Error for another.
std::string completion_script(const Program& program, const std::string& shell);
/// The manual page in troff: `cuimg man | man -l -`.
std::string man_page(const Program& program);

/// An output format: the names that --format accepts, which are also extensions, and the values of
/// --type and --compression.
struct FormatEntry {
  std::string names, text;
};
/// One for each codec that writes.
std::vector<FormatEntry> written_formats();

/// @name Pieces that the texts share
/// @{
inline constexpr std::string_view program_summary =
    "image processing through CUDA textures, the same bytes on every device";
inline constexpr std::string_view usages[] = {
    "cuimg STAGE [options] [+ STAGE [options]]... INPUT OUTPUT",
    "cuimg STAGE [options] [+ ...] -o DIR/ INPUT...", "cuimg @RECIPE [+ ...] INPUT OUTPUT",
    "cuimg COMMAND [options] [FILE...]"};
inline constexpr std::string_view chain_usage = usages[0], command_usage = usages[3];
inline constexpr std::string_view about_formats =
    "These are the names for --format; they are file extensions too. A pixel type that a format "
    "lacks is converted as shown, unless --type is given. The first compression is the default.";
/// Rules for all chains, in paragraphs.
extern const std::string_view about_chains;
/// The text after the name: "standard deviation, in pixels; 0.1 to 200 (default 1.5)".
std::string parameter_text(const Parameter& parameter);
/// "-o, --output OUT", "--[no-]antialias".
std::string parameter_usage(const Parameter& parameter);
/// A choice's help text, with its other names: "the edge pixel goes on (or edge)".
std::string choice_text(const Choice<int>& choice);
/// "cuimg resize [options] INPUT OUTPUT".
std::string usage_line(const StageDescription& stage);
std::string usage_line(const Command& command);
/// Whether each choice has its own help text, so that each gets a line.
bool explains_choices(const Parameter& parameter);
/// `text` in lines of at most `width` columns; the first line begins at column `start`, the others
/// are indented. Paragraphs are kept separate.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t start,
                    std::size_t width = 80);
/// @}

}  // namespace cuimg

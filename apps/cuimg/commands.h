// SPDX-License-Identifier: Apache-2.0
// The commands other than stages. Each has a function, in a file of the command's name, and a line
// in the table in commands.cpp.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/standard_output.h"
#include "io/codec.h"
#include "pipeline/derive/program.h"

namespace cuimg {

/// All stages and commands of the program.
const Program& program();

Command info_command();
Command checksum_command();
Command compare_command();
Command probe_command();
Command show_command();
Command devices_command();
Command stages_command();
Command completions_command();
Command man_command();
Command help_command();
Command version_command();

/// Prints a note or warning on standard error.
void say(const std::string& line);
/// The decoding options from the common options; with -v notes are printed on standard error.
DecodeOptions verbose_decode_options(const CommonOptions& common);
/// Opens a file with verbose_decode_options() and selects some of its parts. A warning that parts
/// are left out is printed on standard error.
struct OpenParts {
  std::unique_ptr<ImageFile> file;
  std::vector<int> numbers;
};
/// @param why_one as in choose_parts(). @throws Error.
OpenParts open_parts(std::shared_ptr<const ByteSource> source, const CommonOptions& common,
                     const std::string& why_one = {});
/// Reads one of the parts. A warning about content that its reader leaves out is printed on
/// standard error.
/// @param name of the file. @throws Error.
Image read_part_of(const OpenParts& parts, int number, const std::string& name);
/// Reads the part that --part names, otherwise the first. @param verb what is done with it:
/// "shown".
/// @throws Error.
Image read_one_part(const std::string& file, const CommonOptions& common, const std::string& verb);
/// The common options that open_parts() uses, and --json.
std::vector<std::string> reading_options();

/// The common options of commands that describe files: reading_options(), and those that
/// for_each_input() uses.
std::vector<std::string> listing_options();
/// Options that have another meaning for such commands, with this help text for --json.
std::vector<Parameter> listing_wordings(const std::string& json);

/// --part of commands that describe every part, and of those that take one.
Parameter part_of_all();
Parameter part_of_one();

/// Runs `work` for each file. An error is printed and does not stop the others.
/// @param json whether to print the error also as a JSON object of the file.
/// @returns the exit code. @throws Error if there is no file.
int for_each_file(const std::string& place, const std::vector<std::string>& files, bool json,
                  const std::function<void(const std::string&)>& work);
/// The same for all images that `names` and the listing_options() select: from folders, sequences
/// and lists. Omissions from folders give a warning.
int for_each_input(const std::string& place, std::vector<std::string> names,
                   const CommonOptions& common,
                   const std::function<void(const std::string&)>& work);
/// @throws Error if operands were given to a command that takes none.
void expect_no_operands(const std::string& place, const std::vector<std::string>& operands);

}  // namespace cuimg

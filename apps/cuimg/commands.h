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

/// Everything the program knows.
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

/// The decoding options that the common ones set; with -v notes go to standard error.
DecodeOptions verbose_decode_options(const CommonOptions& common);
/// Opens a file with verbose_decode_options() and chooses of its parts. A warning that some are
/// left out goes to standard error.
struct OpenParts {
  std::unique_ptr<ImageFile> file;
  std::vector<int> numbers;
};
/// @param why_one as choose_parts() has it. @throws Error.
OpenParts open_parts(std::shared_ptr<const ByteSource> source, const CommonOptions& common,
                     const std::string& why_one = {});
/// Reads one of the parts. A warning of what its reader leaves out goes to standard error.
/// @param name the file's. @throws Error.
Image read_part_of(const OpenParts& parts, int number, const std::string& name);
/// Reads the part that --part names, else the first. @param verb what is done with it: "shown".
/// @throws Error.
Image read_one_part(const std::string& file, const CommonOptions& common, const std::string& verb);
/// The common options that open_parts() uses, and --json.
std::vector<std::string> reading_options();

/// The common options of commands that describe files: reading_options(), and those that
/// for_each_input() uses.
std::vector<std::string> listing_options();
/// Those that mean something else to such commands, and --json in these words.
std::vector<Parameter> listing_wordings(const std::string& json);

/// --part of commands that describe every part, and of those that take one.
Parameter part_of_all();
Parameter part_of_one();

/// Does `work` for each file. An error is printed and does not stop the others.
/// @param json print the error as an object of the file too.
/// @returns the exit code. @throws Error when there is no file.
int for_each_file(const std::string& place, const std::vector<std::string>& files, bool json,
                  const std::function<void(const std::string&)>& work);
/// The same for all images that `names` and the listing_options() name: of folders, sequences and
/// lists. What is left out of folders is a warning.
int for_each_input(const std::string& place, std::vector<std::string> names,
                   const CommonOptions& common,
                   const std::function<void(const std::string&)>& work);
/// @throws Error when operands were given to a command that takes none.
void expect_no_operands(const std::string& place, const std::vector<std::string>& operands);

}  // namespace cuimg

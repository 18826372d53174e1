// SPDX-License-Identifier: Apache-2.0
// The table of commands, and code that several of them share.
#include "commands.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/json.h"
#include "pipeline/batch/inputs.h"
#include "pipeline/decode_options.h"
#include "pipeline/run/parts.h"
#include "stages/registry.h"

namespace cuimg {

const Program& program() {
  static const std::vector<Command> commands = {
      info_command(),  show_command(),    checksum_command(), compare_command(),
      probe_command(), devices_command(), stages_command(),   completions_command(),
      man_command(),   help_command(),    version_command()};
  static const Program everything = {stage_families(), commands};
  return everything;
}

void say(const std::string& line) {
  std::fputs(("cuimg: " + printable(line) + "\n").c_str(), stderr);
}

DecodeOptions verbose_decode_options(const CommonOptions& common) {
  DecodeOptions options = decode_options(common, common.verbose ? Notify(say) : Notify{});
  if (!common.quiet) options.warn = say;
  return options;
}

OpenParts open_parts(std::shared_ptr<const ByteSource> source, const CommonOptions& common,
                     const std::string& why_one) {
  const std::string name = source->name();
  OpenParts parts{open_file(std::move(source), verbose_decode_options(common)), {}};
  ChosenParts chosen = choose_parts(*parts.file, common.part, name, why_one);
  if (!chosen.warning.empty()) say(name + ": " + chosen.warning);
  parts.numbers = std::move(chosen.numbers);
  return parts;
}

Image read_part_of(const OpenParts& parts, int number, const std::string& name) {
  const std::unique_ptr<Decoder> decoder = parts.file->open(number);
  if (const std::string rest = decoder->left_out(); !rest.empty()) say(name + ": " + rest);
  try {
    return decoded(*decoder);
  } catch (const Error& error) {
    if (parts.file->part_count() == 1) throw;
    throw error_of_part(error, name, part_text(number, decoder->spec().part_name));
  }
}

Image read_one_part(const std::string& file, const CommonOptions& common, const std::string& verb) {
  const OpenParts parts = open_parts(ByteSource::open(file), common, verb);
  return read_part_of(parts, parts.numbers.front(), file);
}

std::vector<std::string> reading_options() {
  return {"part",         "mip-level", "raw",  "icc",     "icc-intent", "icc-black-point",
          "limit-pixels", "threads",   "json", "verbose", "help"};
}

static Parameter part_option(const std::string& usual) {
  return with_own_help(
      "part",
      "part of an EXR, page of a TIFF or frame, by number from 0 or by name; default " + usual);
}

Parameter part_of_all() { return part_option("all"); }

Parameter part_of_one() {
  Parameter part = part_option("the first");
  part.placeholder = "N|NAME";
  part.suggestions.clear();
  return part;
}

std::vector<std::string> listing_options() {
  std::vector<std::string> options = {"recursive", "include", "exclude", "files-from",
                                      "null",      "frames",  "missing"};
  for (std::string& option : reading_options()) options.push_back(std::move(option));
  return options;
}

std::vector<Parameter> listing_wordings(const std::string& json) {
  Parameter missing = with_own_help("missing", "what to do if a frame of a sequence is missing");
  std::erase_if(missing.choices, [](const Choice<int>& choice) {
    return choice.value != static_cast<int>(MissingFrames::error) &&
           choice.value != static_cast<int>(MissingFrames::skip);
  });
  for (Choice<int>& choice : missing.choices)
    if (choice.value == static_cast<int>(MissingFrames::skip)) choice.help = "it is left out";
  return {part_of_all(),
          with_own_help("recursive",
                        "descend into folders; links to folders are left out, with a warning"),
          with_own_help("files-from",
                        "a file that lists more files, one name a line; - is standard input"),
          with_own_help("frames",
                        "frames of a FILE such as in.####.exr or in.%04d.exr; default all from the "
                        "first to the last that exists"),
          missing,
          with_own_help("json", json)};
}

// Runs `work`, and prints the error that it throws. @returns whether there was one.
static bool reports_error(const std::string& file, bool json, const std::function<void()>& work) {
  std::string problem;
  try {
    work();
    return false;
  } catch (const std::bad_alloc&) {
    problem = printable(file) + ": out of memory";
  } catch (const Error& error) {
    problem = naming(file, error.what(), {file});
  }
  if (json) print(Json::object({{"file", file}, {"error", problem}}).line());
  std::fputs(("cuimg: " + problem + "\n").c_str(), stderr);
  return true;
}

int for_each_file(const std::string& place, const std::vector<std::string>& files, bool json,
                  const std::function<void(const std::string&)>& work) {
  if (files.empty()) throw Error(place, "no FILE", "name one or more, or - for a pipe");
  int code = 0;
  for (const std::string& file : files)
    if (reports_error(file, json, [&] { work(file); })) code = 2;
  return code;
}

int for_each_input(const std::string& place, std::vector<std::string> names,
                   const CommonOptions& common,
                   const std::function<void(const std::string&)>& work) {
  const bool takes_others_place =
      common.missing == MissingFrames::hold || common.missing == MissingFrames::black;
  if (takes_others_place)
    throw Error(
        place,
        "--missing hold and black make images for missing frames, but this command makes none",
        "use skip");
  const auto pipes = std::ranges::count(names, "-") + (common.files_from == "-" ? 1 : 0);
  if (pipes > 1) throw Error(place, "- is named twice", "standard input can be read only once");
  add_listed_files(common, names);
  if (names.empty())
    throw Error(
        place, "no FILE",
        common.files_from.empty() ? "name one or more, or - for a pipe" : "the list is empty");
  Remarks remarks;
  const std::vector<Input> inputs = open_inputs(names, common, {}, remarks);
  if (!common.quiet)
    for (const std::string& remark : remarks) say(remark);
  int code = 0;
  for (const Input& input : inputs) {
    const bool failed = reports_error(input.path(), common.json, [&] {
      if (!input.problem.empty()) throw Error(input.name, input.problem);
      work(input.path());
    });
    if (failed) code = 2;
  }
  return code;
}

void expect_no_operands(const std::string& place, const std::vector<std::string>& operands) {
  if (!operands.empty())
    throw Error(place, operands.front() + " is left over", "it takes no files");
}

}  // namespace cuimg

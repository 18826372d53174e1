// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/stage_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "io/codec.h"
#include "io/folder_entry.h"
#include "options/name_pattern.h"
#include "pipeline/batch/output_pattern.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// An option's file for each input; absent if --missing skip leaves the input out.
using Column = std::vector<std::optional<StageFile>>;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Another table can replace a missing one, but black cannot.
bool may_be_black(const std::string& path) { return codec_named(file_extension(path)) != nullptr; }

void check_inputs_are_frames(const FileOfStage& file, const std::vector<Input>& inputs) {
  const auto other = std::ranges::find_if(inputs, [](const Input& input) { return !input.frame; });
  if (other != inputs.end())
    throw Error(file.place(),
                "no such file; a sequence needs INPUT to be one, and " + other->name + " is none",
                "name INPUT as in.####.exr");
}

StageFile file_of_frame(const FileOfStage& file, const FrameFile& found) {
  if (!found.black) return {found.path, true, ""};
  if (!may_be_black(file.path))
    throw Error(file.path,
                "frame " + std::to_string(found.frame) +
                    " is missing, and --missing black is for images only",
                "give --missing skip or hold");
  return {name_of_frame(file.path, found.frame), true, found.path};
}

Column files_of_frames(const FileOfStage& file, const std::vector<Input>& inputs,
                       MissingFrames missing) {
  check_inputs_are_frames(file, inputs);
  std::set<int> wanted;
  for (const Input& input : inputs) wanted.insert(input.frame->frame);
  const std::vector<int> frames(wanted.begin(), wanted.end());
  Column column;
  try {
    const std::vector<FrameFile> found = find_frames(file.path, frames, missing);
    for (const Input& input : inputs) {
      const int frame = input.frame->frame;
      const auto at = std::ranges::lower_bound(found, frame, {}, &FrameFile::frame);
      column.emplace_back();
      if (at != found.end() && at->frame == frame) column.back() = file_of_frame(file, *at);
    }
  } catch (const Error& error) {
    throw Error(file.recipe.empty() ? file.stage : file.recipe + ": " + file.stage,
                file.option + " " + error.what());
  }
  return column;
}

std::string file_named_after(const FileOfStage& file, const Input& input) {
  if (!input.part && has_key(file.path, "part"))
    throw Error(file.place(), "{part} is known only where each part becomes an output of its own",
                "name outputs by it too: -o 'out/{stem}_{part}.{ext}'");
  const std::optional<int> frame = input.frame ? std::optional(input.frame->frame) : std::nullopt;
  return fill_pattern(file.path, {input.name, input.dir(), {}, frame, "", input.part},
                      file.place());
}

Column files_by_name(const FileOfStage& file, const std::vector<Input>& inputs,
                     MissingFrames missing) {
  Column column;
  std::string first_missing;
  int others_missing = -1;
  for (const Input& input : inputs) {
    std::string path = file_named_after(file, input);
    column.emplace_back();
    if (exists(path))
      column.back() = StageFile{std::move(path), true, ""};
    else if (++others_missing == 0)
      first_missing = path + ", for " + input.name;
  }
  if (missing == MissingFrames::skip || others_missing < 0) return column;
  throw Error(
      file.place(),
      "no such file: " + first_missing +
          (others_missing == 0 ? "" : fmt::format("; in all {} are missing", others_missing + 1)),
      "give --missing skip to leave such INPUTs out");
}

Column column_of(const FileOfStage& file, const std::vector<Input>& inputs, MissingFrames missing) {
  if (!depends_on_input(file)) return Column(inputs.size(), StageFile{file.path, false, ""});
  return names_frames(file.path) ? files_of_frames(file, inputs, missing)
                                 : files_by_name(file, inputs, missing);
}

// An image that is made from no input or from all inputs has no file of its own.
void check_inputs_have_own(const FileOfStage& file, const Invocation& invocation,
                           const std::vector<Input>& inputs) {
  const bool is_sequence = names_frames(file.path);
  const std::string needs = is_sequence ? "no such file; a sequence needs INPUT to be one, and "
                                        : "no such file; keys in braces are the INPUT's, and ";
  const char* const advice = is_sequence ? "name INPUT as in.####.exr" : "name one file";
  if (inputs.empty()) throw Error(file.place(), needs + "this chain takes no INPUT", advice);
  if (reduces(invocation.stages))
    throw Error(file.place(), needs + "all INPUTs become one image", advice);
}

}  // namespace

bool depends_on_input(const FileOfStage& file) {
  return file.is_certain && (is_sequence(file.path) ||
                             (file.path.find('{') != std::string::npos && !exists(file.path)));
}

std::vector<std::vector<StageFile>> stage_files_of(const Invocation& invocation,
                                                   std::vector<Input>& inputs) {
  const std::vector<FileOfStage> files = files_of(invocation.stages);
  const auto first = std::ranges::find_if(files, depends_on_input);
  if (first == files.end()) return {};
  check_inputs_have_own(*first, invocation, inputs);
  std::vector<Column> columns;
  for (const FileOfStage& file : files)
    columns.push_back(column_of(file, inputs, invocation.common.missing));
  std::vector<std::vector<StageFile>> rows;
  std::vector<Input> kept;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!std::ranges::all_of(columns, [&](const Column& column) { return column[i].has_value(); }))
      continue;
    kept.push_back(std::move(inputs[i]));
    std::vector<StageFile>& row = rows.emplace_back();
    for (Column& column : columns) row.push_back(*std::move(column[i]));
  }
  if (kept.empty())
    throw Error(first->place(), std::string(names_frames(first->path) ? "no frame" : "no INPUT") +
                                    " has every file that is read with it");
  inputs = std::move(kept);
  return rows;
}

}  // namespace cuimg

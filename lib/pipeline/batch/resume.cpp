// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/resume.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "io/file_mark.h"
#include "version.h"

namespace cuimg {
namespace {

// The length separates adjacent texts.
void add(Sha256& hash, const std::string& text) {
  hash.update(std::to_string(text.size()) + ":");
  hash.update(text);
}

void add_file(Sha256& hash, const std::string& path) {
  std::error_code ignored;
  add(hash, std::filesystem::weakly_canonical(path, ignored).string());
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return add(hash, "absent");
  add(hash, std::to_string(status.st_size));
  add(hash, std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec));
}

// The names by which the files were given, which may be links, and the number of a frame, which may
// show another frame's file.
void add_names(Sha256& hash, const Job& job) {
  add(hash, "names");
  add(hash, file_name_of(job.image.file));
  add(hash, job.image.frame ? std::to_string(*job.image.frame) : "");
  for (const std::string& input : job.inputs) add(hash, file_name_of(input));
}

bool shows_names(const BoundStage& stage) {
  const auto& decide = stage.description->shows_names;
  return decide && decide(stage.parameters.get());
}

// The common options that affect what is read and written.
bool decides_on_output(const Parameter& parameter) {
  return (is_of_input(parameter) || is_of_output(parameter)) && parameter.name != "output" &&
         parameter.name != "no-clobber" && parameter.name != "limit-pixels";
}

}  // namespace

OutputFingerprint::OutputFingerprint(Chain stages, const CommonOptions& common,
                                     std::span<const StageFile> files)
    : shows_names_(std::ranges::any_of(stages, shows_names)) {
  add(of_all_jobs_, version());
  add(of_all_jobs_, chain_words(stages, true));
  for (const FileOfStage& file : files_of(stages)) {
    add_file(of_all_jobs_, file.path);
    reads_stream_ = reads_stream_ || file.path == "-";
    const auto own = std::ranges::find(files, file.path, &StageFile::path);
    if (own != files.end() && !own->black_form.empty()) {
      add(of_all_jobs_, "black");
      add_file(of_all_jobs_, own->black_form);
    }
  }
  for (const Parameter& parameter : common_options().parameters)
    if (decides_on_output(parameter)) add(of_all_jobs_, parameter.words(&common));
}

std::string OutputFingerprint::hash(const Job& job) const {
  if (reads_stream_ || contains(job.inputs, "-")) return "";
  Sha256 hash = of_all_jobs_;
  add(hash, job.black ? "black" : "");
  if (job.part) add(hash, "part " + std::to_string(*job.part));
  for (const std::string& input : job.inputs) add_file(hash, input);
  // Only then, so that other outputs of earlier runs keep their hash.
  if (shows_names_) add_names(hash, job);
  return hash.finish();
}

Existing existing_output(const Job& job, const std::string& hash) {
  std::error_code ignored;
  if (job.output.empty() || job.output == "-" || !std::filesystem::exists(job.output, ignored))
    return Existing::none;
  if (hash.empty()) return Existing::other;
  const std::optional<FileMark> mark = mark_of_file(job.output);
  if (!mark) return Existing::unknown;
  if (mark->text != hash) return Existing::other;
  return mark->is_current ? Existing::same : Existing::changed;
}

}  // namespace cuimg

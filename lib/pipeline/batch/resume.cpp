// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/resume.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/sha256.h"
#include "io/file_mark.h"
#include "version.h"

namespace cuimg {
namespace {

class Recipe {
 public:
  // The length keeps neighbours apart.
  void add(const std::string& text) {
    hash_.update(std::to_string(text.size()) + ":");
    hash_.update(text);
  }
  void add_file(const std::string& path) {
    std::error_code ignored;
    add(std::filesystem::weakly_canonical(path, ignored).string());
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return add("absent");
    add(std::to_string(status.st_size));
    add(std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec));
  }
  std::string finish() { return hash_.finish(); }

 private:
  Sha256 hash_;
};

// Of the common options those that say what is read and what is written.
bool decides_on_output(const Parameter& parameter) {
  return (is_of_input(parameter) || is_of_output(parameter)) && parameter.name != "output" &&
         parameter.name != "no-clobber" && parameter.name != "limit-pixels";
}

}  // namespace

std::string recipe_hash(Chain stages, const CommonOptions& common, const Job& job) {
  Recipe recipe;
  recipe.add(version());
  recipe.add(chain_words(stages, true));
  for (const FileOfStage& file : files_of(stages)) recipe.add_file(file.path);
  for (const Parameter& parameter : common_options().parameters)
    if (decides_on_output(parameter)) recipe.add(parameter.words(&common));
  recipe.add(job.black ? "black" : "");
  for (const std::string& input : job.inputs) recipe.add_file(input);
  return recipe.finish();
}

Existing existing_output(const Job& job, const std::string& hash) {
  std::error_code ignored;
  if (job.output.empty() || job.output == "-" || !std::filesystem::exists(job.output, ignored))
    return Existing::none;
  const std::optional<std::string> mark = mark_of_file(job.output);
  if (!mark) return Existing::unknown;
  return *mark == hash ? Existing::same : Existing::other;
}

}  // namespace cuimg

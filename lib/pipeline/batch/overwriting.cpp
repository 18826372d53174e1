// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/overwriting.h"

#include <sys/stat.h>

#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "pipeline/batch/file_keys.h"

namespace cuimg {
namespace {

// A regular file's device and inode, which its hard links share. Terminals and pipes may be read
// and written.
std::optional<std::pair<dev_t, ino_t>> inode_of(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

// Files that are read, and what reads each.
class FilesRead {
 public:
  struct Reader {
    const Job* job = nullptr;  ///< Null: a stage, for every image.
    std::string file;          ///< The option that names it, or the input.
  };

  void add(const std::string& path, const Reader& reader) {
    by_name_.emplace(keys_.of(path), reader);
    if (const auto inode = inode_of(path)) by_inode_.emplace(*inode, reader);
  }
  const Reader* find(const std::string& path) {
    const auto named = by_name_.find(keys_.of(path));
    if (named != by_name_.end()) return &named->second;
    const auto inode = inode_of(path);
    const auto linked = inode ? by_inode_.find(*inode) : by_inode_.end();
    return linked == by_inode_.end() ? nullptr : &linked->second;
  }

 private:
  FileKeys keys_;
  std::map<std::string, Reader> by_name_;
  std::map<std::pair<dev_t, ino_t>, Reader> by_inode_;
};

// The first reader of a file is the one that counts, so stages come before inputs.
void add_stages_files(const std::vector<BoundStage>& stages, FilesRead& read) {
  for (const FileOfStage& file : files_of(stages))
    if (file.path != "-") read.add(file.path, {nullptr, file.option});
}

// @param made the job itself, or one of its tees.
void check_output_of(const Job& job, const Job& made, FilesRead& read,
                     const Invocation& invocation) {
  if (made.output == "-") return;
  const FilesRead::Reader* const reader = read.find(made.output);
  if (reader == nullptr) return;
  if (reader->job == nullptr)
    throw Error(made.output, "it is the output, and the file of " + reader->file,
                "write to another file");
  if (reader->job != &job)
    throw Error(reader->file, "it is an input, and the output of " + job.name(),
                "write to another folder");
  if (&made != &job) throw Error(made.output, "it is an input too", "write to another file");
  if (invocation.common.in_place) return;
  throw Error(made.output, "it is an input too",
              reduces(invocation.stages)
                  ? "write to another file"
                  : "write to another file, or replace inputs with --in-place");
}

void check_trace(const std::vector<Job>& jobs, const std::string& trace, FilesRead& read) {
  if (trace.empty()) return;
  const std::string place = "--trace " + trace, advice = "write to another file";
  if (trace == "-") throw Error(place, "it takes a file's name", advice);
  if (read.find(trace) != nullptr) throw Error(place, "the file is read too", advice);
  FileKeys keys;
  const std::string key = keys.of(trace);
  for (const Job& job : jobs)
    for (const Job* const made : outputs_of(job))
      if (made->output != "-" && keys.of(made->output) == key)
        throw Error(place, "it is an output too", advice);
}

}  // namespace

void check_overwriting(const std::vector<Job>& jobs, const Invocation& invocation) {
  FilesRead read;
  add_stages_files(invocation.stages, read);
  for (const Job& job : jobs)
    for (const std::string& input : job.inputs)
      if (input != "-") read.add(input, {&job, input});
  check_trace(jobs, invocation.common.trace, read);
  for (const Job& job : jobs)
    for (const Job* const made : outputs_of(job)) check_output_of(job, *made, read, invocation);
}

}  // namespace cuimg

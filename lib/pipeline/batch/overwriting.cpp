// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/overwriting.h"

#include <map>

#include "base/error.h"
#include "pipeline/batch/file_keys.h"
#include "pipeline/batch/sink_files.h"

namespace cuimg {
namespace {

// The files that are written, by name: links to an output are not changed when it is replaced.
class FilesWritten {
 public:
  struct Writer {
    const Job* job = nullptr;  ///< Null: it is written for the command as a whole.
    std::string name;          ///< The option, or the job's name.
  };

  void add(const std::string& path, const Writer& writer) {
    by_name_.emplace(keys_.of(path), writer);
  }
  const Writer* find(const std::string& path) {
    const auto found = by_name_.find(keys_.of(path));
    return found == by_name_.end() ? nullptr : &found->second;
  }

 private:
  FileKeys keys_;
  std::map<std::string, Writer> by_name_;
};

// The name for errors. The name of the file behind standard input or output is not known here.
std::string shown(const std::string& file, const char* pipe) { return file == "-" ? pipe : file; }

std::string option_of(const FileOfStage& file) { return file.option + " of " + file.stage; }

// Called before the inputs are added: only the first reader of a file is kept.
void add_stages_files(const std::vector<BoundStage>& stages, FilesRead& read) {
  for (const FileOfStage& file : files_of(stages)) read.add(file.path, {nullptr, option_of(file)});
}

void add_own_files(const std::vector<Job>& jobs, const std::vector<BoundStage>& stages,
                   FilesRead& read) {
  const std::vector<FileOfStage> options = files_of(stages);
  for (const Job& job : jobs)
    for (std::size_t i = 0; i < job.stage_files.size(); ++i) {
      const StageFile& file = job.stage_files[i];
      if (file.is_own)
        read.add(file.black_form.empty() ? file.path : file.black_form,
                 {nullptr, option_of(options[i])});
    }
}

void add_files_of_command(const Invocation& invocation, FilesRead& read) {
  const std::string& list = invocation.common.files_from;
  if (!list.empty()) read.add(list, {nullptr, "--files-from"});
  for (const std::string& recipe : invocation.recipes) read.add(recipe, {nullptr, "@" + recipe});
}

// @param made the job itself, or one of its tees.
void check_output_of(const Job& job, const Job& made, FilesRead& read,
                     const Invocation& invocation) {
  const FilesRead::Reader* const reader = read.find(made.output);
  if (reader == nullptr) return;
  const std::string place = shown(made.output, "standard output");
  if (reader->job == nullptr)
    throw Error(place, "it is the output, and the file of " + reader->file,
                "write to another file");
  if (reader->job != &job)
    throw Error(shown(reader->file, "standard input"),
                "it is an input, and the output of " + job.name(), "write to another folder");
  if (&made != &job) throw Error(place, "it is an input too", "write to another file");
  if (invocation.common.in_place) return;
  const bool is_piped = made.output == "-" || reader->file == "-";
  throw Error(place, "it is an input too",
              is_piped || reduces(invocation.stages)
                  ? "write to another file"
                  : "write to another file, or replace inputs with --in-place");
}

// Checks the files that a report writes in addition to its printed output. They may not replace any
// file that is read, or another output such as a tee's.
void check_sink_files(const std::vector<Job>& jobs, FilesRead& read, FilesWritten& written,
                      const Invocation& invocation) {
  const std::string advice = "write to another file";
  for (const Job& job : jobs)
    for (const std::string& name : files_of_sink(invocation, job, jobs.size() == 1)) {
      const std::string place = place_of_sink_file(invocation, name);
      if (const FilesRead::Reader* const reader = read.find(name))
        throw Error(
            place,
            reader->job == nullptr ? "it is the file of " + reader->file : "it is an input too",
            advice);
      if (const FilesWritten::Writer* const other = written.find(name)) {
        if (other->job == nullptr) throw Error(place, "it is the file of " + other->name, advice);
        if (other->job == &job) throw Error(place, "it is an output of the chain too", advice);
        // A file that is named twice is reported twice.
        if (other->name != job.name())
          throw Error(
              place, "both " + other->name + " and " + job.name() + " become it",
              "use names that differ before their extensions, or run the folders one by one");
      }
      written.add(name, {&job, job.name()});
    }
}

void check_trace(const std::string& trace, FilesRead& read, FilesWritten& written) {
  if (trace.empty()) return;
  const std::string place = "--trace " + trace, advice = "write to another file";
  if (trace == "-") throw Error(place, "it would replace a file", advice);
  if (read.find(trace) != nullptr) throw Error(place, "the file is read too", advice);
  if (written.find(trace) != nullptr) throw Error(place, "it is an output too", advice);
}

}  // namespace

void check_overwriting(const std::vector<Job>& jobs, const Invocation& invocation) {
  FilesRead read;
  add_stages_files(invocation.stages, read);
  add_own_files(jobs, invocation.stages, read);
  add_files_of_command(invocation, read);
  for (const Job& job : jobs)
    for (const std::string& input : job.inputs) read.add(input, {&job, input});
  FilesWritten written;
  for (const Job& job : jobs)
    for (const Job* const made : outputs_of(job))
      if (made->output != "-") written.add(made->output, {&job, job.name()});
  check_trace(invocation.common.trace, read, written);
  for (const Job& job : jobs)
    for (const Job* const made : outputs_of(job)) check_output_of(job, *made, read, invocation);
  if (const std::string& trace = invocation.common.trace; !trace.empty())
    written.add(trace, {nullptr, "--trace"});
  check_sink_files(jobs, read, written, invocation);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/collisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "pipeline/batch/file_keys.h"
#include "pipeline/batch/output_names.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

bool names_each(const std::string& pattern, const std::vector<Input>& inputs,
                const std::string& format) {
  const OutputNames names(pattern, true, inputs);
  FileKeys keys;
  std::set<std::string> outputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    outputs.insert(keys.of(names.job(inputs[i], i, format).output));
  return outputs.size() == inputs.size();
}

// Advice if two inputs have the same output: a pattern like the given one that works for all
// inputs.
// @param option the text before the pattern.
std::string advice_for(const std::string& output, bool may_be_pattern, const std::string& option,
                       const std::vector<Input>& inputs, const std::string& format) {
  const OutputNames names(output, may_be_pattern, inputs);
  fs::path folder = output, file = format.empty() ? "{name}" : "{stem}.{ext}";
  if (!names.is_folder()) {
    file = folder.filename();
    folder = folder.parent_path();
  } else if (output.find_first_of("{}") != std::string::npos) {
    return "name them differently";  // the folder's name contains braces
  }
  const std::string by_dir = (folder / "{dir}" / file).string();
  const std::string by_index = (folder / ("{index}_" + file.string())).string();
  if (output.find("{dir}") == std::string::npos && names_each(by_dir, inputs, format))
    return fmt::format("use {{dir}} or {{index}} in the pattern, as {} '{}'", option, by_dir);
  return fmt::format("use {{index}} in the pattern, as {} '{}'", option, by_index);
}

// Two names of one file, which would be written twice.
Error two_names(const std::string& first, const std::string& second, const std::string& advice) {
  std::error_code ignored;
  const bool first_is_link = fs::is_symlink(first, ignored),
             second_is_link = fs::is_symlink(second, ignored);
  if (second_is_link && !first_is_link) return {second, "it is a link to " + first, advice};
  if (first_is_link && !second_is_link) return {first, "it is a link to " + second, advice};
  return {second, "it is the same file as " + first, advice};
}

}  // namespace

void check_collisions(const std::vector<Job>& jobs, const std::vector<Input>& inputs,
                      const Invocation& invocation) {
  FileKeys keys;
  struct Output {
    const Job* job;
    const std::string* name;
  };
  std::map<std::string, Output> by_output;
  std::size_t pipes = 0;
  for (const Job& job : jobs) {
    if (!job.problem.empty()) continue;  // it has no output
    const std::vector<const Job*> outputs = outputs_of(job);
    for (const Job* const made : outputs) {
      if (made->output == "-") {
        ++pipes;
        continue;
      }
      const auto [other, fresh] =
          by_output.emplace(keys.of(made->output), Output{&job, &made->output});
      if (fresh) continue;
      if (other->second.job == &job)
        throw Error(made->output, "two outputs of the chain become it", "name each differently");
      const std::string first = other->second.job->name(), second = job.name();
      if (invocation.common.in_place && made == &job)
        throw two_names(first, second, "name one of them");
      if (job.part && first == second)
        throw Error(made->output, "all parts of " + first + " become it", "use {part} in its name");
      // No pattern helps if an output is a link to another one.
      const std::string& other_name = *other->second.name;
      if (fs::path(made->output).lexically_normal() != fs::path(other_name).lexically_normal())
        throw two_names(other_name, made->output, "write to another folder");
      const bool is_end = made == &job;
      const auto tee = static_cast<std::size_t>(is_end ? 0 : made - job.tees.data());
      const CommonOptions& common = is_end ? invocation.common : invocation.tees[tee].common;
      throw Error(made->output, "both " + first + " and " + second + " become it",
                  is_end ? advice_for(*invocation.output, invocation.output_by_option, "-o", inputs,
                                      common.format)
                         : advice_for(common.output, true, "tee", inputs, common.format));
    }
  }
  if (pipes > 1) throw Error("-o -", fmt::format("{} images for one pipe", pipes), "use -o DIR/");
  const bool prints = std::ranges::any_of(jobs, [](const Job& job) { return job.output.empty(); });
  if (pipes > 0 && prints) throw Error("tee -", "the last stage prints there", "name a file");
}

}  // namespace cuimg

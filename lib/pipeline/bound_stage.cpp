// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bound_stage.h"

#include <sstream>

namespace cuimg {
namespace {

// The paths that an option of a stage contains; empty if it is not given, or is not for files.
std::vector<std::string> paths_of(const BoundStage& stage, const Parameter& parameter) {
  if (!parameter.may_be_file) return {};
  const std::string text = parameter.text(stage.parameters.get());
  std::vector<std::string> paths;
  if (parameter.gathers) {
    std::istringstream lines(text);
    for (std::string path; std::getline(lines, path);) paths.push_back(path);
  } else {
    paths.push_back(text);
  }
  std::erase(paths, "");
  return paths;
}

}  // namespace

bool takes_input(Chain chain) { return chain.empty() || chain.front().kind() != Kind::source; }

bool reduces(Chain chain) { return !chain.empty() && chain.front().kind() == Kind::reducer; }

std::vector<FileOfStage> files_of(Chain chain) {
  std::vector<FileOfStage> files;
  for (const BoundStage& stage : chain)
    for (const Parameter& parameter : stage.description->parameters)
      for (std::string& path : paths_of(stage, parameter))
        files.push_back({std::move(path), stage.description->name, "--" + parameter.name,
                         parameter.is_file, stage.recipe});
  return files;
}

std::vector<BoundStage> with_files(Chain chain, std::span<const std::string> paths) {
  std::vector<BoundStage> stages(chain.begin(), chain.end());
  auto next = paths.begin();
  for (BoundStage& stage : stages) {
    const std::shared_ptr<void> values = stage.description->make();
    bool has_files = false;
    for (const Parameter& parameter : stage.description->parameters) {
      const std::size_t count = paths_of(stage, parameter).size();
      if (count == 0) parameter.copy(stage.parameters.get(), values.get());
      for (std::size_t i = 0; i < count; ++i)
        parameter.set(values.get(), *next++, stage.description->name);
      has_files = has_files || count > 0;
    }
    if (has_files) stage.parameters = values;
  }
  return stages;
}

const BoundStage* sink_of(Chain chain) {
  return !chain.empty() && chain.back().kind() == Kind::sink ? &chain.back() : nullptr;
}

}  // namespace cuimg

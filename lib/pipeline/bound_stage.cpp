// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bound_stage.h"

#include <sstream>

namespace cuimg {

bool takes_input(Chain chain) { return chain.empty() || chain.front().kind() != Kind::source; }

bool reduces(Chain chain) { return !chain.empty() && chain.front().kind() == Kind::reducer; }

std::vector<FileOfStage> files_of(Chain chain) {
  std::vector<FileOfStage> files;
  for (const BoundStage& stage : chain)
    for (const Parameter& parameter : stage.description->parameters) {
      if (!parameter.may_be_file) continue;
      const std::string option = "--" + parameter.name + " of " + stage.description->name;
      const std::string text = parameter.text(stage.parameters.get());
      if (!parameter.gathers) {
        files.push_back({text, option});
        continue;
      }
      std::istringstream lines(text);
      for (std::string path; std::getline(lines, path);) files.push_back({path, option});
    }
  std::erase_if(files, [](const FileOfStage& file) { return file.path.empty(); });
  return files;
}

const BoundStage* sink_of(Chain chain) {
  return !chain.empty() && chain.back().kind() == Kind::sink ? &chain.back() : nullptr;
}

}  // namespace cuimg

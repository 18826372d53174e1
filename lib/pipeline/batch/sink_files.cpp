// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/sink_files.h"

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/decode_options.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

// The parts that are reported. A pipe can be read once, so its parts are not known; nor are those
// of a file that no codec reads, for which there is no report.
std::vector<int> reported_parts(const std::string& input, const CommonOptions& common) {
  std::error_code unknown;
  if (input == "-" || !std::filesystem::is_regular_file(input, unknown)) return {};
  try {
    const auto file = open_file(ByteSource::open(input), decode_options(common));
    return choose_parts(*file, common.part, input).numbers;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> files_of_sink(const Invocation& invocation, const Job& job, bool alone) {
  const BoundStage* const sink = sink_of(invocation.stages);
  if (sink == nullptr || !sink->description->writes) return {};
  const std::string input = job.name();
  const auto name_for = [&](std::optional<int> part) {
    return sink->description->writes(sink->parameters.get(), {input, part, alone});
  };
  const std::string name = name_for(std::nullopt);
  if (name.empty()) return {};
  try {
    if (name_for(1) == name) return {name};
  } catch (const Error&) {
    return {name};  // if the name does not contain the part; reports on several parts fail
  }
  const std::vector<int> parts = reported_parts(input, invocation.common);
  if (parts.size() < 2) return {name};
  std::vector<std::string> names;
  for (const int part : parts) names.push_back(name_for(part));
  return names;
}

std::string place_of_sink_file(const Invocation& invocation, const std::string& name) {
  const StageDescription& sink = *sink_of(invocation.stages)->description;
  return sink.name + ": --" + sink.writes_option + " " + name;
}

}  // namespace cuimg

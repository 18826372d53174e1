// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/run_report.h"

#include <iterator>
#include <utility>

#include "base/contains.h"

namespace cuimg {
namespace {

void append(auto& to, auto& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (!contains(lines, line)) lines.push_back(line);
}

void RunReport::take_back(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    std::erase(notes, line);
    std::erase(warnings, line);
  }
}

void RunReport::add(RunReport other) {
  for (const std::string& warning : other.warnings) add_once(warnings, warning);
  for (const std::string& stage : other.unmeasured) add_once(unmeasured, stage);
  append(explanation, other.explanation);
  append(notes, other.notes);
  append(times, other.times);
  if (fallback.reason.empty()) fallback = std::move(other.fallback);
  if (!difference) difference = std::move(other.difference);
  printed += other.printed;
}

}  // namespace cuimg

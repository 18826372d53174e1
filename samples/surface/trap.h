// SPDX-License-Identifier: Apache-2.0
// A store that traps ends the kernel, and the process' use of the card with it. So that the sample
// can go on, the trap happens in a process of its own: the same program again with --trap.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "common/card.h"
#include "common/table.h"

namespace cuimg::samples {

/// What this program prints with --trap on the current card: the name of a CUDA error.
inline std::string name_of_trap() {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = text("'%s' --trap --device cuda:%d", self.c_str(), current_card());
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no process could be started";
  std::string printed, last;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) last = line.data();
  pclose(pipe);
  while (!last.empty() && last.back() == '\n') last.pop_back();
  return last;
}

}  // namespace cuimg::samples

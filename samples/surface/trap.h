// SPDX-License-Identifier: Apache-2.0
// A store that traps ends the kernel, and the process' use of the card with it. So that the sample
// can go on, the trap happens in a process of its own: the same program again with --trap.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "common/card.h"
#include "common/table.h"

namespace cuimg::samples {

/// What this program prints with --trap on the current card: the name of a CUDA error.
inline std::string name_of_trap() {
  const std::string card = text("cuda:%d", current_card());
  std::array<int, 2> ends;  // of a pipe: the one to read from, the one to write to
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "no pipe could be made";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execl("/proc/self/exe", "samples", "--trap", "--device", card.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string last;
  std::FILE* const printed = fdopen(ends[0], "r");
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), printed) != nullptr) last = line.data();
  std::fclose(printed);
  if (child < 0 || waitpid(child, nullptr, 0) != child) return "no process could be started";
  while (!last.empty() && last.back() == '\n') last.pop_back();
  return last;
}

}  // namespace cuimg::samples

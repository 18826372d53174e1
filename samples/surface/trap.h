// SPDX-License-Identifier: Apache-2.0
// A store that traps ends the kernel and makes the card unusable for the process. So that the
// sample can continue, the trap happens in another process: the same program with --trap. In
// software the trap is an exception.
#pragma once

#ifdef __CUDACC__
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/card.h"
#endif

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "build_config.h"
#include "common/sample.h"

namespace cuimg::samples {

std::string name_of_trap();

#ifdef __CUDACC__
/// What this program prints with --trap on the current card: the name of a CUDA error.
inline std::string name_of_trap() {
  const std::string card = text("cuda:%d", current_card());
  std::array<int, 2> ends;  // of a pipe: for reading, for writing
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
#endif

/// The error's name after a store out of range.
/// @param store_in_software throws std::out_of_range.
template <class Store>
std::string trap(bool on_card, const Store& store_in_software) {
  if constexpr (build::has_cuda)
    if (on_card) return name_of_trap();
  try {
    store_in_software();
  } catch (const std::out_of_range& error) {
    return error.what();
  }
  return "";
}

/// The last output of a sample. @param what describes the store that `store_in_software` makes.
template <class Store>
void show_trap(Report& report, const std::string& what, const Store& store_in_software) {
  if (report.leaves_out("a store that traps")) return;
  const std::string error = trap(report.on_card(), store_in_software);
  report.say("trap, " + what + ": " + error);
  report.check(report.on_card() ? error.starts_with("cudaError") : !error.empty(),
               "the trap is an error");
  report.headline("a trap is " + error);
}

}  // namespace cuimg::samples

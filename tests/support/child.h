// SPDX-License-Identifier: Apache-2.0
// A program that a test can observe and stop while it runs.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/process.h"

namespace cuimg::test {

/// The number of outputs in `folder` that the process has begun and not finished: files without a
/// name, or with a name that begins with a dot.
inline std::ptrdiff_t count_unfinished_outputs(pid_t process, const std::string& folder) {
  std::error_code ended;  // the process may end meanwhile
  const std::string start = std::filesystem::canonical(folder).string() + "/";
  std::ptrdiff_t count = 0;
  std::filesystem::directory_iterator link("/proc/" + std::to_string(process) + "/fd", ended), end;
  for (; !ended && link != end; link.increment(ended)) {
    std::error_code closed;
    const std::string file = std::filesystem::read_symlink(link->path(), closed).string();
    const bool nameless = file.starts_with(start + "#") && file.ends_with(" (deleted)");
    const bool named = file.starts_with(start + ".") && file.find(".cuimg-") != std::string::npos;
    if (!closed && (nameless || named)) ++count;
  }
  return count;
}

class Child {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts argv[0] in `folder`. @param environment NAME=VALUE, added to this process's
  /// environment.
  Child(const std::vector<std::string>& argv, const std::string& folder,
        const std::vector<std::string>& environment)
      : err_(own_ / "err"),
        id_(start_program(argv, {.folder = folder, .environment = environment}, "/dev/null",
                          "/dev/null", err_)) {}
  ~Child() {
    if (!has_ended()) kill(id_, SIGKILL);
    wait(std::chrono::seconds(10));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) {
    if (!has_ended()) kill(id_, number);
  }
  /// The exit status, or 128 plus the signal that ended it.
  int exit() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }
  /// Standard error so far.
  std::string err() const { return read_file(err_); }

  /// @see count_unfinished_outputs
  std::ptrdiff_t unfinished_outputs(const std::string& folder) const {
    return count_unfinished_outputs(id_, folder);
  }

  /// Its maximum resident memory so far; 0 once it has ended. wait4()'s figure would be at least
  /// the memory of its parent, this process, at the start.
  std::size_t peak_bytes() const {
    std::ifstream status("/proc/" + std::to_string(id_) + "/status");
    for (std::string word; status >> word;) {
      std::size_t kilobytes = 0;
      if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
  }

  bool has_ended() {
    if (!ended_) ended_ = waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }
  /// @returns false if it still runs after `limit`.
  bool wait(std::chrono::milliseconds limit) {
    return until([] { return false; }, limit) || has_ended();
  }
  /// Waits until `condition` is true. @returns false if the program ended, or `limit` passed,
  /// before that.
  bool until(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
    for (const auto end = Clock::now() + limit; !has_ended() && Clock::now() < end;) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  const TempDir own_;
  const std::string err_;
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace cuimg::test

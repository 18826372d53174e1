// SPDX-License-Identifier: Apache-2.0
// Running a program in a test, and a folder of the test's own to run it in.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuimg::test {

/// Where tests have their folders. scripts/test names a place in memory, for TempDir alone: what
/// the program keeps by itself lies where it would without tests.
inline std::filesystem::path test_folders() {
  const char* const named = getenv("CUIMG_TEST_TMPDIR");
  return named != nullptr ? named : std::filesystem::temp_directory_path();
}

/// A fresh folder, removed with all it holds at the end of the scope.
class TempDir {
 public:
  TempDir() {
    std::string pattern = (test_folders() / "cuimg-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The absolute name of a file inside.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file inside, its folders too. @returns its absolute name.
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path target = path_ / name;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary) << bytes;
    return target.string();
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool under_sanitizer = true;
#else
inline constexpr bool under_sanitizer = false;
#endif

struct Outcome {
  int exit = -1;           ///< The exit status, or 128 plus the signal that ended it.
  std::string out;         ///< Standard output.
  std::string err;         ///< Standard error.
  double cpu_seconds = 0;  ///< Of all its threads, in user mode and the kernel.
  /// The most memory it had resident; 0 in a build with sanitizers, whose own memory is far more.
  std::size_t peak_bytes = 0;
};

struct RunOptions {
  std::string input = {};                     ///< Standard input.
  std::string folder = {};                    ///< Where it runs; empty: here.
  std::vector<std::string> environment = {};  ///< NAME=VALUE, added to this process's.
  std::string out_file = {};                  ///< Standard output goes there instead: /dev/full.
  std::string err_file = {};                  ///< Likewise standard error: a terminal.
};

/// Starts argv[0] (found through PATH) with these arguments. @param in, out, err the files that are
/// its standard streams, whatever `options` say of those.
inline pid_t start_program(const std::vector<std::string>& argv, const RunOptions& options,
                           const std::string& in, const std::string& out, const std::string& err) {
  // env -C changes the folder and sets variables after the fork, safely among threads. It becomes
  // the program, so that signals reach that.
  std::vector<std::string> words = {"env"};
  if (!options.folder.empty()) words.insert(words.end(), {"-C", options.folder});
  words.insert(words.end(), options.environment.begin(), options.environment.end());
  words.insert(words.end(), argv.begin(), argv.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int writing = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), writing, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), writing | O_NOCTTY, 0600);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, "env", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot run " + argv.front());
  return child;
}

/// Runs argv[0] (found through PATH) with these arguments, to its end.
inline Outcome run(const std::vector<std::string>& argv, const RunOptions& options = {}) {
  const TempDir own;
  const std::string in = own.write("in", options.input), out = own / "out", err = own / "err";
  const pid_t child =
      start_program(argv, options, in, options.out_file.empty() ? out : options.out_file,
                    options.err_file.empty() ? err : options.err_file);
  int status = 0;
  rusage used = {};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  Outcome outcome;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  outcome.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (!under_sanitizer) outcome.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(out);
  outcome.err = read_file(err);
  return outcome;
}

/// The command of a user who may not read everything: for root, the same run as `nobody`.
/// @returns nothing where that user cannot start the program, the command's first word.
inline std::optional<std::vector<std::string>> without_root(std::vector<std::string> words) {
  if (geteuid() != 0) return words;
  const std::vector<std::string> nobody = {"setpriv", "--reuid=65534", "--regid=65534",
                                           "--clear-groups"};
  std::vector<std::string> trial = nobody;
  trial.insert(trial.end(), {words.front(), "--version"});
  if (run(trial).exit != 0) return std::nullopt;
  words.insert(words.begin(), nobody.begin(), nobody.end());
  return words;
}

}  // namespace cuimg::test

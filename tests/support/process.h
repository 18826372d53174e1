// SPDX-License-Identifier: Apache-2.0
// Runs a program in a test, and makes temporary folders to run it in.
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

/// The folder for tests' temporary folders. scripts/test sets a folder in memory for TempDir alone;
/// the program's own files are in the same places as without tests.
inline std::filesystem::path test_folders() {
  const char* const named = getenv("CUIMG_TEST_TMPDIR");
  return named != nullptr ? named : std::filesystem::temp_directory_path();
}

/// A new folder that is removed with all of its content at the end of the scope.
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
  /// The absolute path of a file inside.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file inside, and creates its folders. @returns its absolute path.
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
  double cpu_seconds = 0;  ///< Of all its threads, user and system.
  /// The maximum resident memory; 0 in a build with sanitizers, which need far more memory.
  std::size_t peak_bytes = 0;
};

struct RunOptions {
  std::string input = {};                     ///< Standard input.
  std::string folder = {};                    ///< Its working folder; empty: the current one.
  std::vector<std::string> environment = {};  ///< NAME=VALUE, added to the environment.
  std::string out_file = {};                  ///< Write standard output there, as in /dev/full.
  std::string err_file = {};                  ///< Likewise for standard error, as a terminal.
};

/// Starts argv[0] (found through PATH) with these arguments. @param in, out, err files for its
/// standard streams; the streams in `options` are ignored.
inline pid_t start_program(const std::vector<std::string>& argv, const RunOptions& options,
                           const std::string& in, const std::string& out, const std::string& err) {
  // env -C changes the folder and sets variables after the fork, which is safe with threads. It
  // then becomes the program, so signals reach the program.
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

/// Runs argv[0] (found through PATH) with these arguments and waits for its end.
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

/// The command as run by a user with restricted permissions: for root, as `nobody`. @returns
/// nothing if that user cannot start the program, which is the command's first word.
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

// SPDX-License-Identifier: Apache-2.0
// The common frame of all samples: options, a device, tables, and an exit code that says whether
// the results were right.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "build_config.h"
#include "common/table.h"

namespace cuimg::samples {

/// Where a sample can run. CMake searches each sample's file for the word `on_card_or_cpu`: samples
/// that contain it are also built without nvcc, where __CUDACC__ is not defined.
enum class Runs { on_card, on_card_or_cpu };

// In such a sample the function that uses the card is declared, defined in `#ifdef __CUDACC__`, and
// called like this:
//   if constexpr (build::has_cuda)
//     if (report.on_card()) return read_on_card(...);
//   return read_on_cpu(...);

/// Exit codes.
enum Outcome { right = 0, wrong = 1, error = 2, no_card = 77 };

/// Thrown if something that the sample needs is missing: "needs two GPUs". Exit code 77.
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The messages of a sample while it runs: printed immediately, or kept for --json.
class Report {
 public:
  virtual ~Report() = default;
  /// Whether to use the card, which is then the current device, instead of the CPU.
  virtual bool on_card() const = 0;
  virtual void say(const std::string& sentence) = 0;
  virtual void show(const Table& table) = 0;
  /// The check of a result. A wrong one makes the exit code 1.
  virtual void check(bool is_right, const std::string& claim) = 0;
  /// The same for a comparison with the software unit, which could not fail on the CPU.
  void check_on_card(bool is_right, const std::string& claim) {
    if (on_card()) check(is_right, claim);
  }
  /// For deliberate mistakes that show the card's response. @returns whether to leave it out, and
  /// reports that: under compute-sanitizer, which would count it as an error.
  bool leaves_out(const std::string& mistake) {
    const bool is_watched = std::getenv("NV_SANITIZER_INJECTION_PORT_BASE") != nullptr;
    if (is_watched) say(mistake + ": left out, compute-sanitizer watches");
    return is_watched;
  }
  /// A file that was written, and what it shows.
  virtual void wrote(const std::string& path, const std::string& what) = 0;
  /// The one line for the table in README.md: "4.1 TB/s with blocks of 32x8".
  virtual void headline(const std::string& words) = 0;
};

class Sample {
 public:
  /// @param name FOLDER/NAME. @param teaches one line of what it shows.
  Sample(std::string name, std::string teaches, Runs runs = Runs::on_card);

  /// Adds `--name VALUE` (a bool: `--name`). `value` contains the default, and must exist until
  /// run() ends.
  /// @param least, most the allowed range.
  Sample& option(std::string name, int& value, std::string help, int least = 1, int most = 1 << 30);
  Sample& option(std::string name, double& value, std::string help);
  Sample& option(std::string name, bool& value, std::string help);
  /// @param choices the allowed words; none: any word.
  Sample& option(std::string name, std::string& value, std::string help,
                 std::vector<std::string> choices = {});

  /// The body of main: parses --help, --device, --json and the options, runs `work`, and returns
  /// the exit code. An exception is printed as one line.
  template <class Work>
  int run(int argc, char** argv, const Work& work) {
    return run_by(argc, argv, &work, [](const void* given, Report& report) {
      (*static_cast<const Work*>(given))(report);
    });
  }

 private:
  // A std::function would be simpler, but its header adds 0.4 s to the compilation of every sample.
  int run_by(int argc, char** argv, const void* work, void (*call)(const void*, Report&));

  struct Option {
    std::string name;
    std::variant<int*, double*, bool*, std::string*> value;
    std::string help;
    std::vector<std::string> choices = {};
    int least = 0, most = 0;
  };
  std::string help() const;
  void parse(int argc, char** argv);
  void assign(const Option& option, const std::string& word) const;

  std::string name_, teaches_;
  Runs runs_;
  std::vector<Option> options_;
  std::string device_ = "auto";
  bool json_ = false, help_ = false;
};

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// Slurm for one test: munged, slurmctld and slurmd on the loopback interface.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>

#include <memory>
#include <optional>

#include "support/child.h"

namespace cuimg::test {

/// The daemons end with this object, and with the test's process, however that ends.
class SlurmCluster {
 public:
  /// The reason if the daemons cannot be started here; empty if they can.
  static std::string why_not() {
    for (const char* name : {"munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue"})
      if (run({"bash", "-c", "command -v " + std::string(name)}).exit != 0)
        return std::string(name) + " is not installed (scripts/test --all does)";
    if (geteuid() != 0) return "slurmd runs jobs as root only";
    const Outcome space = run({"unshare", "--pid", "--fork", "--mount-proc", "true"});
    return space.exit == 0 ? "" : "no namespaces here: " + space.err;
  }

  SlurmCluster() {
    const std::vector<std::string> words = {"setpriv",
                                            "--pdeathsig",
                                            "KILL",
                                            "unshare",
                                            "--pid",
                                            "--fork",
                                            "--mount-proc",
                                            "--kill-child=KILL",
                                            "bash",
                                            CUIMG_TEST_FOLDER "/start_slurm.sh",
                                            folder_.path(),
                                            std::to_string(free_port()),
                                            std::to_string(free_port())};
    daemons_.emplace(words, folder_.path().string(), std::vector<std::string>{});
    const bool idle = daemons_->until(
        [this] {
          return call({"sinfo", "-h", "-o", "%T"}).out == "idle\n";
        },
        std::chrono::seconds(30));
    if (!idle) throw std::runtime_error("Slurm does not start: " + daemons_->err());
  }

  /// Runs one of Slurm's programs with cuimg in its PATH.
  Outcome call(const std::vector<std::string>& words, const std::string& folder = {}) const {
    const std::string programs = std::filesystem::path(CUIMG_PROGRAM).parent_path().string();
    return run(words, {.folder = folder,
                       .environment = {"SLURM_CONF=" + (folder_ / "slurm.conf"),
                                       "PATH=" + programs + ":" + getenv("PATH")}});
  }

  /// Runs sbatch with these words. @returns the job's number.
  std::string submit(std::vector<std::string> words, const std::string& folder) const {
    words.insert(words.begin(), {"sbatch", "--parsable"});
    const Outcome outcome = call(words, folder);
    if (outcome.exit != 0) throw std::runtime_error("sbatch: " + outcome.err);
    return outcome.out.substr(0, outcome.out.find('\n'));
  }

  /// Waits until all jobs have ended. @returns false if some still run after a minute.
  bool wait() {
    return daemons_->until(
        [this] {
          return call({"squeue", "-h"}).out.empty();
        },
        std::chrono::minutes(1));
  }

  /// The state of a job or of an array's task (JOB_TASK): COMPLETED, FAILED, ...
  std::string state(const std::string& job) const {
    const std::string shown = call({"scontrol", "--oneliner", "show", "job", job}).out;
    const std::size_t at = shown.find("JobState=");
    return at == std::string::npos ? shown : shown.substr(at + 9, shown.find(' ', at) - at - 9);
  }

 private:
  static int free_port() {
    const int socket_of_any = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(socket_of_any, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(socket_of_any, reinterpret_cast<sockaddr*>(&address), &size);
    close(socket_of_any);
    return ntohs(address.sin_port);
  }

  const TempDir folder_;
  std::optional<Child> daemons_;
};

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// `cuimg version` and `cuimg --version`; with -v also the build's settings, the libraries and the
// driver.
#include "version.h"

#include <fmt/format.h>

#include "base/instruction_set.h"
#include "build_config.h"
#include "commands.h"
#include "device/queue.h"

namespace cuimg {
namespace {

struct Version {};

int run_version(const void*, const std::vector<std::string>& operands,
                const CommonOptions& common) {
  expect_no_operands("version", operands);
  print(fmt::format("cuimg {}\n", version()));
  if (!common.verbose) return 0;
  const auto line = [](const std::string& name, const std::string& value) {
    print(fmt::format("  {:<20} {}\n", name, value));
  };
  for (const auto& [name, number] : library_versions()) line(name, number);
  line("compiler", __VERSION__);
  line("CPU instructions", std::string(name_of(instruction_set())));
  line("CUDA architectures", build::has_cuda ? build::cuda_architectures : "built without CUDA");
  const DeviceList list = list_devices(false);
  const auto cuda = [](int number) {
    return number == 0 ? std::string("absent")
                       : fmt::format("{}.{}", number / 1000, number % 1000 / 10);
  };
  line("CUDA runtime", cuda(list.runtime_version));
  line("CUDA driver", cuda(list.driver_version));
  return 0;
}

}  // namespace

Command version_command() {
  const Description description =
      describe<Version>("version",
                        "print the version; with -v also libraries, architectures and driver")
          .example("cuimg --version -v");
  return {description,
          "",
          {"verbose", "help"},
          run_version,
          {with_own_help("verbose",
                         "also print the libraries' versions, the compiler, the CPU's instructions "
                         "and what CUDA offers")}};
}

}  // namespace cuimg

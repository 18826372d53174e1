// SPDX-License-Identifier: Apache-2.0
// The samples' devices in a build without CUDA: the CPU alone.
#include "base/error.h"
#include "common/card_facts.h"
#include "common/sample.h"

namespace cuimg::samples {

bool use_device(const std::string& sample, const std::string& device, bool) {
  if (device == "cpu" || device == "auto") return false;
  if (device.starts_with("cuda")) throw Skipped("this build has no CUDA");
  throw Error(sample, "--device " + device + " is unknown", "use auto, cpu or cuda");
}

CardFacts card_facts() { return {"CPU", ""}; }

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// The device on which a sample runs. card_facts.cpp implements this with CUDA, no_card.cpp in a
// build without.
#pragma once

#include <string>

namespace cuimg::samples {

struct CardFacts {
  std::string name;    ///< "NVIDIA H200"
  std::string driver;  ///< "driver 580.95.05, CUDA 13.0"
};

/// Makes the device that --device names the current one. @returns whether it is a card.
/// @throws Skipped if a card is requested and there is none, Error for a word that is not a device.
bool use_device(const std::string& sample, const std::string& device, bool cpu_is_fine);

/// About the current card.
CardFacts card_facts();

}  // namespace cuimg::samples

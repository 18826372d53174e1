// SPDX-License-Identifier: Apache-2.0
// The fuzz targets' processing of bytes, in a separate file because the ordinary tests also call
// it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/codec.h"

namespace cuimg::test {

/// Opens and reads bytes that pass for that format, within small limits. An Error is a
/// good end; anything else that is thrown leaves.
void fuzz_codec(const Codec& codec, std::span<const std::byte> bytes);

struct FuzzSeed {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Small files of every kind that the format writes; made by hand where it is only read.
std::vector<FuzzSeed> fuzz_seeds(const Codec& codec);

}  // namespace cuimg::test

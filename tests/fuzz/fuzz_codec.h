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

/// Opens and reads bytes that are recognised as that format, within small limits. An Error is a
/// valid result; any other exception is passed on.
void fuzz_codec(const Codec& codec, std::span<const std::byte> bytes);

struct FuzzSeed {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Small files of every kind that the format can write. For formats that are only read, they are
/// assembled byte by byte.
std::vector<FuzzSeed> fuzz_seeds(const Codec& codec);

}  // namespace cuimg::test

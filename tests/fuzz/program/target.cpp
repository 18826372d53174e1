// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry point, compiled once for each format.
#include <cstdint>

#include "fuzz/fuzz_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cuimg::Codec& codec = *cuimg::codec_named(CUIMG_FUZZ_CODEC);
  cuimg::test::fuzz_codec(codec, std::as_bytes(std::span(data, size)));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Runs the fuzz targets on their seeds: in every build, also without clang.
#include <gtest/gtest.h>

#include "base/error.h"
#include "fuzz/fuzz_codec.h"

namespace cuimg::test {
namespace {

TEST(Fuzz, SeedsOfEveryFormatAreItsFilesAndAreRead) {
  for (const Codec& codec : codecs()) {
    const std::vector<FuzzSeed> seeds = fuzz_seeds(codec);
    EXPECT_FALSE(seeds.empty()) << codec.name;
    for (const FuzzSeed& seed : seeds) {
      SCOPED_TRACE(std::string(codec.name) + " " + seed.name);
      EXPECT_TRUE(codec.sniff(seed.bytes));
      EXPECT_NO_THROW(open_file(ByteSource::from_memory(seed.bytes, "seed"), {})->open(0));
      EXPECT_NO_THROW(fuzz_codec(codec, seed.bytes));
    }
  }
}

TEST(Fuzz, SeedsCutShortAndChangedAreRefusedOrRead) {
  for (const Codec& codec : codecs())
    for (const FuzzSeed& seed : fuzz_seeds(codec)) {
      SCOPED_TRACE(std::string(codec.name) + " " + seed.name);
      for (std::size_t i = 0; i < 30; ++i) {
        // A copy, so that a sanitizer sees reads past the end.
        const auto length = static_cast<std::ptrdiff_t>(seed.bytes.size() * i / 30);
        const std::vector<std::byte> cut(seed.bytes.begin(), seed.bytes.begin() + length);
        EXPECT_NO_THROW(fuzz_codec(codec, cut));
        std::vector<std::byte> changed = seed.bytes;
        changed[static_cast<std::size_t>(length)] ^= std::byte{0x81};
        EXPECT_NO_THROW(fuzz_codec(codec, changed));
      }
    }
}

}  // namespace
}  // namespace cuimg::test

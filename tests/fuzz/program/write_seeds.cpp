// SPDX-License-Identifier: Apache-2.0
// Writes the seed files for fuzzing: FOLDER/FORMAT/NAME.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "fuzz/fuzz_codec.h"

int main(int count, char** words) try {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const cuimg::Codec& codec : cuimg::codecs()) {
    const std::filesystem::path folder = std::filesystem::path(words[1]) / codec.name;
    std::filesystem::create_directories(folder);
    for (const cuimg::test::FuzzSeed& seed : cuimg::test::fuzz_seeds(codec)) {
      std::ofstream file(folder / seed.name, std::ios::binary);
      file.exceptions(std::ios::badbit | std::ios::failbit);
      file.write(reinterpret_cast<const char*>(seed.bytes.data()),
                 static_cast<std::streamsize>(seed.bytes.size()));
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
  return 1;
}

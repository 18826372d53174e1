// SPDX-License-Identifier: Apache-2.0
// `decode_files FILES...` decodes the first part of each file, all at the same time, and does
// nothing else: the least time that every command which reads them needs.
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "io/codec.h"

int main(int count, char** words) {
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i)
    threads.emplace_back([file = std::string(words[i])] {
      try {
        cuimg::read_image(file);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::exit(2);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "base/standard_output.h"

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace cuimg {
namespace {

std::atomic<int> first_print_error = 0;

void keep_first_error() {
  int none = 0;
  first_print_error.compare_exchange_strong(none, errno);
}

}  // namespace

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) keep_first_error();
}

void flush_prints() {
  if (std::fflush(stdout) != 0) keep_first_error();
}

int print_error() { return first_print_error; }

}  // namespace cuimg

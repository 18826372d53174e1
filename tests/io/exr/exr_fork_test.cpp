// SPDX-License-Identifier: Apache-2.0
// Children made by fork() read and write OpenEXR, although their parent has threads for it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/memory_images.h"

namespace cuimg::test {
namespace {

constexpr unsigned most_seconds = 60;

// Whether the child completes `work` without an exception.
template <class Work>
bool child_does(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    try {
      work();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

// More than a megabyte in many chunks of wavelets, for which OpenEXR's threads are used.
std::vector<std::byte> some_file() {
  return encode_image(textured(simple_spec(900, 700, {"R", "G", "B"}, PixelType::half)),
                      *codec_named("exr"),
                      {.compression = "piz", .quality = {}, .threads = 4, .next_level = {}});
}

void read_it(const std::vector<std::byte>& bytes) {
  read_image(ByteSource::from_memory(bytes, "memory"), {.threads = 4});
}

TEST(ExrFork, ChildrenReadAndWrite) {
  const std::vector<std::byte> bytes = some_file();
  read_it(bytes);
  EXPECT_TRUE(child_does([&] { read_it(bytes); }));
  EXPECT_TRUE(child_does([&] {
    if (some_file() != bytes) _exit(2);
  }));
  EXPECT_TRUE(child_does([&] {
    read_it(bytes);
    if (!child_does([&] { read_it(bytes); })) _exit(3);
  }));
  read_it(bytes);
  EXPECT_EQ(some_file(), bytes);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Two long sequences that are combined: no second image stays in memory longer than its frame.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/program_folder.h"

namespace cuimg::test {
namespace {

class LongSequences : public ProgramFolder {
 protected:
  // Frames 1 to `frames` of two pictures of 1.6 MB. All frames of a sequence are links to one file.
  void SetUp() override {
    for (const std::string name : {"fg", "bg"}) {
      const std::string file = name + ".exr";
      EXPECT_EQ(cuimg({"noise", "--size", "400x500", "--type", "half", "--channels", "RGBA",
                       "--compression", "none", file})
                    .exit,
                0);
      for (int frame = 1; frame <= frames; ++frame)
        std::filesystem::create_hard_link(folder_ / file,
                                          folder_ / (name + "." + std::to_string(frame) + ".exr"));
    }
  }
  std::size_t peak_of_frames(const std::string& set) const {
    const Outcome outcome =
        cuimg({"over", "--device", "cpu", "--jobs", "2", "--threads", "2", "--frames", set,
               "--with", "bg.%d.exr", "fg.%d.exr", "-o", "out/"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.peak_bytes;
  }

  static constexpr int frames = 200;
};

TEST_F(LongSequences, TakeNoMoreMemoryForTwoHundredFramesThanForTen) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const std::size_t ten = peak_of_frames("1-10");
  EXPECT_LT(peak_of_frames("1-200"), ten + (std::size_t{16} << 20));
  for (const std::string frame : {"1", "200"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("out/fg." + frame + ".exr")));
}

}  // namespace
}  // namespace cuimg::test

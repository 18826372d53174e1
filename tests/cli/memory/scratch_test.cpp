// SPDX-License-Identifier: Apache-2.0
// Pictures larger than --max-memory: the same bytes, within that memory, using files in --scratch.
#include <gtest/gtest.h>

#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class ScratchFolder : public testing::Test {
 protected:
  ScratchFolder() { std::filesystem::create_directory(scratch); }

  Outcome cuimg(Words words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    words.insert(words.end(), {"--device", "cpu", "--threads", "2"});
    return run(words, {.folder = folder.path().string()});
  }
  void make(const std::string& name, const std::string& size = "2400x1800") const {
    const Outcome made = cuimg({"noise", "--size", size, "--seed", "7", name});
    ASSERT_EQ(made.exit, 0) << made.err;
  }

  // The program alone needs 36 MB, and each of the pictures as floats 69 MB.
  static constexpr std::size_t allowed = std::size_t{60} << 20;
  const TempDir folder;
  const std::string scratch = folder / "scratch";
};

TEST_F(ScratchFolder, PicturesBeyondMaxMemoryComeOutTheSame) {
  struct Case {
    std::string input;
    Words stages;
  };
  const Words rotate = {"rotate", "--angle", "30"};
  for (const std::string input : {"in.tif", "in.png", "in.exr"}) make(input);
  const Outcome map = cuimg({"noise", "--size", "4x3", "+", "resize", "--size", "2400x1800",
                             "--type", "float", "--compression", "none", "map.exr"});
  ASSERT_EQ(map.exit, 0) << map.err;
  for (const auto& [input, stages] :
       std::vector<Case>{{"in.tif", rotate},
                         {"in.png", rotate},
                         {"in.exr", rotate},
                         {"in.tif", {"flip"}},
                         {"in.exr", {"blur", "--sigma", "2"}},
                         {"in.exr", {"box", "--radius", "420"}},
                         {"in.tif", {"blur", "--sigma", "120"}},
                         {"in.tif", {"dilate", "--radius", "300"}},
                         {"in.exr", {"envmap", "--from", "latlong", "--to", "cube-faces"}},
                         {"in.exr", {"remap", "--map", "map.exr", "--coords", "normalized"}},
                         {"in.tif", {"affine", "--matrix", "0.3,0,0,0.3,0,0"}},
                         {"in.tif", {"normalize"}}}) {
    const std::string what = stages.front() + " of " + input;
    Words whole = stages, part = stages;
    // Deflating noise would take most of the time, so only the rotations compress.
    if (stages != rotate) {
      whole.insert(whole.end(), {"--compression", "none"});
      part.insert(part.end(), {"--compression", "none"});
    }
    whole.insert(whole.end(), {"--max-memory", "8G", input, "whole.tif"});
    part.insert(part.end(), {"--max-memory", "60M", "--scratch", scratch, input, "part.tif"});
    const Outcome expected = cuimg(whole), found = cuimg(part);
    ASSERT_EQ(expected.exit, 0) << what << ": " << expected.err;
    ASSERT_EQ(found.exit, 0) << what << ": " << found.err;
    // Compared by another program, because this one's memory would count as its children's.
    EXPECT_EQ(run({"cmp", folder / "whole.tif", folder / "part.tif"}).exit, 0) << what;
    EXPECT_LT(found.peak_bytes, allowed) << what;
    EXPECT_TRUE(std::filesystem::is_empty(scratch)) << what;
  }
}

// A part of a picture, or a report on it, needs no more memory than the picture.
TEST_F(ScratchFolder, PartsAndReportsStayWithinMaxMemory) {
  for (const std::string input : {"in.tif", "in.exr"}) {
    make(input);
    for (const Words& chain : {Words{"cut", "--region", "100x100+500+500", input, "part.png"},
                               {"crop", "--region", "90x80+1800+1700", input, "part.exr"},
                               {"cut", "--region", "2400x10+0+20", "+", "blur", input, "part.tif"},
                               {"stats", input},
                               {"histogram", input}}) {
      const Words limit = {"--max-memory", "60M", "--scratch", scratch};
      const Words free = {"--max-memory", "8G"};
      Words limited = chain, whole = chain;
      limited.insert(limited.end(), limit.begin(), limit.end());
      whole.insert(whole.end(), free.begin(), free.end());
      const bool is_report = chain.size() == 2;
      const Outcome expected = cuimg(whole);
      if (!is_report) std::filesystem::rename(folder / chain.back(), folder / "whole");
      const Outcome found = cuimg(limited);
      ASSERT_EQ(found.exit, 0) << chain.front() << ": " << found.err;
      EXPECT_LT(found.peak_bytes, allowed) << chain.front() << " of " << input;
      EXPECT_EQ(found.out, expected.out) << chain.front();
      if (is_report) continue;
      EXPECT_EQ(run({"cmp", folder / "whole", folder / chain.back()}).exit, 0) << chain.front();
    }
  }
}

TEST_F(ScratchFolder, ChecksumsStayWithinMaxMemory) {
  for (const std::string input : {"in.tif", "in.exr"}) {
    make(input);
    const auto checksum = [&](const Words& limit) {
      Words words = {CUIMG_PROGRAM, "checksum", folder / input};
      words.insert(words.end(), limit.begin(), limit.end());
      return run(words);
    };
    const Outcome expected = checksum({}),
                  found = checksum({"--max-memory", "60M", "--scratch", scratch});
    ASSERT_EQ(found.exit, 0) << found.err;
    EXPECT_EQ(found.out, expected.out);
    EXPECT_LT(found.peak_bytes, allowed) << input;
    EXPECT_GT(expected.peak_bytes, allowed) << input;
    EXPECT_TRUE(std::filesystem::is_empty(scratch));
  }
}

// Images that fit one by one but not together. Pixels, mapped inputs and the program itself count.
TEST_F(ScratchFolder, FoldersStayWithinMaxMemory) {
  for (const char* extension : {"png", "exr", "jpg"}) {
    Words inputs;
    for (int i = 0; i < 6; ++i) {
      inputs.push_back("many" + std::to_string(i) + "." + extension);
      if (i == 0)
        make(inputs[0], "2400x1600");
      else
        std::filesystem::copy_file(folder / inputs[0], folder / inputs.back());
    }
    for (const std::size_t megabytes : {56, 96}) {
      Words words = {"resize", "--size", "60%", "--max-memory", std::to_string(megabytes) + "M"};
      words.insert(words.end(), inputs.begin(), inputs.end());
      words.insert(words.end(), {"-o", "small/"});
      const Outcome outcome = cuimg(words);
      EXPECT_EQ(outcome.exit, 0) << outcome.err;
      EXPECT_LT(outcome.peak_bytes, megabytes << 20) << extension << ", " << megabytes << " MB";
    }
  }
}

TEST_F(ScratchFolder, AnAbsentFolderIsAnErrorBeforeAnyWork) {
  const Outcome failed = cuimg({"flip", "--scratch", folder / "absent", "nothing.png", "out.png"});
  EXPECT_EQ(failed.exit, 2);
  EXPECT_NE(failed.err.find("--scratch"), std::string::npos) << failed.err;
  EXPECT_NE(failed.err.find("absent"), std::string::npos) << failed.err;
}

TEST_F(ScratchFolder, AFullDiskIsAnOrdinaryError) {
  const auto with_small_disk = [&](const std::string& command) {
    return run({"unshare", "-rm", "sh", "-c",
                "mount -t tmpfs -o size=2m none '" + scratch + "' && " + command},
               {.folder = folder.path().string()});
  };
  if (with_small_disk("true").exit != 0) GTEST_SKIP() << "no small file system can be mounted";
  make("in.tif");
  const Outcome failed = with_small_disk(std::string(CUIMG_PROGRAM) +
                                         " rotate --angle 30 --device cpu --max-memory 20M "
                                         "--scratch '" +
                                         scratch + "' in.tif out.tif");
  EXPECT_EQ(failed.exit, 2) << failed.err;
  EXPECT_NE(failed.err.find("has no room"), std::string::npos) << failed.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out.tif"));
}

}  // namespace
}  // namespace cuimg::test

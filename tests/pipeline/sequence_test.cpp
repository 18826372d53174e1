// SPDX-License-Identifier: Apache-2.0
// Sequences of frames and lists of files: which become the inputs, and what the outputs are called.
#include "pipeline/batch/sequence.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/batch/jobs.h"
#include "pipeline/batch/output_pattern.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

std::vector<int> frames(const std::string& text) {
  FrameSet set;
  parse_value(text, {}, set);
  EXPECT_EQ(format_value(set), text);
  return set.numbers();
}

TEST(Frames, AreRunsWithStepsAndSingleOnesEachOnce) {
  EXPECT_EQ(frames("1-9x4,3"), (std::vector{1, 5, 9, 3}));
  EXPECT_EQ(frames("7,1-3,2"), (std::vector{7, 1, 2, 3}));
  EXPECT_EQ(frames("-2--1"), (std::vector{-2, -1}));
  EXPECT_EQ(frames("2147483646-2147483647"), (std::vector{2147483646, 2147483647}));
}

TEST(Frames, RefuseWhatIsNoList) {
  for (const char* text :
       {"", "a", "1-", "1,,2", "5-1", "1-9x0", "1-9x", "1-2147483647", "1 ", "99999999999"}) {
    FrameSet set;
    EXPECT_THROW(parse_value(text, {}, set), BadValue) << text;
  }
}

TEST(FrameNames, HaveANumberOfAtLeastSoManyDigits) {
  EXPECT_EQ(name_of_frame("a.####.exr", 7), "a.0007.exr");
  EXPECT_EQ(name_of_frame("a.%03d.exr", 12345), "a.12345.exr");
  EXPECT_EQ(name_of_frame("a%d.exr", 7), "a7.exr");
  EXPECT_EQ(name_of_frame("s##/a.####.exr", -7), "s-07/a.-0007.exr");
  for (const char* name : {"a#.exr", "a%04x.exr", "100%.exr", "a%4d.exr", "a%", "%0d99"})
    EXPECT_EQ(names_frames(name), std::string(name) == "%0d99") << name;
}

class Sequence : public testing::Test {
 protected:
  Sequence() {
    for (const char* name :
         {"in.0003.exr", "in.0004.exr", "in.0006.exr", "in.0006.exr.bak", "in.10000.exr",
          "in.007.exr", "other.0005.exr", "gap/a01.png", "gap/a02.png", "gap/a04.png"})
      dir_.write(name, "");
  }
  Words plan(Words words) const {
    words.insert(words.begin(), "flip");
    Words lines;
    for (const Job& job : plan_jobs(parse_pipeline(words, test_stages())))
      lines.push_back(below(job.inputs.front()) + (job.black ? " black" : "") + " > " +
                      below(job.output));
    return lines;
  }
  std::string error(const Words& words) const {
    return error_of([&] { plan(words); });
  }
  std::string below(std::string path) const {
    const std::string own = dir_.path().string() + "/";
    return path.starts_with(own) ? path.substr(own.size()) : path;
  }
  std::string at(const std::string& name) const { return dir_ / name; }
  TempDir dir_;
};

TEST_F(Sequence, TakesTheFramesThatAreAskedFor) {
  EXPECT_EQ(plan({"--frames", "3-4", at("in.####.exr"), at("o.%03d.png")}),
            (Words{"in.0003.exr > o.003.png", "in.0004.exr > o.004.png"}));
  EXPECT_EQ(
      plan({"--frames", "10000,6", at("in.####.exr"), "-o", at("o/{frame:06}_{index:02}.png")}),
      (Words{"in.0006.exr > o/000006_00.png", "in.10000.exr > o/010000_01.png"}));
  EXPECT_EQ(plan({"--frames", "3", at("in.####.exr"), "-o", at("o/")}),
            (Words{"in.0003.exr > o/in.0003.exr"}));
}

TEST_F(Sequence, GoesFromTheFirstFrameToTheLast) {
  EXPECT_EQ(plan({at("gap/a##.png"), at("o##.png"), "--missing", "skip"}),
            (Words{"gap/a01.png > o01.png", "gap/a02.png > o02.png", "gap/a04.png > o04.png"}));
}

TEST_F(Sequence, WithAMissingFrameIsAnErrorBeforeAnyWork) {
  EXPECT_EQ(error({at("gap/a##.png"), at("o##.png")}),
            at("gap/a##.png") +
                ": frame 3 is missing: give --frames, or --missing skip, hold or "
                "black");
  EXPECT_NE(error({"--frames", "1-30", at("gap/a##.png"), at("o##.png")})
                .find("frames 3, 5, 6, 7, 8, 9, 10, 11 and 19 more are missing"),
            std::string::npos);
  EXPECT_EQ(error({at("none.##.png"), at("o##.png")}),
            at("none.##.png") + ": no frame of the sequence is there");
  EXPECT_EQ(error({"--frames", "8-9", "--missing", "hold", at("gap/a##.png"), at("o##.png")}),
            at("gap/a##.png") + ": no frame of the sequence is there");
}

TEST_F(Sequence, HoldsTheFrameBeforeAMissingOne) {
  EXPECT_EQ(
      plan({"--frames", "0-5", "--missing", "hold", at("gap/a##.png"), "-o", at("o/")}),
      (Words{"gap/a01.png > o/a00.png", "gap/a01.png > o/a01.png", "gap/a02.png > o/a02.png",
             "gap/a02.png > o/a03.png", "gap/a04.png > o/a04.png", "gap/a04.png > o/a05.png"}));
}

TEST_F(Sequence, PutsBlackInPlaceOfAMissingFrame) {
  EXPECT_EQ(plan({"--frames", "2-3", "--missing", "black", at("gap/a##.png"), "-o", at("o/")}),
            (Words{"gap/a02.png > o/a02.png", "gap/a02.png black > o/a03.png"}));
}

TEST_F(Sequence, IsNoneWhereAFileHasThatName) {
  dir_.write("in.####.exr", "");
  EXPECT_EQ(plan({at("in.####.exr"), at("o.exr")}), (Words{"in.####.exr > o.exr"}));
  EXPECT_EQ(error({"--frames", "1", at("in.####.exr"), at("o.exr")}),
            "--frames 1: no INPUT is a sequence: name it as in.####.exr or in.%04d.exr");
}

TEST_F(Sequence, NeedsAnOutputForEachFrame) {
  EXPECT_NE(error({"--frames", "3-4", at("in.####.exr"), at("o.exr")}).find("one name for several"),
            std::string::npos);
  EXPECT_NE(error({at("in.0003.exr"), "-o", at("{frame}.exr")}).find("is no frame of a sequence"),
            std::string::npos);
}

TEST_F(Sequence, ListsOfFilesAreMoreInputs) {
  dir_.write("lines", at("gap/a02.png") + "\r\n\n" + at("gap/a01.png"));
  dir_.write("nul", at("gap/a02.png") + std::string(1, '\0') + at("gap/a01.png") + '\0');
  const Words both = {"gap/a01.png > o/a01.png", "gap/a02.png > o/a02.png"};
  EXPECT_EQ(plan({"--files-from", at("lines"), at("o/")}), both);
  EXPECT_EQ(plan({"--files-from", at("nul"), "-0", "-o", at("o/")}), both);
  dir_.write("marked", "\xef\xbb\xbf" + at("gap/a02.png") + "\r\n" + at("gap/a01.png"));
  EXPECT_EQ(plan({"--files-from", at("marked"), at("o/")}), both);
  EXPECT_EQ(plan({"--files-from", at("lines"), at("in.0003.exr"), "-o", at("o/")}).size(), 3u);
  EXPECT_NE(error({"--files-from", at("nul"), at("o/")}).find("give -0"), std::string::npos);
  EXPECT_EQ(error({"-0", at("in.0003.exr"), at("o.exr")}),
            "-0: --files-from is not given: name the list");
  dir_.write("blank", "\n\n");
  EXPECT_EQ(error({"--files-from", at("blank"), at("o/")}), "flip: no INPUT: the list is empty");
}

}  // namespace
}  // namespace cuimg::test

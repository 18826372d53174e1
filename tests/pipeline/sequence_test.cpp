// SPDX-License-Identifier: Apache-2.0
// Sequences of frames and lists of files: the inputs, and the names of the outputs.
#include "pipeline/batch/sequence.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "pipeline/batch/output_pattern.h"
#include "pipeline/batch/plan_jobs.h"
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

TEST(Frames, RefuseInvalidLists) {
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
  // As in printf and Nuke.
  EXPECT_EQ(name_of_frame("s##/a.####.exr", -7), "s-7/a.-007.exr");
  EXPECT_EQ(name_of_frame("a.%d.exr", -7), "a.-7.exr");
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

TEST_F(Sequence, MayEndWithTheLargestNumber) {
  for (const char* name : {"w.2147483646.exr", "w.2147483647.exr"}) dir_.write(name, "");
  EXPECT_EQ(plan({at("w.%d.exr"), at("o.%d.exr")}),
            (Words{"w.2147483646.exr > o.2147483646.exr", "w.2147483647.exr > o.2147483647.exr"}));
}

TEST_F(Sequence, BeginsWithNegativeFrames) {
  for (const char* name : {"n/b.-002.exr", "n/b.-001.exr", "n/b.0000.exr", "n/b.-0003.exr"})
    dir_.write(name, "");
  EXPECT_EQ(
      plan({at("n/b.####.exr"), "-o", at("o/{frame:03}.exr")}),
      (Words{"n/b.-002.exr > o/-02.exr", "n/b.-001.exr > o/-01.exr", "n/b.0000.exr > o/000.exr"}));
}

TEST_F(Sequence, IsNamedByTwoMarksOrMore) {
  EXPECT_EQ(error({at("gap/a##.png"), "--missing", "skip", at("o.#.png")}),
            at("o.#.png") +
                ": it is one name for several images: a frame number is written as two or more #, "
                "as in out.##.png");
}

// Such a file would later be read instead of the sequence with that name.
TEST_F(Sequence, OfAnOutputNeedsOneOfAnInput) {
  for (const char* name : {"out.####.exr", "out.%04d.exr"})
    EXPECT_EQ(error({at("in.0003.exr"), at(name)}),
              at(name) +
                  ": it needs frame numbers, but no INPUT is a sequence: name an INPUT like "
                  "in.####.exr, or this file without #");
  dir_.write("real.####.exr", "");
  EXPECT_EQ(plan({at("real.####.exr"), at("real2.####.exr")}),
            Words{"real.####.exr > real2.####.exr"});
}

TEST_F(Sequence, OfASingleNumberSignIsAFileThatIsNotThere) {
  EXPECT_EQ(error({at("in.#.exr"), "-o", at("o/")}),
            at("in.#.exr") +
                ": no such file: a sequence has two # or more, as in.##.exr, or %d: in.%d.exr");
}

TEST_F(Sequence, WithAMissingFrameIsAnErrorBeforeAnyWork) {
  EXPECT_EQ(error({at("gap/a##.png"), at("o##.png")}),
            at("gap/a##.png") +
                ": frame 3 is missing: list the existing frames with --frames, or give --missing "
                "skip, hold or black");
  EXPECT_NE(error({"--frames", "1-30", at("gap/a##.png"), at("o##.png")})
                .find("frames 3, 5, 6, 7, 8, 9, 10, 11 and 19 more are missing: list the "
                      "existing frames with --frames"),
            std::string::npos);
  EXPECT_EQ(error({at("none.##.png"), at("o##.png")}),
            at("none.##.png") + ": no frame of the sequence exists");
  EXPECT_EQ(error({"--frames", "8-9", "--missing", "skip", at("gap/a##.png"), at("o##.png")}),
            at("gap/a##.png") + ": none of these frames exists: 8, 9: give others with --frames");
}

TEST_F(Sequence, HoldsTheFrameBeforeAMissingOne) {
  EXPECT_EQ(
      plan({"--frames", "0-5", "--missing", "hold", at("gap/a##.png"), "-o", at("o/")}),
      (Words{"gap/a01.png > o/a00.png", "gap/a01.png > o/a01.png", "gap/a02.png > o/a02.png",
             "gap/a02.png > o/a03.png", "gap/a04.png > o/a04.png", "gap/a04.png > o/a05.png"}));
}

TEST_F(Sequence, HoldsAFrameThatIsNotAskedFor) {
  EXPECT_EQ(plan({"--frames", "3", "--missing", "hold", at("gap/a##.png"), "-o", at("o/")}),
            (Words{"gap/a02.png > o/a03.png"}));
  EXPECT_EQ(plan({"--frames", "8-9", "--missing", "hold", at("gap/a##.png"), "-o", at("o/")}),
            (Words{"gap/a04.png > o/a08.png", "gap/a04.png > o/a09.png"}));
  EXPECT_EQ(plan({"--frames", "0", "--missing", "black", at("gap/a##.png"), "-o", at("o/")}),
            (Words{"gap/a01.png black > o/a00.png"}));
}

TEST_F(Sequence, CountsFramesByTheirNumbers) {
  for (const char* name : {"long/q.998.png", "long/q.999.png", "long/q.1000.png"})
    dir_.write(name, "");
  EXPECT_EQ(plan({at("long/q.%d.png"), "-o", at("o/{index}_{frame}.png")}),
            (Words{"long/q.998.png > o/0_998.png", "long/q.999.png > o/1_999.png",
                   "long/q.1000.png > o/2_1000.png"}));
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
  EXPECT_NE(
      error({at("in.0003.exr"), "-o", at("{frame}.exr")}).find("is not a frame of a sequence"),
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

// Files in options that are read frame by frame.
class SecondSequence : public Sequence {
 protected:
  SecondSequence() {
    for (const char* name : {"bg.3.exr", "bg.4.exr", "bg.6.exr", "grade.04.cube", "grade.06.cube"})
      dir_.write(name, "");
  }
  // The files read besides the input of each job; for a black frame, the file that defines its
  // form.
  Words second(Words words) const {
    words.insert(words.end(), {"--frames", "3-4,6", at("in.####.exr"), "-o", at("o/")});
    Words lines;
    for (const Job& job : plan_jobs(parse_pipeline(words))) {
      std::string line = below(job.inputs.front());
      for (const StageFile& file : job.stage_files)
        line += (file.is_own ? " " : " always ") + below(file.path) +
                (file.black_form.empty() ? "" : " black as " + below(file.black_form));
      lines.push_back(line);
    }
    return lines;
  }
  std::string second_error(const Words& words) const {
    return error_of([&] { second(words); });
  }
};

TEST_F(SecondSequence, IsReadAtTheFrameOfTheInput) {
  EXPECT_EQ(second({"over", "--with", at("bg.%d.exr")}),
            (Words{"in.0003.exr bg.3.exr", "in.0004.exr bg.4.exr", "in.0006.exr bg.6.exr"}));
  EXPECT_EQ(second({"over", "--with", at("in.0003.exr"), "+", "append", "--with", at("bg.%d.exr"),
                    "--with", at("in.####.exr")}),
            (Words{"in.0003.exr always in.0003.exr bg.3.exr in.0003.exr",
                   "in.0004.exr always in.0003.exr bg.4.exr in.0004.exr",
                   "in.0006.exr always in.0003.exr bg.6.exr in.0006.exr"}));
  EXPECT_EQ(second({"over", "--with", at("bg.3.exr")}),
            (Words{"in.0003.exr", "in.0004.exr", "in.0006.exr"}));
}

TEST_F(SecondSequence, IsNoneWhereAFileHasThatName) {
  dir_.write("bg.%d.exr", "");
  EXPECT_EQ(second({"over", "--with", at("bg.%d.exr")}),
            (Words{"in.0003.exr", "in.0004.exr", "in.0006.exr"}));
}

TEST_F(SecondSequence, WithMissingFramesIsAnErrorBeforeAnyWork) {
  const std::string bg = at("bg.%d.exr"), grade = at("grade.##.cube");
  std::filesystem::remove(at("bg.4.exr"));
  std::filesystem::remove(at("bg.6.exr"));
  EXPECT_EQ(second_error({"over", "--with", bg}),
            "over: --with " + bg +
                ": frames 4, 6 are missing: list the existing frames with --frames, or give "
                "--missing skip, hold or black");
  EXPECT_EQ(second_error({"over", "--with", at("bg.3.exr"), "+", "lut", "--file", grade}),
            "lut: --file " + grade +
                ": frame 3 is missing: list the existing frames with --frames, or give --missing "
                "skip, hold or black");
  const std::string recipe = dir_.write("recipe", "over --with " + bg);
  EXPECT_TRUE(second_error({"@" + recipe}).starts_with(recipe + ": over: --with " + bg));
  EXPECT_EQ(second_error({"over", "--missing", "hold", "--with", at("none.##.exr")}),
            "over: --with " + at("none.##.exr") + ": no frame of the sequence exists");
}

TEST_F(SecondSequence, HasWhatMissingSaysInPlaceOfAMissingFrame) {
  const std::string bg = at("bg.%d.exr"), grade = at("grade.##.cube");
  std::filesystem::remove(at("bg.4.exr"));
  EXPECT_EQ(second({"over", "--missing", "skip", "--with", bg}),
            (Words{"in.0003.exr bg.3.exr", "in.0006.exr bg.6.exr"}));
  EXPECT_EQ(second({"over", "--missing", "skip", "--with", bg, "+", "lut", "--file", grade}),
            (Words{"in.0006.exr bg.6.exr grade.06.cube"}));
  EXPECT_EQ(second({"over", "--missing", "hold", "--with", bg, "+", "lut", "--file", grade}),
            (Words{"in.0003.exr bg.3.exr grade.04.cube", "in.0004.exr bg.3.exr grade.04.cube",
                   "in.0006.exr bg.6.exr grade.06.cube"}));
  EXPECT_EQ(second({"over", "--missing", "black", "--with", bg}),
            (Words{"in.0003.exr bg.3.exr", "in.0004.exr bg.4.exr black as bg.3.exr",
                   "in.0006.exr bg.6.exr"}));
  EXPECT_EQ(
      second_error({"lut", "--missing", "black", "--file", grade}),
      "lut: --file " + grade +
          ": frame 3 is missing, and --missing black is for images only: give --missing skip or "
          "hold");
  std::filesystem::remove(at("grade.06.cube"));
  EXPECT_EQ(second_error({"over", "--missing", "skip", "--with", bg, "+", "lut", "--file", grade}),
            "over: --with " + bg + ": no frame has every file that is read with it");
}

TEST_F(SecondSequence, NeedsASequenceAsInput) {
  const std::string bg = at("bg.%d.exr");
  const auto problem = [&](Words words) {
    words.insert(words.begin() + (words.front() == "over" ? 1 : 3), {"--with", bg});
    return error_of([&] { plan_jobs(parse_pipeline(words)); });
  };
  const auto expected = [&](const std::string& why) {
    return "over: --with " + bg + ": no such file; a sequence needs INPUT to be one, and " + why +
           ": name INPUT as in.####.exr";
  };
  EXPECT_EQ(problem({"over", at("in.0003.exr"), at("o.exr")}),
            expected(at("in.0003.exr") + " is none"));
  EXPECT_EQ(problem({"over", at("gap"), "-o", at("o/")}), expected(at("gap/a01.png") + " is none"));
  EXPECT_EQ(
      problem({"over", "--frames", "3", at("in.####.exr"), at("gap/a01.png"), "-o", at("o/")}),
      expected(at("gap/a01.png") + " is none"));
  EXPECT_EQ(problem({"noise", "+", "over", at("o.exr")}), expected("this chain takes no INPUT"));
  EXPECT_EQ(problem({"append", "+", "over", "--frames", "3", at("in.####.exr"), "-o", at("o.exr")}),
            expected("all INPUTs become one image"));
}

TEST_F(SecondSequence, IsNotReplaced) {
  const auto problem = [&](const Words& more) {
    Words words = {"over", "--with", at("bg.%d.exr"), "--frames", "3-4"};
    words.insert(words.end(), more.begin(), more.end());
    return error_of([&] { plan_jobs(parse_pipeline(words)); });
  };
  const std::string reason =
      ": it is the output, and the file of --with of over: write to another file";
  EXPECT_EQ(problem({at("in.####.exr"), at("bg.%d.exr")}), at("bg.3.exr") + reason);
  EXPECT_EQ(problem({at("in.####.exr"), at("bg.%02d.exr")}), "no error");
  std::filesystem::create_symlink(at("bg.4.exr"), at("link.0003.exr"));
  EXPECT_EQ(problem({at("in.####.exr"), at("link.####.exr")}), at("link.0003.exr") + reason);
  EXPECT_EQ(
      problem({"+", "tee", at("bg.{frame}.exr"), "+", "flip", at("in.####.exr"), "-o", at("o/")}),
      at("bg.3.exr") + reason);
  std::filesystem::remove(at("bg.4.exr"));
  EXPECT_EQ(problem({"--missing", "black", at("in.####.exr"), at("bg.%d.exr")}),
            at("bg.3.exr") + reason);
}

TEST_F(Sequence, AFileThatNoStageFindsIsAnErrorBeforeAnyWork) {
  const auto problem = [&](const Words& words) {
    return error_of([&] { plan_jobs(parse_pipeline(words)); });
  };
  EXPECT_EQ(problem({"over", "--with", at("none.png"), at("gap"), "-o", at("o/")}),
            "over: --with " + at("none.png") + ": no such file");
  EXPECT_EQ(problem({"over", "--with", at("bg.#.png"), at("gap"), "-o", at("o/")}),
            "over: --with " + at("bg.#.png") +
                ": no such file: a sequence has two # or more, as in.##.exr, or %d: in.%d.exr");
  EXPECT_EQ(problem({"convolve", "--kernel", "1,2,1", at("gap"), "-o", at("o/")}), "no error");
}

}  // namespace
}  // namespace cuimg::test

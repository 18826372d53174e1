// SPDX-License-Identifier: Apache-2.0
// Sequences and lists of files, from pictures to pictures.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

class SequenceFiles : public BadInput {
 protected:
  // Frames 1, 2 and 4 exist.
  void SetUp() override {
    for (const int frame : {1, 2, 4})
      expect_done({"constant", "--size", "5x3", "--color", "0." + std::to_string(frame), "--type",
                   "half", "in.000" + std::to_string(frame) + ".exr"});
  }
  std::string pixels(const std::string& name) const { return expect_done({"checksum", name}).out; }
};

TEST_F(SequenceFiles, BlackIsAsLargeAsItsNeighbourAndZero) {
  expect_done({"flip", "in.####.exr", "o.##.exr", "--missing", "black"});
  expect_done({"gain", "--value", "0", "in.0002.exr", "zero.exr"});
  EXPECT_EQ(pixels("o.03.exr").substr(0, 64), pixels("zero.exr").substr(0, 64));
  EXPECT_EQ(pixels("o.04.exr").substr(0, 64), pixels("in.0004.exr").substr(0, 64));
}

TEST_F(SequenceFiles, HoldRepeatsTheFrameBefore) {
  expect_done(
      {"convert", "--frames", "1-4", "in.%04d.exr", "-o", "{frame:03}.exr", "--missing", "hold"});
  EXPECT_EQ(read_file(folder / "003.exr"), read_file(folder / "002.exr"));
}

TEST_F(SequenceFiles, AMissingFrameStopsBeforeAnyWork) {
  expect_refused({"flip", "in.####.exr", "o.##.exr"},
                 {"in.####.exr: frame 3 is missing", "--missing skip, hold or black"});
}

TEST_F(SequenceFiles, AListComesFromStandardInput) {
  expect_done({"flip", "--files-from", "-", "-0", "-o", "o/"},
              {.input = std::string("in.0001.exr\0in.0004.exr\0", 24)});
  EXPECT_TRUE(std::filesystem::exists(folder / "o/in.0001.exr"));
  EXPECT_TRUE(std::filesystem::exists(folder / "o/in.0004.exr"));
  expect_refused({"flip", "--files-from", "-", "-", "-o", "p/"},
                 {"standard input can be read only once"}, {.input = "in.0001.exr"});
}

TEST_F(SequenceFiles, SkipExistingMakesAnewWhatHasChanged) {
  const Words command = {"flip", "--skip-existing", "in.0001.exr", "in.0002.exr", "-o", "o/"};
  expect_done(command);
  const auto made = std::filesystem::last_write_time(folder / "o/in.0002.exr");
  std::filesystem::copy_file(folder / "in.0004.exr", folder / "in.0001.exr",
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome again = cuimg(command);
  EXPECT_EQ(again.exit, 0);
  EXPECT_EQ(again.err,
            "cuimg: o/in.0001.exr exists, but was made by another command or from other files; it "
            "is made anew\n");
  EXPECT_EQ(std::filesystem::last_write_time(folder / "o/in.0002.exr"), made);
  EXPECT_EQ(pixels("o/in.0001.exr").substr(0, 64), pixels("in.0004.exr").substr(0, 64));
}

TEST_F(SequenceFiles, SkipExistingNoticesAChangedKernel) {
  const Words command = {"convolve",        "--kernel",    "k.txt",
                         "--skip-existing", "in.0001.exr", "o.exr"};
  folder.write("k.txt", "0,0,0\n0,1,0\n0,0,0\n");
  expect_done(command);
  expect_done(command);
  folder.write("k.txt", "0,0,0\n0,2,0\n0,0,0\n0,0,0\n0,0,0\n");
  const Outcome again = cuimg(command);
  EXPECT_EQ(again.exit, 0);
  EXPECT_NE(again.err.find("it is made anew"), std::string::npos) << again.err;
}

// Two sequences that are combined: frames 1 to 3 of each.
class TwoSequences : public SequenceFiles {
 protected:
  void SetUp() override {
    for (const std::string frame : {"1", "2", "3"}) {
      expect_done({"noise", "--size", "7x5", "--seed", frame, "--type", "half", "--channels",
                   "RGBA", "fg.000" + frame + ".exr"});
      expect_done({"noise", "--size", "7x5", "--seed", "1" + frame, "--type", "half", "--channels",
                   "RGBA", "bg.0" + frame + ".exr"});
    }
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  // The result of dest-over for a single frame.
  std::string alone(const std::string& frame, const std::string& second) const {
    expect_done({"dest-over", "--with", second, "fg.000" + frame + ".exr", "alone.exr"});
    return bytes("alone.exr");
  }
};

TEST_F(TwoSequences, MakeOneFrameByFrame) {
  const std::vector<Words> ways = {{}, {"--jobs", "1"}, {"--jobs", "3", "--threads", "3"}};
  for (Words words : ways) {
    words.insert(words.begin(), {"dest-over", "--with", "bg.##.exr"});
    words.insert(words.end(), {"fg.####.exr", "o.####.exr"});
    expect_done(words);
    for (const std::string frame : {"1", "2", "3"})
      EXPECT_EQ(bytes("o.000" + frame + ".exr"), alone(frame, "bg.0" + frame + ".exr"));
  }
}

TEST_F(TwoSequences, AreSharedOutByFrames) {
  expect_done({"dest-over", "--with", "bg.##.exr", "--shard", "1/2", "fg.####.exr", "o.####.exr"});
  EXPECT_FALSE(std::filesystem::exists(folder / "o.0001.exr"));
  EXPECT_EQ(bytes("o.0002.exr"), alone("2", "bg.02.exr"));
}

TEST_F(TwoSequences, MayBeNamedInARecipe) {
  folder.write("comp", "dest-over --with bg.##.exr # one each\n");
  expect_done({"@comp", "--frames", "2", "fg.####.exr", "o.####.exr"});
  EXPECT_EQ(bytes("o.0002.exr"), alone("2", "bg.02.exr"));
}

TEST_F(TwoSequences, TakeEveryKindOfFile) {
  for (const std::string frame : {"1", "2"})
    folder.write("t." + frame + ".cube",
                 "LUT_1D_SIZE 2\n0 0 0\n0." + frame + " 0." + frame + " 1\n");
  expect_done({"lut",   "--file", "t.%d.cube", "+",         "mask",   "--with",      "bg.##.exr",
               "+",     "append", "--with",    "bg.##.exr", "--with", "bg.02.exr",   "+",
               "remap", "--map",  "bg.##.exr", "--frames",  "1-2",    "fg.####.exr", "o.####.exr"});
  for (const std::string frame : {"1", "2"}) {
    const std::string bg = "bg.0" + frame + ".exr";
    expect_done({"lut", "--file", "t." + frame + ".cube", "+", "mask", "--with", bg, "+", "append",
                 "--with", bg, "--with", "bg.02.exr", "+", "remap", "--map", bg,
                 "fg.000" + frame + ".exr", "alone.exr"});
    EXPECT_EQ(bytes("o.000" + frame + ".exr"), bytes("alone.exr")) << frame;
  }
}

TEST_F(TwoSequences, PutBlackOrTheFrameBeforeInPlaceOfAMissingFrame) {
  std::filesystem::remove(folder / "bg.02.exr");
  expect_done({"constant", "--size", "7x5", "--color", "0,0,0,0", "--type", "half", "black.exr"});
  expect_done(
      {"dest-over", "--missing", "black", "--with", "bg.##.exr", "fg.####.exr", "-o", "b/"});
  EXPECT_EQ(bytes("b/fg.0001.exr"), alone("1", "bg.01.exr"));
  EXPECT_EQ(bytes("b/fg.0002.exr"), alone("2", "black.exr"));
  expect_done({"dest-over", "--missing", "hold", "--with", "bg.##.exr", "fg.####.exr", "-o", "h/"});
  EXPECT_EQ(bytes("h/fg.0002.exr"), alone("2", "bg.01.exr"));
  EXPECT_EQ(bytes("h/fg.0003.exr"), alone("3", "bg.03.exr"));
  expect_done({"dest-over", "--missing", "skip", "--with", "bg.##.exr", "fg.####.exr", "-o", "s/"});
  EXPECT_FALSE(std::filesystem::exists(folder / "s/fg.0002.exr"));
  EXPECT_EQ(bytes("s/fg.0003.exr"), alone("3", "bg.03.exr"));
  expect_refused({"dest-over", "--with", "bg.##.exr", "fg.####.exr", "-o", "e/"},
                 {"dest-over: --with bg.##.exr: frame 2 is missing"});
}

TEST_F(TwoSequences, AreResumedByTheFilesOfEachFrame) {
  const Words command = {"flip", "+",      "tee",       "flipped/",        "+",
                         "over", "--with", "bg.##.exr", "--skip-existing", "fg.####.exr",
                         "-o",   "o/"};
  expect_done(command);
  const auto made = [&](const std::string& name) {
    return std::filesystem::last_write_time(folder / name);
  };
  const auto first = made("o/fg.0001.exr");
  std::filesystem::copy_file(folder / "bg.03.exr", folder / "bg.02.exr",
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome again = cuimg(command);
  EXPECT_EQ(again.exit, 0);
  EXPECT_EQ(again.err,
            "cuimg: o/fg.0002.exr exists, but was made by another command or from other files; it "
            "is made anew\n");
  EXPECT_EQ(made("o/fg.0001.exr"), first);
  // The result for a single frame.
  expect_done({"flip", "+", "tee", "flipped/", "+", "over", "--with", "bg.01.exr",
               "--skip-existing", "fg.0001.exr", "-o", "o/"});
  EXPECT_EQ(made("o/fg.0001.exr"), first);
}

TEST_F(TwoSequences, OfWhichOneIsBlackAreResumedByItsForm) {
  std::filesystem::remove(folder / "bg.02.exr");
  Words command = {"dest-over",       "--with",      "bg.##.exr", "--missing", "black",
                   "--skip-existing", "fg.####.exr", "-o",        "o/"};
  expect_done(command);
  expect_done(command);
  expect_done({"constant", "--size", "7x5", "--color", "1,1,1", "bg.01.exr"});
  command.emplace_back("-v");  // lists all files
  const std::string err = cuimg(command).err;
  EXPECT_NE(err.find("o/fg.0001.exr exists, but"), std::string::npos) << err;
  EXPECT_NE(err.find("o/fg.0002.exr exists, but"), std::string::npos) << err;
  EXPECT_EQ(err.find("o/fg.0003.exr exists, but"), std::string::npos) << err;
}

TEST_F(TwoSequences, AreShownByDryRunWithTheirFiles) {
  EXPECT_EQ(expect_done({"over", "--dry-run", "--frames", "1,3", "--with", "bg.##.exr",
                         "fg.####.exr", "o.####.exr"})
                .out,
            "fg.0001.exr -> o.0001.exr: over --with bg.01.exr\n"
            "fg.0003.exr -> o.0003.exr: over --with bg.03.exr\n");
}

TEST_F(SequenceFiles, AFormatThatIsOnlyReadFailsItsFileAlone) {
  folder.write("in/a.gif", "GIF89a");
  std::filesystem::copy_file(folder / "in.0001.exr", folder / "in/b.exr");
  const Outcome outcome = cuimg({"flip", "in", "-o", "o/"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("o/a.gif"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("1 of 2 images failed"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "o/b.exr"));
}

}  // namespace
}  // namespace cuimg::test

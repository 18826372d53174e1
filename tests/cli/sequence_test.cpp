// SPDX-License-Identifier: Apache-2.0
// Sequences and lists of files, from pictures to pictures.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

class SequenceFiles : public BadInput {
 protected:
  // Frames 1, 2 and 4 are there.
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
                 {"standard input can be read once"}, {.input = "in.0001.exr"});
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
            "cuimg: o/in.0001.exr exists, but was made otherwise or of other files; it is made "
            "anew\n");
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

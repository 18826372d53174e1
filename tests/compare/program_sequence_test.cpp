// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` of two sequences, and of folders whose pictures are paired by their stems.
#include <sstream>

#include "compare_program.h"

namespace cuimg::test {
namespace {

using nlohmann::json;

class CompareSequences : public CompareProgramTest {
 protected:
  // Frame 2 differs, 3 has no golden and 5 no result; frame 4 is missing on both sides.
  CompareSequences() {
    for (const int frame : {1, 2, 5}) save(golden_of(frame), golden_);
    for (const int frame : {1, 2, 3}) save(result_of(frame), frame == 1 ? golden_ : result_);
  }
  static std::string golden_of(int frame) { return "g/a.000" + std::to_string(frame) + ".png"; }
  static std::string result_of(int frame) { return "r/b_" + std::to_string(frame) + ".png"; }
  Outcome compare_all(std::vector<std::string> words) const {
    words.insert(words.end(), {"g/a.####.png", "r/b_%d.png"});
    return compare(words);
  }
};

TEST_F(CompareSequences, FramesOfOneNumberArePairs) {
  const Outcome outcome = compare_all({});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "differs: g/a.0002.png r/b_2.png\n");
  expect_contains(outcome.out, "differs: g/a.0003.png r/b_3.png\n  there is no golden\n");
  expect_contains(outcome.out, "differs: g/a.0005.png r/b_5.png\n  the result is missing\n");
  expect_contains(outcome.out, "1 same, 1 differ, 1 missing, 1 extra, 0 errors\n");
  expect_contains(compare_all({"--allow-missing", "--allow-extra", "--fail", "1"}).out,
                  "2 same, 0 differ, 1 missing (allowed), 1 extra (allowed), 0 errors\n");
}

TEST_F(CompareSequences, FramesThatAreNamedMustBeThere) {
  EXPECT_EQ(compare_all({"--frames", "1"}).exit, 0);
  expect_contains(compare_all({"--frames", "1-5x4"}).out, "1 same, 0 differ, 1 missing");
  const Outcome outcome = compare_all({"--frames", "1,4"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "neither g/a.0004.png nor r/b_4.png is there");
  expect_contains(compare_all({"--frames", "7-9", "--allow-missing"}).err,
                  "g/a.####.png: none of these frames is there");
}

TEST_F(CompareSequences, WithoutAFrameOnOneSideNothingPasses) {
  const Outcome outcome =
      compare({"--allow-missing", "--allow-extra", "g/a.####.png", "nowhere/b.####.png"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "nowhere/b.####.png: no frame of the sequence exists");
  EXPECT_EQ(compare({"--allow-extra", "g/x.####.png", "r/b_%d.png"}).exit, 2);
}

TEST_F(CompareSequences, AreComparedWithSequencesAlone) {
  for (const std::string other : {"r/b_1.png", "r", "none.png"}) {
    const Outcome outcome = compare({"g/a.####.png", other});
    EXPECT_EQ(outcome.exit, 2);
    expect_contains(outcome.err, "g/a.####.png is a sequence and " + other + " is not");
    EXPECT_EQ(compare({other, "g/a.####.png"}).exit, 2);
  }
  expect_contains(compare({"--frames", "1", "g", "r"}).err, "--frames 1: no operand is a sequence");
  EXPECT_EQ(compare_all({"--include", "*"}).exit, 2);
  EXPECT_EQ(compare_all({"--match", "stem"}).exit, 2);
  EXPECT_EQ(compare_all({"--flip-map", "map.pfm"}).exit, 2);
  // A file with a sequence's name is not a sequence.
  save("g/a.####.png", golden_);
  EXPECT_EQ(compare({"g/a.####.png", "g/a.0001.png"}).exit, 0);
}

TEST_F(CompareSequences, ReportsNameEveryFrame) {
  EXPECT_EQ(compare_all({"--junit", "junit.xml", "--html", "html", "--jobs", "2"}).exit, 1);
  const std::string junit = text("junit.xml");
  expect_contains(junit, "tests=\"4\" failures=\"3\" errors=\"0\"");
  for (const int frame : {1, 2, 3, 5}) expect_contains(junit, "name=\"" + golden_of(frame) + "\"");
  expect_contains(text("html/index.html"), "\"name\":\"a.0005.png\"");
  const Outcome outcome = compare_all({"--json", "--allow-missing", "--allow-extra"});
  std::istringstream lines(outcome.out);
  std::vector<json> pairs;
  for (std::string line; std::getline(lines, line);) pairs.push_back(json::parse(line));
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_EQ(pairs[2]["lone"], "extra");
  EXPECT_EQ(pairs[3]["lone"], "missing");
  EXPECT_EQ(pairs[3]["verdict"], "same");
  // Files that were missing before cause no warning.
  folder_.write("run.json", outcome.out);
  EXPECT_EQ(compare({"--from", "run.json", "--html", "stored"}).err, "");
  EXPECT_EQ(compare_all({"--junit", golden_of(1)}).exit, 2);
}

TEST_F(CompareSequences, AnUpdateNamesNewGoldensAsTheSequenceDoes) {
  const Outcome outcome = compare_all({"--update", "--yes"});
  EXPECT_EQ(outcome.exit, 1);  // frame 5 is missing
  EXPECT_EQ(text(golden_of(2)), text(result_of(2)));
  EXPECT_EQ(text(golden_of(3)), text(result_of(3)));
  EXPECT_TRUE(exists(golden_of(5)));
  EXPECT_EQ(compare({"--update", "--yes", "new/c.##.png", "r/b_%d.png"}).exit, 0);
  EXPECT_EQ(text("new/c.03.png"), text(result_of(3)));
}

TEST_F(CompareSequences, AFolderWithTheNumberNeedsFrames) {
  for (const int frame : {1, 2}) save("shot" + std::to_string(frame) + "/x.png", golden_);
  EXPECT_EQ(compare({"shot%d/x.png", "r/b_%d.png"}).exit, 2);
  const Outcome outcome =
      compare({"--frames", "1-2", "--html", "html", "shot%d/x.png", "r/b_%d.png"});
  EXPECT_EQ(outcome.exit, 1);
  for (const char* name : {"\"name\":\"shot1/x.png\"", "\"name\":\"shot2/x.png\""})
    expect_contains(text("html/index.html"), name);
}

class CompareStems : public CompareProgramTest {
 protected:
  CompareStems() {
    save("g/a.png", golden_);
    save("g/sub/b.tif", golden_);
    save("r/a.tga", golden_);
    save("r/sub/b.png", result_);
  }
};

TEST_F(CompareStems, PairFilesOfDifferentFormats) {
  EXPECT_EQ(compare({"g", "r"}).exit, 1);
  const Outcome outcome = compare({"--match", "stem", "g", "r"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "differs: g/sub/b.tif r/sub/b.png\n");
  expect_contains(outcome.out, "1 same, 1 differ, 0 missing, 0 extra, 0 errors\n");
  // Sections are selected by the golden's name.
  folder_.write("g/.cuimg-compare", "[*.tif]\nfail = 1\n");
  EXPECT_EQ(compare({"--match", "stem", "g", "r"}).exit, 0);
}

TEST_F(CompareStems, ATypeThatDiffersIsADifferenceAsEver) {
  write_image(folder_ / "r/a.tga", golden_, *codec_named("tga"));
  std::filesystem::remove(folder_ / "r/a.tga");
  save("r/a.exr", pattern_of_light(40, 30, 0, false));
  expect_contains(compare({"--match", "stem", "--include", "a.*", "g", "r"}).out,
                  "type of R is float, golden has u8");
}

TEST_F(CompareStems, TwoFilesOfOneStemAreAnErrorBeforeAnyWork) {
  save("r/a.png", golden_);
  const Outcome outcome = compare({"--match", "stem", "g", "r"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  expect_contains(outcome.err, "r/a.png and r/a.tga have the same stem");
  expect_contains(compare({"--match", "stem", "--exclude", "*.tga", "g", "r"}).out, "1 same, 1");
  save("g/sub/b.png", golden_);
  EXPECT_EQ(compare({"--match", "stem", "--exclude", "*.tga", "g", "r"}).exit, 2);
}

TEST_F(CompareStems, VariantsMayHaveAnyExtension) {
  save("g/sub/b@@dark.png", result_);
  const Outcome outcome = compare({"--match", "stem", "g", "r"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  expect_contains(outcome.out, "2 same");
}

TEST_F(CompareStems, AnUpdateAddsNewStemsAndNeverGivesAGoldenAnotherFormatsName) {
  save("r/new.exr", pattern_of_light(8, 8, 0, false));
  const Outcome outcome = compare({"--match", "stem", "--update", "--yes", "g", "r"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(text("g/new.exr"), text("r/new.exr"));
  EXPECT_NE(text("g/sub/b.tif"), text("r/sub/b.png"));
  expect_contains(outcome.err, "its content is PNG, but the golden's name says TIFF");
  expect_contains(outcome.out, "1 error, 1 added\n");
  EXPECT_EQ(compare({"--update", "--yes", "g/sub/b.tif", "r/sub/b.png"}).exit, 2);
  EXPECT_EQ(compare({"--update", "--yes", "g/new.tif", "r/sub/b.png"}).exit, 2);
}

}  // namespace
}  // namespace cuimg::test

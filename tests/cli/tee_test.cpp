// SPDX-License-Identifier: Apache-2.0
// Several results from one decoding: each equals the output of a separate command.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class TeeFiles : public BadInput {
 protected:
  void SetUp() override {
    expect_done({"noise", "--size", "61x37", "--type", "u8", "in.png"});
    expect_done({"noise", "--size", "40x30", "--type", "half", "in.exr"});
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
};

const std::vector<Words>& some_stages() {
  static const std::vector<Words> stages = {{"flip"},
                                            {"exposure", "--stops", "0.5"},
                                            {"resize", "--size", "50%"},
                                            {"median", "--size", "3"},
                                            {"normalize"},
                                            {"tonemap"},
                                            {"crop", "--region", "20x11+3+5"},
                                            {"grayscale"}};
  return stages;
}

TEST_F(TeeFiles, AreThoseOfCommandsOfTheirOwn) {
  int outputs = 0;
  for (const Words& before : some_stages())
    for (const Words& behind : some_stages()) {
      const std::string ending = ++outputs % 2 == 0 ? ".png" : ".exr";
      const std::string input = outputs % 3 == 0 ? "in.exr" : "in.png";
      SCOPED_TRACE(before.front() + " + " + behind.front() + " of " + input + " to " + ending);
      expect_done(before + Words{"+", "tee", "t" + ending, "+"} + behind +
                  Words{input, "o" + ending});
      expect_done(before + Words{input, "t2" + ending});
      expect_done(before + Words{"+"} + behind + Words{input, "o2" + ending});
      EXPECT_EQ(bytes("t" + ending), bytes("t2" + ending));
      EXPECT_EQ(bytes("o" + ending), bytes("o2" + ending));
    }
}

TEST_F(TeeFiles, HaveOutputOptionsOfTheirOwn) {
  expect_done({"flip", "+", "tee", "a.jpg", "--quality", "40", "--set", "Author=A", "+", "flop",
               "in.png", "b.jpg", "--quality", "95"});
  expect_done({"flip", "--quality", "40", "--set", "Author=A", "in.png", "a2.jpg"});
  expect_done({"flip", "+", "flop", "--quality", "95", "in.png", "b2.jpg"});
  EXPECT_EQ(bytes("a.jpg"), bytes("a2.jpg"));
  EXPECT_EQ(bytes("b.jpg"), bytes("b2.jpg"));
  expect_refused(
      {"flip", "+", "tee", "a.exr", "--compression", "zap", "+", "flop", "in.png", "b.png"},
      {"zap"});
}

TEST_F(TeeFiles, MayBeSeveralInOnePlaceAndBeforeAnyStage) {
  expect_done({"tee", "a.exr", "+", "tee", "a.png", "+", "flip", "in.png", "b.png"});
  expect_done({"convert", "in.png", "a2.exr"});
  expect_done({"convert", "in.png", "a2.png"});
  EXPECT_EQ(bytes("a.exr"), bytes("a2.exr"));
  EXPECT_EQ(bytes("a.png"), bytes("a2.png"));
}

TEST_F(TeeFiles, AtTheEndReplaceTheOutput) {
  std::filesystem::copy_file(folder / "in.exr", folder / "other.exr");
  const Words chain = {"resize", "--size", "50%", "+",   "tee", "a/{stem}.jpg",
                       "+",      "flip",   "+",   "tee", "b/"};
  expect_refused(chain + Words{"in.png", "in.exr"}, {"become it"});
  expect_done(chain + Words{"in.png", "other.exr"});
  for (const char* name : {"a/in.jpg", "a/other.jpg", "b/in.png", "b/other.exr"})
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
}

TEST_F(TeeFiles, AtTheEndAreTheOnlyOutputOfTheEnd) {
  const std::string before = bytes("in.png");
  const std::string problem = " is given, and at the end of a chain OUT is the output: leave out";
  expect_refused({"flop", "--in-place", "+", "tee", "t.jpg", "in.png"},
                 {"tee: --in-place" + problem});
  expect_refused({"flop", "+", "tee", "--in-place", "t.jpg", "in.png"},
                 {"tee: --in-place" + problem});
  expect_refused({"flop", "+", "tee", "t.jpg", "in.png", "-o", "w2/"},
                 {"tee: -o w2/" + problem + " one of them, or end the chain with + tee w2/"});
  expect_refused({"flop", "-o", "w2/", "+", "tee", "t.jpg", "in.png"}, {"tee: -o w2/" + problem});
  EXPECT_EQ(bytes("in.png"), before);
  EXPECT_FALSE(std::filesystem::exists(folder / "w2"));
  expect_done({"flop", "+", "tee", "t.jpg", "+", "tee", "w2/", "in.png"});
  EXPECT_TRUE(std::filesystem::exists(folder / "t.jpg"));
  EXPECT_TRUE(std::filesystem::exists(folder / "w2/in.png"));
}

TEST_F(TeeFiles, GoBeforeAReportAndBehindASource) {
  const Outcome both =
      expect_done({"checker", "--size", "8x8", "+", "tee", "a.png", "+", "invert", "+", "stats"});
  const Outcome alone = expect_done({"checker", "--size", "8x8", "+", "invert", "+", "stats"});
  EXPECT_EQ(both.out, alone.out);
  EXPECT_TRUE(std::filesystem::exists(folder / "a.png"));
}

TEST_F(TeeFiles, AppearTogetherOrNotAtAll) {
  std::filesystem::create_directory(folder / "taken.png");
  folder.write("short.png", bytes("in.png").substr(0, bytes("in.png").size() / 2));
  expect_refused({"flip", "+", "tee", "a.png", "+", "flip", "short.png", "b.png"}, {"short.png"});
  expect_refused(
      {"flip", "+", "tee", "a.png", "+", "tee", "no/folder.png", "+", "flip", "in.png", "b.png"},
      {"no/folder.png"});
  expect_refused({"flip", "+", "tee", "in.exr", "+", "flip", "in.png", "a.png", "--no-clobber"},
                 {"in.exr: exists already"});
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b.png"));
}

TEST_F(TeeFiles, ApplyNoClobberToEveryOutput) {
  folder.write("there.png", "precious");
  const Words first = {"flip", "+", "tee", "--no-clobber", "a.png", "+"};
  expect_refused(first + Words{"flop", "in.png", "there.png"}, {"there.png: exists already"});
  expect_refused(first + Words{"flop", "in.png", "-o", "{stem}.exr"}, {"in.exr: exists already"});
  expect_refused(first + Words{"tee", "there.png", "+", "flop", "in.png", "b.png"},
                 {"there.png: exists already"});
  expect_refused(first + Words{"flop", "--in-place", "in.png"},
                 {"flop: --in-place and --no-clobber are given"});
}

TEST_F(TeeFiles, NeverReplaceWhatIsReadNorEachOther) {
  expect_refused({"flip", "+", "tee", "in.png", "+", "flip", "in.png", "b.png"},
                 {"in.png: it is an input too"});
  expect_refused({"flip", "+", "tee", "b.png", "+", "flip", "in.png", "b.png"},
                 {"b.png: two outputs of the chain become it"});
  expect_refused({"flip", "+", "tee", "one.png", "+", "flip", "in.png", "in.exr", "-o", "o/"},
                 {"one.png: it is one name for several images"});
  expect_refused({"flip", "+", "tee", "-", "+", "flip", "in.png", "-o", "-"},
                 {"2 images for one pipe"});
  expect_refused({"tee", "-", "+", "stats", "in.png"}, {"the last stage prints there"});
  expect_refused({"tee", "a.png", "+", "append", "in.png", "in.exr", "-o", "b.png"},
                 {"append", "make it the first stage"});
}

TEST_F(TeeFiles, BehindAReportAreRefusedAsSuch) {
  for (const Words& stages :
       {Words{"stats"}, Words{"stats", "+", "tee", "y.png"}, Words{"flip", "+", "histogram"}})
    expect_refused(stages + Words{"+", "tee", "x.png", "in.exr"},
                   {"tee: the stage before it gives no image"});
}

TEST_F(TeeFiles, ExplainTheirWayBeforeWhatDidIt) {
  const std::string said = cuimg({"flip", "+", "tee", "t.png", "+", "flop", "in.png", "o.png",
                                  "--explain", "--device", "cpu"})
                               .err;
  EXPECT_TRUE(said.starts_with("input: ")) << said;
  // Each section states what it does, then where: the steps up to the tee, the tee's own, and the
  // rest.
  std::size_t at = 0;
  for (const char* line : {"input: ", "flip: ", "device: ", "tee t.png: input",
                           "tee t.png: device: ", "input: ", "flop: ", "device: "}) {
    at = said.find(line, at);
    ASSERT_NE(at, std::string::npos) << line << " in " << said;
    ++at;
  }
}

TEST_F(TeeFiles, AreMadeAnewTogether) {
  const Words command = {"flip", "--skip-existing", "+",      "tee", "t/", "+",
                         "flop", "in.png",          "in.exr", "-o",  "o/"};
  expect_done(command);
  const auto made = std::filesystem::last_write_time(folder / "o/in.png");
  std::filesystem::remove(folder / "t/in.exr");
  expect_done(command);
  EXPECT_TRUE(std::filesystem::exists(folder / "t/in.exr"));
  EXPECT_EQ(std::filesystem::last_write_time(folder / "o/in.png"), made);
}

// Standard input may differ from run to run.
TEST_F(TeeFiles, OfStandardInputAreMadeAnewAlways) {
  for (const std::string name : {"in.png", "in.exr"}) {
    const Words command = {
        CUIMG_PROGRAM, "flip", "--skip-existing", "+", "tee", "t.tif", "+", "flop", "-",
        "-o",          "o.tif"};
    const Outcome outcome = run(command, {.input = bytes(name), .folder = folder.path().string()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    expect_done({"flip", name, "flip.tif"});
    expect_done({"flip", "+", "flop", name, "flop.tif"});
    EXPECT_EQ(bytes("t.tif"), bytes("flip.tif"));
    EXPECT_EQ(bytes("o.tif"), bytes("flop.tif"));
  }
}

}  // namespace
}  // namespace cuimg::test

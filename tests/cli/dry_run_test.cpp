// SPDX-License-Identifier: Apache-2.0
// --dry-run: reports for every image what a run would do or refuse, and writes nothing.
#include "cli/failing/bad_input.h"

#include <nlohmann/json.hpp>

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

class DryRun : public BadInput {
 protected:
  // Runs the command with and without --dry-run where nothing can be written, and expects the same
  // error line.
  void expect_refused_alike(Words words) const {
    const Outcome real = expect_refused(words, {});
    words.insert(words.begin() + 1, "--dry-run");
    const Outcome dry = expect_refused(words, {});
    EXPECT_EQ(dry.err, real.err);
  }
  // Ignores the summary that follows the first object.
  static nlohmann::json first_object(const std::string& text) {
    return nlohmann::json::parse(text.substr(0, text.find('\n')));
  }
};

TEST_F(DryRun, SaysWhatWouldBeDoneWithEachAndWritesNothing) {
  fs::create_directory(folder / "in");
  make_picture("in/b.ppm", 6, 4);
  make_picture("in/a.ppm", 6, 4);
  const auto before = content();
  const Outcome outcome = expect_done(
      {"resize", "--size", "3x2", "--dry-run", "-j", "2", "--format", "png", "in", "-o", "out/"});
  EXPECT_EQ(outcome.out,
            "in/a.ppm -> out/a.png: resize --size 3x2\nin/b.ppm -> out/b.png: resize --size 3x2\n");
  EXPECT_TRUE(content() == before);
}

TEST_F(DryRun, ASourceHasNoArrow) {
  const Outcome outcome = expect_done({"noise", "--dry-run", "--size", "8x8", "o.png"});
  EXPECT_EQ(outcome.out, "o.png: noise --size 8x8\n");
}

TEST_F(DryRun, AMissingInputOrOneThatIsNoImageIsAnError) {
  folder.write("text.png", "no image");
  expect_refused_alike({"convert", "missing.png", "o.png"});
  expect_refused_alike({"convert", "text.png", "o.png"});
  make_picture("a.ppm", 2, 2);
  const Outcome outcome = cuimg({"convert", "--dry-run", "a.ppm", "missing.ppm", "-o", "out/"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "a.ppm -> out/a.ppm: convert\n");
  EXPECT_EQ(outcome.err, "cuimg: missing.ppm: no such file\ncuimg: 1 of 2 images failed\n");
}

TEST_F(DryRun, WhatDoesNotFitTheImageOrTheFormatIsAnError) {
  make_picture("a.ppm", 6, 4);
  folder.write("there.png", "");
  expect_refused_alike({"convert", "--type", "float", "a.ppm", "o.png"});
  expect_refused_alike({"convert", "--compression", "piz", "a.ppm", "o.png"});
  expect_refused_alike({"resize", "--size", "100000x100000", "a.ppm", "o.png"});
  expect_refused_alike({"resize", "--layers", "Z", "a.ppm", "o.png"});
  expect_refused_alike({"remap", "a.ppm", "o.png"});
  expect_refused_alike({"convert", "--no-clobber", "a.ppm", "there.png"});
  expect_refused_alike({"convert", "a.ppm", "nowhere/o.png"});
}

TEST_F(DryRun, SaysWhatIsSkippedAndWhy) {
  make_picture("a.ppm", 6, 4);
  expect_done({"convert", "a.ppm", "there.png"});
  EXPECT_EQ(expect_done({"convert", "--dry-run", "--skip-existing", "a.ppm", "there.png"}).out,
            "a.ppm -> there.png: convert (up to date, skipped)\n");
}

TEST_F(DryRun, SaysWhatNeedsScratchFiles) {
  expect_done({"noise", "--size", "2000x1500", "a.tif"});
  const Words command = {"rotate",    "--angle", "30",       "--dry-run", "--max-memory", "10M",
                         "--scratch", "scratch", "--device", "cpu",       "a.tif",        "o.tif"};
  fs::create_directory(folder / "scratch");
  const std::string said = expect_done(command).out;
  EXPECT_NE(said.find("(in tiles: the pixels do not fit into memory; the rest lies in scratch)"),
            std::string::npos)
      << said;
  Words json = command;
  json.emplace_back("--json");
  EXPECT_EQ(first_object(expect_done(json).out)["scratch"], "scratch");
  Words roomy = command;
  roomy[5] = "1G";
  EXPECT_EQ(expect_done(roomy).out, "a.tif -> o.tif: rotate --angle 30\n");
}

TEST_F(DryRun, ExplainsToo) {
  make_picture("a.ppm", 6, 4);
  const Outcome text = cuimg({"resize", "--dry-run", "--explain", "a.ppm", "o.png"});
  EXPECT_NE(text.err.find("output: u8 RGB, sRGB, 3x2"), std::string::npos) << text.err;
  const Outcome json =
      expect_done({"resize", "--dry-run", "--explain", "--json", "a.ppm", "o.png"});
  const auto object = first_object(json.out);
  EXPECT_EQ(object["input"], "a.ppm");
  EXPECT_EQ(object["output"], "o.png");
  EXPECT_EQ(object["explanation"].back(), "output: u8 RGB, sRGB, 3x2+0+0");
}

TEST_F(DryRun, AFolderThatCannotBeMadeIsAnError) {
  make_picture("a.ppm", 6, 4);
  fs::create_symlink("nowhere", folder / "link");
  for (const std::string output : {"a.ppm/", "a.ppm/new/", "link/new/", "a.ppm/{stem}.png"})
    expect_refused_alike({"flip", "a.ppm", "-o", output});
  EXPECT_EQ(expect_done({"flip", "--dry-run", "a.ppm", "-o", "new/folder/"}).out,
            "a.ppm -> new/folder/a.ppm: flip\n");
}

TEST_F(DryRun, AFileThatCannotBeWrittenNextToTheImagesIsAnError) {
  make_picture("a.ppm", 6, 4);
  folder.write("there.svg", "");
  expect_refused_alike({"histogram", "--plot", "no/h.png", "a.ppm"});
  expect_refused_alike({"histogram", "--plot", "there.svg", "--no-clobber", "a.ppm"});
  expect_refused_alike({"flip", "--trace", "no/t.json", "a.ppm", "o.png"});
  expect_refused_alike({"flip", "--format", "png", "a.ppm", "/dev/fd/77"});
}

TEST_F(DryRun, JsonNamesTheImagesThatFail) {
  make_picture("a.ppm", 6, 4);
  folder.write("b.png", "no image");
  for (const bool is_report : {false, true}) {
    Words words = {is_report ? "stats" : "flip", "--dry-run", "--json", "b.png", "a.ppm"};
    if (!is_report) words.insert(words.end(), {"-o", "o/"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    const auto object =
        first_object(is_report ? outcome.out : outcome.out.substr(outcome.out.find('\n') + 1));
    EXPECT_EQ(object["input"], "b.png");
    EXPECT_EQ(object["output"], is_report ? "" : "o/b.png");
    EXPECT_EQ(object["status"], "failed");
    EXPECT_TRUE(outcome.err.starts_with("cuimg: " + object["error"].get<std::string>() + "\n"))
        << outcome.err;
  }
}

}  // namespace
}  // namespace cuimg::test

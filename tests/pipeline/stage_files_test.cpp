// SPDX-License-Identifier: Apache-2.0
// Files of stages that are named after each input: --with 'masks/{stem}.png'.
#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/batch/plan_jobs.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class StageFiles : public testing::Test {
 protected:
  StageFiles() {
    for (const char* name :
         {"in/a.png", "in/b.jpg", "in/deep/c.png", "masks/a.png", "masks/b.png", "masks/deep/c.png",
          "seq.1001.exr", "seq.1002.exr", "bg.1.exr", "bg.2.exr", "always.png"})
      write(name);
  }
  void write(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(at(name)).parent_path());
    dir_.write(name, "");
  }
  std::string at(const std::string& name) const { return dir_ / name; }
  std::string below(const std::string& path) const {
    return std::filesystem::path(path).lexically_relative(dir_.path()).string();
  }
  Words plan(const Words& words) const {
    Words lines;
    for (const Job& job : plan_jobs(parse_pipeline(words))) {
      std::string line = below(job.inputs.front());
      for (const StageFile& file : job.stage_files)
        line += (file.is_own ? " " : " always ") + below(file.path);
      lines.push_back(line);
    }
    return lines;
  }
  std::string error(const Words& words) const {
    return error_of([&] { plan(words); });
  }
  TempDir dir_;
};

TEST_F(StageFiles, AreNamedAfterTheInput) {
  EXPECT_EQ(plan({"mask", "--with", at("masks/{stem}.png"), at("in"), "-o", at("o/")}),
            (Words{"in/a.png masks/a.png", "in/b.jpg masks/b.png"}));
  EXPECT_EQ(
      plan({"over", "--with", at("always.png"), "+", "mask", "--with", at("masks/{dir}/{stem}.png"),
            "-r", at("in"), "-o", at("o/")}),
      (Words{"in/a.png always always.png masks/./a.png", "in/b.jpg always always.png masks/./b.png",
             "in/deep/c.png always always.png masks/deep/c.png"}));
  EXPECT_EQ(plan({"mask", "--with", at("masks/{name}"), at("in/a.png"), at("o.png")}),
            (Words{"in/a.png masks/a.png"}));
}

TEST_F(StageFiles, CountFramesFromElsewhere) {
  EXPECT_EQ(plan({"sub", "--with", at("bg.{frame-1000}.exr"), at("seq.####.exr"), "-o", at("o/")}),
            (Words{"seq.1001.exr bg.1.exr", "seq.1002.exr bg.2.exr"}));
}

TEST_F(StageFiles, ThatAreMissingAreAnErrorBeforeAnyWork) {
  std::filesystem::remove(at("masks/b.png"));
  const std::string masks = at("masks/{stem}.png");
  EXPECT_EQ(error({"mask", "--with", masks, at("in"), "-o", at("o/")}),
            "mask: --with " + masks + ": no such file: " + at("masks/b.png") + ", for " +
                at("in/b.jpg") + ": give --missing skip to leave such INPUTs out");
  std::filesystem::remove(at("masks/a.png"));
  EXPECT_TRUE(
      error({"mask", "--with", masks, at("in"), "-o", at("o/")})
          .ends_with("; in all 2 are missing: give --missing skip to leave such INPUTs out"));
  write("masks/a.png");
  EXPECT_EQ(plan({"mask", "--missing", "skip", "--with", masks, at("in"), "-o", at("o/")}),
            (Words{"in/a.png masks/a.png"}));
  EXPECT_EQ(error({"mask", "--missing", "hold", "--with", masks, at("in"), "-o", at("o/")}),
            "--missing: no INPUT is a sequence: name it as in.####.exr or in.%04d.exr");
  EXPECT_EQ(
      error({"mask", "--missing", "skip", "--with", at("{stem}.none"), at("in"), "-o", at("o/")}),
      "mask: --with " + at("{stem}.none") + ": no INPUT has every file that is read with it");
}

TEST_F(StageFiles, HaveKeysOnlyWhereNoFileIsLiterallyNamedSo) {
  write("{stem}.png");
  EXPECT_EQ(plan({"mask", "--with", at("{stem}.png"), at("in"), "-o", at("o/")}),
            (Words{"in/a.png", "in/b.jpg"}));
}

TEST_F(StageFiles, NeedAnInputOfTheirOwn) {
  const std::string masks = at("masks/{stem}.png");
  const std::string start = "mask: --with " + masks +
                            ": no such file; keys in braces are the "
                            "INPUT's, and ";
  EXPECT_EQ(error({"noise", "+", "mask", "--with", masks, at("o.png")}),
            start + "this chain takes no INPUT: name one file");
  EXPECT_EQ(error({"append", "+", "mask", "--with", masks, at("in"), "-o", at("o.png")}),
            start + "all INPUTs become one image: name one file");
  EXPECT_EQ(error({"mask", "--with", at("{part}.png"), at("in"), "-o", at("o/")}),
            "mask: --with " + at("{part}.png") +
                ": {part} is known only where each part becomes an output of its own: name outputs "
                "by it too: -o 'out/{stem}_{part}.{ext}'");
  EXPECT_EQ(error({"mask", "--with", at("{index}.png"), at("in"), "-o", at("o/")}),
            "mask: --with " + at("{index}.png") +
                ": {index} is unknown: use {stem}, {ext}, {name}, {dir}, {frame}, {frame:05} or "
                "{part}");
}

TEST_F(StageFiles, AreNotReplaced) {
  EXPECT_EQ(error({"mask", "--with", at("masks/{stem}.png"), at("in/a.png"), at("masks/a.png")}),
            at("masks/a.png") +
                ": it is the output, and the file of --with of mask: write to another file");
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` replaces nothing that it reads, and refuses before it compares.
#include <gtest/gtest.h>

#include <filesystem>

#include "compare_program.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class CompareOverwriting : public CompareProgramTest {
 protected:
  CompareOverwriting() {
    for (const char* name : {"g.png", "r.png", "g.exr", "r.exr", "G/a.png", "R/a.png", "R/new.png"})
      save(name);
    folder_.write("G/.cuimg-compare", "[*]\nfail = 0.5\nmask = m.png\n");
    fs::copy_file(folder_ / "g.png", folder_ / "G/m.png");
    fs::create_directories(folder_ / "d/pairs");
    fs::copy_file(folder_ / "g.png", folder_ / "d/index.html");
    fs::copy_file(folder_ / "g.png", folder_ / "d/pairs/0000.js");
    fs::create_hard_link(folder_ / "g.png", folder_ / "hard.png");
  }
  void save(const std::string& name) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    // Formats are recognised by content.
    write_image(path.string(), pattern(16, 12, 0, false), *codec_named("png"));
  }
  void expect_refused(const Words& words, const std::string& file, const std::string& line) const {
    const std::string before = read_file(folder_ / file);
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, 2) << line;
    EXPECT_EQ(outcome.err, "cuimg: compare: " + line + "\n");
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(read_file(folder_ / file), before) << line;
  }
};

TEST_F(CompareOverwriting, AFileThatIsComparedIsNotReplaced) {
  const std::string advice = ": write to another file";
  expect_refused({"--junit", "g.png", "g.png", "r.png"}, "g.png",
                 "--junit g.png: it is the golden too" + advice);
  expect_refused({"--junit", "hard.png", "g.png", "r.png"}, "g.png",
                 "--junit hard.png: it is the golden too" + advice);
  expect_refused({"--flip-map", "r.exr", "g.exr", "r.exr"}, "r.exr",
                 "--flip-map r.exr: it is the result too" + advice);
  expect_refused({"--junit", "hard.png", "--mask", "g.png", "r.exr", "g.exr"}, "g.png",
                 "--junit hard.png: it is the file of --mask too" + advice);
  expect_refused({"--html", "d", "d/index.html", "r.png"}, "d/index.html",
                 "--html d/index.html: it is the golden too" + advice);
  expect_refused({"--html", "d", "d/pairs/0000.js", "r.png"}, "d/pairs/0000.js",
                 "--html d: its scripts would replace the golden, d/pairs/0000.js: write to "
                 "another folder");
}

TEST_F(CompareOverwriting, AFileThatStandardInputComesFromIsNotReplaced) {
  for (const auto& [operands, what] : {std::pair{"- r.png", "golden"}, {"r.png -", "result"}})
    for (const std::string name : {"g.png", "hard.png"}) {
      const std::string before = read_file(folder_ / "g.png");
      const Outcome outcome = run({"sh", "-c",
                                   std::string("exec '") + CUIMG_PROGRAM + "' compare --junit " +
                                       name + " " + operands + " < g.png"},
                                  {.folder = folder_.path().string()});
      EXPECT_EQ(outcome.exit, 2) << operands;
      EXPECT_EQ(outcome.err, "cuimg: compare: --junit " + name + ": it is the " + what +
                                 " too: write to another file\n");
      EXPECT_EQ(read_file(folder_ / "g.png"), before);
    }
}

TEST_F(CompareOverwriting, TwoReportsAreTwoFiles) {
  expect_refused({"--junit", "x.pfm", "--flip-map", "x.pfm", "g.png", "r.png"}, "g.png",
                 "--flip-map x.pfm: it is the file of --junit too: write to another file");
  expect_refused({"--junit", "e/index.html", "--html", "e", "g.png", "r.png"}, "g.png",
                 "--html e/index.html: it is the file of --junit too: write to another file");
  EXPECT_FALSE(fs::exists(folder_ / "e"));
}

TEST_F(CompareOverwriting, OfFoldersPicturesRulesAndMasksAreKept) {
  const std::string advice = ": write to another file";
  expect_refused({"--junit", "R/a.png", "G", "R"}, "R/a.png",
                 "--junit R/a.png: it is a result too" + advice);
  expect_refused({"--junit", "G/a.png", "G", "R"}, "G/a.png",
                 "--junit G/a.png: it is a golden too" + advice);
  expect_refused({"--junit", "G/.cuimg-compare", "G", "R"}, "G/.cuimg-compare",
                 "--junit G/.cuimg-compare: it is a file of rules too" + advice);
  fs::rename(folder_ / "G/m.png", folder_ / "mask");
  folder_.write("G/.cuimg-compare", "[*]\nfail = 0.5\nmask = ../mask\n");
  expect_refused({"--junit", "mask", "G", "R"}, "mask", "--junit mask: it is a mask too" + advice);
  expect_refused({"--flip-map", "m.exr", "G", "R"}, "G/a.png",
                 "--flip-map is given with two folders: give two files");
}

TEST_F(CompareOverwriting, APageThatIsNoReportIsKept) {
  folder_.write("site/index.html", "<!doctype html>\n<title>Mine</title>\n");
  const std::string line =
      "--html site/index.html: it is not a report of cuimg: write to another folder";
  expect_refused({"--html", "site", "g.png", "r.png"}, "site/index.html", line);
  expect_refused({"--html", "site", "G", "R"}, "site/index.html", line);
  folder_.write("s.json", compare({"--json", "g.png", "r.png"}).out);
  expect_refused({"--from", "s.json", "--html", "site"}, "site/index.html", line);
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(compare({"--html", "report", "g.png", "r.png"}).exit, 0) << "a report is replaced";
}

TEST_F(CompareOverwriting, AReportDoesNotGoIntoAFolderThatIsCompared) {
  const std::string advice = ": write to another folder";
  expect_refused({"--html", "G", "G", "R"}, "G/a.png",
                 "--html G: it is the folder of the goldens" + advice);
  expect_refused({"--html", "./R/", "G", "R"}, "R/a.png",
                 "--html ./R/: it is the folder of the results" + advice);
  EXPECT_FALSE(fs::exists(folder_ / "G/index.html"));
  EXPECT_FALSE(fs::exists(folder_ / "R/pairs"));
  EXPECT_EQ(compare({"--html", "R/report", "G", "R"}).exit, 1);
  // In a folder where earlier versions wrote a report, it is replaced.
  fs::copy_file(folder_ / "R/report/index.html", folder_ / "R/index.html");
  EXPECT_EQ(compare({"--html", "R", "G", "R"}).exit, 1);
}

TEST_F(CompareOverwriting, StoredReportsAreKept) {
  folder_.write("s.json", compare({"--json", "g.png", "d/index.html"}).out);
  expect_refused({"--history", "s.json", "s.json", "-o", "s.json"}, "s.json",
                 "-o s.json: it is a stored report too: write to another file");
  expect_refused({"--from", "s.json", "--html", "d"}, "d/index.html",
                 "--html d/index.html: it is a picture of the report too: write to another file");
  EXPECT_EQ(compare({"--history", "s.json", "-o", "s.svg"}).exit, 0);
  EXPECT_EQ(compare({"--from", "s.json", "--html", "other"}).exit, 0);
}

TEST_F(CompareOverwriting, AFlipMapOfAFormatWithoutFloatsIsRefusedBeforehand) {
  const Outcome outcome = compare({"--flip-map", "c.png", "g.png", "r.png"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("compare: --flip-map c.png: PNG cannot hold floats: write "),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(compare({"--flip-map", "c.xyz", "g.png", "r.png"}).err.find("--flip-map c.xyz"),
            std::string::npos);
  EXPECT_EQ(compare({"--flip-map", "c.pfm", "--junit", "j.xml", "g.png", "r.png"}).exit, 0);
  EXPECT_TRUE(fs::exists(folder_ / "c.pfm"));
}

TEST_F(CompareOverwriting, AReportThatCannotBeWrittenIsRefusedBeforeGoldensAreReplaced) {
  write_image(folder_ / "R/a.png", pattern(16, 12, 0, true), *codec_named("png"));
  folder_.write("G/.cuimg-compare", "");
  const std::string before = read_file(folder_ / "G/a.png");
  const auto refused = [&](const Words& words) {
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, 2) << words[0];
    EXPECT_EQ(outcome.out, "") << words[0];
    EXPECT_NE(outcome.err.find("nowhere"), std::string::npos) << outcome.err;
  };
  refused({"--junit", "nowhere/j.xml", "--update", "--yes", "G", "R"});
  EXPECT_EQ(read_file(folder_ / "G/a.png"), before);
  EXPECT_FALSE(fs::exists(folder_ / "G/new.png"));
  refused({"--flip-map", "nowhere/f.exr", "--update", "--yes", "G/a.png", "R/a.png"});
  EXPECT_EQ(read_file(folder_ / "G/a.png"), before);
  folder_.write("s.json", "not a report");
  refused({"--history", "s.json", "-o", "nowhere/h.svg"});
}

TEST_F(CompareOverwriting, AReportMayBeWrittenToTheFolderThatAnotherMakes) {
  EXPECT_EQ(compare({"--html", "new", "--junit", "new/j.xml", "g.png", "r.png"}).exit, 0);
  EXPECT_TRUE(fs::exists(folder_ / "new/j.xml"));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` for two folders: links to folders, and a folder inside the other.
#include "compare_program.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

class CompareTrees : public CompareProgramTest {
 protected:
  void link(const std::string& target, const std::string& name) const {
    fs::create_directories((folder_.path() / name).parent_path());
    fs::create_directory_symlink(target, folder_.path() / name);
  }
};

class CompareLinks : public CompareTrees {
 protected:
  // Both folders contain a link to the folder of their pictures.
  CompareLinks() {
    save("golden/a.png", golden_);
    save("result/a.png", golden_);
    save("goldens of set/b.png", golden_);
    save("results of set/b.png", result_);
    link("../goldens of set", "golden/set");
    link("../results of set", "result/set");
  }
};

TEST_F(CompareTrees, PatternsChooseThePicturesThatAreCompared) {
  save("golden/a.png", golden_);
  save("golden/set/b.png", golden_);
  save("result/a.png", golden_);
  save("result/set/b.png", result_);
  save("result/set/extra.png", result_);
  EXPECT_EQ(compare({"golden", "result"}).exit, 1);
  const Outcome outcome = compare({"--exclude", "set", "golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  expect_contains(outcome.out, "1 same, 0 differ, 0 missing, 0 extra");
  expect_contains(compare({"--include", "set/*", "golden", "result"}).out,
                  "0 same, 1 differ, 0 missing, 1 extra");
  EXPECT_EQ(compare({"--include", "*.exr", "golden", "result"}).exit, 2);
  EXPECT_EQ(compare({"--include", "*", "golden/a.png", "result/a.png"}).exit, 2);
}

TEST_F(CompareLinks, PicturesBehindALinkToAFolderAreCompared) {
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "golden/set/b.png");
  expect_contains(outcome.out, "1 same, 1 differ");
}

TEST_F(CompareLinks, ALinkOnOneSideMeetsAFolderOnTheOther) {
  fs::remove(folder_ / "result/set");
  save("result/set/b.png", result_);
  expect_contains(compare({"golden", "result"}).out, "1 same, 1 differ, 0 missing, 0 extra");
}

TEST_F(CompareLinks, RulesBehindALinkCount) {
  folder_.write("goldens of set/.cuimg-compare", "[*]\nfail = 1\n");
  const Outcome outcome = compare({"--explain", "golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  expect_contains(outcome.out, "golden/set/.cuimg-compare:1");
}

TEST_F(CompareLinks, AnUpdateReplacesTheGoldenBehindTheLink) {
  const Outcome outcome = compare({"--update", "--yes", "golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_contains(outcome.out, "1 updated");
  EXPECT_EQ(outcome.out.find("added"), std::string::npos) << outcome.out;
  EXPECT_TRUE(fs::is_symlink(folder_ / "golden/set"));
  EXPECT_EQ(text("goldens of set/b.png"), text("results of set/b.png"));
}

TEST_F(CompareLinks, ALinkToAFolderThatItLiesInIsAnErrorThatNamesIt) {
  link("../../golden", "golden/below/loop");
  const Outcome of_golden = compare({"golden", "result"});
  EXPECT_EQ(of_golden.exit, 2);
  expect_contains(of_golden.err, "golden/below/loop: it is a link to a folder that it lies in");
  fs::remove(folder_ / "golden/below/loop");
  link("..", "results of set/loop");
  const Outcome of_result = compare({"golden", "result"});
  EXPECT_EQ(of_result.exit, 2);
  expect_contains(of_result.err, "result/set/loop: it is a link to a folder that it lies in");
}

TEST_F(CompareLinks, ALinkToItselfIsAnErrorThatNamesIt) {
  link("loop", "golden/loop");
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "golden/loop: it cannot be read: ");
}

TEST_F(CompareTrees, FilesInFormatsThatCannotBeReadAreCountedInAWarning) {
  save("golden/a.png", golden_);
  save("result/a.png", golden_);
  for (const char* name : {"golden/b.webp", "golden/c.DDS", "result/b.webp", "result/note.txt"})
    folder_.write(name, "x");
  const std::string of_results = "cuimg: result/b.webp is left out: .webp is not read\n";
  const std::vector<std::string> report = {"--html", "report"};
  for (const std::vector<std::string>& more : {std::vector<std::string>(), report}) {
    std::vector<std::string> words = more;
    words.insert(words.end(), {"golden", "result"});
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_EQ(outcome.err,
              "cuimg: golden: 2 files are left out, since their formats cannot be read: 1 .dds, 1 "
              ".webp\n" +
                  of_results);
  }
  EXPECT_EQ(compare({"-q", "golden", "result"}).err, "");
  EXPECT_EQ(compare({"--include", "*.png", "golden", "result"}).err, "");
  EXPECT_EQ(compare({"--exclude", "*.dds", "--exclude", "golden", "--exclude", "*.DDS", "golden",
                     "result"})
                .err,
            "cuimg: golden/b.webp is left out: .webp is not read\n" + of_results);
}

TEST_F(CompareTrees, SectionsThatMatchNoPictureAreWarnings) {
  save("golden/a.png", golden_);
  save("golden/sky/b.png", golden_);
  save("result/a.png", golden_);
  save("result/sky/b.png", golden_);
  save("result/sky/new.png", golden_);
  folder_.write("golden/.cuimg-compare",
                "[*]\nallow-extra\n[gone.png]\nfail = 1\n[sky]\nfail = 1\n[sky/]\nfail = 1\n"
                "[sky/new.png]\nfail = 1\n");
  const std::string file = "cuimg: golden/.cuimg-compare:", advice = ": use [sky/**] for those in ";
  const std::string warnings = file + "3: [gone.png] matches no picture\n" + file +
                               "5: [sky] matches no picture" + advice + "the folder\n" + file +
                               "7: [sky/] matches no picture" + advice + "the folder\n";
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, warnings);
  EXPECT_EQ(compare({"--include", "a.png", "golden", "result"}).err, warnings);
  EXPECT_EQ(compare({"-q", "golden", "result"}).err, "");
}

TEST_F(CompareTrees, PicturesThatARuleSkipsAreNotCompared) {
  for (const char* name : {"a.png", "b.png", "c.png"}) save(std::string("golden/") + name, golden_);
  for (const char* name : {"a.png", "b.png"}) save(std::string("result/") + name, result_);
  folder_.write("result/new.png", "broken");
  folder_.write("golden/.cuimg-compare",
                "[*]\nskip = waits for <a fix>\n[b.png]\nskip = unset\nfail = 1\n");
  const Outcome outcome =
      compare({"--junit", "j.xml", "--html", "report", "--json", "golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  const auto line = nlohmann::json::parse(outcome.out.substr(0, outcome.out.find('\n')));
  EXPECT_EQ(line["skipped"], "waits for <a fix>");
  EXPECT_EQ(line["verdict"], "same");
  expect_contains(text("j.xml"), "tests=\"4\" failures=\"0\" errors=\"0\" skipped=\"3\"");
  expect_contains(text("j.xml"),
                  "name=\"golden/a.png\">\n    <skipped message=\"waits for &lt;a fix&gt;\"/>\n");
  expect_contains(text("report/index.html"), "\"skipped\":\"waits for ");
  const Outcome verbose = compare({"-v", "--explain", "golden", "result"});
  expect_contains(verbose.out,
                  "skipped: golden/c.png\n  waits for <a fix>\n  rule: [*] of golden/");
  expect_contains(verbose.out, "1 same, 0 differ, 0 missing, 0 extra, 0 errors, 3 skipped\n");
  EXPECT_EQ(compare({"--update", "--yes", "golden", "result"}).exit, 0);
  EXPECT_FALSE(exists("golden/new.png"));
  for (const std::string line : {"skip", "skip ="}) {
    folder_.write("golden/.cuimg-compare", "[*]\n" + line + "\n");
    expect_contains(compare({"golden", "result"}).err, "skip has no value");
  }
}

TEST_F(CompareTrees, AVariantThatARuleSkipsIsNoGolden) {
  save("golden/a.png", golden_);
  save("golden/a@@dark.png", result_);
  save("result/a.png", result_);
  EXPECT_EQ(compare({"golden", "result"}).exit, 0);
  folder_.write("golden/.cuimg-compare", "[*@@dark.*]\nskip = other fonts\n");
  EXPECT_EQ(compare({"golden", "result"}).exit, 1);
}

TEST_F(CompareTrees, AFolderOfResultsThatIsMissingIsAnErrorInJUnit) {
  save("golden/a.png", golden_);
  const Outcome outcome = compare({"--junit", "j.xml", "golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(text("j.xml"), "tests=\"1\" failures=\"0\" errors=\"1\"");
  expect_contains(text("j.xml"), "result does not exist, and golden is a folder");
}

TEST_F(CompareTrees, RulesThatAreNoFileAreAnErrorWithTheirName) {
  save("golden/a.png", golden_);
  save("result/a.png", golden_);
  folder_.write("golden/.cuimg-compare", "");
  EXPECT_EQ(compare({"golden", "result"}).exit, 0);
  fs::remove(folder_.path() / "golden/.cuimg-compare");
  fs::create_directory(folder_.path() / "golden/.cuimg-compare");
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "cuimg: golden/.cuimg-compare: is a directory, not a text file\n");
}

TEST_F(CompareTrees, GoldensInTheFolderOfTheResultsAreNoResults) {
  save("all/a.png", golden_);
  save("all/golden/a.png", golden_);
  folder_.write("all/golden/.cuimg-compare", "[*]\nfail = 0.5\n");
  for (const bool updates : {false, true}) {
    std::vector<std::string> words = {"all/golden", "all"};
    if (updates) words.insert(words.begin(), {"--update", "--yes"});
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, 0);
    expect_contains(outcome.out, "1 same, 0 differ, 0 missing, 0 extra, 0 errors");
  }
  EXPECT_FALSE(exists("all/golden/golden"));
}

TEST_F(CompareTrees, ResultsInTheFolderOfTheGoldensAreNoGoldens) {
  save("all/a.png", golden_);
  save("all/result/a.png", golden_);
  folder_.write("all/result/.cuimg-compare", "no rule\n");
  const Outcome outcome = compare({"all", "all/result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_contains(outcome.out, "1 same, 0 differ, 0 missing, 0 extra, 0 errors");
}

TEST_F(CompareTrees, AnOptionThatOnlyARuleMakesUsefulIsNoMistake) {
  save("golden/a.png", golden_);
  save("result/a.png", result_);
  const std::vector<std::string> words = {"--flip-statistic", "99", "golden", "result"};
  EXPECT_EQ(compare(words).exit, 2);
  folder_.write("golden/.cuimg-compare", "[*]\nfail-flip = 1\n");
  EXPECT_EQ(compare(words).exit, 0);
  folder_.write("golden/.cuimg-compare", "[*]\nallow-non-finite\n");
  const Outcome outcome = compare({"--nan", "fails", "golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "cuimg: a.png: --nan fails and --allow-non-finite contradict");
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --html`, `--from` and `--history` as programs: the files that are written, and
// what remains after a run that fails.
#include <map>

#include "compare_program.h"
#include "support/child.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CompareReports : public CompareProgramTest {
 protected:
  // One pair of each kind: passed, failed, missing result, extra result, broken result.
  void save_trees() const {
    for (const char* name : {"golden/pass.png", "golden/sub/fail.png", "golden/gone.png",
                             "golden/broken.png", "result/pass.png", "result/new.png"})
      save(name, golden_);
    save("result/sub/fail.png", result_);
    folder_.write("result/broken.png", text("golden/broken.png").substr(0, 200));
  }

  // The pairs of a report, by name.
  std::map<std::string, json> pairs_of(const std::string& report) const {
    const std::string page = text(report + "/index.html");
    const std::string start = "<script id=\"report-data\" type=\"application/json\">";
    const std::size_t from = page.find(start) + start.size();
    const json report_data = json::parse(page.substr(from, page.find("</script>", from) - from));
    std::map<std::string, json> pairs;
    for (const json& pair : report_data.at("pairs")) pairs[pair.at("name")] = pair;
    return pairs;
  }
  std::size_t scripts_in(const std::string& report) const {
    const fs::directory_iterator first(folder_.path() / report / "pairs");
    return static_cast<std::size_t>(std::distance(first, fs::directory_iterator()));
  }
};

TEST_F(CompareReports, OfFoldersListEveryPair) {
  save_trees();
  EXPECT_EQ(compare({"golden", "result", "--html", "a/report"}).exit, 2);
  const auto pairs = pairs_of("a/report");
  ASSERT_EQ(pairs.size(), 5u);
  const auto verdict = [&](const char* name) { return pairs.at(name)["pair"]["verdict"]; };
  EXPECT_EQ(verdict("pass.png"), "same");
  EXPECT_EQ(verdict("sub/fail.png"), "differs");
  EXPECT_EQ(pairs.at("gone.png")["pair"]["reason_codes"], json({"missing"}));
  EXPECT_EQ(pairs.at("new.png")["pair"]["reason_codes"], json({"extra"}));
  EXPECT_EQ(verdict("broken.png"), "error");
  EXPECT_TRUE(pairs.at("pass.png").contains("thumb"));
  EXPECT_FALSE(pairs.at("pass.png").contains("parts"));
  EXPECT_GT(pairs.at("sub/fail.png")["pair"]["metrics"]["flip"]["mean"], 0.0);
  // The golden of the missing and of the broken result, the extra result, and both files of the
  // failure.
  EXPECT_EQ(scripts_in("a/report"), 4u);
  const std::string file = pairs.at("sub/fail.png")["parts"][0]["layers"][0]["file"];
  EXPECT_EQ(text("a/report/pairs/" + file + ".js").find("\"flip\":null"), std::string::npos);
}

TEST_F(CompareReports, ExitWithTheCodeOfTheComparison) {
  save_trees();
  fs::remove(folder_.path() / "result/broken.png");
  EXPECT_EQ(compare({"golden", "result", "--html", "report"}).exit, 1);
  EXPECT_EQ(compare({"golden/pass.png", "result/pass.png", "--html", "report"}).exit, 0);
  EXPECT_EQ(pairs_of("report").size(), 1u);
  EXPECT_EQ(scripts_in("report"), 0u) << "scripts of the earlier report are removed";
}

TEST_F(CompareReports, OfTwoFilesShowTheirPixels) {
  save("a.exr", pattern_of_light(40, 30, 0, false));
  save("b.exr", pattern_of_light(40, 30, 0, true));
  EXPECT_EQ(compare({"a.exr", "b.exr", "--html", "report", "--label", "nightly"}).exit, 1);
  EXPECT_EQ(pairs_of("report").at("b.exr")["pair"]["label"], "nightly");
  EXPECT_EQ(scripts_in("report"), 1u);
  EXPECT_NE(text("report/index.html").find("cuimg compare: nightly"), std::string::npos);
}

TEST_F(CompareReports, PartsOfOneFileAloneAreShownToo) {
  std::vector<Image> two;
  for (int i = 0; i < 2; ++i) two.push_back(pattern(40, 30, 0, false));
  write_parts(folder_ / "two.tif", two, *codec_named("tif"));
  save("one.tif", result_);
  EXPECT_EQ(compare({"two.tif", "one.tif", "--html", "report"}).exit, 1);
  const json parts = pairs_of("report").at("one.tif")["parts"];
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(scripts_in("report"), 2u);
}

TEST_F(CompareReports, ShowTheVariantThatMatchedBest) {
  save("golden/a@@far.png", flat(golden_.spec(), 0.1f));
  save("golden/a@@near.png", golden_);
  save("result/a.png", result_);
  EXPECT_EQ(compare({"golden", "result", "--html", "report"}).exit, 1);
  EXPECT_EQ(pairs_of("report").at("a.png")["pair"]["variant"], "near");
}

TEST_F(CompareReports, MarkWhatWasForgivenAndLeaveItOutOfFlipsMap) {
  const Image black = flat(spec_of({0, 0, 40, 30}, PixelType::u8, 3), 0);
  save("a.png", black);
  save("b.png", with_value(with_value(black, 3, 4, 0, 1), 30, 20, 0, 0.1f));
  const auto maps = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"a.png", "b.png", "--html", "report", "--fail-count", "0"});
    EXPECT_EQ(compare(words).exit, 1);
    return text("report/pairs/0000.js").substr(text("report/pairs/0000.js").find("\"flip\":"));
  };
  const std::string counted = maps({});
  EXPECT_NE(counted.find("\"forgiven\":null"), std::string::npos);
  const std::string measured = maps({"--ignore", "0,0,20,30"});
  EXPECT_EQ(measured.find("\"forgiven\":null"), std::string::npos);
  EXPECT_NE(measured.substr(0, measured.find("forgiven")),
            counted.substr(0, counted.find("forgiven")));
  // The map is the same if it is only drawn for the report.
  EXPECT_EQ(maps({"--ignore", "0,0,20,30", "--metric", "psnr"}), measured);
}

TEST_F(CompareReports, LeaveNothingButAnEmptyFolderOfARunThatIsKilled) {
  save("golden/a.png", golden_);
  save("result/a.png", result_);
  // Large enough that the run is still busy when it is killed.
  const Spec large = spec_of({0, 0, 8000, 8000}, PixelType::u8, 1);
  save("golden/b.png", flat(large, 0.5f));
  save("result/b.png", flat(large, 0.6f));
  Child child({CUIMG_PROGRAM, "compare", "--jobs", "1", "--html", "report", "golden", "result"},
              folder_.path().string(), {});
  // Wait until the first pair's script is written and the second pair is being compared.
  const std::string pairs = folder_ / "report/pairs";
  EXPECT_TRUE(child.until([&] { return fs::exists(pairs) && child.unfinished_outputs(pairs) > 0; },
                          std::chrono::seconds(20)));
  child.signal(SIGKILL);
  EXPECT_TRUE(child.wait(std::chrono::seconds(20)));
  // On a file system without unnamed files, a hidden file remains ...
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "report")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "pairs" || name.find(".cuimg-") != std::string::npos) << name;
  }
  // ... and the next run removes it.
  for (const char* name : {"golden/b.png", "result/b.png"}) save(name, golden_);
  EXPECT_EQ(compare({"--html", "report", "golden", "result"}).exit, 1);
  EXPECT_EQ(scripts_in("report"), 1u);
}

TEST_F(CompareReports, OfAStoredReportListTheSamePairs) {
  save_trees();
  const Outcome stored = compare({"golden", "result", "--json", "--html", "direct"});
  folder_.write("results.json", stored.out);
  EXPECT_EQ(compare({"--from", "results.json", "--html", "stored"}).exit, 0);
  const auto direct = pairs_of("direct"), later = pairs_of("stored");
  ASSERT_EQ(later.size(), 5u);
  for (const auto& [name, pair] : direct) EXPECT_EQ(later.at(name)["pair"], pair["pair"]) << name;
  EXPECT_EQ(scripts_in("stored"), scripts_in("direct"));
  EXPECT_NE(text("stored/index.html").find("\"golden\":\"golden\""), std::string::npos);
  fs::remove_all(folder_.path() / "result");
  fs::remove_all(folder_.path() / "golden");
  EXPECT_EQ(compare({"--from", "results.json", "--html", "stored"}).exit, 0);
  EXPECT_EQ(pairs_of("stored").size(), 5u) << "without the pictures";
  EXPECT_EQ(scripts_in("stored"), 0u);
}

TEST_F(CompareReports, OfSeveralStoredReportsListThePairsOfAll) {
  save_trees();
  const auto store = [&](const char* file, const char* option) {
    folder_.write(file, compare({"golden", "result", "--json", option, "sub"}).out);
  };
  store("a.json", "--include");
  store("b.json", "--exclude");
  EXPECT_EQ(compare({"--from", "a.json", "--from", "b.json", "--html", "stored"}).exit, 0);
  EXPECT_EQ(pairs_of("stored").size(), 5u);
}

TEST_F(CompareReports, OfStoredReportsRefuseTheOptionsOfComparing) {
  save_trees();
  folder_.write("a.json", compare({"golden", "result", "--json"}).out);
  const auto expect_refused = [&](std::vector<std::string> words, const std::string& line) {
    const Outcome outcome = compare(std::move(words));
    EXPECT_EQ(outcome.exit, 2) << line;
    EXPECT_EQ(outcome.err, "cuimg: compare: " + line + ": give it when you compare\n");
  };
  const std::vector<std::vector<std::string>> options = {
      {"--junit", "j.xml"}, {"--flip-map", "f.exr"}, {"--update"},         {"--yes"},
      {"--show"},           {"--fail", "0.1"},       {"--metric", "flip"}, {"--json"},
      {"--include", "*"},   {"--match", "stem"},     {"--explain"},        {"--device", "cpu"}};
  for (const std::vector<std::string>& option : options) {
    std::vector<std::string> from = {"--from", "a.json", "--html", "d"};
    std::vector<std::string> history = {"--history", "a.json", "-o", "h.svg"};
    for (std::vector<std::string>* words : {&from, &history})
      words->insert(words->end(), option.begin(), option.end());
    expect_refused(from, option[0] + " has no effect with --from");
    expect_refused(history, option[0] + " has no effect with --history");
  }
  expect_refused({"--history", "a.json", "-o", "h.svg", "--html", "d"},
                 "--html has no effect with --history");
  for (const char* name : {"d", "h.svg", "j.xml"}) EXPECT_FALSE(exists(name)) << name;
  EXPECT_EQ(compare({"--from", "a.json", "--html", "d", "--label", "x", "--threads", "1", "-q",
                     "--background", "1,1,1"})
                .exit,
            0);
}

TEST_F(CompareReports, OfAStoredReportSayThatForgivenPixelsAreDrawnAsDifferences) {
  save_trees();
  const std::vector<std::string> words = {"golden/sub/fail.png", "result/sub/fail.png", "--json"};
  const auto notes_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    folder_.write("results.json", compare(all).out);
    EXPECT_EQ(compare({"--from", "results.json", "--html", "stored"}).exit, 0);
    return pairs_of("stored").at("fail.png")["pair"].value("notes", json::array());
  };
  EXPECT_EQ(notes_with({}), json::array());
  const json notes = notes_with({"--ignore", "0,0,8,8"});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].get<std::string>().find("forgiven"), std::string::npos) << notes;
}

TEST_F(CompareReports, OfSeveralRunsArePlotted) {
  save_trees();
  folder_.write("a.json", compare({"golden", "result", "--json", "--label", "monday"}).out);
  folder_.write("b.json", compare({"golden", "result", "--json"}).out);
  EXPECT_EQ(compare({"--history", "a.json", "b.json", "-o", "history.svg"}).exit, 0);
  const std::string svg = text("history.svg");
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("monday"), std::string::npos);
  EXPECT_NE(svg.find("b.json"), std::string::npos);
  EXPECT_NE(svg.find("rmse"), std::string::npos);
}

TEST_F(CompareReports, APlotIsWrittenUnderANameOfSvgAlone) {
  save_trees();
  folder_.write("a.json", compare({"golden", "result", "--json"}).out);
  for (const char* name : {"h.png", "h.exr", "h"}) {
    const Outcome outcome = compare({"--history", "a.json", "-o", name});
    EXPECT_EQ(outcome.exit, 2) << name;
    EXPECT_EQ(outcome.err, std::string("cuimg: compare: -o ") + name +
                               ": the plot of --history is an SVG: use a name that ends in .svg\n");
    EXPECT_FALSE(exists(name));
  }
}

TEST_F(CompareReports, LeaveNothingWhenTheRunFails) {
  save_trees();
  folder_.write("golden/.cuimg-compare", "[*]\nfial = 1\n");
  folder_.write("broken.json", "nonsense\n");
  folder_.write("empty.json", "");
  const std::vector<std::vector<std::string>> wrong = {
      {"golden", "result", "--html", "a/report"},
      {"golden", "nowhere", "--html", "a/report"},
      {"golden/pass.png", "result/pass.png", "--html", "a/report", "--metric", "psrn"},
      {"--from", "broken.json", "--html", "a/report"},
      {"--from", "empty.json", "--html", "a/report"},
      {"--from", "absent.json", "--html", "a/report"},
      {"--from", "a.json"},
      {"--from", "a.json", "golden", "--html", "a/report"},
      {"--history", "broken.json", "-o", "a.svg"},
      {"--history", "-o", "a.svg"},
      {"--history", "empty.json"},
      {"golden", "result", "-o", "a.svg"}};
  for (const std::vector<std::string>& words : wrong) {
    EXPECT_EQ(compare(words).exit, 2) << words[0] << " " << words[1];
    EXPECT_FALSE(exists("a")) << words[0] << " " << words[1];
    EXPECT_FALSE(exists("a.svg")) << words[0] << " " << words[1];
  }
}

TEST_F(CompareReports, AnEarlierReportStaysWhenTheRunFails) {
  save_trees();
  EXPECT_EQ(compare({"golden", "result", "--html", "report"}).exit, 2);
  const std::string page = text("report/index.html"), script = text("report/pairs/0000.js");
  folder_.write("golden/.cuimg-compare", "[*]\nfial = 1\n");
  EXPECT_EQ(compare({"golden", "result", "--html", "report"}).exit, 2);
  EXPECT_EQ(text("report/index.html"), page);
  EXPECT_EQ(text("report/pairs/0000.js"), script);
  EXPECT_FALSE(exists("report/pairs.unfinished"));
}

TEST_F(CompareReports, TheirCommandAcceptsAResultWithoutAGolden) {
  save("result/new.png", result_);
  const Outcome outcome = compare({"--update", "--yes", "golden/sub/new.png", "result/new.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "cuimg: added: golden/sub/new.png from result/new.png\n");
  EXPECT_EQ(text("golden/sub/new.png"), text("result/new.png"));
}

TEST_F(CompareReports, TheFirstUpdateMakesTheGoldenFolder) {
  save("result/sub/new.png", result_);
  EXPECT_EQ(compare({"golden", "result"}).exit, 2);
  const Outcome listed = compare({"--update", "golden", "result"});
  EXPECT_EQ(listed.exit, 1);
  EXPECT_NE(listed.err.find("would add: golden/sub/new.png"), std::string::npos) << listed.err;
  EXPECT_NE(listed.out.find("1 extra, 0 errors\n"), std::string::npos) << listed.out;
  EXPECT_FALSE(exists("golden"));
  const Outcome added = compare({"--update", "--yes", "golden", "result"});
  EXPECT_EQ(added.exit, 0);
  EXPECT_EQ(added.err, "cuimg: added: golden/sub/new.png from result/sub/new.png\n");
  EXPECT_NE(added.out.find("0 extra, 0 errors, 1 added\n"), std::string::npos) << added.out;
  EXPECT_EQ(text("golden/sub/new.png"), text("result/sub/new.png"));
}

TEST_F(CompareReports, AStoredReportWithoutItsPicturesIsAWarning) {
  save_trees();
  folder_.write("a.json", compare({"golden", "result", "--json"}).out);
  EXPECT_EQ(compare({"--from", "a.json", "--html", "whole"}).err.find("does not exist"),
            std::string::npos);
  std::filesystem::remove_all(folder_ / "golden");
  const Outcome outcome = compare({"--from", "a.json", "--html", "report"});
  EXPECT_EQ(outcome.exit, 0);
  expect_contains(outcome.err, "cuimg: a.json: golden/");
  expect_contains(outcome.err, " does not exist, and ");
  expect_contains(outcome.err, "; the report leaves them out\n");
}

TEST_F(CompareReports, OnePictureThatIsGoneIsCountedAsOne) {
  save("a.png", golden_);
  save("b.png", result_);
  folder_.write("a.json", compare({"a.png", "b.png", "--json"}).out);
  for (const char* name : {"a.png", "b.png"}) fs::remove(folder_.path() / name);
  EXPECT_EQ(compare({"--from", "a.json", "--html", "report"}).err,
            "cuimg: a.json: a.png does not exist, and 1 other of its pictures does not exist "
            "either; the report leaves them out\n");
}

TEST_F(CompareReports, OfAStoredReportFindNamesThatAreNotUtf8) {
  const std::string golden = "a\xff.png", result = "b\xfe.png";
  // Formats are recognised by content.
  for (const auto& [name, image] : {std::pair{golden, &golden_}, {result, &result_}})
    write_image(folder_ / name, *image, *codec_named("png"));
  folder_.write("r.json", compare({golden, result, "--json"}).out);
  const Outcome outcome = compare({"--from", "r.json", "--html", "report"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(scripts_in("report"), 1u);
}

TEST_F(CompareReports, EqualBytesHaveTheFiguresOfEqualPixels) {
  for (const bool is_light : {false, true}) {
    const std::string end = is_light ? ".exr" : ".png", other = is_light ? ".pfm" : ".ppm";
    const Image picture =
        is_light ? pattern_of_light(40, 30, 0, false) : pattern(170, 165, 0, false);
    save("a" + end, picture);
    save("b" + end, picture);
    save("c" + other, picture);
    const nlohmann::json bytes = report({"a" + end, "b" + end});
    nlohmann::json pixels = report({"a" + end, "c" + other, "--allow-encoding", "--allow-types"});
    EXPECT_TRUE(bytes["equal_bytes"].get<bool>());
    EXPECT_FALSE(pixels["equal_bytes"].get<bool>());
    pixels["metrics"]["pixels"] = 0;
    EXPECT_EQ(bytes["metrics"], pixels["metrics"]) << end;
    EXPECT_EQ(bytes["metrics"].contains("hdr_flip"), is_light);
  }
}

}  // namespace
}  // namespace cuimg::test

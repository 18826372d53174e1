// SPDX-License-Identifier: Apache-2.0
// Promises of every sample: help, exit codes, JSON, a place in the README; tables and plots.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "build_config.h"
#include "common/plot.h"
#include "common/sample.h"
#include "repository/tree.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct Built {
  std::string name;  // "texture/heat"
  bool runs_on_cpu;
};

// The samples of this build: all with nvcc, otherwise those that need no card.
std::vector<Built> samples_built() {
  std::vector<Built> built;
  for (const SourceFile& file : files_in({"samples"}, {".cu"})) {
    const bool runs_on_cpu = file.text.find("Runs::on_card_or_cpu") != file.text.npos;
    const std::string path = file.path.substr(std::string("samples/").size());
    if (build::has_cuda || runs_on_cpu)
      built.push_back({path.substr(0, path.size() - 3), runs_on_cpu});
  }
  EXPECT_GE(built.size(), 10u);
  return built;
}

Outcome start(const std::string& sample, Words words) {
  const TempDir folder;
  words.insert(words.begin(), CUIMG_SAMPLES "/" + sample);
  return run(words, {.folder = folder.path().string()});
}

TEST(EverySample, ExplainsItsOptions) {
  for (const Built& sample : samples_built()) {
    const Outcome outcome = start(sample.name, {"--help"});
    EXPECT_EQ(outcome.exit, 0) << sample.name << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with(sample.name + ": ")) << outcome.out;
    for (const char* option : {"--device", "--json", "--help", "Exit code"})
      EXPECT_NE(outcome.out.find(option), std::string::npos) << sample.name;
  }
}

TEST(EverySample, RefusesWhatItDoesNotKnowInOneLine) {
  for (const Built& sample : samples_built())
    for (const Words& words :
         {Words{"--no-such-option"}, Words{"--device"}, Words{"--device", "x"}}) {
      const Outcome outcome = start(sample.name, words);
      EXPECT_EQ(outcome.exit, 2) << sample.name;
      EXPECT_TRUE(outcome.err.starts_with(sample.name + ": ")) << outcome.err;
      EXPECT_EQ(outcome.err.find(sample.name, 1), outcome.err.npos)
          << "named twice: " << outcome.err;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
}

TEST(EverySample, IsSkippedWhereItsCardIsNot) {
  for (const Built& sample : samples_built())
    EXPECT_EQ(start(sample.name, {"--device", "cuda:99"}).exit, 77) << sample.name;
}

TEST(EverySample, ThatNeedsNoCardReportsInJsonThatItIsRight) {
  for (const Built& sample : samples_built()) {
    if (!sample.runs_on_cpu) continue;
    const Outcome outcome = start(sample.name, {"--device", "cpu", "--json"});
    ASSERT_EQ(outcome.exit, 0) << sample.name << outcome.err;
    const Json told = Json::parse(outcome.out);
    EXPECT_EQ(told["sample"], sample.name);
    EXPECT_EQ(told["device"], "CPU");
    EXPECT_EQ(told["right"], true);
    EXPECT_FALSE(told["teaches"].get<std::string>().empty());
    EXPECT_FALSE(told["headline"].get<std::string>().empty()) << sample.name;
    EXPECT_FALSE(told["checks"].empty()) << sample.name << " checks nothing";
    for (const Json& table : told["tables"])
      for (const Json& row : table["rows"])
        EXPECT_EQ(row.size(), table["columns"].size()) << sample.name << ": " << table["title"];
  }
}

TEST(EverySample, HasAPlaceInTheReadme) {
  const std::string readme = text_of(project_folder() / "samples/README.md");
  for (const SourceFile& file : files_in({"samples"}, {".cu"})) {
    const std::string path = file.path.substr(std::string("samples/").size());
    EXPECT_NE(readme.find(path.substr(0, path.size() - 3)), std::string::npos) << file.path;
  }
}

TEST(Tables, AlignNumbersToTheRightAndWordsToTheLeft) {
  using samples::Cell;
  samples::Table table{"speeds", {"what", "GB/s"}};
  table.row({"pinned", Cell(7.5, 1)});
  table.row({"pageable memory", Cell(12345.678, 1)});
  table.row({"none", Cell::none("-")});
  EXPECT_EQ(table.as_text(),
            "speeds\n"
            "  what                GB/s\n"
            "  pinned               7.5\n"
            "  pageable memory  12345.7\n"
            "  none                   -\n");
}

TEST(Plots, OfHeatMapsLeaveOutMissingValues) {
  const TempDir folder;
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  samples::HeatMap{"a < b", "GB/s", "x", "y", {"1", "2"}, {"3"}, {{5, nothing}}}.write(folder /
                                                                                       "a.svg");
  const std::string svg = read_file(folder / "a.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find(">5.00</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plots, OfLinesReachFromTheLeastToTheMost) {
  const TempDir folder;
  samples::LinePlot plot{"t", "bytes", "ms", {{"pinned", {{1024, 1}, {4096, 3}}}}, true};
  plot.write(folder / "a.svg");
  const std::string svg = read_file(folder / "a.svg");
  EXPECT_NE(svg.find("points='80.0,296.7 700.0,50.0 '"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">1Ki</text>"), std::string::npos);
  EXPECT_THROW(plot.write("/no/such/folder/a.svg"), Error);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Reading stored reports, and plotting their metrics.
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "compare/report/history_plot.h"

namespace cuimg::test {
namespace {

constexpr const char* two_lines =
    "{\"label\":\"nightly\",\"version\":\"1\"}\n"
    "{\"golden\":\"g/a\",\"result\":\"r/a\",\"verdict\":\"same\",\"metrics\":{\"rmse\":0.5,"
    "\"psnr\":null,\"flip\":{\"mean\":0.25},\"first\":{\"x\":1,\"y\":2}}}\n\n"
    "{\"golden\":null,\"result\":\"r/b\",\"verdict\":\"differs\"}\n";

TEST(StoredReport, OneObjectALineIsRead) {
  const StoredReport report = read_stored_report(two_lines, "r.json");
  EXPECT_EQ(report.label, "nightly");
  ASSERT_EQ(report.pairs.size(), 2u);
  EXPECT_EQ(report.pairs[0].golden, "g/a");
  const std::vector<std::pair<std::string, double>> metrics = {{"rmse", 0.5}, {"flip.mean", 0.25}};
  EXPECT_EQ(report.pairs[0].metrics, metrics);
  EXPECT_EQ(report.pairs[1].golden, "");
  EXPECT_EQ(report.pairs[1].json, R"({"golden":null,"result":"r/b","verdict":"differs"})");
}

TEST(StoredReport, AListAndAnObjectWithPairsAreReadToo) {
  EXPECT_EQ(read_stored_report(R"([{"verdict":"same"}])", "r").pairs.size(), 1u);
  const StoredReport report =
      read_stored_report(R"({"label":"x","pairs":[{"verdict":"same"},{"verdict":"error"}]})", "r");
  EXPECT_EQ(report.pairs.size(), 2u);
  EXPECT_EQ(report.label, "x");
  EXPECT_TRUE(read_stored_report("", "r").pairs.empty());
}

TEST(StoredReport, OtherFilesAreRefusedWithTheLine) {
  try {
    read_stored_report("{\"verdict\":\"same\"}\nnonsense\n", "r.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "r.json: line 2 is not a JSON object: give a report of `cuimg compare --json`");
  }
  EXPECT_THROW(read_stored_report("[1]", "r.json"), Error);
}

TEST(StoredReport, NamesThatAreNotUtf8HaveTheirBytes) {
  const StoredReport report = read_stored_report(
      R"({"golden":"g/\ufffd.png","golden_base64":"Zy//LnBuZw==","result":"r/\ufffd.png",)"
      R"("result_base64":"ci//LnBuZw==","name":"\ufffd.png","name_base64":"/y5wbmc=",)"
      R"("verdict":"differs"})",
      "r.json");
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_EQ(report.pairs[0].golden, "g/\xff.png");
  EXPECT_EQ(report.pairs[0].result, "r/\xff.png");
  EXPECT_EQ(report.pairs[0].name, "\xff.png");
  const StoredReport damaged = read_stored_report(
      R"({"golden":"g","golden_base64":"*","result":"r","result_base64":7,"verdict":"same"})", "r");
  EXPECT_EQ(damaged.pairs[0].golden, "g");
  EXPECT_EQ(damaged.pairs[0].result, "r");
}

TEST(StoredReport, DeepNestingIsRefused) {
  const auto nested = [](int depth) {
    const auto many = static_cast<std::size_t>(depth);
    std::string text = R"({"verdict":"same","x":)";
    return text + std::string(many, '[') + std::string(many, ']') + "}";
  };
  EXPECT_EQ(read_stored_report(nested(90), "r.json").pairs.size(), 1u);
  const std::string deep = nested(200000);
  std::string list = "[" + deep + "]", second_line = "{\"verdict\":\"same\"}\n" + deep;
  for (const std::string& text : {deep, list, second_line, std::string(200000, '[')}) {
    try {
      read_stored_report(text, "r.json");
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "r.json: its lists and objects are nested more than 100 deep");
    }
  }
  EXPECT_THROW(check_json_object(deep, "a"), Error);
}

HistoryRun run_of(const std::string& label, std::vector<std::pair<std::string, double>> metrics) {
  return {label, {{"g", "r", "same", "{}", std::move(metrics)}}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(HistoryPlot, HasAPlotForEachMetricAndAPointForEachRun) {
  const std::string svg = history_plot({run_of("one", {{"rmse", 0.5}, {"psnr", 30}}),
                                        run_of("two", {{"rmse", 0.25}, {"flip.mean", 0.1}})});
  EXPECT_EQ(count_of(svg, "class=\"name\""), 3u);
  EXPECT_EQ(count_of(svg, "<circle class=\"worst\""), 4u + 1u) << "and one in the legend";
  EXPECT_NE(svg.find("<title>one: worst 0.5</title>"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(HistoryPlot, TheWorstPairIsTheLowestWhereLargerIsBetter) {
  HistoryRun run = run_of("one", {{"psnr", 30}, {"rmse", 30}});
  run.pairs.push_back({"g", "r", "same", "{}", {{"psnr", 40}, {"rmse", 40}}});
  const std::string svg = history_plot({run});
  EXPECT_NE(svg.find("<title>one: worst 30</title>"), std::string::npos) << "psnr";
  EXPECT_NE(svg.find("<title>one: worst 40</title>"), std::string::npos) << "rmse";
  EXPECT_EQ(count_of(svg, "<title>one: mean 35</title>"), 2u);
}

TEST(HistoryPlot, TheSsimOfAChannelIsBetterWhereItIsLarger) {
  HistoryRun run = run_of("one", {{"ssim_of_channel.R", 0.5}});
  run.pairs.push_back({"g", "r", "same", "{}", {{"ssim_of_channel.R", 0.75}}});
  const std::string svg = history_plot({run});
  EXPECT_NE(svg.find("<title>one: worst 0.5</title>"), std::string::npos);
}

TEST(HistoryPlot, TextIsEscaped) {
  const std::string svg = history_plot({run_of("<a & \"b\">\x01\xff", {{"<m>", 1}})});
  EXPECT_EQ(svg.find("<a &"), std::string::npos);
  EXPECT_EQ(svg.find("<m>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;a &amp; &quot;b&quot;&gt;\xef\xbf\xbd\xef\xbf\xbd"), std::string::npos);
}

TEST(HistoryPlot, ValuesThatAreNotFiniteAreGaps) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string svg = history_plot(
      {run_of("a", {{"psnr", infinity}, {"rmse", 0}}), run_of("b", {{"psnr", 30}, {"rmse", 0}})});
  EXPECT_EQ(count_of(svg, "<circle class=\"worst\""), 3u + 1u);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(HistoryPlot, OfAnyFiniteValuesEnds) {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr double least = std::numeric_limits<double>::denorm_min();
  for (const auto& [first, second] :
       {std::pair{-1e308, 1e308}, {-most, most}, {most, most}, {least, 3 * least}, {0.0, least}}) {
    const std::string svg =
        history_plot({run_of("a", {{"psnr", first}}), run_of("b", {{"psnr", second}})});
    EXPECT_EQ(count_of(svg, "<circle class=\"worst\""), 2u + 1u) << first;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << first;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << first;
  }
}

TEST(HistoryPlot, NothingToDrawIsAnError) {
  EXPECT_THROW(history_plot({}), Error);
  EXPECT_THROW(history_plot({run_of("a", {})}), Error);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Reports on a run: --json, --timing and --trace.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

using nlohmann::json;

class RunReports : public BadInput {
 protected:
  void SetUp() override {
    for (const char* name : {"a.png", "b.png", "c.png"})
      expect_done({"noise", "--size", "90x70", "--type", "u8", name});
  }
  static std::vector<json> lines(const std::string& text) {
    std::vector<json> objects;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) objects.push_back(json::parse(line));
    return objects;
  }
};

TEST_F(RunReports, JsonHasAnObjectForEachImageAndASummary) {
  folder.write("bad.png", read_file(folder / "b.png").substr(0, 200));
  const Outcome outcome =
      cuimg({"resize", "--size", "50%", "--json", "a.png", "b.png", "bad.png", "-o", "o/"});
  EXPECT_EQ(outcome.exit, 2);
  const std::vector<json> objects = lines(outcome.out);
  ASSERT_EQ(objects.size(), 4u) << outcome.out;
  EXPECT_EQ(objects[0]["input"], "a.png");
  EXPECT_EQ(objects[0]["output"], "o/a.png");
  EXPECT_EQ(objects[0]["status"], "done");
  EXPECT_EQ(objects[0]["pixels"], 90 * 70);
  EXPECT_EQ(objects[0]["bytes"], std::filesystem::file_size(folder / "o/a.png"));
  EXPECT_GT(objects[0]["milliseconds"], 0.0);
  EXPECT_EQ(objects[2]["status"], "failed");
  EXPECT_NE(objects[2]["error"].get<std::string>().find("bad.png"), std::string::npos);
  const json& summary = objects[3]["summary"];
  EXPECT_EQ(summary["images"], 3);
  EXPECT_EQ(summary["done"], 2);
  EXPECT_EQ(summary["failed"], 1);
  EXPECT_EQ(summary["skipped"], 0);
}

// However the run ends, done + failed + skipped + not_begun is the number of all images.
TEST_F(RunReports, JsonAlwaysEndsInASummaryThatCountsAllImages) {
  const auto summary = [&](Words words) {
    words.insert(words.begin(), {"flip", "--json"});
    const std::vector<json> objects = lines(cuimg(words).out);
    return objects.empty() ? json() : objects.back()["summary"];
  };
  const auto counts = [&](const Words& words) {
    const json object = summary(words);
    std::vector<int> all;
    for (const char* key : {"images", "done", "failed", "skipped", "not_begun"})
      all.push_back(object.value(key, -1));
    return all;
  };
  folder.write("a_bad.png", "no image");
  EXPECT_EQ(counts({"--shard", "5/6", "a.png", "b.png", "-o", "o/"}),
            (std::vector<int>{0, 0, 0, 0, 0}));
  EXPECT_EQ(counts({"--dry-run", "a.png", "a_bad.png", "b.png", "-o", "o/"}),
            (std::vector<int>{3, 0, 1, 0, 2}));
  EXPECT_TRUE(summary({"--dry-run", "a.png", "o.png"})["dry_run"]);
  EXPECT_EQ(counts({"--fail-fast", "-j", "1", "a.png", "a_bad.png", "b.png", "c.png", "-o", "o/"}),
            (std::vector<int>{4, 1, 1, 0, 2}));
  EXPECT_TRUE(cuimg({"flip", "--fail-fast", "-j", "1", "a_bad.png", "b.png", "c.png", "-o", "o/"})
                  .err.ends_with("cuimg: 1 of 3 images failed, 2 not begun\n"));
}

TEST_F(RunReports, JsonReportsWhatIsMadeAlready) {
  const Words command = {"flip", "--skip-existing", "--json", "a.png", "b.png", "-o", "o/"};
  expect_done(command);
  const std::vector<json> objects = lines(expect_done(command).out);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0]["status"], "skipped");
  EXPECT_EQ(objects[2]["summary"]["skipped"], 2);
}

TEST_F(RunReports, WhatASinkPrintsIsNeverMadeAlready) {
  const Outcome plain = expect_done({"stats", "a.png"});
  EXPECT_EQ(expect_done({"stats", "--skip-existing", "a.png"}).out, plain.out);
}

TEST_F(RunReports, JsonGoesToStandardErrorWhereStandardOutputIsAnImage) {
  const Outcome outcome = cuimg({"flip", "--json", "--format", "ppm", "a.png", "-"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(outcome.out.starts_with("P6\n90 70\n255\n"));
  const std::vector<json> objects = lines(outcome.err);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0]["status"], "done");
  EXPECT_FALSE(objects[0].contains("bytes"));  // the bytes of a pipe are not counted
  EXPECT_EQ(objects[1]["summary"]["done"], 1);
}

TEST_F(RunReports, TimesAreThoseOfTheStepsOfEachImage) {
  const std::vector<json> objects = lines(
      expect_done({"blur", "--sigma", "2", "--timing", "--json", "a.png", "b.png", "-o", "o/"})
          .out);
  ASSERT_EQ(objects.size(), 3u);
  for (int image = 0; image < 2; ++image) {
    std::map<std::string, json> steps;
    double thread = 0;
    for (const json& time : objects[image]["timing"]) {
      steps[time["step"]] = time;
      EXPECT_GE(time["milliseconds"], 0.0);
      if (time["clock"] == "thread") thread += time["milliseconds"].get<double>();
    }
    for (const char* step : {"open and plan", "decode", "encode", "write and sync"})
      EXPECT_EQ(steps[step]["clock"], "thread") << step;
    EXPECT_EQ(steps["blur"]["clock"], "processor");
    // Decoding and encoding use at most two threads.
    EXPECT_LE(thread, 2 * objects[image]["milliseconds"].get<double>() + 1);
  }
}

TEST_F(RunReports, ATimeSheetSumsOverTheImagesAndNamesWhatTookMost) {
  const Outcome outcome =
      cuimg({"blur", "--sigma", "2", "--timing", "a.png", "b.png", "c.png", "-o", "o/"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(outcome.err.starts_with("step ")) << outcome.err;
  for (const char* step :
       {"\ndecode ", "\nblur ", "\nencode ", "\nwrite and sync ", "\nMost went into "})
    EXPECT_NE(outcome.err.find(step), std::string::npos) << step << outcome.err;
}

// Expects complete events in rows with names. Events in one row must not overlap except when
// nested.
void check_trace(const json& trace, const std::set<std::string>& kinds) {
  std::map<int, std::string> rows;
  std::map<int, std::vector<std::pair<double, double>>> spans;
  std::set<std::string> found;
  for (const json& event : trace["traceEvents"]) {
    ASSERT_EQ(event["pid"], 1);
    if (event["ph"] == "M") {
      EXPECT_EQ(event["name"], "thread_name");
      rows[event["tid"]] = event["args"]["name"];
      continue;
    }
    ASSERT_EQ(event["ph"], "X");
    ASSERT_TRUE(rows.contains(event["tid"]));
    EXPECT_TRUE(rows[event["tid"]].starts_with(event["cat"].get<std::string>()));
    EXPECT_GE(event["ts"], 0.0);
    EXPECT_GE(event["dur"], 0.0);
    found.insert(event["cat"]);
    const double begin = event["ts"], end = begin + event["dur"].get<double>();
    for (const auto& [other_begin, other_end] : spans[event["tid"]]) {
      const double slack = 0.001;  // printed times are rounded
      EXPECT_TRUE(end <= other_begin + slack || begin >= other_end - slack ||
                  (begin >= other_begin - slack && end <= other_end + slack) ||
                  (other_begin >= begin - slack && other_end <= end + slack))
          << event.dump();
    }
    spans[event["tid"]].push_back({begin, end});
  }
  for (const std::string& kind : kinds) EXPECT_TRUE(found.contains(kind)) << kind;
}

TEST_F(RunReports, ATraceHasARowForEachThreadAtWork) {
  expect_done({"blur", "--sigma", "2", "--trace", "t.json", "a.png", "b.png", "c.png", "-o", "o/"});
  check_trace(json::parse(read_file(folder / "t.json")), {"images", "decode", "stages", "encode"});
}

TEST_F(RunReports, ATraceIsWrittenAlsoOfARunThatFails) {
  folder.write("bad.png", read_file(folder / "b.png").substr(0, 200));
  EXPECT_EQ(cuimg({"flip", "--trace", "t.json", "bad.png", "o.png"}).exit, 2);
  check_trace(json::parse(read_file(folder / "t.json")), {"images"});
}

TEST_F(RunReports, ATraceIsKeptByNoClobber) {
  folder.write("t.json", "of an earlier run");
  expect_refused({"flip", "--no-clobber", "--trace", "t.json", "a.png", "o.png"},
                 {"t.json: exists already: --no-clobber keeps it"});
  expect_done({"flip", "--no-clobber", "--trace", "new.json", "a.png", "o.png"});
  check_trace(json::parse(read_file(folder / "new.json")), {"images"});
}

TEST_F(RunReports, ATraceReplacesNoInputAndNeedsItsFolder) {
  expect_refused({"flip", "--trace", "a.png", "a.png", "o.png"}, {"--trace a.png", "is read"});
  expect_refused({"flip", "--trace", "o.png", "a.png", "o.png"}, {"--trace o.png", "an output"});
  expect_refused({"flip", "--trace", "-", "a.png", "o.png"}, {"--trace -"});
  expect_refused({"flip", "--trace", "no/t.json", "a.png", "o.png"}, {"no/t.json"});
}

}  // namespace
}  // namespace cuimg::test

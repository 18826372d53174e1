// SPDX-License-Identifier: Apache-2.0
// The HTML report in use: report_browser.py drives Chromium over the reports written here.
#include <gtest/gtest.h>

#include "compare/pictures.h"
#include "compare/report_fixture.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// The report records that the second pair was compared in the golden's window.
void write_report_of_windows(const std::string& folder) {
  const Image golden = with_value(flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 0), 0, 0, 0, 1);
  const Image result = flat(spec_of({0, 0, 8, 4}, PixelType::u8, 3), 0);
  HtmlReport report({.folder = folder});
  report.add({0, "a.png", pair_json("a.png", "differs"), {{"", &golden, &result, {{}}}}});
  report.add({1,
              "b.png",
              pair_json("b.png", "differs"),
              {{"", &golden, &result, {{{}, {}, {{0, 0, 8, 8}, {}}}}}}});
  report.finish();
}

// The second file's picture was moved over the golden, and only its red and green were compared.
void write_report_of_places(const std::string& folder) {
  Spec spec = spec_of({0, 0, 8, 8}, PixelType::half, 3);
  spec.layers.push_back({"", {"Z", "ZBack"}, PixelType::f32});
  const Image golden = flat(spec, 0.5f), result = with_value(golden, 5, 4, 0, 1, 1);
  constexpr const char* figures =
      R"(,"metrics":{"rmse":0.25},"layers":[)"
      R"({"part":0,"layer":"RG","golden_layer":0,"pixels_failing":0,"metrics":{"rmse":0}},)"
      R"({"part":0,"layer":"Z,ZBack","golden_layer":1,"pixels_failing":1,)"
      R"("metrics":{"rmse":0.25}}])";
  ReportPart part = {"", &golden, &result, {}};
  part.moved = {-20, -10};
  HtmlReport report({.folder = folder});
  report.add({0, "a.exr", pair_json("a.exr", "differs", figures), {part}});
  report.finish();
}

// One side has an alpha, or other channels altogether.
void write_report_of_channels(const std::string& folder) {
  const Image golden = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 0.5f);
  const Image result = with_value(flat(spec_of({0, 0, 8, 8}, PixelType::u8, 4), 0.5f), 5, 4, 0, 1);
  const Image grey = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 1), 0.5f);
  HtmlReport report({.folder = folder});
  report.add({0, "a.png", pair_json("a.png", "differs"), {{"", &golden, &result, {}}}});
  report.add({1, "b.png", pair_json("b.png", "differs"), {{"", &golden, &grey, {}}}});
  report.finish();
}

// The second layer differs.
void write_report_of_layers(const std::string& folder) {
  Spec spec = spec_of({0, 0, 8, 8}, PixelType::half, 3);
  spec.layers.push_back({"depth", {"Z"}, PixelType::f32});
  const Image golden = flat(spec, 0), result = with_value(golden, 3, 2, 0, 1, 1);
  constexpr const char* figures =
      R"(,"layers":[{"part":0,"layer":"RGB","pixels_differing":0,"pixels_failing":0},)"
      R"({"part":0,"layer":"depth","pixels_differing":1,"pixels_failing":1}])";
  HtmlReport report({.folder = folder});
  report.add({0, "a.exr", pair_json("a.exr", "differs", figures), {{"", &golden, &result, {}}}});
  report.finish();
}

TEST(ReportInBrowser, DoesWhatPeopleAskOfIt) {
  const TempDir folder;
  write_main_report(folder / "main");
  write_report_of_passes(folder / "many", 500);
  write_stale_report(folder / "stale");
  write_report_of_windows(folder / "windows");
  write_report_of_layers(folder / "layers");
  write_report_of_places(folder / "places");
  write_report_of_channels(folder / "channels");
  {
    HtmlReport stored({.folder = folder / "stored"});
    stored.add({0, "a.exr", pair_json("a.exr", "differs"), {}});
    stored.add({1, "b.exr", pair_json("b.exr", "same"), {}});
    stored.finish();
    HtmlReport empty({.folder = folder / "empty"});
    empty.finish();
  }
  const Outcome outcome =
      run({"python3", "-B", CUIMG_TEST_FOLDER "/report_browser.py", folder.path().string()});
  constexpr int no_browser = 77, no_python = 127;
  if (outcome.exit == no_browser) GTEST_SKIP() << outcome.out;
  if (outcome.exit == no_python) GTEST_SKIP() << "python3 is not installed";
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
#include "compare/report_fixture.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "base/json.h"
#include "compare/comparison.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

constexpr Rect hdr_window = {10, 20, 64, 48};

Spec hdr_spec() {
  Spec spec = spec_of(hdr_window, PixelType::half, 4);
  spec.layers.push_back({"depth", {"Z"}, PixelType::f32});
  return spec;
}

float hdr_value(int layer, int y, int channel) {
  constexpr float light[] = {0.25f, 1.5f, 4.0f, 1.0f};
  return layer == 1 ? static_cast<float>(100 + y) : light[channel];
}

bool in_square(int x, int y) { return x >= 30 && x < 34 && y >= 40 && y < 44; }

// FLIP's map: 0.5 in the square, 1 where no comparison is possible.
std::vector<float> hdr_flip() {
  std::vector<float> map;
  for (int y = hdr_window.y; y < hdr_window.bottom(); ++y)
    for (int x = hdr_window.x; x < hdr_window.right(); ++x)
      map.push_back(in_square(x, y) ? 128 / 255.0f : x == 12 && y == 22 ? 1.0f : 0.0f);
  return map;
}

bool is_ignored(int x, int y) { return y == 35 && x >= 50 && x < 53; }

std::vector<std::uint8_t> hdr_forgiven() {
  std::vector<std::uint8_t> map;
  for (int y = hdr_window.y; y < hdr_window.bottom(); ++y)
    for (int x = hdr_window.x; x < hdr_window.right(); ++x)
      map.push_back(is_ignored(x, y) ? static_cast<std::uint8_t>(ForgivenBy::ignored) : 0);
  return map;
}

Image eight(float corner) {
  return image_of(spec_of({0, 0, 33, 17}, PixelType::u8, 3), [&](int, int x, int y, int) {
    return x == 32 && y == 16 ? corner : static_cast<float>(x) / 64;
  });
}

Image second_part() { return flat(spec_of({0, 0, 8, 8}, PixelType::u16, 1), 0.5f); }

// In the form that comparison_json() writes.
constexpr const char* hdr_metrics =
    R"(,"reasons":["18 pixels differ",{"code":"flip","text":"FLIP is above 0.01"}],)"
    R"("reason_codes":["pixels","flip"],"forgiven":{"ignored":3,"shifted":0},"metrics":{)"
    R"("psnr":41.25,"rmse":0.0087,"max_absolute":0.5,"max_ulp":4278190078,"pixels_differing":18,)"
    R"("first":{"part":0,"layer":0,"x":12,"y":22,"channel":"R","golden":0.25,"result":"nan",)"
    R"("golden_pixel":[0.25,1.5,4,1],"result_pixel":["nan",1.5,4,1]},)"
    R"("worst":{"part":0,"layer":0,"x":31,"y":41,"channel":"R","golden":0.25,"result":0.75},)"
    R"("flip":{"mean":0.0031,"weighted_median":0.5}},"layers":[)"
    R"({"part":0,"part_name":"","layer":"RGBA","metrics":{"rmse":0.0087,"max_ulp":4278190078}},)"
    R"({"part":0,"part_name":"","layer":"depth","metrics":{"rmse":0.0}}])";

void add_hdr(HtmlReport& report, int number) {
  const Image golden = hdr_golden(), result = hdr_result(), second = second_part();
  const std::vector<float> flip = hdr_flip();
  const std::vector<std::uint8_t> forgiven = hdr_forgiven();
  ReportPair pair;
  pair.number = number;
  pair.name = "scenes/hdr.exr";
  pair.json = pair_json(pair.name, "differs", hdr_metrics);
  pair.parts = {{"", &golden, &result, {{{}, {hdr_window, flip}, {hdr_window, forgiven}}}},
                {"second", &second, &second, {}}};
  report.add(pair);
}

void add_eight(HtmlReport& report, int number, const std::string& name) {
  const Image golden = eight(0), result = eight(1);
  report.add({number,
              name,
              pair_json(name, "differs", R"(,"reasons":["1 pixel differs"])"),
              {{"", &golden, &result, {}}}});
}

void add_pass(HtmlReport& report, int number, const std::string& name) {
  const Image image = eight(0);
  ReportPair pair = {number, name, pair_json(name, "same"), {{"", &image, &image, {}}}};
  pair.keeps_pixels = false;
  report.add(pair);
}

HtmlReportOptions options_for(const std::string& folder) {
  HtmlReportOptions options;
  options.folder = folder;
  options.golden = "goldens";
  return options;
}

}  // namespace

Image hdr_golden() {
  return image_of(hdr_spec(), [](int l, int, int y, int c) { return hdr_value(l, y, c); });
}

Image hdr_result() {
  return image_of(hdr_spec(), [](int l, int x, int y, int c) {
    if (l == 0 && c == 0 && in_square(x, y)) return 0.75f;
    if (l == 0 && c == 0 && x == 12 && y == 22) return std::numeric_limits<float>::quiet_NaN();
    if (l == 0 && c == 2 && is_ignored(x, y)) return 8.0f;
    if (l == 0 && c == 1 && x == 60 && y == 60) return std::numeric_limits<float>::infinity();
    return hdr_value(l, y, c);
  });
}

std::string pair_json(const std::string& name, const std::string& verdict,
                      const std::string& more) {
  return fmt::format(R"({{"golden":{},"result":{},"verdict":"{}"{}}})",
                     Json("goldens/" + name).text(), Json("out/" + name).text(), verdict, more);
}

void write_main_report(const std::string& folder) {
  HtmlReport report(options_for(folder));
  for (int i = 0; i < 20; ++i) add_pass(report, i, fmt::format("passed/p{:02}.png", i));
  add_hdr(report, 20);
  add_eight(report, 21, "flat/eight.png");
  add_eight(report, 22, hostile_name);
  const Image extra = eight(0.5f);
  report.add({23,
              "new/extra.exr",
              R"({"golden":"","result":"out/new/extra.exr","verdict":"differs",)"
              R"("reasons":["no golden"]})",
              {{"", nullptr, &extra, {}}}});
  report.add({26,
              "gone.exr",
              pair_json("gone.exr", "differs",
                        R"(,"reasons":["the result is missing"],"reason_codes":["missing"])"),
              {}});
  report.add(
      {24,
       "broken/cut.exr",
       pair_json("broken/cut.exr", "error", R"(,"reasons":["the file ends after 1200 bytes"])"),
       {}});
  report.add({25,
              "warned/near.exr",
              pair_json("warned/near.exr", "same", R"(,"warnings":["rmse is above 0.001"])"),
              {}});
  report.finish();
}

void write_report_of_passes(const std::string& folder, int count) {
  HtmlReport report(options_for(folder));
  for (int i = 0; i < count; ++i) add_pass(report, i, fmt::format("suite/case_{:03}.png", i));
  report.finish();
}

void write_stale_report(const std::string& folder) {
  HtmlReport report(options_for(folder));
  add_eight(report, 0, "lost.exr");
  add_eight(report, 1, "other.exr");
  report.finish();
  // The script of lost.exr under the number of the other pair.
  const std::filesystem::path pairs = std::filesystem::path(folder) / "pairs";
  std::string script = read_file(pairs / "0000.js");
  script.replace(script.find("\"0000\""), 6, "\"0001\"");
  std::filesystem::remove(pairs / "0000.js");
  std::ofstream(pairs / "0001.js", std::ios::binary) << script;
}

}  // namespace cuimg::test

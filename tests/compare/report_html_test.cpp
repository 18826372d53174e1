// SPDX-License-Identifier: Apache-2.0
// The folder of compare --html: its content, and names and pixels that must not break it.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <limits>
#include <set>
#include <thread>

#include "base/bytes.h"
#include "base/error.h"
#include "compare/report/html_report.h"
#include "compare/report_data.h"
#include "compare/report_fixture.h"
#include "support/images.h"
#include "support/process.h"
#include "text/web_text.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;
using Object = nlohmann::json;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

int value_of_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

// Inflates a block of a script with zlib.
std::string inflated(const std::string& base64_text, std::size_t bytes) {
  std::string packed;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64_text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(value_of_digit(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    packed += static_cast<char>(bits >> count & 255);
  }
  std::string raw(bytes, '?');
  uLongf size = bytes;
  const int failure = uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                                 reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  EXPECT_EQ(failure, Z_OK);
  EXPECT_EQ(size, bytes);
  return raw;
}

TEST(HtmlReport, HasAPageAndAScriptForEachLayer) {
  const TempDir folder;
  write_main_report(folder / "report");
  EXPECT_EQ(files_in(folder / "report"), (std::vector<std::string>{"index.html", "pairs"}));
  EXPECT_EQ(files_in(folder / "report/pairs"),
            (std::vector<std::string>{"0020-1.js", "0020-2.js", "0020.js", "0021.js", "0022.js",
                                      "0023.js"}));
  const Object data = data_of(folder / "report");
  ASSERT_EQ(data["pairs"].size(), 27u);
  const Object& hdr = data["pairs"][20];
  EXPECT_EQ(hdr["name"], "scenes/hdr.exr");
  EXPECT_EQ(hdr["pair"]["metrics"]["psnr"], 41.25);
  EXPECT_EQ(hdr["parts"][0]["layers"][1]["name"], "depth");
  EXPECT_EQ(hdr["parts"][1]["name"], "second");
  EXPECT_EQ(hdr["parts"][1]["layers"][0]["file"], "0020-2");
  EXPECT_FALSE(data["pairs"][0].contains("parts")) << "a pass keeps a thumbnail alone";
  EXPECT_TRUE(data["pairs"][0]["thumb"].get<std::string>().starts_with("data:image/jpeg;base64,"));
}

TEST(HtmlReport, HasTheSameBytesWhateverTheOrderOfPairs) {
  const TempDir folder;
  const auto written = [&](const std::string& name, const std::vector<int>& numbers) {
    HtmlReport report({.folder = folder / name});
    for (const int number : numbers)
      report.add({number, std::to_string(number), pair_json("a", "same"), {}, false});
    report.finish();
    return read_file(folder / (name + "/index.html"));
  };
  const std::string page = written("a", {0, 1, 2, 3, 5, 9});
  EXPECT_EQ(page, written("b", {5, 3, 0, 9, 2, 1}));
  EXPECT_EQ(page, written("c", {9, 5, 3, 2, 1, 0}));
  EXPECT_EQ(data_of(folder / "b")["pairs"][4]["name"], "5");
}

TEST(HtmlReport, NoNameEndsTheElementThatHoldsIt) {
  const TempDir folder;
  write_main_report(folder / "report");
  const std::string page = read_file(folder / "report/index.html");
  EXPECT_EQ(page.find("<img src=x"), std::string::npos);
  EXPECT_EQ(data_of(folder / "report")["pairs"][22]["name"], hostile_name);
  EXPECT_EQ(read_file(folder / "report/pairs/0022.js").find("</script"), std::string::npos);
}

TEST(HtmlReport, KeepsValuesAsTheyAreStored) {
  const TempDir folder;
  write_main_report(folder / "report");
  const Object pixels = pixels_of(folder / "report/pairs/0020.js");
  EXPECT_EQ(pixels["golden"]["window"], Object({10, 20, 64, 48}));
  EXPECT_EQ(pixels["golden"]["type"], "half");
  EXPECT_EQ(pixels["golden"]["curve"], "linear");
  EXPECT_EQ(pixels["result"]["xor"], true);
  constexpr std::size_t bytes = 64 * 48 * 4 * sizeof(Half);
  const std::string golden = inflated(pixels["golden"]["blocks"][0], bytes);
  const std::string changes = inflated(pixels["result"]["blocks"][0], bytes);
  const Image wanted = hdr_result();
  for (std::size_t i = 0; i < bytes; ++i)
    ASSERT_EQ(golden[i] ^ changes[i], static_cast<char>(wanted.row(0, 20)[i])) << i;
  EXPECT_EQ(pixels["difference"], nullptr);
  EXPECT_EQ(pixels["flip"]["blocks"].size(), 1u);
  const std::string forgiven = inflated(pixels["forgiven"]["blocks"][0], std::size_t{64} * 48);
  EXPECT_EQ(forgiven.substr(64 * 15 + 39, 5), std::string("\0\1\1\1\0", 5));
  EXPECT_EQ(std::count(forgiven.begin(), forgiven.end(), '\0'), 64 * 48 - 3);
  EXPECT_EQ(pixels_of(folder / "report/pairs/0021.js")["forgiven"], nullptr);
}

TEST(HtmlReport, ASideThatIsMissingIsNull) {
  const TempDir folder;
  write_main_report(folder / "report");
  const Object pixels = pixels_of(folder / "report/pairs/0023.js");
  EXPECT_EQ(pixels["golden"], nullptr);
  EXPECT_EQ(pixels["result"]["type"], "u8");
  EXPECT_FALSE(pixels["result"].contains("xor"));
}

TEST(HtmlReport, ImagesOfDifferentFormAreWrittenAsTheyAre) {
  const TempDir folder;
  const Image golden = flat(spec_of({0, 0, 5, 4}, PixelType::u8, 3), 0.5f);
  const Image result = flat(spec_of({-1, 2, 1, 7}, PixelType::f32, 4), 0.5f);
  HtmlReport report({.folder = folder / "report"});
  report.add({7, "a", pair_json("a", "differs"), {{"", &golden, &result, {}}}});
  report.finish();
  const Object pixels = pixels_of(folder / "report/pairs/0007.js");
  EXPECT_EQ(pixels["result"]["window"], Object({-1, 2, 1, 7}));
  EXPECT_FALSE(pixels["result"].contains("xor"));
}

TEST(HtmlReport, MapsOfNanAndInfinityAreAtTheirLargest) {
  const TempDir folder;
  const Image image =
      flat(spec_of({0, 0, 4, 1}, PixelType::f32, 1), std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> map = {0, 1e-9f, std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity()};
  HtmlReport report({.folder = folder / "report"});
  report.add(
      {0, "a", pair_json("a", "differs"), {{"", &image, &image, {{{{0, 0, 4, 1}, map}, {}}}}}});
  report.finish();
  const Object map_read = pixels_of(folder / "report/pairs/0000.js")["difference"];
  EXPECT_EQ(map_read["window"], Object({0, 0, 4, 1}));
  EXPECT_EQ(inflated(map_read["blocks"][0], 4), std::string("\0\1\xff\xff", 4));
}

TEST(HtmlReport, AMapMustFillItsWindow) {
  const TempDir folder;
  const Image image = flat(spec_of({0, 0, 4, 1}, PixelType::f32, 1), 0);
  const std::vector<float> map = {0};
  HtmlReport report({.folder = folder / "report"});
  EXPECT_THROW(
      report.add(
          {0, "a", pair_json("a", "differs"), {{"", &image, &image, {{{{0, 0, 4, 1}, map}, {}}}}}}),
      Error);
  EXPECT_FALSE(fs::exists(folder / "report/pairs/0000.js")) << "no partial file is left";
}

TEST(HtmlReport, InvalidJsonIsRefused) {
  const TempDir folder;
  HtmlReport report({.folder = folder / "report"});
  EXPECT_THROW(report.add({0, "a", "{\"verdict\":", {}}), Error);
  EXPECT_THROW(report.add({0, "a", "[]", {}}), Error);
  report.finish();
  EXPECT_TRUE(data_of(folder / "report")["pairs"].empty());
}

TEST(HtmlReport, TooManyPixelsForABrowserAreLeftOut) {
  const TempDir folder;
  const Image image = flat(spec_of({0, 0, 64, 64}, PixelType::f32, 4), 0);
  HtmlReport report({.folder = folder / "report", .most_layer_bytes = 1000});
  report.add({0, "a", pair_json("a", "differs"), {{"", &image, &image, {}}}});
  report.finish();
  const Object layer = data_of(folder / "report")["pairs"][0]["parts"][0]["layers"][0];
  EXPECT_FALSE(layer.contains("file"));
  EXPECT_EQ(layer["omitted"], "0 MiB of pixels are too many for a browser.");
}

// For any number of scripts that are open before they have names.
class HtmlReportOfThreads : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(OpenScripts, HtmlReportOfThreads, testing::Values(0, 7, 128));

TEST_P(HtmlReportOfThreads, HasTheirPairs) {
  const TempDir folder;
  const Image image = noise(spec_of({0, 0, 40, 30}, PixelType::half, 4));
  HtmlReport report({.folder = folder / "report", .most_open_scripts = GetParam()});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i)
        report.add({thread * 10 + i, "a", pair_json("a", "differs"), {{"", &image, nullptr, {}}}});
    });
  for (std::thread& thread : threads) thread.join();
  report.finish();
  std::set<int> numbers;
  const Object data = data_of(folder / "report");
  for (const Object& pair : data["pairs"]) numbers.insert(pair["id"].get<int>());
  EXPECT_EQ(numbers.size(), 40u);
  EXPECT_EQ(files_in(folder / "report/pairs").size(), 40u);
  EXPECT_EQ(files_in(folder / "report"), (std::vector<std::string>{"index.html", "pairs"}));
}

TEST(HtmlReport, WithoutFinishTheEarlierPageStays) {
  const TempDir folder;
  write_report_of_passes(folder / "report", 2);
  {
    HtmlReport report({.folder = folder / "report"});
    report.add({0, "a", pair_json("a", "differs"), {}});
  }
  EXPECT_EQ(data_of(folder / "report")["pairs"].size(), 2u);
}

TEST(HtmlReport, UntilItIsCompleteNothingLiesInTheFolder) {
  const TempDir folder;
  const Image image = noise(spec_of({0, 0, 40, 30}, PixelType::half, 4));
  write_main_report(folder / "report");
  const std::vector<std::string> before = files_in(folder / "report/pairs");
  {
    HtmlReport report({.folder = folder / "report"});
    report.add({0, "a", pair_json("a", "differs"), {{"", &image, &image, {}}}});
    EXPECT_EQ(files_in(folder / "report"), (std::vector<std::string>{"index.html", "pairs"}));
    EXPECT_EQ(files_in(folder / "report/pairs"), before);
  }
  EXPECT_EQ(files_in(folder / "report/pairs"), before);
}

TEST(HtmlReport, ScriptsOfAnEarlierReportAreRemovedAndOtherFilesStay) {
  const TempDir folder;
  write_main_report(folder / "report");
  std::ofstream(folder / "report/pairs/notes.js") << "mine";
  write_report_of_passes(folder / "report", 2);
  EXPECT_EQ(files_in(folder / "report/pairs"), std::vector<std::string>{"notes.js"});
}

TEST(HtmlReport, AFolderThatCannotBeMadeIsNamed) {
  const TempDir folder;
  folder.write("file", "x");
  EXPECT_THROW(HtmlReport({.folder = folder / "file/report"}), Error);
}

TEST(WebText, Base64IsThatOfTheStandard) {
  const auto of = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
}

TEST(WebText, Base64IsReadAsItWasWritten) {
  for (const std::string bytes : {"", "f", "fo", "foo", "foobar", "\xff\xfe\x80z"})
    EXPECT_EQ(bytes_of_base64(base64(std::as_bytes(std::span(bytes)))), bytes);
  for (const char* text :
       {"Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9*", "Zm=v", "Zh==", "Zm9v\n"})
    EXPECT_EQ(bytes_of_base64(text), std::nullopt) << text;
}

TEST(WebText, JsonOfAPageHasNoTagsAndTheSameValue) {
  const std::string safe = json_for_page(R"({"a":"</script><!--&"})");
  EXPECT_EQ(safe.find('<'), std::string::npos);
  EXPECT_EQ(Object::parse(safe)["a"], "</script><!--&");
}

TEST(WebText, XmlHasNoCharacterThatXmlForbids) {
  EXPECT_EQ(xml_text("a\xef\xbf\xbe\xef\xbf\xbf z"), "a\xef\xbf\xbd\xef\xbf\xbd z");
  EXPECT_EQ(xml_text("\xef\xbf\xbd\xef\xbe\xbf"), "\xef\xbf\xbd\xef\xbe\xbf");
}

}  // namespace
}  // namespace cuimg::test

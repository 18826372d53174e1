// SPDX-License-Identifier: Apache-2.0
// stats and histogram as commands: known numbers, every type, plots, bad use.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

class Analyse : public ProgramFolder {
 protected:
  Json json(Words words) const {
    words.insert(words.begin() + 1, "--json");
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  void write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named(name.substr(name.rfind('.') + 1)));
  }
  // A row of one float channel.
  void write_row(const std::string& name, const std::vector<float>& values) const {
    const Spec spec = spec_of({0, 0, static_cast<int>(values.size()), 1}, PixelType::f32, 1);
    write(name, image_of(spec, [&](int, int x, int, int) {
            return values[static_cast<std::size_t>(x)];
          }));
  }
  void expect_error(const Words& words, const std::string& line) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, line + "\n");
    EXPECT_EQ(outcome.out, "");
  }
};

using StatsCommand = Analyse;
using HistogramCommand = Analyse;

TEST_F(StatsCommand, PrintsKnownNumbers) {
  write_row("a.exr", {2, 4, 4, 4, 5, 5, 7, 9, not_a_number, infinity, -infinity, -infinity});
  const Json channel = json({"stats", "a.exr"})["channels"][0];
  EXPECT_EQ(channel["name"], "Y");
  EXPECT_EQ(channel["type"], "float");
  EXPECT_EQ(channel["min"], 2);
  EXPECT_EQ(channel["max"], 9);
  EXPECT_EQ(channel["mean"], 5);
  EXPECT_EQ(channel["stddev"], 2);
  EXPECT_EQ(channel["finite"], 8);
  EXPECT_EQ(channel["nan"], 1);
  EXPECT_EQ(channel["positive_infinity"], 1);
  EXPECT_EQ(channel["negative_infinity"], 2);
  EXPECT_EQ(channel["negative"], 2);
}

TEST_F(StatsCommand, PercentilesAreThoseOfNumpy) {
  write_row("a.exr", {9, not_a_number, 1, -2, infinity, 4, 4});
  const Json values = json(
      {"stats", "--percentiles", "0,25,50,62.5,99,100", "a.exr"})["channels"][0]["percentiles"];
  // numpy.percentile([9, 1, -2, 4, 4], [0, 25, 50, 62.5, 99, 100])
  EXPECT_EQ(values["0"], -2);
  EXPECT_EQ(values["25"], 1);
  EXPECT_EQ(values["50"], 4);
  EXPECT_EQ(values["62.5"], 4);
  EXPECT_DOUBLE_EQ(values["99"].get<double>(), 8.8);
  EXPECT_EQ(values["100"], 9);
  write_row("even.exr", {4, 1, 2, 3});
  EXPECT_EQ(cuimg({"stats", "--percentiles", "50", "even.exr"}).out,
            "even.exr: 4x1+0+0\n"
            "  channel  type   min  max  mean    stddev  p50  NaN  +Inf  -Inf  negative  finite\n"
            "  Y        float    1    4   2.5  1.118034  2.5    0     0     0         0       4\n");
  write_row("n.exr", {not_a_number});
  EXPECT_TRUE(json({"stats", "--percentiles", "50", "n.exr"})["channels"][0]["percentiles"]["50"]
                  .is_null());
  EXPECT_FALSE(json({"stats", "a.exr"})["channels"][0].contains("percentiles"));
  EXPECT_EQ(cuimg({"stats", "--percentiles", "101", "a.exr"}).exit, 2);
}

TEST_F(StatsCommand, PercentilesAreExactOfEveryType) {
  for (const auto& [type, format] : {std::pair{PixelType::u8, "png"},
                                     {PixelType::u16, "png"},
                                     {PixelType::half, "exr"},
                                     {PixelType::f32, "exr"},
                                     {PixelType::u32, "exr"}}) {
    const int channels = type == PixelType::u32 ? 1 : 3;
    Spec spec = spec_of({0, 0, 301, 203}, type, channels);
    if (type == PixelType::u32) spec.layers[0].channels = {"id"};
    const Image image = noise(spec, 5);
    const std::string name = "n." + std::string(format);
    write(name, image);
    const Json found = json({"stats", "--percentiles", "0.1,37,50,99.9", name})["channels"];
    for (int c = 0; c < channels; ++c) {
      std::vector<double> values;
      for (int y = 0; y < 203; ++y)
        for (int x = 0; x < 301; ++x) {
          const std::byte* const at =
              image.row(0, y) + (channels * x + c) * static_cast<int>(bytes_of(type));
          double value = 0;
          if (type == PixelType::u8)
            value = std::to_integer<int>(*at);
          else if (type == PixelType::u16)
            value = *reinterpret_cast<const std::uint16_t*>(at);
          else if (type == PixelType::half)
            value = half_to_float(*reinterpret_cast<const Half*>(at));
          else if (type == PixelType::f32)
            value = *reinterpret_cast<const float*>(at);
          else
            value = *reinterpret_cast<const std::uint32_t*>(at);
          values.push_back(value);
        }
      std::ranges::sort(values);
      for (const auto& [text, percent] :
           {std::pair{"0.1", 0.1}, {"37", 37.0}, {"50", 50.0}, {"99.9", 99.9}}) {
        const double at = static_cast<double>(values.size() - 1) * percent / 100;
        const auto low = static_cast<std::size_t>(at);
        const double share = at - static_cast<double>(low);
        const double expected =
            values[low] + (share == 0 ? 0 : (values[low + 1] - values[low]) * share);
        const auto name_of_channel = static_cast<std::size_t>(c);
        EXPECT_EQ(found[name_of_channel]["percentiles"][text].get<double>(), expected)
            << name_of(type) << " " << c << " " << text;
      }
    }
  }
}

TEST_F(StatsCommand, PrintsATable) {
  write_row("a.exr", {-1, 0.5f});
  EXPECT_EQ(cuimg({"stats", "a.exr"}).out,
            "a.exr: 2x1+0+0\n"
            "  channel  type   min  max   mean  stddev  NaN  +Inf  -Inf  negative  finite\n"
            "  Y        float   -1  0.5  -0.25    0.75    0     0     0         1       2\n");
  write_row("n.exr", {not_a_number});
  const std::string none = cuimg({"stats", "n.exr"}).out;
  EXPECT_NE(none.find("  Y        float    -    -     -       -    1"), std::string::npos) << none;
  EXPECT_TRUE(json({"stats", "n.exr"})["channels"][0]["mean"].is_null());
}

TEST_F(StatsCommand, ReportsIntegersByTheirCodesAndEveryLayer) {
  write("a.png", image_of(spec_of({0, 0, 3, 1}, PixelType::u8, 3),
                          [](int, int x, int, int c) { return (10 * x + c) / 255.0f; }));
  const Json channels = json({"stats", "a.png"})["channels"];
  ASSERT_EQ(channels.size(), 3u);
  EXPECT_EQ(channels[2]["min"], 2);
  EXPECT_EQ(channels[2]["max"], 22);
  EXPECT_EQ(channels[2]["mean"], 12);
  EXPECT_EQ(channels[2]["largest_code"], 255);
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::half, 3);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  write("l.exr",
        image_of(spec, [](int l, int x, int, int) { return l == 0 ? 0.5f : 5.0f + 2.0f * x; }));
  const Json layers = json({"stats", "l.exr"})["channels"];
  ASSERT_EQ(layers.size(), 4u);
  EXPECT_EQ(layers[3]["name"], "id");
  EXPECT_EQ(layers[3]["max"], 7);
  EXPECT_EQ(layers[3]["mean"], 6);
}

TEST_F(StatsCommand, SeesWhatTheStageBeforeLeaves) {
  write_row("a.exr", {1, 2});
  EXPECT_EQ(json({"gain", "--value", "2", "+", "stats", "a.exr"})["channels"][0]["max"], 4);
}

TEST_F(StatsCommand, ReportsTheRequestedLayers) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::half, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  write("l.exr", flat(spec, 2));
  const Json depth = json({"stats", "--layers", "Z", "l.exr"})["channels"];
  ASSERT_EQ(depth.size(), 1u);
  EXPECT_EQ(depth[0]["name"], "Z");
  EXPECT_EQ(
      json({"gain", "--value", "2", "+", "stats", "--layers", "Z", "l.exr"})["channels"][0]["max"],
      4);
  EXPECT_EQ(json({"histogram", "--layers", "RGB", "l.exr"})["channels"].size(), 3u);
  expect_error({"stats", "--layers", "depth", "l.exr"},
               "cuimg: l.exr: --layers depth: the image has no such layer: it has RGB, Z");
}

TEST_F(StatsCommand, ReportsItsInputsInOrderAndAsOftenAsTheyAreNamed) {
  for (const char* name : {"a.exr", "b.exr", "folder/d.exr", "folder/c.exr"}) {
    std::filesystem::create_directories(folder_ / "folder");
    write_row(name, {1});
  }
  for (const Words& words : {Words{"stats"}, Words{"histogram"}, Words{"blur", "+", "stats"}}) {
    Words all = words;
    all.insert(all.end(), {"b.exr", "folder", "a.exr", "b.exr", "-j", "1"});
    const Outcome outcome = cuimg(all);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    std::size_t at = 0;
    for (const char* name : {"b.exr", "folder/c.exr", "folder/d.exr", "a.exr", "b.exr"}) {
      at = outcome.out.find(name, at);
      ASSERT_NE(at, std::string::npos) << name << " in " << outcome.out;
      ++at;
    }
  }
}

TEST_F(StatsCommand, DoesNotDependOnThreads) {
  write("n.exr", noise(spec_of({0, 0, 300, 1000}, PixelType::f32, 3), 9));
  const std::string one = cuimg({"stats", "--threads", "1", "n.exr"}).out;
  EXPECT_EQ(cuimg({"stats", "--threads", "4", "n.exr"}).out, one);
  EXPECT_NE(one.find("B        float"), std::string::npos) << one;
}

TEST_F(StatsCommand, RefusesAnOutputAndMissingFiles) {
  write_row("a.exr", {1});
  expect_error({"stats", "a.exr", "-o", "b.exr"},
               "cuimg: stats: -o is given: this stage writes no image");
  expect_error({"stats", "absent.exr"}, "cuimg: absent.exr: no such file");
  expect_error({"stats"}, "cuimg: stats: no INPUT: name a file, or - for a pipe");
  expect_error({"stats", "+", "flip", "a.exr", "b.exr"},
               "cuimg: stats: it gives no image to the stage after it: make it the last stage");
}

TEST_F(HistogramCommand, CountsEveryValueOnce) {
  write_row("a.exr", {0, 0.24f, 0.25f, 0.5f, 1, 1.5f, -1, not_a_number, infinity, -infinity});
  const Json channel = json({"histogram", "--bins", "4", "a.exr"})["channels"][0];
  EXPECT_EQ(channel["counts"], Json({2, 1, 1, 1}));
  EXPECT_EQ(channel["below"], 2);
  EXPECT_EQ(channel["above"], 2);
  EXPECT_EQ(channel["nan"], 1);
  const Json wide =
      json({"histogram", "--bins", "2", "--min", "-1", "--max", "3", "a.exr"})["channels"][0];
  EXPECT_EQ(wide["counts"], Json({5, 2}));
}

TEST_F(HistogramCommand, ItsEndsAreInclusiveThoughTheyAreNoBinaryFractions) {
  write_row("a.exr", {0.1f, 0.15f, 0.3f});
  const Json channel = json({"histogram", "--bins", "2", "--min", "0.1", "--max", "0.3", "a.exr"});
  EXPECT_EQ(channel["channels"][0]["counts"], Json({2, 1}));
}

// Quotients of most of these numbers are no binary fractions.
TEST_F(HistogramCommand, PutsAValueOnABinsEdgeIntoTheBinAboveIt) {
  for (const int bins : {2, 3, 7, 10, 49, 100, 161})
    for (const int width : {1, 3, 49}) {
      std::vector<float> edges;
      for (int i = 0; i <= bins; ++i) edges.push_back(static_cast<float>(i * width));
      write_row("a.exr", edges);
      std::vector<int> expected(static_cast<std::size_t>(bins), 1);
      expected.back() = 2;
      const Json channel = json({"histogram", "--bins", std::to_string(bins), "--min", "0", "--max",
                                 std::to_string(bins * width), "a.exr"});
      EXPECT_EQ(channel["channels"][0]["counts"], Json(expected)) << bins << " of " << width;
    }
}

TEST_F(HistogramCommand, GivesEveryCodeItsBin) {
  write("a.png", image_of(spec_of({0, 0, 256, 1}, PixelType::u8, 1),
                          [](int, int x, int, int) { return x / 255.0f; }));
  const Json counts = json({"histogram", "a.png"})["channels"][0]["counts"];
  EXPECT_EQ(counts, Json(std::vector<int>(256, 1)));
}

TEST_F(HistogramCommand, PrintsALineForEachBin) {
  write_row("a.exr", {0.1f, 0.9f, 0.8f, 7});
  EXPECT_EQ(cuimg({"histogram", "--bins", "2", "a.exr"}).out,
            "a.exr:\n"
            "            from            Y\n"
            "           below            0\n"
            "               0            1\n"
            "             0.5            2\n"
            "           above            1\n"
            "             NaN            0\n");
}

TEST_F(HistogramCommand, DrawsOnePlotForEachImageOfMany) {
  write_row("a.exr", {1});
  write_row("b.exr", {1});
  EXPECT_EQ(cuimg({"histogram", "--bins", "1", "--plot", "{stem}.svg", "a.exr", "b.exr"}).exit, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "b.svg"));
  const Outcome outcome = cuimg({"histogram", "--plot", "one.svg", "a.exr", "b.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find(
                "--plot one.svg names one file for several pictures: put {stem} into the name"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "one.svg"));
}

TEST_F(HistogramCommand, RefusesBadRangesAndPlots) {
  write_row("a.exr", {1});
  expect_error({"histogram", "--bins", "0", "a.exr"},
               "cuimg: histogram: --bins 0 is out of range: use 1 to 65536");
  expect_error({"histogram", "--min", "1", "a.exr"},
               "cuimg: a.exr: histogram: --min 1 is not below --max 1");
  expect_error({"histogram", "--plot", "a.jpg", "a.exr"},
               "cuimg: histogram: --plot a.jpg does not end in .svg or .png: these are what "
               "plots are drawn as");
  expect_error({"histogram", "--plot", "a.svg", "--axis", "stops", "--max", "2", "a.exr"},
               "cuimg: histogram: --axis stops is drawn from the darkest light to the "
               "brightest: leave out --min and --max");
  for (const char* option : {"--log", "--alpha", "--axis=linear"})
    expect_error(
        {"histogram", option, "a.exr"},
        "cuimg: histogram: " + std::string(option).substr(0, std::string(option).find('=')) +
            " says how a plot is drawn: name its file, --plot FILE.svg");
  folder_.write("there.svg", "mine");
  expect_error({"histogram", "--no-clobber", "--plot", "there.svg", "a.exr"},
               "cuimg: a.exr: there.svg: exists already: --no-clobber keeps it");
  EXPECT_EQ(read_file(folder_ / "there.svg"), "mine");
}

TEST_F(Analyse, AFileThatFailsIsAnObjectWithItsError) {
  write_row("row.pfm", {1, 2});
  for (const char* command : {"stats", "histogram"}) {
    const Outcome outcome = cuimg({command, "--json", "missing.png", "row.pfm"});
    EXPECT_EQ(outcome.exit, 2);
    const std::size_t end = outcome.out.find('\n');
    const Json failed = Json::parse(outcome.out.substr(0, end));
    EXPECT_EQ(failed["file"], "missing.png") << command;
    EXPECT_NE(failed["error"].get<std::string>().find("missing.png"), std::string::npos);
    EXPECT_EQ(Json::parse(outcome.out.substr(end + 1))["file"], "row.pfm") << command;
  }
}

}  // namespace
}  // namespace cuimg::test

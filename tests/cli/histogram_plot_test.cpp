// SPDX-License-Identifier: Apache-2.0
// The drawing of histogram --plot: axes, cut bars, legends that do not overlap, SVG and PNG alike.
#include <array>
#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

struct DrawnText {
  std::string text;
  double left, right, baseline, size;
};

// The texts of a plot, with their positions.
std::vector<DrawnText> texts_of(const std::string& svg) {
  static const std::regex text(
      "<text x=\"([0-9.-]+)\" y=\"([0-9.-]+)\" font-size=\"([0-9.]+)\" text-anchor=\"(start|end)\" "
      "fill=\"#[0-9a-f]{6}\" textLength=\"([0-9.]+)\" lengthAdjust=\"spacingAndGlyphs\">([^<]*)<");
  std::vector<DrawnText> texts;
  for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
    const double x = std::stod((*i)[1]), width = std::stod((*i)[5]);
    const double left = (*i)[4] == "end" ? x - width : x;
    texts.push_back({(*i)[6], left, left + width, std::stod((*i)[2]), std::stod((*i)[3])});
  }
  return texts;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// The heights of the bars of a colour.
std::vector<double> bars_of(const std::string& svg, const std::string& color) {
  static const std::regex height("V([0-9.]+)H");
  const std::size_t end = svg.find("fill=\"" + color + "\" fill-opacity");
  const std::string path = svg.substr(svg.rfind("<path", end), end - svg.rfind("<path", end));
  const double base = std::stod(path.substr(path.rfind('V') + 1));
  std::vector<double> bars;
  for (std::sregex_iterator i(path.begin(), path.end(), height), none; i != none; ++i)
    bars.push_back(base - std::stod((*i)[1]));
  return bars;
}

class HistogramPlot : public testing::Test {
 protected:
  std::string plot(const Image& image, std::vector<std::string> options = {},
                   std::string name = "") const {
    if (name.empty()) name = image.spec().layers[0].type == PixelType::u8 ? "in.png" : "in.exr";
    write_image(folder_ / name, image, *codec_named(name.substr(name.rfind('.') + 1)));
    options.insert(options.begin(), {CUIMG_PROGRAM, "histogram", "--plot", "out.svg"});
    options.push_back(name);
    const Outcome outcome = run(options, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_file(folder_ / "out.svg");
  }
  static Image codes(int channels) {
    return image_of(spec_of({0, 0, 256, 4}, PixelType::u8, channels), [&](int, int x, int, int c) {
      return c == 3 ? 1.0f : static_cast<float>(x) / 255;
    });
  }
  static Image light(const std::vector<float>& values) {
    return image_of(spec_of({0, 0, static_cast<int>(values.size()), 1}, PixelType::f32, 1),
                    [&](int, int x, int, int) { return values[static_cast<std::size_t>(x)]; });
  }
  static bool shows(const std::string& svg, const std::string& text) {
    return svg.find(">" + text + "</text>") != std::string::npos;
  }
  const TempDir folder_;
};

TEST_F(HistogramPlot, IsAnSvgOfItsImage) {
  const std::string svg = plot(codes(4), {"--log"}, "<a&b>.png");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 80);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_TRUE(shows(svg, "&lt;a&amp;b&gt;.png"));
  for (const char* color : {"#d62728", "#2ca02c", "#1f6fd0"})
    EXPECT_NE(svg.find(std::string("fill=\"") + color), std::string::npos) << color;
  EXPECT_EQ(plot(codes(4), {"--log"}, "<a&b>.png"), svg);
}

TEST_F(HistogramPlot, LeavesAlphaOutUnlessAsked) {
  const std::string without = plot(codes(4)), with = plot(codes(4), {"--alpha"});
  EXPECT_FALSE(shows(without, "A"));
  EXPECT_EQ(occurrences(without, "fill-opacity"), 3u);
  EXPECT_TRUE(shows(with, "A"));
  EXPECT_EQ(occurrences(with, "fill-opacity"), 4u);
  Image mask = light({0, 0.5f, 1});
  mask.editable_spec().layers[0].channels = {"A"};
  EXPECT_TRUE(shows(plot(mask, {}, "mask.exr"), "A"));
}

TEST_F(HistogramPlot, CutsOffLonelyBarsAndMarksThem) {
  // All of alpha is in one bin, which is 256 times as high as the colours' bars.
  const std::string svg = plot(codes(4), {"--alpha"});
  EXPECT_TRUE(shows(svg, "cut off: 1,024 at 255"));
  EXPECT_EQ(occurrences(svg, "Z\" fill=\"#7f7f7f\"/>"), 1u);  // its mark
  // The colours' bars have the same height as without alpha.
  const std::string without = plot(codes(4));
  EXPECT_EQ(bars_of(svg, "#d62728"), bars_of(without, "#d62728"));
  EXPECT_EQ(bars_of(svg, "#7f7f7f").back(), 240.5);  // up to the top of the frame
  EXPECT_EQ(without.find("cut off"), std::string::npos);
  EXPECT_EQ(plot(codes(4), {"--alpha", "--log"}).find("cut off"), std::string::npos);
}

TEST_F(HistogramPlot, CutsNothingOffOfFewBars) {
  // With two codes or one there are no other bars that they could dwarf.
  for (const float most : {0.1f, 0.0f}) {
    const Image image = image_of(spec_of({0, 0, 100, 10}, PixelType::u8, 1),
                                 [&](int, int x, int, int) { return x < most * 500 ? 1.0f : 0; });
    EXPECT_EQ(plot(image).find("cut off"), std::string::npos);
  }
}

TEST_F(HistogramPlot, DrawsLightInStops) {
  // From 4 stops below mid grey, with 24 bins per stop.
  std::vector<float> values;
  for (int i = 0; i < 8 * 24; ++i)
    values.push_back(0.18f * std::exp2(static_cast<float>(i) / 24 - 4 + 0.01f));
  const std::string svg = plot(light(values));
  for (const char* label : {"stops", "\u22124", "\u22121", "0", "+1", "+4", "value", "0.1", "1"})
    EXPECT_TRUE(shows(svg, label)) << label;
  EXPECT_FALSE(shows(svg, "+5"));
  // Every bin has one value, so the bars form a flat line.
  const std::vector<double> bars = bars_of(svg, "#333333");
  EXPECT_EQ(bars.size(), 8u * 24);
  EXPECT_EQ(std::set<double>(bars.begin(), bars.end()).size(), 1u);
}

TEST_F(HistogramPlot, CountsOtherValuesThanLightSeparately) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::string svg =
      plot(light({0, 0, -1, -infinity, infinity, std::nanf(""), 0.18f, 0.36f, 1e-30f}));
  EXPECT_TRUE(shows(svg, "4 at 0 or less, 1 below, 1 above, 1 NaN")) << svg;
  EXPECT_TRUE(shows(plot(light({0, 0})), "2 at 0 or less"));
  EXPECT_TRUE(shows(plot(light({std::nanf("")}), {"--log"}), "1 NaN"));
}

TEST_F(HistogramPlot, DrawsThePrintedBinsWhereAsked) {
  const Image image = light({0.1f, 0.2f, 0.7f});
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--axis", "linear"}, {"--max", "1"}, {"--min", "0"}}) {
    const std::string svg = plot(image, options);
    EXPECT_FALSE(shows(svg, "stops"));
    EXPECT_TRUE(shows(svg, "0.5"));
  }
  EXPECT_FALSE(shows(plot(codes(3), {"--axis", "stops"}), "stops"));  // codes are not light
  Image depth = light({1, 2, 3});
  depth.editable_spec().layers[0].channels = {"Z"};
  EXPECT_FALSE(shows(plot(depth), "stops"));
  EXPECT_TRUE(shows(plot(depth, {"--axis", "stops"}), "stops"));
}

TEST_F(HistogramPlot, KeepsTextsApart) {
  Spec spec = spec_of({0, 0, 40, 30}, PixelType::f32, 4);
  const std::string name(200, 'w');
  spec.layers.push_back({name, {"R", "G", "B", "A"}, PixelType::half});
  spec.layers.push_back({"\u03b4\u03ad\u03bd\u03c4\u03c1\u03b1", {"R", "G", "B"}, PixelType::f32});
  spec.layers.push_back({"", {"id", "other id"}, PixelType::u32});
  Image image = noise(spec);
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--alpha", "--log"},
                                                  {"--bins", "3"},
                                                  {"--bins", "2000"},
                                                  {"--axis", "linear"},
                                                  {"--min", "-1e30", "--max", "3e38"},
                                                  {"--min", "0.99999994"},
                                                  {"--min", "0", "--max", "1e-44"}}) {
    const std::string svg = plot(image, options, std::string(150, 'n') + ".exr");
    const std::vector<DrawnText> texts = texts_of(svg);
    EXPECT_EQ(texts.size(), occurrences(svg, "<text"));
    ASSERT_GT(texts.size(), 20u);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_GE(texts[i].left, 0) << texts[i].text;
      EXPECT_LE(texts[i].right, 760) << texts[i].text;
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(texts[i].left < texts[k].right + 2 && texts[k].left < texts[i].right + 2 &&
                     std::abs(texts[i].baseline - texts[k].baseline) < 10)
            << texts[i].text << " and " << texts[k].text;
    }
  }
}

TEST_F(HistogramPlot, WritesNamesThatAreNoTextAsPrintable) {
  Image image = light({0.5f, 1});
  image.editable_spec().layers[0].channels = {"a\x01<\xff"};
  EXPECT_TRUE(shows(plot(image), "a\\x01&lt;\\xff"));
}

TEST_F(HistogramPlot, IsThePictureOfItsSvgAsPng) {
  const std::string svg = plot(codes(4), {"--alpha"});
  const Outcome outcome =
      run({CUIMG_PROGRAM, "histogram", "--alpha", "--plot", "out.png", "in.png"},
          {.folder = folder_.path().string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Image made = read_image(folder_ / "out.png");
  const Rect window = made.spec().data_window;
  EXPECT_NE(svg.find("width=\"" + std::to_string(window.width) + "\" height=\"" +
                     std::to_string(window.height) + "\""),
            std::string::npos);
  const auto pixel = [&](int x, int y) {
    const std::byte* at = made.row(0, y) + 3 * x;
    return std::array<int, 3>{std::to_integer<int>(at[0]), std::to_integer<int>(at[1]),
                              std::to_integer<int>(at[2])};
  };
  EXPECT_EQ(pixel(0, 0), (std::array<int, 3>{255, 255, 255}));
  // The swatch for red in the first line of the legend.
  EXPECT_EQ(pixel(68, 48), (std::array<int, 3>{0xd6, 0x27, 0x28}));
  std::set<std::array<int, 3>> colors;
  for (int y = 0; y < window.height; ++y)
    for (int x = 0; x < window.width; ++x) colors.insert(pixel(x, y));
  EXPECT_TRUE(colors.contains({0x99, 0x99, 0x99}));  // the frame
  EXPECT_TRUE(colors.contains({0x7f, 0x7f, 0x7f}));  // the mark for alpha
  EXPECT_GT(colors.size(), 30u);                     // antialiased letters
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The layers of the HTML report: which of the two files' layers are shown together, and where.
#include "compare_program.h"
#include "report_data.h"

namespace cuimg::test {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

// Layers without a name, each of one channel, and RGB.
Image with_layers(const Names& single, float value = 0.5f) {
  Spec spec = spec_of({0, 0, 12, 8}, PixelType::half, 3);
  for (const std::string& name : single) spec.layers.push_back({"", {name}, PixelType::f32});
  return flat(spec, value);
}

class CompareReportLayers : public CompareProgramTest {
 protected:
  json pair() const { return data_of(folder_ / "report")["pairs"][0]; }
  // The channels of both files in each of the pair's scripts: "Z|Z".
  Names pairs_of_channels() const {
    const auto channels = [](const json& image) {
      std::string names;
      if (image.is_object())
        for (const json& name : image["channels"]) names += name.get<std::string>();
      return names;
    };
    Names pairs;
    const json layers = pair()["parts"][0]["layers"];
    for (const json& layer : layers) {
      const json pixels =
          pixels_of(folder_ / "report/pairs/" + layer["file"].get<std::string>() + ".js");
      pairs.push_back(channels(pixels["golden"]) + "|" + channels(pixels["result"]));
    }
    return pairs;
  }
  json pixels() const { return pixels_of(folder_ / "report/pairs/0000.js"); }
};

TEST_F(CompareReportLayers, ArePairedByTheirChannels) {
  save("a.exr", with_layers({"AO", "Z", "depth"}));
  save("b.exr", with_layers({"Z", "depth"}));
  EXPECT_EQ(compare({"a.exr", "b.exr", "--html", "report"}).exit, 1);
  EXPECT_EQ(pairs_of_channels(), Names({"AO|", "RGB|RGB", "Z|Z", "depth|depth"}));
  EXPECT_EQ(compare({"b.exr", "a.exr", "--html", "report"}).exit, 1);
  EXPECT_EQ(pairs_of_channels(), Names({"RGB|RGB", "Z|Z", "depth|depth", "|AO"}));
}

TEST_F(CompareReportLayers, WithoutACommonChannelArePairedByTheirName) {
  Spec colored = spec_of({0, 0, 4, 4}, PixelType::half, 3);
  colored.layers.front().name = "diffuse";
  Spec grey = spec_of({0, 0, 4, 4}, PixelType::half, 1);
  grey.layers.front().name = "diffuse";
  save("a.exr", flat(colored, 0.5f));
  save("b.exr", flat(grey, 0.5f));
  EXPECT_EQ(compare({"a.exr", "b.exr", "--html", "report"}).exit, 1);
  EXPECT_EQ(pairs_of_channels(), Names({"RGB|Y"}));
}

TEST_F(CompareReportLayers, AreNumberedAsInTheGolden) {
  const Image result = with_layers({"Z", "depth"});
  save("a.exr", with_layers({"AO", "Z", "depth"}));
  save("b.exr", with_value(result, 3, 2, 0, 7, 2));
  const Outcome outcome =
      compare({"a.exr", "b.exr", "--allow-channels", "--json", "--html", "report"});
  EXPECT_EQ(outcome.exit, 1);
  const json found = json::parse(outcome.out);
  for (const char* place : {"first", "worst"}) {
    EXPECT_EQ(found["metrics"][place]["channel"], "depth");
    EXPECT_EQ(found["metrics"][place]["layer"], 3) << place;
    EXPECT_EQ(found["layers"][2][place]["layer"], 3) << place;
  }
  EXPECT_EQ(found["layers"][2]["golden_layer"], 3);
  EXPECT_EQ(pair()["parts"][0]["layers"][3]["channels"], json({"depth"}));
}

// The same picture at another place.
class CompareReportWindows : public CompareReportLayers {
 protected:
  CompareReportWindows() {
    const auto at = [](int x, int y, float corner) {
      const Image image =
          image_of(spec_of({x, y, 16, 12}, PixelType::half, 3), [&](int, int px, int py, int c) {
            return static_cast<float>((px - x) * 3 + (py - y) + c) / 64;
          });
      return with_value(image, x + 5, y + 4, 1, corner);
    };
    save("a.exr", at(0, 0, 0.25f));
    save("b.exr", at(20, 10, 0.5f));
  }
};

TEST_F(CompareReportWindows, OfThePicturesLieOverEachOtherAsTheyAreCompared) {
  const Names files = {"a.exr", "b.exr", "--allow-windows"};
  for (const Names& more : {Names{}, Names{"--metric", "psnr"}}) {
    Names words = files;
    words.insert(words.end(), {"--html", "report"});
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(compare(words).exit, 1);
    const json found = pixels();
    EXPECT_EQ(found["golden"]["window"], json({0, 0, 16, 12}));
    EXPECT_EQ(found["result"]["window"], json({0, 0, 16, 12}));
    EXPECT_EQ(found["result"]["moved"], json({-20, -10}));
    EXPECT_FALSE(found["golden"].contains("moved"));
    ASSERT_TRUE(found["flip"].is_object());
    EXPECT_EQ(found["flip"]["window"], json({0, 0, 16, 12}));
  }
}

TEST_F(CompareReportWindows, OfAStoredReportLieOverEachOtherToo) {
  folder_.write("r.json", compare({"a.exr", "b.exr", "--allow-windows", "--json"}).out);
  EXPECT_EQ(compare({"--from", "r.json", "--html", "report"}).exit, 0);
  EXPECT_EQ(pixels()["result"]["window"], json({0, 0, 16, 12}));
}

TEST_F(CompareReportWindows, ThatMayNotDifferStayWhereTheyAre) {
  EXPECT_EQ(compare({"a.exr", "b.exr", "--html", "report"}).exit, 1);
  EXPECT_EQ(pixels()["result"]["window"], json({20, 10, 16, 12}));
  EXPECT_FALSE(pixels()["result"].contains("moved"));
  folder_.write("r.json", compare({"a.exr", "b.exr", "--json"}).out);
  EXPECT_EQ(compare({"--from", "r.json", "--html", "report"}).exit, 0);
  EXPECT_EQ(pixels()["result"]["window"], json({20, 10, 16, 12}));
}

TEST_F(CompareReportLayers, FlipsMapIsOfTheChannelsThatAreCompared) {
  const Image golden = flat(spec_of({0, 0, 16, 12}, PixelType::u8, 4), 1);
  save("a.png", golden);
  save("b.png", with_value(flat(spec_of({0, 0, 16, 12}, PixelType::u8, 3), 1), 3, 3, 0, 0));
  EXPECT_EQ(compare({"a.png", "b.png", "--allow-channels", "--html", "report"}).exit, 1);
  EXPECT_TRUE(pixels()["flip"].is_object());
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --layers`, `--ignore-layers` and `--part`, on the command line and in sections.
#include "compare_program.h"
#include "support/three_layers.h"

namespace cuimg::test {
namespace {

using nlohmann::json;

class CompareContent : public CompareProgramTest {
 protected:
  // One pixel of Z differs, which is the second layer.
  CompareContent() {
    save("golden/a.exr", golden_);
    save("result/a.exr", result_);
  }
  static Image layered() {
    return image_of(three_layers(), [](int layer, int x, int y, int c) {
      return static_cast<float>(layer + 2 * x + 3 * y + c) / 8;
    });
  }

  const Image golden_ = layered(), result_ = with_value(golden_, 3, 2, 0, 99, 1);
  const std::vector<std::string> files_ = {"golden/a.exr", "result/a.exr"};
  Outcome compare_files(std::vector<std::string> words) const {
    words.insert(words.end(), files_.begin(), files_.end());
    return compare(words);
  }
};

TEST_F(CompareContent, NamedLayersAloneDecide) {
  EXPECT_EQ(compare_files({}).exit, 1);
  const Outcome passes = compare_files({"--layers", "diff*,RGBA"});
  EXPECT_EQ(passes.exit, 0) << passes.out;
  expect_contains(passes.out, "  compared: layers RGBA, diffuse; not Z, id\n");
  EXPECT_EQ(compare_files({"--layers", "Z"}).exit, 1);
  EXPECT_EQ(compare_files({"--ignore-layers", "Z,time"}).exit, 0);
}

TEST_F(CompareContent, ANameThatNeitherFileHasIsAnErrorAlsoOfEqualFiles) {
  for (const std::string result : {"golden/a.exr", "result/a.exr"}) {
    const Outcome outcome = compare({"--layers", "difuse", "golden/a.exr", result});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, "cuimg: " + result +
                               ": --layers difuse: neither picture has such a layer: did you mean "
                               "diffuse? They have RGBA, Z, diffuse, id\n");
  }
  EXPECT_EQ(compare_files({"--layers", "R"}).exit, 2);
  EXPECT_EQ(compare_files({"--layers", ""}).exit, 2);
  EXPECT_EQ(compare_files({"--part", "1"}).exit, 2);
  expect_contains(compare_files({"--part", "left"}).err,
                  "--part left: neither picture has such a part: the golden has 0, the result 0\n");
  EXPECT_EQ(compare_files({"--part", "all"}).err, "");
  EXPECT_EQ(compare_files({"--part", "all"}).out, compare_files({}).out);
  expect_contains(compare_files({"--ignore-layers", "*"}).err,
                  "--ignore-layers: no layer is left to compare");
}

TEST_F(CompareContent, JsonSaysWhatWasComparedAndFromReadsIt) {
  const json pair = report({"--layers", "d*,Z", "golden/a.exr", "result/a.exr"});
  EXPECT_EQ(pair["compared"]["layers"], json({"d*", "Z"}));
  EXPECT_EQ(pair["compared"]["labels"], json({"Z", "diffuse"}));
  EXPECT_EQ(pair["compared"]["left_out"], json({"RGBA", "id"}));
  EXPECT_EQ(pair["layers"].size(), 2u);
  EXPECT_EQ(pair["metrics"]["first"]["layer"], 0);
  EXPECT_FALSE(report({"golden/a.exr", "result/a.exr"}).contains("compared"));
  folder_.write("run.json", pair.dump() + "\n");
  EXPECT_EQ(compare({"--from", "run.json", "--html", "stored"}).exit, 0);
  compare_files({"--layers", "d*,Z", "--html", "direct"});
  for (const char* report : {"stored", "direct"}) {
    const std::string page = text(std::string(report) + "/index.html");
    expect_contains(page, "\"name\":\"diffuse\"");
    EXPECT_EQ(page.find("\"name\":\"RGBA\""), std::string::npos) << report;
  }
}

TEST_F(CompareContent, SectionsChooseByPicture) {
  save("golden/b.exr", golden_);
  save("result/b.exr", result_);
  folder_.write("golden/.cuimg-compare", "[a.exr]\nignore-layers = time, Z\n[b.exr]\nlayers = Z\n");
  const Outcome outcome = compare({"--explain", "golden", "result"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "1 same, 1 differ");
  expect_contains(outcome.out, "[a.exr] of golden/.cuimg-compare:1, ignore-layers = time, Z\n");
  expect_contains(outcome.out, "  compared: layers Z; not RGBA, diffuse, id\n");
  folder_.write("golden/.cuimg-compare", "[b.exr]\nlayers = depth\n[a.exr]\npart = 2\n");
  const std::string errors = compare({"golden", "result"}).err;
  expect_contains(errors, "(layers of [b.exr] of golden/.cuimg-compare:1)\n");
  expect_contains(errors, "(part of [a.exr] of golden/.cuimg-compare:3)\n");
}

TEST_F(CompareContent, AnUpdateTakesTheWholeFileOrNone) {
  EXPECT_EQ(compare_files({"--layers", "diffuse", "--update", "--yes"}).exit, 0);
  EXPECT_NE(text("golden/a.exr"), text("result/a.exr"));
  EXPECT_EQ(compare_files({"--layers", "Z", "--update", "--yes"}).exit, 0);
  EXPECT_EQ(text("golden/a.exr"), text("result/a.exr"));
}

TEST_F(CompareContent, ShowDrawsALayerThatIsCompared) {
  save("result/b.exr", with_value(result_, 1, 1, 0, 7, 0));
  const Outcome outcome =
      compare({"--show", "--layers", "Z,diffuse", "golden/a.exr", "result/b.exr"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "\nZ\ngolden");
}

TEST_F(CompareContent, PartsOfFilesAreChosen) {
  const auto save_parts = [&](const std::string& name, bool second_differs) {
    std::vector<Image> parts;
    for (const bool differs : {false, second_differs}) parts.push_back(pattern(12, 9, 0, differs));
    write_parts(folder_ / name, parts, *codec_named("tif"));
  };
  save_parts("golden.tif", false);
  save_parts("result.tif", true);
  EXPECT_EQ(compare({"golden.tif", "result.tif"}).exit, 1);
  EXPECT_EQ(compare({"--part", "0", "golden.tif", "result.tif"}).exit, 0);
  EXPECT_EQ(compare({"--part", "1", "golden.tif", "result.tif"}).exit, 1);
  save("one.tif", pattern(12, 9, 0, false));
  EXPECT_EQ(compare({"--part", "0", "golden.tif", "one.tif"}).exit, 0);
  expect_contains(compare({"--part", "1", "golden.tif", "one.tif"}).out, "part 1 is missing");
}

TEST_F(CompareContent, AFlipMapIsOfALayerThatIsCompared) {
  EXPECT_EQ(compare_files({"--layers", "diffuse", "--flip-map", "map.pfm"}).exit, 0);
  EXPECT_TRUE(exists("map.pfm"));
  const Outcome outcome = compare_files({"--layers", "Z", "--flip-map", "none.pfm"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "--flip-map: no layer holds colour");
}

}  // namespace
}  // namespace cuimg::test

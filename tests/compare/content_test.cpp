// SPDX-License-Identifier: Apache-2.0
// The layers and parts by which two pictures are compared: Limits::layers, ignore_layers and part.
#include "compare/compared_content.h"
#include "io/codec.h"
#include "pictures.h"
#include "support/three_layers.h"

namespace cuimg::test {
namespace {

// RGBA, Z, diffuse and id, with values that differ from pixel to pixel.
Image layered() {
  return image_of(three_layers(), [](int layer, int x, int y, int c) {
    return static_cast<float>(layer + 2 * x + 3 * y + c);
  });
}

Limits only(std::vector<std::string> layers, std::vector<std::string> ignored = {}) {
  Limits limits;
  limits.layers = std::move(layers);
  limits.ignore_layers = std::move(ignored);
  return limits;
}

std::vector<std::string> compared_layers(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const LayerComparison& layer : comparison.layers) names.push_back(layer.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(ComparedContent, LayersThatAreNotNamedMayDiffer) {
  const Image golden = layered(), result = with_value(golden, 3, 2, 0, 99, 1);  // a change of Z
  EXPECT_EQ(verdict(golden, result), Verdict::differs);
  EXPECT_EQ(verdict(golden, result, only({"diffuse", "RGBA", "id"})), Verdict::same);
  EXPECT_EQ(verdict(golden, result, only({"diffuse", "Z"})), Verdict::differs);
  EXPECT_EQ(verdict(golden, result, only({}, {"Z"})), Verdict::same);
  EXPECT_EQ(verdict(golden, result, only({"*"}, {"Z*"})), Verdict::same);
  EXPECT_EQ(verdict(golden, result, only({}, {"id"})), Verdict::differs);
}

TEST(ComparedContent, PatternsNameLayersByTheirLabels) {
  const Image image = layered();
  const Comparison found = compare(image, image, only({"[di]*", "?"}));
  EXPECT_EQ(compared_layers(found), (Names{"Z", "diffuse", "id"}));
  EXPECT_EQ(found.content.compared, (Names{"Z", "diffuse", "id"}));
  EXPECT_EQ(found.content.left_out, Names{"RGBA"});
  EXPECT_EQ(found.pixels, 3u * 8 * 6);
  // Layers keep their numbers in the picture, not among the compared ones.
  EXPECT_EQ(found.layers[1].layer, 1);
}

TEST(ComparedContent, AWordThatNamesNoLayerOfEitherIsAnErrorAndNeverAPass) {
  const Image image = layered();
  for (const Names& names : {Names{"specular"}, Names{"diffuse", "x*"}, Names{""}, Names{"R"}})
    EXPECT_THROW(compare(image, image, only(names)), NotComparable) << names.back();
  EXPECT_THROW(compare(image, image, only({}, {"*"})), NotComparable);
  EXPECT_THROW(compare(image, image, only({"Z"}, {"Z"})), NotComparable);
  // Leaving out a layer that does not exist changes nothing.
  EXPECT_EQ(verdict(image, image, only({}, {"specular"})), Verdict::same);
}

TEST(ComparedContent, ALayerOfOneSideAloneIsAsChannelsThatAreMissing) {
  const Image golden = layered(), result = without(golden, {0, 2});
  Limits limits = only({"Z", "diffuse"});
  const Comparison found = compare(golden, result, limits);
  ASSERT_EQ(found.reasons.size(), 1u);
  EXPECT_EQ(found.reasons[0], (Reason{"channels", "channels Z are missing"}));
  EXPECT_EQ(compare(result, golden, limits).reasons[0].text, "channels Z are not in the golden");
  EXPECT_EQ(verdict(golden, result, only({"diffuse"})), Verdict::same);
  limits.allow_channels = true;
  EXPECT_EQ(verdict(golden, result, limits), Verdict::same);
  limits.layers = {"Z"};
  EXPECT_EQ(verdict(golden, result, limits), Verdict::differs);
}

TEST(ComparedContent, ALayerWithoutANameMeetsTheOneThatLacksItsAlpha) {
  const Image rgba = flat(spec_of({0, 0, 4, 3}, PixelType::half, 4), 1);
  const Image rgb = flat(spec_of({0, 0, 4, 3}, PixelType::half, 3), 1);
  for (const char* name : {"RGBA", "RGB"})
    EXPECT_EQ(compare(rgba, rgb, only({name})).reasons,
              (std::vector<Reason>{{"channels", "channels A are missing"}}));
  // A layer that is left out on one side is left out on the other too.
  EXPECT_THROW(compare(rgba, rgb, only({}, {"RGB"})), NotComparable);
}

std::vector<Image> parts(const Names& names, int changed = -1) {
  std::vector<Image> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float value = static_cast<int>(i) == changed ? 0.5f : 1;
    all.push_back(flat(spec_of({0, 0, 4, 3}, PixelType::half, 1), value));
    all.back().editable_spec().part_name = names[i];
  }
  return all;
}

Comparison compare_part_of(const std::vector<Image>& golden, const std::vector<Image>& result,
                           const std::string& part) {
  Limits limits;
  limits.part = part;
  return compare(golden, result, limits);
}

TEST(ComparedContent, OnePartIsByNumberOrByName) {
  const std::vector<Image> golden = parts({"left", "right", "2"});
  const std::vector<Image> result = parts({"left", "right", "2"}, 1);
  EXPECT_EQ(compare_part_of(golden, result, "left").verdict, Verdict::same);
  EXPECT_EQ(compare_part_of(golden, result, "0").verdict, Verdict::same);
  EXPECT_EQ(compare_part_of(golden, result, "1").verdict, Verdict::differs);
  EXPECT_EQ(compare_part_of(golden, result, "right").verdict, Verdict::differs);
  EXPECT_EQ(compare_part_of(golden, result, "2").verdict, Verdict::same);
  for (const char* part : {"3", "middle", "-1", "0x"})
    EXPECT_THROW(compare_part_of(golden, result, part), NotComparable) << part;
}

TEST(ComparedContent, TheGoldensNumberFindsTheNamedPartnerElsewhere) {
  const std::vector<Image> golden = parts({"left", "right"}), result = parts({"right", "left"}, 0);
  EXPECT_EQ(compare_part_of(golden, result, "0").verdict, Verdict::same);
  EXPECT_EQ(compare_part_of(golden, result, "1").verdict, Verdict::differs);
}

TEST(ComparedContent, APartOfOneSideAloneDiffersAndOthersDoNotCount) {
  const std::vector<Image> golden = parts({"left", "right"}), result = parts({"left", "top"});
  EXPECT_EQ(compare_part_of(golden, result, "left").verdict, Verdict::same);
  EXPECT_EQ(compare_part_of(golden, result, "right").reasons[0].text, "part 'right' is missing");
  EXPECT_EQ(compare_part_of(golden, result, "top").reasons[0].text,
            "part 'top' is not in the golden");
  Limits limits;
  limits.part = "right";
  limits.allow_parts = true;
  EXPECT_EQ(compare(golden, result, limits).reasons[0].text, "the files have no part in common");
}

TEST(ComparedContent, PartsWithoutALayerThatIsNamedDoNotCount) {
  std::vector<Image> golden = parts({"a", "b", "c"}), result = parts({"a", "b"});
  golden[2] = flat(spec_of({0, 0, 4, 3}, PixelType::half, 3), 1);
  golden[2].editable_spec().part_name = "c";
  EXPECT_EQ(verdict(golden[0], result[0], only({"Y"})), Verdict::same);
  EXPECT_EQ(compare(golden, result, only({"Y"})).verdict, Verdict::same);
  EXPECT_EQ(compare(golden, result, only({"RGB"})).reasons[0].text, "part 'c' is missing");
}

}  // namespace
}  // namespace cuimg::test

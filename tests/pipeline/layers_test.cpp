// SPDX-License-Identifier: Apache-2.0
// --layers: which layers a stage changes, and that the others keep their bits or are dropped.
#include "pipeline/layers.h"

#include <gtest/gtest.h>

#include "pipeline/run/apply.h"
#include "stages/registry.h"
#include "support/images.h"
#include "support/test_stages.h"
#include "support/three_layers.h"

namespace cuimg::test {
namespace {

// Adds a number to every value within a window of the picture.
struct Add {
  float amount = 1;
  Rect window = {0, 0, 8, 6};
};

class AddOperation final : public Operation {
 public:
  AddOperation(const Add& p, const Spec& input, const StageContext& context)
      : Operation(OperationPlan(input)), amount_(p.amount) {
    plan_.output.data_window = p.window;
    for (LayerSpec& layer : plan_.output.layers) layer.type = PixelType::f32;
    for (LayerPlan& layer : plan_.layers) layer.values = Values::linear;
    if (!context.raw) plan_.output.color = {Curve::linear, 1.0f, true, input.color.primaries};
  }
  Rect needed(const Rect& region) const override { return region; }
  void run(const Queue&, int, Frames sources, const Frame& target) const override {
    const Frame& source = sources.front();
    const Rect& r = target.region();
    const int count = r.width * target.format().channels;
    for (int y = r.y; y < r.bottom(); ++y)
      for (int i = 0; i < count; ++i)
        target.pixel_as<float>(r.x, y)[i] = source.pixel_as<float>(r.x, y)[i] + amount_;
  }

 private:
  float amount_;
};

StageDescription add_stage() {
  return describe<Add>("add", "adds", Kind::filter)
      .prepare([](const Add& p, const Spec& input, const StageContext& context) {
        return std::make_unique<AddOperation>(p, input, context);
      });
}

StageDescription add_to_color_stage() {
  StageDescription stage = add_stage();
  stage.touches_color = true;
  return stage;
}

Image add(const StageDescription& stage, const Image& image, std::vector<std::string> layers,
          Add values = {}) {
  const Chain chain = {{bind(stage, values)}, false, std::move(layers)};
  return run_plan(plan_of(chain, image.spec()), image);
}

bool same_layer(const Image& a, int layer_a, const Image& b, int layer_b) {
  return static_cast<bool>(same_pixels(without(a, {layer_a}), without(b, {layer_b})));
}

TEST(Layers, AStageTouchesThoseThatAreNamedAndTheOthersKeepTheirBits) {
  Image image = noise(three_layers());
  const std::uint16_t payload = 0x7e37;  // a NaN that arithmetic would change
  std::memcpy(image.row(0, 3), &payload, sizeof payload);
  const StageDescription stage = add_stage();
  const Image result = add(stage, image, {"Z"});
  ASSERT_EQ(result.spec().layers, image.spec().layers);
  EXPECT_EQ(value_at(result, 5, 2, 0, 1), value_at(image, 5, 2, 0, 1) + 1);
  for (const int untouched : {0, 2, 3})
    EXPECT_TRUE(same_layer(result, untouched, image, untouched));
}

TEST(Layers, SeveralMayBeNamed) {
  const Image image = noise(three_layers());
  const StageDescription stage = add_stage();
  const Image result = add(stage, image, {"diffuse", "RGBA"});
  const Image alone = add(stage, without(image, {0, 2}), {});
  EXPECT_TRUE(same_layer(result, 0, alone, 0));
  EXPECT_TRUE(same_layer(result, 2, alone, 1));
  EXPECT_TRUE(same_layer(result, 1, image, 1));
}

TEST(Layers, AStageOfColourChangesColourUnlessLayersAreNamed) {
  const Image image = noise(three_layers());
  const StageDescription stage = add_to_color_stage();
  const Image result = add(stage, image, {});
  EXPECT_EQ(result.spec().layers[0].type, PixelType::f32);
  EXPECT_EQ(result.spec().layers[2].type, PixelType::f32);
  EXPECT_TRUE(same_layer(result, 1, image, 1));
  EXPECT_TRUE(same_layer(result, 3, image, 3));
  const Image told = add(stage, image, {"Z"});
  EXPECT_TRUE(same_layer(told, 0, image, 0));
  EXPECT_FALSE(same_layer(told, 1, image, 1));
}

TEST(Layers, ANameMeansItsColoursToAStageOfColour) {
  Spec spec = spec_of({0, 0, 4, 3}, PixelType::f32, 3);
  spec.layers.push_back({"left", {"R", "G", "B"}, PixelType::f32});
  spec.layers.push_back({"left", {"Z"}, PixelType::f32});
  spec.layers.push_back({"depth", {"Z"}, PixelType::f32});
  const Image image =
      image_of(spec, [](int l, int, int, int) { return static_cast<float>(l + 1); });
  const auto touched = [&](const std::string& words) {
    const Image made = run_chain(words, image);
    std::vector<float> values;
    for (int l = 0; l < 4; ++l) values.push_back(value_at(made, 1, 1, 0, l));
    return values;
  };
  EXPECT_EQ(touched("exposure --stops 1 --layers left"), (std::vector<float>{1, 4, 3, 4}));
  EXPECT_EQ(touched("exposure --stops 1 --layers depth"), (std::vector<float>{1, 2, 3, 8}));
  EXPECT_EQ(touched("exposure --stops 1 --layers left,depth"), (std::vector<float>{1, 4, 3, 8}));
}

TEST(Layers, ColourThatIsLeftAloneIsTheSameLightInTheStagesEncoding) {
  Spec spec = spec_of({0, 0, 8, 6}, PixelType::u8, 4);
  spec.layers.push_back({"other", {"R", "G", "B", "A"}, PixelType::u8});
  const Image image = noise(spec);
  const StageDescription stage = add_stage();
  const Image some = add(stage, image, {"RGBA"}), all = add(stage, image, {}, {0.0f, {0, 0, 8, 6}});
  EXPECT_EQ(some.spec().color, all.spec().color);
  EXPECT_TRUE(same_layer(some, 1, all, 1));
}

TEST(Layers, TheDataWindowHoldsThePixelsOfAll) {
  const Image image = noise(three_layers());
  const StageDescription stage = add_stage();
  const Image result = add(stage, image, {"Z"}, {1, {2, 1, 3, 4}});
  ASSERT_EQ(result.spec().data_window, image.spec().data_window);
  EXPECT_EQ(value_at(result, 3, 2, 0, 1), value_at(image, 3, 2, 0, 1) + 1);
  EXPECT_EQ(value_at(result, 6, 2, 0, 1), 0.0f);
  for (const int layer : {0, 2, 3}) EXPECT_TRUE(same_layer(result, layer, image, layer));
}

TEST(Layers, NoStageThatKeepsTheFrameTakesPixelsOfOthers) {
  const Rect frame = {0, 0, 20, 20};
  for (const Rect window : {Rect{1, 2, 8, 6}, {-5, -3, 33, 28}, {-4, 3, 9, 21}, {30, -9, 4, 5}}) {
    Spec spec = three_layers();
    spec.display_window = frame;
    spec.data_window = window;
    const Image image = noise(spec);
    for (const std::string stage : {"flop",
                                    "flip",
                                    "rotate90",
                                    "rotate180",
                                    "rotate270",
                                    "transpose",
                                    "crop --region 9x7+2+3",
                                    "offset --x 7 --y -5",
                                    "rotate --angle 17",
                                    "rotate --angle 17 --filter trilinear",
                                    "rotate --angle 17 --border clamp",
                                    "rotate --angle 90 --expand",
                                    "affine --matrix 1,0,0,1,3,-2 --border wrap",
                                    "affine --matrix 0.4,0.1,0,0.3,5,6",
                                    "undistort --k1 0.1 --filter cubic",
                                    "perspective --corners 0,0,20,2,18,20,1,19",
                                    "blur --sigma 1",
                                    "median --size 3",
                                    "resize --size 100%",
                                    "cut --region 20x20+0+0"}) {
      SCOPED_TRACE(stage + " of " + std::to_string(window.x));
      const Image alone = run_chain(stage, without(image, {1, 3}));
      for (const bool whole : {false, true}) {
        ChainOptions options;
        options.whole = whole;
        options.threads = whole ? 1 : 3;
        const Image result = run_chain(stage + " --layers Z,id", image, options);
        ASSERT_EQ(result.spec().layer_count(), 4);
        EXPECT_TRUE(result.spec().data_window.contains(window));
        EXPECT_TRUE(same_in_place(result, 0, image, 0));
        EXPECT_TRUE(same_in_place(result, 2, image, 2));
        EXPECT_TRUE(same_in_place(result, 1, alone, 0));
        EXPECT_TRUE(same_in_place(result, 3, alone, 1));
      }
    }
  }
}

TEST(Layers, WhereThePicturesSizeChangesOthersAreDropped) {
  const Image image = noise(three_layers());
  const Plan plan = plan_of(parse_chain("resize --size 50% --layers RGBA,id"), image.spec());
  const Image result = run_plan(plan, image);
  const Image alone = run_chain("resize --size 50%", without(image, {0, 3}));
  EXPECT_TRUE(same_pixels(result, alone));
  EXPECT_NE(std::find(plan.explanation.begin(), plan.explanation.end(),
                      "resize: drops Z, diffuse, which would stay in the old frame"),
            plan.explanation.end());
}

TEST(Layers, ColoursKeepTheirBitsWhereOnlyOtherValuesAreTouched) {
  for (const PixelType type : {PixelType::half, PixelType::f32, PixelType::u8}) {
    Spec spec = three_layers();
    spec.layers[0].type = spec.layers[2].type = type;
    if (type == PixelType::u8) spec.color = {Curve::srgb, 1.0f, false, {}};
    const Image image = noise(spec);
    for (const std::string stage :
         {"levels --black 0.1 --white 0.5", "invert", "gamma --value 2", "contrast --amount 2",
          "curve --points '0,0 0.4,0.6 1,1'", "normalize", "exposure --stops 1", "clamp",
          "encode --curve rec709", "decode --curve rec709", "gain --value 2 --layers Z + invert"}) {
      const Image result = run_chain(stage + " --layers Z", image);
      for (const int layer : {0, 2, 3})
        EXPECT_TRUE(same_layer(result, layer, image, layer)) << stage << name_of(type) << layer;
      EXPECT_TRUE(same_layer(result, 1, run_chain(stage + " --layers Z", without(image, {1})), 0))
          << stage;
      EXPECT_EQ(result.spec().color, image.spec().color) << stage;
    }
  }
}

TEST(Layers, AnImageFromApplyHasOneEncoding) {
  Spec spec = spec_of({0, 0, 8, 6}, PixelType::f32, 4);
  spec.layers.push_back({"other", {"R", "G", "B", "A"}, PixelType::f32});
  const Image image = noise(spec);
  ApplyOptions options;
  options.layers = {"other"};
  const Image made = apply(image, parse_chain("invert").stages, Queue::cpu(1), options);
  EXPECT_FALSE(made.spec().color.premultiplied);
  const float light = value_at(image, 3, 2, 0), alpha = value_at(image, 3, 2, 3);
  EXPECT_EQ(value_at(made, 3, 2, 0), light / alpha);
  EXPECT_FALSE(made.spec().layers.front().stays_premultiplied);
}

TEST(Layers, LaterStagesTouchWhatIsLeftOfTheChosen) {
  const Image image = noise(three_layers());
  EXPECT_TRUE(
      same_pixels(run_chain("resize --size 50% --layers diffuse + resize --size 4x3", image),
                  run_chain("resize --size 50% + resize --size 4x3", without(image, {2}))));
}

TEST(Layers, APatternNamesAllThatMatch) {
  const Spec spec = three_layers();
  EXPECT_EQ(layers_named(spec, {"d*", "?"}), (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(layers_named(spec, {"[Ri]*"}), (std::vector<bool>{true, false, false, true}));
  const Image image = noise(spec);
  EXPECT_TRUE(same_pixels(run_chain("flip --layers diff*", image),
                          run_chain("flip --layers diffuse", image)));
  EXPECT_EQ(error_of([&] { layers_named(spec, {"x*"}); }),
            "--layers x*: the image has no such layer: it has RGBA, Z, diffuse, id");
}

TEST(Layers, AnUnknownOneIsRefusedWithThoseThatThereAre) {
  const Spec spec = three_layers();
  const auto error = [&](const std::string& name) {
    return error_of([&] { layers_named(spec, {name}); });
  };
  EXPECT_EQ(error("difuse"),
            "--layers difuse: the image has no such layer: did you mean diffuse? It has RGBA, Z, "
            "diffuse, id");
  EXPECT_EQ(error("beauty"),
            "--layers beauty: the image has no such layer: it has RGBA, Z, diffuse, id");
  EXPECT_EQ(error("diffuse.R"),
            "--layers diffuse.R: it is a channel of diffuse: stages change whole layers");
  EXPECT_EQ(error(""), "--layers '': the image has no such layer: it has RGBA, Z, diffuse, id");
  const StageDescription stage = add_to_color_stage();
  EXPECT_EQ(error_of([&] {
              add(stage, noise(without(noise(spec), {1, 3}).spec()), {});
            }),
            "add: the image has no layer for it: it has Z, id; --layers chooses among them");
}

TEST(Layers, IdsAloneAreNothingForAStageOfColour) {
  const Image image = noise(three_layers());
  for (const char* stage : {"add --value 1", "exposure --stops 1", "colormap"})
    EXPECT_EQ(problem(std::string(stage) + " --layers id", image),
              std::string(stage).substr(0, std::string(stage).find(' ')) +
                  ": --layers id: u32 numbers identify objects and are not light: name layers of "
                  "light: RGBA, Z, diffuse");
  EXPECT_EQ(problem("gain --value 2 --layers id", without(image, {3})),
            "gain: --layers id: u32 numbers identify objects and are not light: stages that move "
            "pixels take them");
  EXPECT_EQ(problem("flip --layers id", image), "none");
  EXPECT_EQ(problem("add --value 1 --layers id,Z", image), "none");
}

TEST(Layers, AnExplanationNamesThemAsInfoDoes) {
  for (const std::string stage : {"resize --size 5x4", "rotate --angle 5"}) {
    std::string names;
    for (const std::string& line : plan_of(parse_chain(stage), three_layers()).explanation)
      if (const std::size_t at = line.find(": layer "); at != std::string::npos)
        names += line.substr(at + 8, line.find(':', at + 8) - at - 8) + " ";
    EXPECT_EQ(names, "RGBA Z diffuse id ") << stage;
  }
}

TEST(Layers, IdsAloneAreNothingForAFilter) {
  const Image image = noise(three_layers());
  for (const StageFamily& family : stage_families())
    for (const StageDescription* const stage : family.stages) {
      if (family.name != "Filter" || stage->name == "convolve") continue;
      EXPECT_EQ(problem(stage->name + " --layers id", image),
                stage->name +
                    ": --layers id: u32 numbers identify objects and are not light: name layers "
                    "of light: RGBA, Z, diffuse");
    }
  EXPECT_EQ(problem("blur --layers id,Z", image), "none");
  EXPECT_EQ(problem("blur", without(image, {3})), "none");
}

TEST(Layers, AFormatOfOneLayerGetsAChosenOne) {
  const Image image = noise(three_layers());
  ChainOptions png;
  png.format = "png";
  const std::string stages[] = {"colormap --max 2 --layers Z", "exposure --layers diffuse",
                                "flip --layers diffuse,id", "flip --layers Z"};
  const int layers[] = {1, 2, 2, 1};
  for (int i = 0; i < 4; ++i) {
    const std::string words = stages[i].substr(0, stages[i].find(" --layers"));
    const Image alone = without(image, {layers[i]});
    const std::string all = i == 0 ? words + " --layers Z" : words;
    EXPECT_TRUE(same_pixels(run_chain(stages[i], image, png), run_chain(all, alone, png)))
        << stages[i];
  }
  const Plan plan = plan_of(parse_chain("exposure --layers diffuse"), image.spec(), png);
  EXPECT_NE(std::find(plan.explanation.begin(), plan.explanation.end(),
                      "output: only layer diffuse.R diffuse.G diffuse.B fits the format, which "
                      "--layers names"),
            plan.explanation.end());
  EXPECT_TRUE(plan.warnings.empty());
  const Plan unasked = plan_of(parse_chain("flip"), image.spec(), png);
  ASSERT_EQ(unasked.warnings.size(), 1u);
  EXPECT_EQ(unasked.warnings.front(),
            "4 layers; only R G B A is written, PNG holds one; --layers chooses");
  // The picture itself if it is one of the chosen.
  EXPECT_TRUE(same_pixels(run_chain("flip --layers diffuse,RGBA", image, png),
                          run_chain("flip", without(image, {0}), png)));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// A kernel's stores through a surface equal its stores in rows: every type and number of channels,
// odd sizes, and rows whose ends are parts of a word.
#include <fstream>

#include "card.h"
#include "io/codec.h"
#include "pipeline/execute/card_frames.h"
#include "pipeline/execute/card_layout.h"
#include "support/cubes.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg {
namespace {

using namespace test;

using Arrays = Card;

// The last frame of a chain, in rows or in an array.
class ChainOnCard {
 public:
  ChainOnCard(const Plan& plan, const Queue& queue, const Image& source)
      : ChainOnCard(plan.steps, queue, source, whole_windows(plan.steps, plan.input.data_window)) {}
  ChainOnCard(Steps steps, const Queue& queue, const Image& source, Regions regions)
      : steps_(steps), queue_(queue), source_(source), regions_(std::move(regions)) {}
  Frame frame(const LayerOfStep& wanted) const {
    if (wanted.steps == 0) {
      RowProgress ready;
      ready.finish();
      return queue_.upload(source_, 0, regions_.front(), ready, wanted.storage);
    }
    const RunOnCard run = run_on_card(steps_, regions_, wanted);
    std::vector<Frame> sources;
    for (std::size_t i = 0; i < run.sources.size(); ++i) {
      const Frame source = frame(run.sources[i]);
      sources.push_back(run.decoded[i] ? source.seen_as_floats(run.decoded[i]) : source);
    }
    const Frame made =
        queue_.allocate(format_of(operation(steps_, wanted.steps - 1).output(), wanted.layer,
                                  regions_[wanted.steps], wanted.storage));
    operation(steps_, run.step)
        .run(queue_, run.layer, sources, run.encoded ? made.seen_as_floats(run.encoded) : made);
    return made;
  }

 private:
  const Steps steps_;
  const Queue& queue_;
  const Image& source_;
  Regions regions_;
};

Image picture(PixelType type, int channels, bool is_straight, const Rect& window) {
  const Image bits = random_image(window, type, channels);
  Spec spec = bits.spec();
  if (channels <= 2) spec.layers[0].channels = {"Y", "A"};
  spec.layers[0].channels.resize(static_cast<std::size_t>(channels));
  const bool is_integer = type == PixelType::u8 || type == PixelType::u16;
  spec.color = {is_integer ? Curve::srgb : Curve::linear, 1.0f, !is_straight, {}};
  Image image(spec);
  for (int y = window.y; y < window.bottom(); ++y)
    std::copy_n(bits.row(0, y), bits.row_bytes(0), image.row(0, y));
  return image;
}

const char* const every_chain[] = {
    "exposure --stops 1",
    "gain --value 0.2",
    "saturation --amount 1.2",
    "invert",
    "curve --points '0,0 0.4,0.6 1,1'",
    "colormap --map viridis",
    "lut",
    "flop",
    "flip",
    "rotate90",
    "rotate180",
    "transpose",
    "resize --size 50% --filter lanczos3",
    "resize --size 37%x61% --filter triangle",
    "resize --size 200% --filter linear",
    "resize --size 200% --filter lanczos3",
    "blur --sigma 2",
    "unsharp --sigma 0.8",
    "convolve --kernel 3x3:0,-1,0,-1,5,-1,0,-1,0",
    "over",
    "sobel",
    "laplacian",
    "box --radius 5",
    "box --radius 30",
    "erode --radius 1",
    "dilate --radius 5",
    "erode --radius 4 --shape disk",
    "median --size 3",
    "median --size 5",
    "rotate --angle 17",
    "rotate --angle 17 --border wrap",
    "perspective --corners 3,-5,130,9,120,50,-20,40",
};

class ArraysOfEveryType : public Card, public testing::WithParamInterface<PixelType> {};

TEST_P(ArraysOfEveryType, HoldTheBytesThatRowsHold) {
  const PixelType type = GetParam();
  const TempDir folder;
  const std::string second = folder / "second.exr";
  write_image(second, picture(PixelType::half, 4, false, {-7, 9, 130, 60}), *codec_named("exr"),
              {.compression = "none"});
  const std::string look = folder / "look.cube";
  std::ofstream(look) << grid_text(3, [](const Rgb& rgb) { return Rgb{rgb[1], rgb[0], 0.5f}; });
  // In the first window, rows end with partial words of every kind. In the second, some warps are
  // entirely inside.
  for (const Rect& window : {Rect{-3, 5, 141, 57}, Rect{0, 0, 288, 64}})
    for (int channels = 1; channels <= 4; ++channels)
      for (const char* words : every_chain) {
        const Image source = picture(type, channels, channels % 2 == 0, window);
        ChainOptions options;
        options.format = "tiff";
        options.type = type;
        std::string all = words;
        if (all == "over") all += " --with " + second;
        if (all == "lut") all += " --file " + look;
        const test::Chain stages = parse_chain(all);
        std::optional<Plan> plan;
        try {
          plan = plan_of(stages, source.spec(), options);
        } catch (const Error&) {
          continue;  // operations on colours, and the picture is grey
        }
        const ChainOnCard chain(*plan, queue(), source);
        const std::size_t steps = plan->steps.size();
        if (steps == 0) continue;
        const Image rows = download(queue(), chain.frame({steps, 0, Storage::pitched}));
        const Image array = download(queue(), chain.frame({steps, 0, Storage::array}));
        ASSERT_NO_FATAL_FAILURE(expect_same(rows, array,
                                            std::string(words) + ", " + std::string(name_of(type)) +
                                                ", " + std::to_string(channels) + " channels"));
      }
}

// An array keeps rows of such a cell in two sectors, and stores wait for the next cell's rows.
// Strips and blocks may end anywhere.
TEST_P(ArraysOfEveryType, HoldPartsOfWhatIsTwiceAsLarge) {
  const PixelType type = GetParam();
  ChainOptions options;
  options.format = "tiff";
  options.type = type;
  for (const int channels : {1, 4})
    for (const char* filter : {"linear", "triangle", "cubic", "lanczos3"}) {
      const Image source = picture(type, channels, channels == 4, {-4, 6, 290, 75});
      const test::Chain stages = parse_chain("resize --size 200% --filter " + std::string(filter) +
                                             " + rotate --angle 17 --filter linear");
      const Plan plan = plan_of(stages, source.spec(), options);
      const auto is_rotate = [](const PlannedStep& step) {
        return step.name.starts_with("rotate");
      };
      const auto count = static_cast<std::size_t>(std::ranges::find_if(plan.steps, is_rotate) -
                                                  plan.steps.begin());
      const Steps resize = Steps(plan.steps).first(count);  // may follow a conversion
      ASSERT_TRUE(!resize.empty() && resize.back().name.starts_with("resize"));
      const Rect& all = window_of(resize);
      for (const Rect& r : {Rect{0, 0, 580, 150}, Rect{0, 1, 579, 149}, Rect{1, 2, 250, 64},
                            Rect{7, 23, 2, 67}, Rect{106, 60, 33, 1}, Rect{107, 61, 1, 2},
                            Rect{26, 80, 300, 70}, Rect{27, 79, 300, 71}}) {
        const Rect part = {all.x + r.x, all.y + r.y, r.width, r.height};
        ASSERT_TRUE(all.contains(part));
        const ChainOnCard chain(resize, queue(), source,
                                needed_regions(resize, plan.input.data_window, part));
        const std::string what = std::string(filter) + " of " + std::to_string(part.width) +
                                 " by " + std::to_string(part.height) + " pixels of " +
                                 std::to_string(channels) + " " + std::string(name_of(type));
        ASSERT_NO_FATAL_FAILURE(
            expect_same(download(queue(), chain.frame({count, 0, Storage::pitched})),
                        download(queue(), chain.frame({count, 0, Storage::array})), what));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Arrays, ArraysOfEveryType,
                         testing::Values(PixelType::u8, PixelType::u16, PixelType::half,
                                         PixelType::f32),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace cuimg

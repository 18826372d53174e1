// SPDX-License-Identifier: Apache-2.0
// Objects that are kept on a card are made once for all queues, and do not change the pixels.
#include "device/per_card.h"

#include "base/error.h"
#include "card.h"
#include "io/codec.h"
#include "pipeline/difference.h"
#include "pipeline/execute/execute.h"
#include "pipeline/grammar.h"
#include "stages/run_cache.h"
#include "support/process.h"

namespace cuimg {
namespace {

using KeptOnACard = Card;

TEST_F(KeptOnACard, IsMadeOnceForAllItsQueues) {
  const Queue other = Queue::cuda(0);
  const Image image = random_image({0, 0, 33, 17}, PixelType::f32, 4);
  const PerCard<Frame> kept;
  int made = 0;
  const auto ask = [&](const Queue& queue) {
    return kept.of(queue.card(), [&] {
      ++made;
      return std::make_shared<const Frame>(upload(queue, image, Storage::pitched));
    });
  };
  const auto first = ask(queue());
  EXPECT_EQ(ask(other), first);
  EXPECT_EQ(ask(queue()), first);
  EXPECT_EQ(made, 1);
  expect_same(download(other, *first), image, "the kept frame");
}

TEST_F(KeptOnACard, ThatCouldNotBeMadeIsTriedAgain) {
  const PerCard<int> kept;
  EXPECT_THROW(kept.of(card(),
                       []() -> std::shared_ptr<const int> {
                         throw DeviceError("cudaMalloc", 2, "no memory");
                       }),
               DeviceError);
  EXPECT_EQ(*kept.of(card(), [] { return std::make_shared<int>(7); }), 7);
}

// Two layers of colour, so that one run uses the second image several times.
Image two_layers() {
  Spec spec = one_layer({2, 1, 41, 23}, PixelType::f32, 4);
  spec.layers.push_back(spec.layers.front());
  spec.layers.back().name = "diffuse";
  Image image(spec);
  for (int layer = 0; layer < 2; ++layer)
    for (int y = 1; y < 24; ++y)
      for (int i = 0; i < 41 * 4; ++i)
        reinterpret_cast<float*>(image.row(layer, y))[i] =
            static_cast<float>((i * 7 + y * 31 + layer) % 64) / 64;
  return image;
}

TEST_F(KeptOnACard, GivesEveryInputAndQueueThePixelsOfTheCpu) {
  const test::TempDir folder;
  const Image input = two_layers();
  const std::string second = folder / "second.png", map = folder / "map.exr";
  Image straight = random_image({0, 0, 30, 20}, PixelType::u8, 4);
  straight.editable_spec().color = {Curve::srgb, 1, false, {}};
  write_image(second, straight, *codec_named("png"));
  write_image(map, input, *codec_named("exr"));
  const std::string table = folder.write("t.cube",
                                         "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n.5 1 0\n"
                                         "0 0 1\n1 0 1\n0 1 1\n1 1 .25\n");
  const Queue other = Queue::cuda(0), cpu = Queue::cpu(2);
  const std::vector<std::vector<std::string>> chains = {
      {"over", "--at", "0,0", "--with", second, "x.exr", "y.exr"},
      {"mask", "--at", "0,0", "--with", second, "x.exr", "y.exr"},
      {"append", "--with", second, "x.exr", "y.exr"},
      {"remap", "--map", map, "x.exr", "y.exr"},
      {"lut", "--interpolation", "texture", "--file", table, "x.exr", "y.exr"},
      {"resize", "--size", "50%", "x.exr", "y.exr"}};
  for (const auto& words : chains) {
    RunCache shared;
    StageContext context;
    context.run = &shared;
    const auto made = [&](const Queue& where) {
      const Plan plan =
          make_plan(input.spec(), parse_pipeline(words).stages, nullptr, {}, {0, 0, 0}, context);
      return execute(plan, where, input);
    };
    const Image expected = made(cpu);
    for (const Queue* where : {&queue(), &other, &queue()})
      EXPECT_EQ(difference(made(*where), expected), std::nullopt) << words.front();
  }
}

}  // namespace
}  // namespace cuimg

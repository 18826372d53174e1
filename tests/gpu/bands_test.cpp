// SPDX-License-Identifier: Apache-2.0
// One image on a card in bands: its first rows are complete before the last rows of the source
// exist, and the pixels are the same.
#include <stop_token>
#include <thread>

#include "card.h"
#include "pipeline/execute/card_tiles.h"
#include "support/images.h"

namespace cuimg {
namespace {

using namespace test;

class CardBands : public Card {
 protected:
  static Plan plan(const std::string& chain, const Image& source) {
    return plan_of(parse_chain(chain), source.spec(), {});
  }
};

TEST_F(CardBands, GiveThePixelsOfTheWhole) {
  const Image source = random_image({-7, 3, 43, 1301}, PixelType::half, 3);
  for (const char* chain : {"exposure --stops 1", "blur --sigma 3 + gamma --value 2",
                            "resize --size 100%x150% --filter linear", "sobel + flop",
                            "resize --size 50%x50% + unsharp", "median --size 3 + premult",
                            "blur --sigma 4 --border mirror",
                            "box --radius 9 --border mirror + median --size 5 --border mirror"}) {
    const Plan made = plan(chain, source);
    ASSERT_TRUE(bands_on_card(made.steps, made.input)) << chain;
    ChainOptions options;
    const Image expected = run_plan(made, source, options);
    options.queue = &queue();
    options.alone_on_card = true;
    EXPECT_TRUE(same_pixels(run_plan(made, source, options), expected)) << chain;
  }
}

TEST_F(CardBands, RowsAreCompleteBeforeTheSourceIs) {
  const Image source = random_image({0, 0, 31, 2000}, PixelType::u8, 3);
  const Plan made = plan("blur --sigma 2", source);
  Image target(made.output());
  RowProgress ready, done;
  std::thread working([&] {
    execute(made, queue(), {source, ready, target, done}, {UINT64_MAX, true, 0});
  });
  ready.advance(1000);
  EXPECT_GE(done.wait_for(500), 500);  // otherwise this never ends
  ready.finish();
  working.join();
  EXPECT_TRUE(same_pixels(target, run_plan(made, source)));
}

TEST_F(CardBands, AStopEndsTheWorkAndTheQueueTakesMore) {
  const Image source = random_image({0, 0, 31, 2000}, PixelType::half, 3);
  const Plan made = plan("blur --sigma 2 + invert", source);
  for (const bool is_alone : {false, true}) {
    std::stop_source stop;
    const Queue stopped = queue().stopped_by(stop.get_token());
    Image target(made.output());
    RowProgress ready, done;
    ready.finish();
    done.watch([&](int) { stop.request_stop(); });
    if (!is_alone) stop.request_stop();  // whole frames have no complete rows before their end
    EXPECT_THROW(execute(made, stopped, {source, ready, target, done}, {UINT64_MAX, is_alone, 0}),
                 Cancelled);
    ChainOptions options;
    options.queue = &queue();
    EXPECT_TRUE(same_pixels(run_plan(made, source, options), run_plan(made, source)));
  }
}

TEST_F(CardBands, AreNotForWhatReadsAllOrIsSmall) {
  const Image large = random_image({0, 0, 600, 1400}, PixelType::u8, 3);
  const Image small = random_image({0, 0, 600, 300}, PixelType::u8, 3);
  for (const char* chain : {"rotate --angle 90", "rotate --angle 30", "flip", "blur --sigma 150"}) {
    const Plan made = plan(chain, large);
    EXPECT_FALSE(bands_on_card(made.steps, made.input)) << chain;
  }
  const Plan made = plan("exposure --stops 1", small);
  EXPECT_FALSE(bands_on_card(made.steps, made.input));
}

}  // namespace
}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Stages that read neighbours, in tiles on a card: the same pixels as from the
// whole picture on the CPU.
#include "device/card_session.h"
#include "device/cuda/cuda_memory.h"
#include "parity_cases.h"
#include "support/stencil_chains.h"

namespace cuimg::test {
namespace {

// Runs with picture types that use different kernels: floats, halves, codes.
class StencilPartsInCardMemory : public Card, public testing::WithParamInterface<int> {
 protected:
  Image picture(const Rect& window) const {
    constexpr std::pair<PixelType, int> forms[] = {
        {PixelType::f32, 3}, {PixelType::half, 4}, {PixelType::u8, 4}};
    const auto [type, channels] = forms[GetParam()];
    return stencil_picture(window, type, channels);
  }
  void expect_same(const Plan& plan, const Image& source, const Image& expected,
                   std::uint64_t card_bytes, const std::string& what) const {
    ChainOptions options;
    options.card_bytes = card_bytes;
    const Made made = made_on(queue(), plan, source, options);
    ASSERT_TRUE(made.image) << what << ": " << made.error;
    EXPECT_TRUE(same_pixels(*made.image, expected)) << what;
  }
};

// The types share the windows: each type has every chain with one or two of them.
TEST_P(StencilPartsInCardMemory, GiveThePixelsOfTheWhole) {
  const std::vector<std::string> chains = stencil_chains();
  std::size_t first = static_cast<std::size_t>(GetParam());
  for (const Rect& window : stencil_windows) {
    const Image source = picture(window);
    first = (first + 1) % 3;
    for (std::size_t i = first; i < chains.size(); i += 3) {
      const std::string& words = chains[i];
      ChainOptions stored;
      if (GetParam() == 2) stored.format = "png";
      const Plan plan = plan_of(parse_chain(words), source.spec(), stored);
      const Image expected = run_plan(plan, source, {.whole = true});
      const std::string what = words + ", data from " + std::to_string(window.x);
      expect_same(plan, source, expected, whole_bytes_on_card(plan) / 7, what);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, StencilPartsInCardMemory, testing::Range(0, 3));

class MirrorsInCardMemory : public Card {
 protected:
  ~MirrorsInCardMemory() override { limit_card_memory(UINT64_MAX); }
};

// A tile in a corner needs only the pixels near it, not the whole picture.
TEST_F(MirrorsInCardMemory, ArePassedWithinAPartOfThePicturesMemory) {
  const Image source = random_image({-7, 3, 400, 360}, PixelType::half, 3);
  for (const char* words : {"unsharp --sigma 9.5 --border mirror",
                            "box --radius 9 --border mirror + sobel --border mirror"}) {
    const Plan plan = plan_of(parse_chain(words), source.spec(), {});
    const Image expected = run_plan(plan, source);
    const std::uint64_t whole = whole_bytes_on_card(plan);
    CardMemory& memory = CardMemory::of(card().device());
    for (const std::uint64_t share : {2, 5}) {
      card().pool().trim();
      limit_card_memory(memory.used_bytes() + whole / share);
      ChainOptions options;
      options.card_bytes = whole / share;
      const Made made = made_on(queue(), plan, source, options);
      limit_card_memory(UINT64_MAX);
      ASSERT_TRUE(made.image) << words << ": " << made.error;
      EXPECT_TRUE(same_pixels(*made.image, expected)) << words;
    }
  }
}

}  // namespace
}  // namespace cuimg::test

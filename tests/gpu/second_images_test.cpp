// SPDX-License-Identifier: Apache-2.0
// Second images on a card: kept whole if that leaves enough room, otherwise uploaded in the parts
// that tiles read.
#include <fstream>

#include "device/card_session.h"
#include "device/cuda/cuda_memory.h"
#include "parity_cases.h"
#include "stages/kept_frame.h"

namespace cuimg::test {
namespace {

class SecondImagesInCardMemory : public Card {
 protected:
  ~SecondImagesInCardMemory() override { limit_card_memory(UINT64_MAX); }

  CardMemory& memory() const { return CardMemory::of(card().device()); }
  // Leaves `bytes` beyond what other queues of the process already use.
  void leave(std::uint64_t bytes) const {
    card().pool().trim();
    limit_card_memory(memory().used_bytes() + bytes);
  }

  std::string write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named(name.substr(name.rfind('.') + 1)));
    return folder_ / name;
  }
  Image made(const Plan& plan, const Image& source, std::uint64_t card_bytes) const {
    ChainOptions options;
    options.queue = &queue();
    options.card_bytes = card_bytes;
    Made made = made_on(queue(), plan, source, options);
    EXPECT_TRUE(made.image) << made.error;
    return made.image ? std::move(*made.image) : Image(plan.output());
  }
  // Makes the picture within `bytes` of the card's memory: in tiles, without a whole second image.
  void expect_made_in_parts(const std::string& chain, const Image& source,
                            std::uint64_t bytes) const {
    const Plan plan = plan_of(parse_chain(chain), source.spec(), {});
    const Image expected = run_plan(plan, source);
    leave(bytes);
    // With no limit given, the estimate is too high, and the run corrects it.
    for (const std::uint64_t card_bytes : {bytes / 2, std::uint64_t{UINT64_MAX}}) {
      EXPECT_TRUE(same_pixels(made(plan, source, card_bytes), expected)) << chain;
      EXPECT_EQ(memory().kept_bytes(), 0u) << chain;
    }
    limit_card_memory(UINT64_MAX);
    EXPECT_TRUE(same_pixels(made(plan, source, UINT64_MAX), expected)) << chain;
  }

 private:
  const TempDir folder_;
};

constexpr Rect large = {0, 0, 700, 600};

Image random_codes(const Rect& window, PixelType type) {
  Image image = random_image(window, type, 4);
  image.editable_spec().color = {Curve::srgb, 1, false, {}};
  return image;
}

TEST_F(SecondImagesInCardMemory, LargerOnesGiveTheSamePixelsInParts) {
  const Image source = random_image({-7, 3, 331, 297}, PixelType::half, 4);
  const std::string halves = write("halves.exr", random_image(large, PixelType::half, 4));
  const std::string floats = write("floats.exr", random_image(large, PixelType::f32, 4));
  const std::string colors = write("colors.exr", random_image(large, PixelType::f32, 3));
  const std::string codes = write("codes.png", random_codes(large, PixelType::u8));
  for (const std::string& chain :
       {"over --at -100,-50 --with " + halves, "over --at 120,33 --with " + codes,
        "dest-in --at -400,-399 --with " + floats, "max --at -5,200 --with " + colors,
        "mix --amount 0.25 --at 5,-300 --with " + codes, "mask --at 200,-580 --with " + codes,
        "append --with " + floats,
        "channels --pick R,G=with:G,B,A=with:A --at -100,-50 --with " + codes,
        "channels --pick R,G,with:A,q=with:B --at 5,-300 --with " + floats,
        "append --direction vertical --align end --with " + codes + " --with " + halves,
        "blur --sigma 2 + add --at 9,9 --with " + halves + " + resize --size 70%",
        "xor --at -3,-3 --with " + codes + " + over --at 3,3 --with " + floats +
            " + in --at -99,0 --with " + colors})
    expect_made_in_parts(chain, source, std::uint64_t{3} << 19);
}

TEST_F(SecondImagesInCardMemory, PicturesOfCodesReadPartsOfThemToo) {
  const Image source = random_codes({0, 0, 231, 197}, PixelType::u8);
  const std::string codes = write("codes.png", random_codes(large, PixelType::u8));
  const std::string shorts = write("shorts.png", random_codes(large, PixelType::u16));
  for (const std::string& chain :
       {"over --at -100,-50 --with " + codes, "atop --at 100,150 --with " + shorts,
        "append --with " + codes, "append --with " + shorts})
    expect_made_in_parts(chain, source, std::uint64_t{1} << 20);
}

TEST_F(SecondImagesInCardMemory, OneOutsideThePictureChangesNothing) {
  const Image source = random_image({0, 0, 97, 61}, PixelType::half, 4);
  const std::string floats = write("floats.exr", random_image(large, PixelType::f32, 4));
  for (const char* const chain : {"over --at 97,0 --with ", "dest-in --at 0,-600 --with "})
    expect_made_in_parts(chain + floats, source, std::uint64_t{1} << 20);
}

TEST_F(SecondImagesInCardMemory, RemapsMapIsReadInParts) {
  Image map = random_image({-5, 4, 500, 400}, PixelType::f32, 2);
  for (int y = map.spec().data_window.y; y < map.spec().data_window.bottom(); ++y)
    for (int x = 0; x < 500; ++x) {
      auto* const place = reinterpret_cast<float*>(map.row(0, y)) + 2 * x;
      place[0] = static_cast<float>(x) * 0.61f + static_cast<float>(y % 7);
      place[1] = static_cast<float>(y) * 0.83f - static_cast<float>(x % 5);
    }
  const std::string file = write("map.exr", map);
  const Image source = random_image({0, 0, 99, 83}, PixelType::half, 4);
  for (const char* const filter : {"point", "linear", "cubic", "trilinear"})
    expect_made_in_parts("remap --border mirror --filter " + std::string(filter) + " --map " + file,
                         source, std::uint64_t{5} << 18);
}

TEST_F(SecondImagesInCardMemory, SmallOnesAreKeptWhole) {
  const Image source = random_image({0, 0, 301, 297}, PixelType::half, 4);
  const Image logo = random_image({0, 0, 50, 30}, PixelType::f32, 4);
  const Plan plan =
      plan_of(parse_chain("over --at 40,50 --with " + write("logo.exr", logo)), source.spec(), {});
  const Image expected = run_plan(plan, source);
  leave(std::uint64_t{1} << 20);
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(same_pixels(made(plan, source, std::uint64_t{1} << 19), expected));
    EXPECT_EQ(memory().kept_bytes(), logo.spec().pixel_bytes());
  }
}

TEST_F(SecondImagesInCardMemory, ACorruptOneIsAnErrorWhereverItsPixelsLie) {
  const Image source = random_image({0, 0, 97, 61}, PixelType::half, 4);
  const std::string file = write("codes.png", random_codes(large, PixelType::u8));
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(-2000, std::ios::end) << "these are no pixels";  // near the last rows
  bytes.close();
  leave(std::uint64_t{1} << 20);
  for (const char* const at : {"0,0", "97,0"}) {
    const Plan plan =
        plan_of(parse_chain("over --at " + std::string(at) + " --with " + file), source.spec(), {});
    EXPECT_FALSE(made_on(queue(), plan, source, {}).error.empty()) << at;
  }
}

// The values of kept_or_part(), part by part.
class KeptInCardMemory : public SecondImagesInCardMemory {
 protected:
  Frame ask(const Rect& region) {
    return kept_or_part(queue(), kept_, whole_, region, [&](const Rect& part) {
      made_.push_back(part);
      return queue().allocate(whole_.over(part));
    });
  }
  const FrameFormat whole_ = {large, PixelType::f32, 4, Storage::pitched};
  const std::uint64_t bytes_ = static_cast<std::uint64_t>(large.pixels()) * 16;
  PerCard<Frame> kept_;
  std::vector<Rect> made_;
};

TEST_F(KeptInCardMemory, AllIsMadeOnceWhereItTakesAQuarter) {
  limit_card_memory(4 * bytes_);
  for (const Rect& region : {Rect{3, 4, 10, 10}, Rect{900, 0, 5, 5}, large})
    EXPECT_EQ(ask(region).region(), large);
  EXPECT_EQ(made_, std::vector{large});
  EXPECT_EQ(memory().kept_bytes(), bytes_);
  kept_ = {};
  EXPECT_EQ(memory().kept_bytes(), 0u);
}

TEST_F(KeptInCardMemory, PartsAreMadeForEachCallWhereItTakesMore) {
  limit_card_memory(4 * bytes_ - 1);
  const Rect part = {690, 590, 20, 30}, shared = {690, 590, 10, 10};
  EXPECT_EQ(ask(part).region(), shared);
  EXPECT_EQ(ask(part).region(), shared);
  EXPECT_TRUE(intersection(ask({0, -5, 700, 5}).region(), {0, -5, 700, 5}).empty());
  EXPECT_EQ(made_, (std::vector<Rect>{shared, shared, {0, 0, 1, 1}}));
  EXPECT_EQ(memory().kept_bytes(), 0u);
  EXPECT_EQ(ask(large).region(), large) << "all is wanted, and half of the memory is left";
  EXPECT_EQ(ask(part).region(), large) << "kept by then";
}

TEST_F(KeptInCardMemory, SeveralTakeAQuarterTogether) {
  limit_card_memory(7 * bytes_);
  ask({0, 0, 9, 9});
  const PerCard<Frame> first = std::exchange(kept_, {});
  EXPECT_EQ(ask({0, 0, 9, 9}).region(), (Rect{0, 0, 9, 9}));
  EXPECT_EQ(memory().kept_bytes(), bytes_);
}

}  // namespace
}  // namespace cuimg::test

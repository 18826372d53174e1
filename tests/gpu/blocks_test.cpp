// SPDX-License-Identifier: Apache-2.0
// Pictures that are sent to the card as blocks of DCT coefficients: the card's arithmetic equals
// the host's, which io/jpeg_blocks_test.cpp compares with libjpeg's.
#include "card.h"
#include "image/pixel_reuse.h"
#include "io/codecs.h"
#include "support/dct_on_host.h"
#include "support/images.h"
#include "support/made_jpeg.h"

namespace cuimg {
namespace {

using namespace test;

class Blocks : public Card {};

DctLayout layout_of(int width, int height, DctLayout::Colors colors,
                    const std::vector<std::pair<int, int>>& sampling, std::mt19937& random) {
  DctLayout layout;
  layout.width = width;
  layout.height = height;
  layout.colors = colors;
  for (const auto& [h, v] : sampling) {
    DctComponent component;
    component.h_samples = h;
    component.v_samples = v;
    for (std::uint16_t& step : component.steps)
      step = static_cast<std::uint16_t>(1 + random() % 30);
    layout.components.push_back(component);
  }
  count_blocks(layout);
  return layout;
}

const std::vector<std::vector<std::pair<int, int>>> samplings = {
    {{2, 2}, {1, 1}, {1, 1}}, {{2, 1}, {1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}},
    {{1, 2}, {1, 1}, {1, 1}}, {{4, 1}, {1, 1}, {1, 1}}, {{1, 1}, {2, 2}, {1, 1}}};
const std::pair<int, int> sizes[] = {{1, 1},   {2, 2},  {3, 5},   {16, 16},
                                     {17, 33}, {6, 40}, {131, 70}};

// A few coefficients of a size that occurs in pictures.
void fill(DctImage& blocks, std::mt19937& random) {
  std::int16_t* const all = blocks.blocks(0);
  for (std::size_t i = 0; i < blocks.layout().blocks() * 64; ++i) {
    const int most = i % 64 == 0 ? 40 : i % 64 < 12 ? 6 : random() % 16 == 0 ? 3 : 0;
    all[i] = static_cast<std::int16_t>(static_cast<int>(random() % unsigned(2 * most + 1)) - most);
  }
}

TEST_F(Blocks, BecomeTheSamePixelsAsOnTheHost) {
  std::mt19937 random(1);
  using enum DctLayout::Colors;
  const PixelReuse reuse;  // the second use of the memory is pinned
  for (const auto& [width, height] : sizes)
    for (const DctLayout::Colors colors : {grey, rgb, ycc})
      for (const Storage storage : {Storage::array, Storage::pitched})
        for (const auto& sampling : samplings) {
          const bool is_grey = colors == grey;
          const auto factors = is_grey ? std::vector{sampling.front()} : sampling;
          DctImage blocks(layout_of(width, height, colors, factors, random));
          fill(blocks, random);
          const Rect window = {-3, 5, width, height};
          Image expected(one_layer(window, PixelType::u8, is_grey ? 1 : 3));
          ASSERT_TRUE(fill_from_blocks(blocks, expected));
          const auto frame = queue().upload(blocks, window, storage);
          ASSERT_TRUE(frame);
          EXPECT_EQ(frame->format().storage, storage);
          expect_same(download(queue(), *frame), expected,
                      std::to_string(width) + "x" + std::to_string(height) + " " +
                          std::to_string(factors.front().first) + "x" +
                          std::to_string(factors.front().second));
        }
}

TEST_F(Blocks, OfFilesBecomeThePixelsThatLibjpegMakes) {
  std::mt19937 random(8);
  for (int i = 0; i < 300; ++i) {
    const JpegKind kind = random_kind(random);
    const auto file = with_orientation(
        made_jpeg(kind, made_pixels(kind.width, kind.height, kind.channels, random)), 1 + i % 8);
    const auto decoder = jpeg_codec().open(ByteSource::from_memory(file, "test"), {});
    const auto blocks = decoder->read_blocks();
    ASSERT_TRUE(blocks) << kind.name();
    const auto frame = queue().upload(*blocks, decoder->spec().data_window,
                                      i / 8 % 2 ? Storage::array : Storage::pitched);
    ASSERT_TRUE(frame) << kind.name();
    Image expected(decoder->spec());
    RowProgress progress;
    decoder->read(expected, progress);
    expect_same(download(queue(), *frame), expected, kind.name());
  }
}

TEST_F(Blocks, AreMadeOfPixelsAsOnTheHost) {
  std::mt19937 random(2);
  using enum DctLayout::Colors;
  for (const auto& [width, height] : sizes)
    for (const bool is_grey : {false, true})
      for (const Storage storage : {Storage::array, Storage::pitched})
        for (std::size_t i = 0; i < 3; ++i) {
          const auto factors = is_grey ? std::vector{std::pair(1, 1)} : samplings[i];
          const Image image = random_image({4, -2, width, height}, PixelType::u8, is_grey ? 1 : 3);
          const DctLayout layout = layout_of(width, height, is_grey ? grey : ycc, factors, random);
          const DctImage expected = blocks_of(image, layout);
          DctImage made(layout);
          queue().download(upload(queue(), image, storage), made);
          for (std::size_t c = 0; c < layout.components.size(); ++c) {
            const DctComponent& component = layout.components[c];
            for (int y = 0; y < component.height_blocks; ++y) {
              const auto row = static_cast<std::size_t>(64 * y * component.stored_width_blocks);
              ASSERT_EQ(std::memcmp(made.blocks(c) + row, expected.blocks(c) + row,
                                    static_cast<std::size_t>(component.width_blocks) * 128),
                        0)
                  << width << "x" << height << " component " << c << " row " << y;
            }
          }
        }
}

TEST_F(Blocks, ThatDecodersNeedNotAgreeOnGiveNothing) {
  std::mt19937 random(3);
  DctImage blocks(layout_of(40, 24, DctLayout::Colors::ycc, samplings.front(), random));
  fill(blocks, random);
  EXPECT_TRUE(queue().upload(blocks, {0, 0, 40, 24}, Storage::pitched));
  blocks.blocks(2)[0] = 32767;
  EXPECT_FALSE(queue().upload(blocks, {0, 0, 40, 24}, Storage::pitched));
  blocks.blocks(2)[0] = 0;
  EXPECT_TRUE(queue().upload(blocks, {0, 0, 40, 24}, Storage::pitched));
}

TEST_F(Blocks, LargerThanTheRingArriveFromMemoryThatIsPinnedAndThatIsNot) {
  std::mt19937 random(4);
  const PixelReuse reuse;
  const DctLayout layout = layout_of(1600, 1000, DctLayout::Colors::ycc, samplings.front(), random);
  const Rect window = {0, 0, 1600, 1000};
  for (int use = 0; use < 3; ++use) {
    DctImage blocks(layout);
    fill(blocks, random);
    Image expected(one_layer(window, PixelType::u8, 3));
    ASSERT_TRUE(fill_from_blocks(blocks, expected));
    const auto frame = queue().upload(blocks, window, Storage::pitched);
    ASSERT_TRUE(frame);
    expect_same(download(queue(), *frame), expected, "use " + std::to_string(use));
    DctImage made(layout);
    queue().download(*frame, made);
    const DctImage again = blocks_of(expected, layout);
    ASSERT_EQ(std::memcmp(made.blocks(0), again.blocks(0), 128), 0);
  }
}

// A JPEG that goes through stages to another JPEG.
class BlocksOnTheirWay : public Card {
 protected:
  // @returns the file that is written, from blocks if a card made them.
  std::vector<std::byte> made_on(const Queue& where, const CardUse& use, const std::string& chain) {
    const auto decoder = opened();
    ChainOptions options;
    options.format = "jpeg";
    const Plan plan = plan_of(parse_chain(chain), decoder->spec(), options);
    MemorySink sink;
    const auto encoder = jpeg_codec().encoder({{plan.output(), {}}}, sink);
    Image source = Image::without_memory(decoder->spec());
    Image target = Image::without_memory(plan.output());
    decoded_ = 0;
    SourceBlocks source_blocks(source, [&](Image& image) {
      ++decoded_;
      RowProgress progress;
      decoder->read(image, progress);
    });
    source_blocks.blocks = decoder->read_blocks();
    EXPECT_TRUE(source_blocks.blocks);
    if (breaks_) source_blocks.blocks->blocks(0)[0] = 32767;
    TargetBlocks target_blocks(target, encoder->block_layout().value());
    RowProgress ready, done;
    ready.finish();
    execute(plan, where, {source, ready, target, done, {&source_blocks, &target_blocks}}, use);
    in_blocks_ = target_blocks.blocks.has_value();
    if (in_blocks_)
      encoder->write_blocks(*target_blocks.blocks);
    else
      encoder->write(target, done);
    return sink.bytes();
  }
  std::vector<std::byte> made_of_pixels(const std::string& chain) {
    const auto decoder = opened();
    Image image(decoder->spec());
    RowProgress progress;
    decoder->read(image, progress);
    ChainOptions options;
    options.format = "jpeg";
    const Plan plan = plan_of(parse_chain(chain), decoder->spec(), options);
    MemorySink sink;
    RowProgress ready;
    ready.finish();
    jpeg_codec().encode(run_plan(plan, image), {}, ready, sink);
    return sink.bytes();
  }
  std::unique_ptr<Decoder> opened() {
    JpegKind kind;
    kind.width = 211;
    kind.height = 123;
    kind.channels = 3;
    std::vector<unsigned char> pixels(std::size_t{3} * 211 * 123);
    std::mt19937 random(9);
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<unsigned char>(i / 40 + random() % 50);
    file_ = made_jpeg(kind, pixels);
    return jpeg_codec().open(ByteSource::from_memory(file_, "test"), {});
  }

  int decoded_ = 0;
  bool in_blocks_ = false, breaks_ = false;

 private:
  std::vector<std::byte> file_;
};

TEST_F(BlocksOnTheirWay, StayBlocksOnTheHostAndGiveTheSameFile) {
  for (const char* chain : {"resize --size 50%", "exposure --stops 0.5", "blur --sigma 2 + flip"}) {
    const auto expected = made_of_pixels(chain);
    EXPECT_EQ(made_on(queue(), {}, chain), expected) << chain;
    EXPECT_TRUE(in_blocks_);
    EXPECT_EQ(decoded_, 0);
  }
}

TEST_F(BlocksOnTheirWay, BecomePixelsWhereTheHostOrTilesNeedThem) {
  const char* const chain = "resize --size 50%";
  const auto expected = made_of_pixels(chain);
  const Queue host = Queue::cpu(1);
  for (const Queue* const where : {&host, &queue()}) {
    const CardUse little{20000, false};
    EXPECT_EQ(made_on(*where, little, chain), expected);
    EXPECT_FALSE(in_blocks_);
    EXPECT_EQ(decoded_, 1);
  }
  EXPECT_EQ(made_on(queue(), {UINT64_MAX, true}, chain), expected);
}

TEST_F(BlocksOnTheirWay, AreDecodedAgainWhereDecodersNeedNotAgree) {
  breaks_ = true;
  EXPECT_EQ(made_on(queue(), {}, "resize --size 50%"), made_of_pixels("resize --size 50%"));
  EXPECT_EQ(decoded_, 1);
}

}  // namespace
}  // namespace cuimg

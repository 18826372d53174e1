// SPDX-License-Identifier: Apache-2.0
// A JPEG's blocks of coefficients. From them kernels/dct computes exactly the pixels of libjpeg,
// and from pixels exactly the file that libjpeg writes.
#include "io/codec_helpers.h"
#include "io/jpeg/jpeg_errors.h"
#include "support/dct_on_host.h"
#include "support/made_jpeg.h"

namespace cuimg {
namespace {

using namespace test;

std::unique_ptr<Decoder> opened(const Bytes& file) {
  return jpeg_codec().open(ByteSource::from_memory(file, "test"), {});
}

Bytes pixel_bytes(const Image& image) {
  const auto* first = image.row(0, image.spec().data_window.y);
  return {first, first + image.spec().pixel_bytes()};
}

TEST(JpegBlocks, BecomeThePixelsThatLibjpegMakesWhateverTheSamplingAndSize) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const JpegKind kind = random_kind(random);
    const Bytes file = made_jpeg(kind, made_pixels(kind.width, kind.height, kind.channels, random));
    const auto decoder = opened(file);
    const auto blocks = decoder->read_blocks();
    ASSERT_TRUE(blocks) << kind.name();
    EXPECT_EQ(blocks->layout().bytes(), decoder->block_bytes());
    Image image(decoder->spec());
    ASSERT_TRUE(fill_from_blocks(*blocks, image)) << kind.name();
    ASSERT_EQ(pixel_bytes(image), pixel_bytes(decode(jpeg_codec(), file))) << kind.name();
  }
}

TEST(JpegBlocks, OfPixelsAreWrittenAsTheSameFile) {
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    const int channels = random() % 5 == 0 ? 1 : 3;
    Image image(flat_spec(random_side(random), random_side(random), channels, PixelType::u8,
                          srgb_straight()));
    const Rect& window = image.spec().data_window;
    const auto made = made_pixels(window.width, window.height, channels, random);
    std::memcpy(image.row(0, 0), made.data(), made.size());
    EncodeOptions options;
    const auto& compressions = jpeg_codec().compressions;
    options.compression = compressions[random() % compressions.size()];
    options.quality = static_cast<int>(1 + random() % 100);
    MemorySink sink;
    const auto encoder = jpeg_codec().encoder({{image.spec(), options}}, sink);
    const auto layout = encoder->block_layout();
    ASSERT_TRUE(layout);
    DctImage blocks = blocks_of(image, *layout);
    encoder->write_blocks(blocks);
    encoder->finish();
    ASSERT_EQ(sink.bytes(), encode(jpeg_codec(), image, options))
        << window.width << "x" << window.height << " " << options.compression << " q"
        << *options.quality;
  }
}

TEST(JpegBlocks, AreNotReadWhereAProgressiveFileLacksScans) {
  std::mt19937 random(3);
  JpegKind kind;
  kind.progressive = true;
  const auto pixels = made_pixels(kind.width, kind.height, 3, random);
  EXPECT_TRUE(opened(made_jpeg(kind, pixels))->read_blocks());
  for (kind.scans = 1; kind.scans < 6; ++kind.scans)
    EXPECT_FALSE(opened(made_jpeg(kind, pixels))->read_blocks()) << kind.scans;
}

TEST(JpegBlocks, AreNotReadFromAFileThatIsDamagedOrCutShort) {
  std::mt19937 random(4);
  JpegKind kind;
  kind.width = kind.height = 100;
  const Bytes file = made_jpeg(kind, made_pixels(kind.width, kind.height, 3, random));
  for (std::size_t size = file.size() - 1; size > file.size() / 2; size -= 1 + size / 20) {
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const auto decoder = opened(cut);
    EXPECT_FALSE(decoder->read_blocks()) << size;
    Image image(decoder->spec());
    RowProgress progress;
    EXPECT_THROW(decoder->read(image, progress), Error);
  }
  // For any changed bytes: blocks are only available for files that can be decoded, and give the
  // same pixels.
  int read = 0, refused = 0;
  for (int i = 0; i < 1000; ++i) {
    Bytes changed = file;
    for (unsigned n = 1 + random() % 3; n > 0; --n)
      changed[file.size() / 3 + random() % (file.size() * 2 / 3)] =
          static_cast<std::byte>(random());
    const auto decoder = opened(changed);
    const auto blocks = decoder->read_blocks();
    Image image(decoder->spec()), of_blocks(decoder->spec());
    RowProgress progress;
    if (!blocks) {
      ++refused;
      continue;
    }
    ASSERT_NO_THROW(decoder->read(image, progress)) << i;
    if (!fill_from_blocks(*blocks, of_blocks)) continue;
    ++read;
    ASSERT_EQ(pixel_bytes(of_blocks), pixel_bytes(image)) << i;
  }
  EXPECT_GT(read, 10);
  EXPECT_GT(refused, 10);
}

TEST(JpegBlocks, SayHowTheirPixelsAreTurned) {
  std::mt19937 random(4);
  JpegKind kind;
  const Bytes plain = made_jpeg(kind, made_pixels(kind.width, kind.height, 3, random));
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes turned = with_orientation(plain, orientation);
    const auto decoder = opened(turned);
    ASSERT_EQ(decoder->spec().data_window.width, orientation < 5 ? kind.width : kind.height);
    EXPECT_GT(decoder->block_bytes(), 0u);
    const auto blocks = decoder->read_blocks();
    ASSERT_TRUE(blocks);
    EXPECT_EQ(blocks->layout().width, kind.width);
    Image expected(decoder->spec()), of_blocks(decoder->spec());
    RowProgress progress;
    decoder->read(expected, progress);
    ASSERT_TRUE(fill_from_blocks(*blocks, of_blocks));
    EXPECT_EQ(pixel_bytes(of_blocks), pixel_bytes(expected)) << orientation;
  }
}

TEST(JpegBlocks, SayWhereDecodersNeedNotAgree) {
  std::int16_t coefficients[64] = {};
  std::uint16_t steps[64];
  std::fill(steps, steps + 64, std::uint16_t{255});
  std::uint8_t samples[64];
  coefficients[0] = 4;
  EXPECT_TRUE(inverse_dct(coefficients, steps, samples));
  EXPECT_EQ(samples[0], 255);
  coefficients[0] = 40;  // ten times as bright as white from an encoder
  EXPECT_FALSE(inverse_dct(coefficients, steps, samples));
  coefficients[0] = 0;
  coefficients[9] = -32768;
  EXPECT_FALSE(inverse_dct(coefficients, steps, samples));
}

// A card divides, while libjpeg-turbo multiplies by reciprocals.
TEST(JpegBlocks, AreQuantisedAsByADivisionThatRoundsHalvesAwayFromZero) {
  for (int step = 1; step <= 255; ++step)
    for (int value = -16384; value <= 16384; ++value) {
      const int divisor = 8 * step, size = value < 0 ? -value : value;
      const int whole = size / divisor, rest = size % divisor;
      const int rounded = whole + (2 * rest >= divisor ? 1 : 0);
      ASSERT_EQ(quantised(value, step), value < 0 ? -rounded : rounded) << value << " / " << step;
    }
}

}  // namespace
}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Chunks without compression and with ZIP compared with OpenEXR's own: each reads the other's
// files.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>

#include "io/exr/exr_header.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_stream.h"
#include "io/memory_images.h"

namespace cuimg::test {
namespace {

// Layers of every type, with an offset, large enough for several threads, with an incomplete last
// chunk.
Spec mixed_spec() {
  Spec spec = simple_spec(401, 333, {"R", "G", "B"}, PixelType::half);
  spec.data_window = {-9, 21, 401, 333};
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"ids", {"first", "second"}, PixelType::u32});
  return spec;
}

// Noise, so that no chunk gets smaller by compression.
Image noise(const Spec& spec) {
  Image image(spec);
  std::mt19937 random(7);
  for (int l = 0; l < spec.layer_count(); ++l)
    for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y)
      for (std::size_t i = 0; i < image.row_bytes(l); ++i)
        image.row(l, y)[i] = static_cast<std::byte>(random() & 0xff);
  return image;
}

Image read_by_openexr(std::span<const std::byte> bytes, const Spec& spec) {
  ExrInput input(ByteSource::from_memory(bytes, "memory"));
  Imf::InputFile file(input);
  Image image(spec);
  file.setFrameBuffer(exr_frame_buffer(file.header(), image, {file.header(), image}));
  file.readPixels(spec.data_window.y, spec.data_window.bottom() - 1);
  return image;
}

std::vector<std::byte> written_by_openexr(const Image& image, Imf::Compression compression,
                                          Imf::LineOrder order) {
  const Spec& spec = image.spec();
  Imf::Header header = exr_header(spec, {});
  header.compression() = compression;
  header.lineOrder() = order;
  add_exr_channels(spec, header);
  MemorySink sink;
  ExrOutput output(sink);
  {
    Imf::OutputFile file(output, header);
    file.setFrameBuffer(exr_frame_buffer(header, image, {header, image}));
    file.writePixels(spec.data_window.height);
  }
  return sink.bytes();
}

TEST(ExrChunks, IsReadByOpenExr) {
  for (const Image& image : {textured(mixed_spec()), noise(mixed_spec())})
    for (const char* compression : {"none", "zip", "zips"}) {
      const auto bytes = encoded(image, "exr", {.compression = compression});
      EXPECT_TRUE(same_pixels(read_by_openexr(bytes, image.spec()), image)) << compression;
    }
}

TEST(ExrChunks, ReadsWhatOpenExrWritesInEitherOrder) {
  for (const Image& image : {textured(mixed_spec()), noise(mixed_spec())})
    for (const Imf::Compression compression :
         {Imf::NO_COMPRESSION, Imf::ZIP_COMPRESSION, Imf::ZIPS_COMPRESSION})
      for (const Imf::LineOrder order : {Imf::INCREASING_Y, Imf::DECREASING_Y}) {
        const Image back = decoded(written_by_openexr(image, compression, order));
        EXPECT_TRUE(same_pixels(back, image)) << compression << ' ' << order;
      }
}

TEST(ExrChunks, GivesTheSameBytesFromAnyNumberOfThreads) {
  const Image image = textured(mixed_spec());
  for (const char* compression : {"none", "zip"}) {
    const auto alone = encoded(image, "exr", {.compression = compression, .threads = 1});
    EXPECT_EQ(encoded(image, "exr", {.compression = compression, .threads = 5}), alone);
  }
}

TEST(ExrChunks, AreOpenExrsBytesWithoutCompression) {
  for (int width = 1; width < 70; width += 3)
    for (int channels = 1; channels <= 4; ++channels)
      for (const PixelType type : {PixelType::half, PixelType::f32, PixelType::u32}) {
        std::vector<std::string> names = {"R", "G", "B", "A"};
        names.resize(static_cast<std::size_t>(channels));
        const Image image = textured(simple_spec(width, 3, names, type));
        EXPECT_EQ(encoded(image, "exr", {.compression = "none"}),
                  written_by_openexr(image, Imf::NO_COMPRESSION, Imf::INCREASING_Y))
            << width << ' ' << channels;
      }
}

TEST(ExrChunks, RefusesRowsOfAnotherSize) {
  const Image image = textured(simple_spec(16, 9, {"R", "G", "B"}, PixelType::half));
  const auto bytes = encoded(image, "exr", {.compression = "none"});
  const std::int32_t head[] = {4, 16 * 3 * 2};  // the header of the chunk of row 4
  const auto at = std::ranges::search(bytes, std::as_bytes(std::span(head))).begin();
  ASSERT_NE(at, bytes.end());
  for (const std::int32_t size : {0, 1, 94, 97, 4096, -1}) {
    auto broken = bytes;
    std::memcpy(&broken[static_cast<std::size_t>(at - bytes.begin()) + 4], &size, sizeof size);
    EXPECT_NE(error_of([&] { decoded(broken); }), "") << size;
  }
}

TEST(ExrChunks, RefusesChunksThatAreBroken) {
  const Image image = textured(mixed_spec());
  const auto bytes = encoded(image, "exr", {.compression = "zip"});
  int refused = 0;
  for (std::size_t at = bytes.size() / 2; at < bytes.size(); at += bytes.size() / 29) {
    auto broken = bytes;
    // Eight bytes, so that the checksum is wrong even if the stream can still be inflated.
    for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) broken[i] ^= std::byte{0x5a};
    refused += error_of([&] { decoded(broken); }).empty() ? 0 : 1;
  }
  EXPECT_GE(refused, 14);
}

TEST(ExrChunks, FailsEvenWhileThreadsWaitForRoom) {
  const Image image = textured(mixed_spec());
  auto bytes = encoded(image, "exr", {.compression = "zip"});
  // Damage after the first chunks.
  for (std::size_t i = bytes.size() / 4; i < bytes.size() / 4 + 64; ++i) bytes[i] ^= std::byte{1};
  const auto decoder = open_image(ByteSource::from_memory(bytes, "memory"), {.threads = 4});
  Image back(decoder->spec());
  RowProgress progress;
  std::atomic<int> forgotten = 0;
  progress.keep_near(32, [&](int first, int last) { forgotten += last - first; });
  const std::jthread consumer([&] {
    try {
      for (int row = 1; row <= 333; ++row) {
        progress.wait_for(row);
        progress.release(row);
      }
      ADD_FAILURE() << "all rows came";
    } catch (const Error&) {
    }
  });
  std::string problem;
  try {
    decoder->read(back, progress);
  } catch (const std::exception& error) {
    problem = error.what();
    progress.fail(std::current_exception());
  }
  EXPECT_NE(problem.find("corrupt"), std::string::npos) << problem;
  EXPECT_GT(forgotten, 0);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// write_image() and encode_image(): what a file could not say is refused, and errors of callers
// are thrown as they are.
#include <gtest/gtest.h>

#include <stdexcept>

#include "io/memory_images.h"

namespace cuimg::test {
namespace {

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string problem(const std::string& format, const Spec& spec) {
  return error_of([&] { encode_image(textured(spec), *codec_named(format)); });
}

std::string problem_of_channels(const std::string& format,
                                const std::vector<std::string>& channels) {
  return problem(format, simple_spec(4, 4, channels, PixelType::u8));
}

TEST(WriteImage, StoresNoDataAsAlpha) {
  using Names = std::vector<std::string>;
  for (const std::string format : {"png", "tif", "pam"}) {
    for (const Names& channels : {Names{"U", "V"},
                                  {"X", "Y"},
                                  {"R", "G"},
                                  {"R", "B"},
                                  {"foo", "bar"},
                                  {"R", "G", "B", "Z"},
                                  {"a", "b", "c", "d"},
                                  {"A"},
                                  {"Y", "R"},
                                  {"X", "Y", "A"},
                                  {"R", "A"},
                                  {"R"}})
      EXPECT_TRUE(mentions(problem_of_channels(format, channels), "cannot hold the channels "))
          << format << " " << channels.front() << channels.size();
    for (const Names& channels : {Names{"Y"},
                                  {"Y", "A"},
                                  {"R", "G", "B"},
                                  {"R", "G", "B", "A"},
                                  {"Z"},
                                  {"Z", "A"},
                                  {"X", "Y", "Z"},
                                  {"X", "Y", "Z", "A"}})
      EXPECT_EQ(problem_of_channels(format, channels), "") << format << channels.front();
  }
  EXPECT_EQ(problem_of_channels("png", {"R", "G"}),
            "png: PNG cannot hold the channels R G: call apply() with the codec to make an image "
            "that fits");
  EXPECT_TRUE(
      mentions(problem_of_channels("jpg", {"R", "G", "B", "A"}), "cannot hold the channels"));
}

TEST(WriteImage, RefusesLevelsThatNothingMakes) {
  Spec spec = simple_spec(8, 8, {"R", "G", "B"}, PixelType::half);
  spec.mip.emplace();
  EXPECT_TRUE(mentions(problem("exr", spec), "set EncodeOptions::next_level to halved_levels()"));
  Spec bytes = simple_spec(8, 8, {"R", "G", "B"}, PixelType::u8);
  bytes.mip.emplace();
  EXPECT_TRUE(mentions(problem("png", bytes), "PNG cannot hold mip levels"));
}

TEST(WriteImage, RefusesNamesThatOpenExrWouldShorten) {
  Spec spec = simple_spec(4, 4, {std::string("a\0b", 3), std::string("a\0c", 3)}, PixelType::half);
  EXPECT_TRUE(mentions(problem("exr", spec), "none of which is NUL"));
}

TEST(Encoders, ThrowTheErrorOfRowsAsItIs) {
  for (const Codec& codec : codecs()) {
    if (!codec.is_written()) continue;
    Spec spec = simple_spec(64, 64, {codec.capabilities.color ? "R" : "Y"},
                            codec.capabilities.types.front());
    if (codec.capabilities.color) spec.layers.front().channels = {"R", "G", "B"};
    const Image image = textured(spec);
    RowProgress ready;
    ready.fail(std::make_exception_ptr(std::domain_error("mine")));
    MemorySink sink;
    EXPECT_THROW(codec.encode(image, {}, ready, sink), std::domain_error) << codec.name;
  }
}

TEST(Encoders, ThrowTheErrorOfLevelsAsItIs) {
  Spec spec = simple_spec(64, 64, {"R", "G", "B"}, PixelType::half);
  spec.mip.emplace();
  EncodeOptions options;
  options.next_level = [](LevelId, const Image&) -> Image { throw std::domain_error("mine"); };
  EXPECT_THROW(encode_image(textured(spec), *codec_named("exr"), options), std::domain_error);
}

TEST(ImageFiles, RefusePartsThatTheyLack) {
  for (const char* format : {"exr", "tif", "png"}) {
    const bool is_exr = std::string(format) == "exr";
    const auto bytes = encode_image(
        textured(simple_spec(4, 4, {"R", "G", "B"}, is_exr ? PixelType::half : PixelType::u8)),
        *codec_named(format));
    const auto file = open_file(ByteSource::from_memory(bytes, "memory"), {});
    for (const int part : {-1, 1, 99}) {
      const std::string wanted =
          "memory: part " + std::to_string(part) + " does not exist: the file has part 0 only";
      EXPECT_EQ(error_of([&] { file->open(part); }), wanted);
      EXPECT_EQ(error_of([&] { file->summary(part); }), wanted);
    }
  }
}

TEST(MemorySinks, RefusePositionsThatNoMemoryHas) {
  MemorySink sink;
  sink.seek(UINT64_MAX - 1);
  const std::byte bytes[4] = {};
  EXPECT_TRUE(mentions(error_of([&] { sink.write(bytes); }), "is too large"));
}

TEST(MemorySinks, BeginAgainAfterTheirBytesWereTaken) {
  MemorySink sink;
  const std::byte bytes[3] = {std::byte{1}, std::byte{2}, std::byte{3}};
  sink.write(bytes);
  EXPECT_EQ(sink.take().size(), 3u);
  sink.write({bytes, 1});
  EXPECT_EQ(sink.take(), std::vector<std::byte>{std::byte{1}});
}

TEST(ReadImage, RefusesNoSource) {
  EXPECT_TRUE(
      mentions(error_of([] { read_image(std::shared_ptr<const ByteSource>()); }), "no source"));
}

}  // namespace
}  // namespace cuimg::test

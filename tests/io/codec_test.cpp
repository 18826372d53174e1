// SPDX-License-Identifier: Apache-2.0
// The table of formats: every entry is complete, and files are recognised by their content.
#include <filesystem>
#include <set>

#include "memory_images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(Codecs, AreCompleteAndDistinct) {
  std::set<std::string_view> names, extensions;
  for (const Codec& codec : codecs()) {
    EXPECT_TRUE(names.insert(codec.name).second) << codec.name;
    EXPECT_FALSE(codec.description.empty());
    EXPECT_FALSE(codec.capabilities.types.empty());
    EXPECT_TRUE(codec.sniff && (codec.open || codec.open_file)) << codec.name;
    EXPECT_NE(codec.is_written(), !codec.instead.empty()) << codec.name;
    if (!codec.is_written()) {
      EXPECT_TRUE(codec_named(codec.instead)->is_written()) << codec.name;
    }
    for (const Codec& variant : codec.variants) {
      EXPECT_EQ(codec_named(variant.name), &variant);
      EXPECT_EQ(variant.write == nullptr, !variant.instead.empty()) << variant.name;
    }
    ASSERT_FALSE(codec.extensions.empty());
    for (std::string_view extension : codec.extensions)
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
  }
}

TEST(Codecs, AreFoundByNameAndExtensionInAnyCase) {
  EXPECT_EQ(codec_named("EXR")->name, "exr");
  EXPECT_EQ(codec_named("JPG")->name, "jpeg");
  EXPECT_EQ(codec_named("tif")->name, "tiff");
  EXPECT_EQ(codec_named("nothing"), nullptr);
  EXPECT_EQ(codec_for_output("a.b/c.PNG", "").name, "png");
  EXPECT_EQ(codec_for_output("c.png", "exr").name, "exr");
  EXPECT_EQ(codec_for_output("-", "").name, "exr");
  EXPECT_NE(error_of([] { codec_for_output("a.b/c", ""); }).find("--format"), std::string::npos);
  EXPECT_NE(error_of([] { codec_for_output("c.xyz", ""); }).find("png"), std::string::npos);
  EXPECT_NE(error_of([] { codec_for_output("c.png", "xyz"); }).find("--format"), std::string::npos);
}

TEST(Codecs, ThatAreOnlyReadSayWhatToWrite) {
  EXPECT_EQ(error_of([] { codec_for_output("a.gif", ""); }),
            "a.gif: GIF can be read but not written: use png");
  EXPECT_EQ(error_of([] { codec_for_output("a.psb", ""); }),
            "a.psb: Photoshop PSD can be read but not written: use tiff");
  EXPECT_EQ(error_of([] { codec_for_output("a.si", ""); }),
            "a.si: Softimage PIC can be read but not written: use png");
  EXPECT_EQ(error_of([] { codec_for_output("c.xyz", ""); }).find("gif"), std::string::npos);
}

TEST(Codecs, KnowTheirOwnFilesAndNoOthers) {
  for (const Codec& codec : codecs()) {
    if (!codec.is_written()) continue;
    const PixelType type = codec.capabilities.types.front();
    const Image image = textured(simple_spec(33, 17, {"R", "G", "B"}, type));
    const auto bytes = encoded(image, codec.name);
    for (const Codec& other : codecs()) {
      EXPECT_EQ(other.sniff(bytes), other.name == codec.name) << codec.name << ' ' << other.name;
      if (other.name == codec.name) break;  // later codecs are not asked
    }
    EXPECT_EQ(decoded(bytes).spec().data_window, image.spec().data_window) << codec.name;
  }
}

TEST(Codecs, SurviveSnippetsOfEveryLength) {
  for (const Codec& codec : codecs()) {
    if (!codec.is_written()) continue;
    const Image image =
        textured(simple_spec(33, 17, {"R", "G", "B"}, codec.capabilities.types.front()));
    const auto bytes = encoded(image, codec.name);
    for (std::size_t size = 1; size < std::min<std::size_t>(200, bytes.size()); ++size)
      EXPECT_NE(error_of([&] { decoded(std::span(bytes).first(size)); }), "")
          << codec.name << ' ' << size;
  }
}

TEST(Codecs, RefuseOtherFilesAndNameImagesOfUnsupportedFormats) {
  const std::string text = "just some text, long enough to be looked at by every format";
  EXPECT_NE(error_of([&] { decoded(std::as_bytes(std::span(text))); }).find("memory: is not"),
            std::string::npos);
  const std::string webp = std::string("RIFF\x20\0\0\0WEBPVP8 ", 16) + std::string(32, '\0');
  EXPECT_EQ(error_of([&] { decoded(std::as_bytes(std::span(webp))); }).substr(0, 27),
            "memory: WebP is not support");
}

TEST(Codecs, CheckSizesAgainstBothLimits) {
  const auto source = ByteSource::from_memory({}, "f");
  EXPECT_EQ(error_of([&] { check_size(*source, 1 << 17, 1 << 13, {}); }), "");
  EXPECT_NE(error_of([&] { check_size(*source, 1 << 17, (1 << 13) + 1, {}); }), "");
  EXPECT_NE(error_of([&] { check_size(*source, (1 << 17) + 1, 1, {}); }), "");
  EXPECT_NE(error_of([&] { check_size(*source, 0, 1, {}); }), "");
  EXPECT_NE(error_of([&] { check_size(*source, 1, -5, {}); }), "");
  EXPECT_NE(error_of([&] { check_size(*source, INT64_MAX, INT64_MAX, {}); }), "");
}

TEST(Codecs, RefuseAnImageWithoutMemory) {
  const Image without = Image::without_memory(simple_spec(8, 6, {"R", "G", "B"}, PixelType::u8));
  const std::string problem = "the image has no memory: call Image::allocate() first";
  for (const Codec& codec : codecs()) {
    if (!codec.is_written()) continue;
    EXPECT_EQ(error_of([&] { encode_image(without, codec); }),
              std::string(codec.name) + ": " + problem);
  }
  const TempDir folder;
  std::vector<Image> parts(1);
  parts.front() = Image::without_memory(without.spec());
  const std::string path = folder / "a.tif";
  EXPECT_NE(error_of([&] { write_parts(path, parts, *codec_named("tif")); }).find(problem),
            std::string::npos);
  EXPECT_NE(error_of([&] { write_image(path, without, *codec_named("tif")); }).find(problem),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Images, WithoutMemoryAreNotCopied) {
  const Image without = Image::without_memory(simple_spec(8, 6, {"R", "G", "B"}, PixelType::u8));
  EXPECT_EQ(error_of([&] { copy_of(without); }),
            "image: the image has no memory: call Image::allocate() first");
}

}  // namespace
}  // namespace cuimg::test

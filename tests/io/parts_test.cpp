// SPDX-License-Identifier: Apache-2.0
// Files as lists of parts: EXR parts and TIFF pages, read and written in any number.
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPartType.h>
#include <tiffio.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/memory_images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class PartsOfFiles : public testing::Test {
 protected:
  static Image part(const std::string& name, const Rect& data, std::vector<std::string> channels,
                    PixelType type = PixelType::half) {
    Spec spec = simple_spec(1, 1, std::move(channels), type);
    spec.data_window = data;
    spec.display_window = {0, 0, 61, 43};
    spec.part_name = name;
    return textured(std::move(spec), static_cast<unsigned>(name.size()) + 1);
  }
  // Four parts of every kind of window and type; two of them are views.
  static std::vector<Image> exr_parts() {
    std::vector<Image> parts;
    parts.push_back(part("rgba.left", {0, 0, 61, 43}, {"R", "G", "B", "A"}));
    parts.push_back(part("rgba.right", {-3, 2, 17, 29}, {"R", "G", "B", "A"}));
    parts.push_back(part("depth", {5, 7, 1, 31}, {"Z"}, PixelType::f32));
    parts.push_back(part("ids", {60, 42, 33, 1}, {"id"}, PixelType::u32));
    parts[0].editable_spec().metadata["view"] = std::string("left");
    parts[1].editable_spec().metadata["view"] = std::string("right");
    parts[2].editable_spec().metadata["of depth"] = 2.5;
    return parts;
  }
  std::string written(const std::vector<Image>& parts, const std::string& name,
                      const EncodeOptions& options = {}) const {
    write_parts(folder_ / name, parts, codec_for_output(name, ""), options);
    return folder_ / name;
  }
  static void expect_same(const std::vector<Image>& a, const std::vector<Image>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(same_pixels(a[i], b[i])) << i;
      EXPECT_EQ(a[i].spec().display_window, b[i].spec().display_window) << i;
      EXPECT_EQ(a[i].spec().part_name, b[i].spec().part_name) << i;
      for (const auto& [key, value] : a[i].spec().metadata) {
        const auto found = b[i].spec().metadata.find(key);
        ASSERT_TRUE(found != b[i].spec().metadata.end()) << i << ' ' << key;
        EXPECT_EQ(found->second, value) << i << ' ' << key;
      }
    }
  }
  const TempDir folder_;
};

TEST_F(PartsOfFiles, ExrKeepsThemInEveryCompression) {
  const std::vector<Image> parts = exr_parts();
  for (const char* compression : {"zip", "zips", "none", "rle", "piz"}) {
    const std::string file = written(parts, "out.exr", {.compression = compression});
    SCOPED_TRACE(compression);
    expect_same(parts, read_parts(file));
  }
}

// Properties that other programs depend on, and that OpenEXR checks when it opens such a file.
TEST_F(PartsOfFiles, ExrHeadersAreWhatOpenExrWantsOfThem) {
  const std::string path = written(exr_parts(), "out.exr");
  const Imf::MultiPartInputFile file(path.c_str());
  ASSERT_EQ(file.parts(), 4);
  EXPECT_TRUE(file.partComplete(0) && file.partComplete(3));
  EXPECT_EQ(file.header(1).name(), "rgba.right");
  EXPECT_EQ(file.header(1).view(), "right");
  EXPECT_EQ(file.header(2).type(), Imf::SCANLINEIMAGE);
  EXPECT_EQ(file.header(2).chunkCount(), 2);
}

TEST_F(PartsOfFiles, OnePartIsReadByItsNumberOrName) {
  const std::vector<Image> parts = exr_parts();
  const std::string file = written(parts, "out.exr");
  EXPECT_TRUE(same_pixels(read_image(file), parts[0]));
  EXPECT_TRUE(same_pixels(read_image(file, {.part = 2}), parts[2]));
  EXPECT_TRUE(same_pixels(read_image(file, {.part = "ids"}), parts[3]));
  EXPECT_EQ(error_of([&] { read_image(file, {.part = "beauty"}); }),
            file +
                ": part beauty does not exist: the file has parts 0 'rgba.left', 1 'rgba.right', "
                "2 'depth', 3 'ids'");
}

TEST_F(PartsOfFiles, TiffHasThousandsOfPages) {
  std::vector<Image> parts;
  for (int i = 0; i < 5000; ++i) {
    Spec spec = simple_spec(3, 2, {"Y"}, PixelType::u16);
    spec.part_name = "page " + std::to_string(i);
    parts.push_back(textured(std::move(spec), static_cast<unsigned>(i)));
  }
  const std::string file = written(parts, "out.tif");
  expect_same(parts, read_parts(file));
  EXPECT_TRUE(same_pixels(read_image(file, {.part = "page 4999"}), parts[4999]));
}

TEST_F(PartsOfFiles, ExrPartsWithMipLevelsAreWhole) {
  Image small = part("small", {0, 0, 16, 16}, {"Y"});
  Image large = part("large", {0, 0, 61, 43}, {"Y"});
  large.editable_spec().mip = MipLevels{.tile = 16};
  EncodeOptions options;
  options.next_level = [](LevelId, const Image& finer) {
    Spec spec = finer.spec();
    spec.data_window.width = std::max(1, spec.data_window.width / 2);
    spec.data_window.height = std::max(1, spec.data_window.height / 2);
    return textured(spec, 7);
  };
  std::vector<Image> parts;
  parts.push_back(std::move(large));
  parts.push_back(std::move(small));
  const std::string file = written(parts, "out.exr", options);
  EXPECT_TRUE(same_pixels(read_image(file, {.part = 0}), parts[0]));
  EXPECT_TRUE(same_pixels(read_image(file, {.part = 1}), parts[1]));
  const Image level = read_image(file, {.part = 0, .mip_level = 1});
  EXPECT_TRUE(same_pixels(level, options.next_level({1, 1}, parts[0])));
}

TEST_F(PartsOfFiles, ExrNamesThemApartAndWidensTheWindowThatTheyShare) {
  std::vector<Image> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(part(i == 0 ? "" : "same", {0, 0, 5, 4}, {"Y"}));
  parts[2].editable_spec().display_window = {-10, 0, 80, 20};
  const std::vector<Image> read = read_parts(written(parts, "out.exr"));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].spec().part_name, "part0");
  EXPECT_EQ(read[1].spec().part_name, "same");
  EXPECT_EQ(read[2].spec().part_name, "same_2");
  for (const Image& image : read) EXPECT_EQ(image.spec().display_window, (Rect{-10, 0, 80, 43}));
}

TEST_F(PartsOfFiles, ExrRefusesColoursOfDifferentPrimaries) {
  std::vector<Image> parts = exr_parts();
  parts[1].editable_spec().color.primaries = primaries::rec2020;
  EXPECT_NE(error_of([&] { written(parts, "out.exr"); }).find("different primaries"),
            std::string::npos);
  parts[0].editable_spec().color.primaries = primaries::rec2020;
  EXPECT_EQ(read_parts(written(parts, "out.exr"))[1].spec().color.primaries, primaries::rec2020);
}

TEST_F(PartsOfFiles, TiffKeepsPagesOfEveryKind) {
  std::vector<Image> pages;
  const std::vector<std::vector<std::string>> channels = {
      {"Y"}, {"R", "G", "B"}, {"R", "G", "B", "A"}, {"Y", "A"}, {"R", "G", "B"}};
  const std::vector<PixelType> types = {PixelType::u8, PixelType::u16, PixelType::half,
                                        PixelType::u8, PixelType::f32};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Spec spec = simple_spec(static_cast<int>(10 + 7 * i), static_cast<int>(1 + 40 * i), channels[i],
                            types[i]);
    spec.part_name = i == 1 ? "" : "page " + std::to_string(i);
    pages.push_back(textured(spec, static_cast<unsigned>(i)));
  }
  for (const char* compression : {"deflate", "none", "lzw"}) {
    SCOPED_TRACE(compression);
    const std::string file = written(pages, "out.tif", {.compression = compression});
    expect_same(pages, read_parts(file));
    EXPECT_TRUE(same_pixels(read_image(file, {.part = "page 3"}), pages[3]));
    TIFF* const tiff = TIFFOpen(file.c_str(), "r");
    ASSERT_NE(tiff, nullptr);
    EXPECT_EQ(TIFFNumberOfDirectories(tiff), 5);
    TIFFClose(tiff);
  }
}

TEST_F(PartsOfFiles, FormatsOfOnePartRefuseSeveral) {
  std::vector<Image> pages;
  for (int i = 0; i < 2; ++i)
    pages.push_back(textured(simple_spec(4, 3, {"R", "G", "B"}, PixelType::u8)));
  EXPECT_EQ(error_of([&] { written(pages, "out.png"); }), "png: 2 parts: the format holds one");
}

// More headers of 100 bytes than the maximum number of parts.
TEST_F(PartsOfFiles, TooManyAreRefusedBeforeAnyIsRead) {
  std::string file("\x76\x2f\x31\x01\x02\x10\0\0", 8);
  for (int i = 0; i < 100000; ++i) file += std::string("name\0string\0\1\0\0\0a\0", 18);
  file += '\0';
  EXPECT_EQ(error_of([&] { decoded(std::as_bytes(std::span(file))); }),
            "memory: OpenEXR: more than 10000 parts: split the file first");
  std::string pages("II*\0\x08\0\0\0", 8);
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const std::uint32_t next = 8 + 6 * (i + 1);
    pages += std::string(2, '\0');  // no entries
    for (int shift = 0; shift < 32; shift += 8) pages += static_cast<char>(next >> shift & 0xff);
  }
  EXPECT_EQ(error_of([&] { decoded(std::as_bytes(std::span(pages))); }),
            "memory: TIFF: more than 10000 pages: split the file first");
}

TEST_F(PartsOfFiles, TruncatedFilesAreRefusedWhicheverPartIsWanted) {
  for (const char* name : {"out.exr", "out.tif"}) {
    std::vector<Image> parts;
    for (int i = 0; i < 3; ++i)
      parts.push_back(textured(simple_spec(40, 30, {"R", "G", "B"}, PixelType::half), 3));
    std::ifstream file(written(parts, name), std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(file), {});
    for (std::size_t i = 1; i < 30; ++i) {
      const std::string cut = whole.substr(0, whole.size() * i / 30);
      for (const int part : {0, 2})
        EXPECT_NE(error_of([&] { decoded(std::as_bytes(std::span(cut)), {.part = part}); }), "")
            << name << ' ' << i << ' ' << part;
    }
  }
}

}  // namespace
}  // namespace cuimg::test

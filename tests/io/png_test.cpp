// SPDX-License-Identifier: Apache-2.0
// PNG: every bit depth and colour type, tags, and invalid files.
#include <zlib.h>

#include <cstdio>

#include "base/bytes.h"
#include "memory_images.h"

namespace cuimg::test {
namespace {

TEST(Png, KeepsEveryTypeChannelCountAndLevel) {
  for (PixelType type : {PixelType::u8, PixelType::u16})
    for (const auto& channels : std::vector<std::vector<std::string>>{
             {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}})
      for (const char* level : {"", "0", "1", "2", "5", "9"})
        for (const auto& [width, height] : {std::pair{1, 1}, {37, 19}, {3, 1}, {1, 5}}) {
          const Image image = textured(simple_spec(width, height, channels, type));
          const Image back = decoded(encoded(image, "png", {.compression = level}));
          EXPECT_TRUE(same_pixels(back, image)) << name_of(type) << channels.size() << level;
          EXPECT_EQ(back.spec().color, image.spec().color);
        }
}

TEST(Png, WritesTheSameBytesWithAnyNumberOfThreads) {
  for (PixelType type : {PixelType::u8, PixelType::u16}) {
    const Image image = textured(simple_spec(701, 1303, {"R", "G", "B"}, type));
    const auto one = encoded(image, "png", {.threads = 1});
    EXPECT_EQ(encoded(image, "png", {.threads = 2}), one);
    EXPECT_EQ(encoded(image, "png", {.threads = 5}), one);
    EXPECT_TRUE(same_pixels(decoded(one), image));
  }
}

TEST(Png, KeepsColorTextAndDensity) {
  Spec spec = simple_spec(5, 4, {"R", "G", "B"}, PixelType::u8);
  spec.color = {Curve::gamma, 1.8f, false,
                Chromaticities{0.7f, 0.3f, 0.2f, 0.7f, 0.1f, 0.05f, 0.31f, 0.33f}};
  spec.pixel_aspect = 2.0f;
  spec.metadata = {{"Title", std::string("plain")}, {"Author", std::string("J\xc3\xb6rg")}};
  const Image back = decoded(encoded(textured(spec), "png"));
  EXPECT_EQ(back.spec().metadata, spec.metadata);
  EXPECT_EQ(back.spec().pixel_aspect, 2.0f);
  EXPECT_EQ(back.spec().color.curve, Curve::gamma);
  EXPECT_NEAR(back.spec().color.gamma, 1.8f, 1e-4f);
  ASSERT_TRUE(back.spec().color.primaries);
  EXPECT_NEAR(back.spec().color.primaries->rx, 0.7f, 1e-5f);
  EXPECT_NEAR(back.spec().color.primaries->by, 0.05f, 1e-5f);

  spec.color.curve = Curve::linear;
  EXPECT_EQ(decoded(encoded(textured(spec), "png")).spec().color.curve, Curve::linear);
  EXPECT_EQ(decoded(encoded(textured(spec), "png"), {.raw = true}).spec().color.curve, Curve::raw);
  spec.color = {Curve::raw, 1.0f, false, {}};
  EXPECT_EQ(decoded(encoded(textured(spec), "png")).spec().color.curve, Curve::srgb);
}

// The chunks before the pixels as "name:data", with the data in hexadecimal.
std::vector<std::string> chunks_of(const std::vector<std::byte>& png) {
  std::vector<std::string> found;
  for (std::size_t at = 33; at + 12 <= png.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size = size << 8 | std::to_integer<std::size_t>(png[at + i]);
    std::string text(reinterpret_cast<const char*>(&png[at + 4]), 4);
    if (text == "IDAT") break;
    text += ':';
    for (std::size_t i = 0; i < size; ++i) {
      char hex[3];
      std::snprintf(hex, sizeof hex, "%02x", std::to_integer<unsigned>(png[at + 8 + i]));
      text += hex;
    }
    found.push_back(text);
    at += 12 + size;
  }
  return found;
}

std::vector<std::byte> png_in(const ColorEncoding& color,
                              const std::vector<std::string>& channels = {"R", "G", "B"}) {
  Spec spec = simple_spec(2, 2, channels, PixelType::u8);
  spec.color = color;
  return encoded(textured(spec), "png");
}

// The same picture with another chunk after its header.
std::vector<std::byte> with_chunk(std::vector<std::byte> png, const std::string& name,
                                  const std::vector<unsigned char>& data) {
  std::vector<unsigned char> chunk = {0, 0, 0, static_cast<unsigned char>(data.size())};
  chunk.insert(chunk.end(), name.begin(), name.end());
  chunk.insert(chunk.end(), data.begin(), data.end());
  const uLong crc = crc32(0, chunk.data() + 4, static_cast<uInt>(chunk.size() - 4));
  for (int i = 24; i >= 0; i -= 8) chunk.push_back(static_cast<unsigned char>(crc >> i));
  const auto bytes = std::as_bytes(std::span(chunk));
  png.insert(png.begin() + 33, bytes.begin(), bytes.end());
  return png;
}

TEST(Png, SaysWhatItsValuesAre) {
  using Chunks = std::vector<std::string>;
  const ColorEncoding srgb{Curve::srgb, 1.0f, false, {}};
  EXPECT_EQ(chunks_of(png_in(srgb)), Chunks{"sRGB:00"});
  ColorEncoding color = srgb;
  color.primaries = primaries::p3_d65;
  const Chunks p3 = chunks_of(png_in(color));
  ASSERT_EQ(p3.size(), 4u);
  EXPECT_EQ(p3[0], "cICP:0c0d0001");
  EXPECT_EQ(p3[1].substr(0, 4), "iCCP");                    // for readers that do not support cICP
  EXPECT_EQ(p3[2], "gAMA:0000b18f");                        // 45455
  EXPECT_EQ(p3[3].substr(0, 21), "cHRM:00007a2600008084");  // white 0.3127, 0.3290
  // The result of encode: raw values with a tag.
  color = {Curve::raw,        1.0f,  false,
           primaries::p3_d65, false, ColorTag{CurveCode::srgb, 1.0f, primaries::p3_d65}};
  EXPECT_EQ(chunks_of(png_in(color)), p3);
  color.tag = ColorTag{CurveCode::srgb, 1.0f, {}};
  EXPECT_EQ(chunks_of(png_in(color)), Chunks{"sRGB:00"});
  color.tag = ColorTag{CurveCode::pq, 1.0f, primaries::rec2020};
  const Chunks pq = chunks_of(png_in(color));
  ASSERT_EQ(pq.size(), 2u);
  EXPECT_EQ(pq[0], "cICP:09100001");
  EXPECT_EQ(pq[1].substr(0, 4), "cHRM");
  color.tag.reset();
  EXPECT_EQ(chunks_of(png_in(color)), Chunks{});
  EXPECT_EQ(chunks_of(png_in({Curve::linear, 1.0f, false, {}})),
            (Chunks{"cICP:01080001", "gAMA:000186a0"}));
  // With cHRM of these primaries libpng would distrust the curve too; a profile avoids that.
  const Chunks ap1 = chunks_of(png_in({Curve::linear, 1.0f, false, primaries::aces_ap1}));
  ASSERT_EQ(ap1.size(), 2u);
  EXPECT_EQ(ap1[0].substr(0, 4), "iCCP");
  EXPECT_EQ(ap1[1], "gAMA:000186a0");
  const auto describes = codec_named("png")->capabilities.describes;
  EXPECT_TRUE(describes({Curve::srgb, 1.0f, false, primaries::aces_ap0}, false));
  EXPECT_TRUE(describes({Curve::pq, 1.0f, false, primaries::rec2020}, false));
  EXPECT_FALSE(describes({Curve::pq, 1.0f, false, primaries::aces_ap0}, false));
}

// As in JPEG and TIFF, which have no numbers for it.
TEST(Png, SaysThePowerOfGreyByAProfileToo) {
  const ColorEncoding adobe{
      Curve::gamma, 2.19921875f, false,
      Chromaticities{0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.329f}};
  for (const std::vector<std::string>& channels :
       std::vector<std::vector<std::string>>{{"Y"}, {"Y", "A"}}) {
    const std::vector<std::byte> file = png_in(adobe, channels);
    const std::vector<std::string> chunks = chunks_of(file);
    ASSERT_EQ(chunks.size(), 3u);
    EXPECT_EQ(chunks[0].substr(0, 4), "iCCP");
    EXPECT_EQ(chunks[1], "gAMA:0000b19f");  // 1 / 2.19921875 is 45471 of 100000
    EXPECT_EQ(chunks[2].substr(0, 4), "cHRM");
    const ColorEncoding read = decoded(file).spec().color;
    ASSERT_TRUE(read.profile);
    EXPECT_TRUE(read.profile->grey);
    EXPECT_EQ(read.curve, Curve::gamma);
    EXPECT_NEAR(read.gamma, 2.19921875f, 1e-4f);
  }
  // For colours the numbers are enough.
  for (const std::string& chunk : chunks_of(png_in(adobe))) EXPECT_NE(chunk.substr(0, 4), "iCCP");
}

TEST(Png, CodePointsComeBeforeEveryOtherStatement) {
  const auto srgb = png_in({Curve::srgb, 1.0f, false, {}});
  const auto color_of = [&](const std::vector<unsigned char>& data, std::string* notes = nullptr) {
    DecodeOptions options;
    options.notify = [&](const std::string& note) {
      if (notes != nullptr) *notes += note;
    };
    return decoded(with_chunk(srgb, "cICP", data), options).spec().color;
  };
  EXPECT_EQ(color_of({12, 13, 0, 1}), (ColorEncoding{Curve::srgb, 1.0f, false, primaries::p3_d65}));
  EXPECT_EQ(color_of({9, 8, 0, 1}),
            (ColorEncoding{Curve::linear, 1.0f, false, primaries::rec2020}));
  EXPECT_EQ(color_of({1, 13, 0, 1}), (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
  EXPECT_EQ(color_of({1, 4, 0, 1}), (ColorEncoding{Curve::gamma, 2.2f, false, {}}));
  std::string notes;
  EXPECT_EQ(color_of({12, 0, 0, 1}, &notes), (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
  EXPECT_EQ(notes, "memory: cICP's curve 0 means no curve and is left out");
  notes.clear();
  // PQ and HLG are converted like other curves; the tag keeps integers in them.
  const ColorEncoding pq = color_of({9, 16, 0, 1}, &notes);
  EXPECT_EQ(pq, (ColorEncoding{Curve::pq, 1.0f, false, primaries::rec2020, false,
                               ColorTag{CurveCode::pq, 1.0f, primaries::rec2020}}));
  EXPECT_EQ(color_of({9, 18, 0, 1}, &notes).curve, Curve::hlg);
  EXPECT_EQ(notes, "");
  EXPECT_EQ(chunks_of(png_in(pq))[0], "cICP:09100001");
  // A curve that is not supported is reported and passed on.
  const ColorEncoding video = color_of({9, 14, 0, 1}, &notes);
  EXPECT_EQ(video, (ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020, false,
                                  ColorTag{CurveCode{14}, 1.0f, primaries::rec2020}}));
  EXPECT_EQ(notes,
            "memory: cICP says Rec.709's curve, which is not undone: decode --curve rec709 does "
            "that");
  EXPECT_EQ(chunks_of(png_in(video))[0], "cICP:090e0001");
  for (const auto& odd :
       std::vector<std::vector<unsigned char>>{{99, 13, 0, 1}, {9, 13, 9, 1}, {9, 13, 0, 0}}) {
    notes.clear();
    EXPECT_EQ(color_of(odd, &notes), (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
    EXPECT_NE(notes.find("cICP"), std::string::npos) << notes;
  }
  EXPECT_EQ(color_of({12, 13, 0}), (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
}

TEST(Png, RawValuesKeepWhatWasSaidOfThem) {
  const auto again = [](const std::vector<std::byte>& png) {
    const Image raw = decoded(png, {.raw = true});
    EXPECT_EQ(raw.spec().color.curve, Curve::raw);
    EXPECT_FALSE(raw.spec().color.primaries);
    return chunks_of(encoded(raw, "png"));
  };
  for (const ColorEncoding& color :
       {ColorEncoding{Curve::srgb, 1.0f, false, {}},
        ColorEncoding{Curve::linear, 1.0f, false, primaries::xyz},
        ColorEncoding{Curve::linear, 1.0f, false, Chromaticities{0.7f, 0.28f}},
        ColorEncoding{Curve::gamma, 1.8f, false, primaries::p3_d65},
        ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020}})
    EXPECT_EQ(again(png_in(color)), chunks_of(png_in(color)));
  const auto plain = png_in({Curve::raw, 1.0f, false, {}});
  EXPECT_EQ(again(plain), std::vector<std::string>{});
  EXPECT_EQ(again(with_chunk(plain, "gAMA", {0, 1, 0x86, 0xa0})),
            (std::vector<std::string>{"cICP:01080001", "gAMA:000186a0"}));
}

// The PNG specification asks writers to add these chunks to sRGB; ImageMagick omits sRGB itself.
TEST(Png, TheNumbersOfSrgbAreSrgbWithoutItsChunkToo) {
  using Data = std::vector<unsigned char>;
  const Data gama = {0, 0, 0xb1, 0x8f};
  const Data chrm = {0, 0, 0x7a, 0x26, 0, 0, 0x80, 0x84, 0, 0, 0xfa, 0,    0, 0, 0x80, 0xe8,
                     0, 0, 0x75, 0x30, 0, 0, 0xea, 0x60, 0, 0, 0x3a, 0x98, 0, 0, 0x17, 0x70};
  const auto plain = png_in({Curve::raw, 1.0f, false, {}});
  const auto color_of = [&](const Data& gama_data, const Data& chrm_data) {
    return decoded(with_chunk(with_chunk(plain, "cHRM", chrm_data), "gAMA", gama_data))
        .spec()
        .color;
  };
  EXPECT_EQ(color_of(gama, chrm), (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
  EXPECT_EQ(color_of({0, 0, 0xb1, 0x90}, chrm).curve, Curve::gamma);
  Data other = chrm;
  other[3] += 1;
  EXPECT_EQ(color_of(gama, other).curve, Curve::gamma);
  EXPECT_EQ(decoded(with_chunk(plain, "gAMA", gama)).spec().color.curve, Curve::gamma);
  // A power of 2.2 that this program writes is read as a power again.
  const ColorEncoding power{Curve::gamma, 2.2f, false, {}};
  EXPECT_EQ(decoded(png_in(power)).spec().color.curve, Curve::gamma);
}

TEST(Png, RefusesFilesCutShortAnywhere) {
  const auto whole = encoded(textured(simple_spec(61, 47, {"R", "G", "B"}, PixelType::u8)), "png");
  for (std::size_t size = 8; size < whole.size(); size += whole.size() / 30)
    EXPECT_NE(error_of([&] { decoded(std::span(whole).first(size)); }), "") << size;
  for (std::size_t missing : {1u, 4u, 8u, 12u, 13u})
    EXPECT_NE(error_of([&] { decoded(std::span(whole).first(whole.size() - missing)); }), "");
}

TEST(Png, RefusesAnyDamagedByteOfItsCriticalChunks) {
  Spec spec = simple_spec(20, 20, {"Y"}, PixelType::u8);
  spec.color.curve = Curve::raw;  // no ancillary chunks
  const auto whole = encoded(textured(spec), "png");
  for (std::size_t i = 8; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] ^= std::byte{0x40};
    EXPECT_NE(error_of([&] { decoded(damaged); }), "") << i;
  }
}

// Pixels of three channels do not need a palette, but it is a critical chunk nevertheless.
TEST(Png, RefusesADamagedPaletteThatNoPixelNeeds) {
  auto whole =
      with_chunk(encoded(textured(simple_spec(9, 7, {"R", "G", "B"}, PixelType::u8)), "png"),
                 "PLTE", {1, 2, 3});
  EXPECT_EQ(error_of([&] { decoded(whole); }), "");
  whole[41] ^= std::byte{0x40};
  EXPECT_NE(error_of([&] { decoded(whole); }), "");
}

// libpng would allocate the memory that such a chunk declares.
TEST(Png, RefusesChunksThatAreLongerThanTheFile) {
  Image image = textured(simple_spec(9, 7, {"Y"}, PixelType::u8));
  image.editable_spec().metadata["Comment"] = std::string("words");
  const auto whole = encoded(image, "png");
  std::vector<std::byte> chunk(60);
  chunk[0] = std::byte{0x2e};  // declares 770 MB
  std::memcpy(&chunk[4], "tEXtComment", 11);
  for (const char* name : {"tEXt", "IEND"}) {
    const std::size_t at = text_of_bytes(whole).find(name);
    ASSERT_NE(at, std::string_view::npos) << name;
    auto bytes = whole;
    bytes.resize(at - 4);  // ends before that chunk's length
    bytes.insert(bytes.end(), chunk.begin(), chunk.end());
    EXPECT_NE(error_of([&] { decoded(bytes); }).find("truncated"), std::string::npos) << name;
  }
}

TEST(Png, RefusesAnImpossiblyLargeHeaderImmediately) {
  auto bytes = encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::u8)), "png");
  const unsigned char side[4] = {0, 0, 0x75, 0x30};  // 30000
  std::memcpy(&bytes[16], side, 4);
  std::memcpy(&bytes[20], side, 4);
  EXPECT_NE(error_of([&] { decoded(bytes); }).find("30000x30000"), std::string::npos);
}

TEST(Png, NamesTheLimitThatAFileExceeds) {
  const auto bytes = encoded(textured(simple_spec(100, 50, {"Y"}, PixelType::u8)), "png");
  EXPECT_EQ(
      error_of([&] { decoded(bytes, {.limit_pixels = 4999}); }),
      "memory: 100x50 is 5000 pixels, more than the limit of 4999: raise it with --limit-pixels "
      "if the file is trusted");
  EXPECT_EQ(error_of([&] { decoded(bytes, {.limit_pixels = 5000}); }), "");
}

TEST(Png, RefusesWhatItCannotStore) {
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"R", "G", "B"}, PixelType::half)), "png");
            }),
            "");
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::u8)), "png",
                      {.compression = "10"});
            }),
            "");
}

}  // namespace
}  // namespace cuimg::test

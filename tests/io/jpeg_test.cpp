// SPDX-License-Identifier: Apache-2.0
// JPEG: real pictures, orientation, profiles, and what must be refused.
#include <cmath>

#include "io/codec_helpers.h"
#include "io/jpeg/jpeg_blocks.h"
#include "io/jpeg/jpeg_errors.h"

namespace cuimg {
namespace {

using namespace test;

// So smooth that JPEG at quality 100 differs by a few codes only.
Image ramp(int width, int height, int channels) {
  Image image(flat_spec(width, height, channels, PixelType::u8, srgb_straight()));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        pixels<std::uint8_t>(image)[(y * width + x) * channels + c] =
            static_cast<std::uint8_t>((x * 3 + y * (c + 1)) % 200 + 20);
  return image;
}

int largest_difference(const Image& a, const Image& b) {
  int largest = 0;
  const std::size_t count = a.spec().pixel_bytes();
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest,
                       std::abs(int(pixels<std::uint8_t>(a)[i]) - int(pixels<std::uint8_t>(b)[i])));
  return largest;
}

Bytes segment(int marker, const Bytes& body) {
  const auto length = body.size() + 2;
  return Bytes{std::byte{0xff}, static_cast<std::byte>(marker), static_cast<std::byte>(length >> 8),
               static_cast<std::byte>(length)} +
         body;
}

// Inserts a segment directly after the start-of-image marker.
Bytes with_segment(const Bytes& jpeg, int marker, const Bytes& body) {
  const Bytes start(jpeg.begin(), jpeg.begin() + 2), rest(jpeg.begin() + 2, jpeg.end());
  return start + segment(marker, body) + rest;
}

void append(std::string& block, unsigned value, int bytes, bool big_endian) {
  for (int i = 0; i < bytes; ++i)
    block += static_cast<char>(value >> 8 * (big_endian ? bytes - 1 - i : i));
}

// The block up to its first directory.
std::string exif_head(bool big_endian) {
  std::string block("Exif\0\0", 6);
  block += big_endian ? "MM" : "II";
  append(block, 42, 2, big_endian);
  append(block, 8, 4, big_endian);
  return block;
}

Bytes exif_block(int orientation, bool big_endian) {
  std::string block = exif_head(big_endian);
  const auto put = [&](unsigned value, int bytes) { append(block, value, bytes, big_endian); };
  put(2, 2);
  put(0x0100, 2), put(3, 2), put(1, 4), put(77, 2), put(0, 2);
  put(0x0112, 2), put(3, 2), put(1, 4), put(static_cast<unsigned>(orientation), 2), put(0, 2);
  put(0, 4);
  return bytes_of_text(block);
}

TEST(Jpeg, KeepsGreyAndColorCloseAtQuality100) {
  for (int channels : {1, 3})
    for (const char* sampling : {"420", "422", "444"}) {
      const Image image = ramp(45, 33, channels);
      EncodeOptions options{sampling, 100};
      const Bytes bytes = encode(jpeg_codec(), image, options);
      EXPECT_EQ(bytes, encode(jpeg_codec(), image, options));
      ASSERT_TRUE(jpeg_codec().sniff(bytes));
      const Image back = decode(jpeg_codec(), bytes);
      ASSERT_EQ(back.spec().layers, image.spec().layers);
      EXPECT_EQ(back.spec().color, srgb_straight());
      const bool halved = channels == 3 && std::string(sampling) != "444";
      EXPECT_LE(largest_difference(image, back), halved ? 110 : 4) << channels << sampling;
    }
}

TEST(Jpeg, ProgressiveFilesHoldTheSamePixelsInFewerBytes) {
  for (const int channels : {1, 3})
    for (const std::string sampling : {"420", "422", "444"}) {
      const Image image = ramp(333, 201, channels);
      const Bytes sequential = encode(jpeg_codec(), image, {sampling, 85});
      const Bytes progressive = encode(jpeg_codec(), image, {sampling + "-progressive", 85});
      EXPECT_EQ(
          largest_difference(decode(jpeg_codec(), progressive), decode(jpeg_codec(), sequential)),
          0);
      EXPECT_LT(progressive.size(), sequential.size()) << channels << sampling;
      const auto decoder = jpeg_codec().open(ByteSource::from_memory(progressive, "memory"), {});
      EXPECT_EQ(std::get<std::string>(decoder->file_facts().at("compression")), "progressive");
    }
}

// --max-memory counts 64 coefficients of 16 bits for each block of 8x8 samples.
TEST(Jpeg, ProgressiveFilesHoldTheirCoefficientsUntilTheEnd) {
  const Image image = ramp(64, 48, 3);
  const auto held = [&](const char* compression) {
    return jpeg_codec().held_bytes(image.spec(), {compression, 90});
  };
  EXPECT_EQ(held("420"), 0u);
  EXPECT_EQ(held("444-progressive"), 3 * 64 * 48 * 2u);
  EXPECT_EQ(held("420-progressive"), (64 * 48 + 2 * 32 * 24) * 2u);
}

TEST(Jpeg, LowerQualityIsSmallerAndUnknownSamplingIsRefused) {
  const Image image = ramp(64, 64, 3);
  const auto size = [&](int quality) { return encode(jpeg_codec(), image, {"", quality}).size(); };
  EXPECT_LT(size(30), size(90));
  EXPECT_EQ(size(90), encode(jpeg_codec(), image).size());
  EXPECT_THROW(encode(jpeg_codec(), image, {"411", {}}), Error);
  EXPECT_THROW(encode(jpeg_codec(), image, {"", 0}), Error);
  EXPECT_THROW(encode(jpeg_codec(), image, {"", 101}), Error);
}

TEST(Jpeg, AppliesEveryExifOrientationInBothByteOrders) {
  // Four grey blocks of 16 pixels, whose positions show the orientation.
  const int width = 48, height = 32;
  Image image(flat_spec(width, height, 1, PixelType::u8, srgb_straight()));
  const auto stored = [&](int x, int y) { return 20 + 80 * (y / 16) + 30 * (x / 16); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      pixels<std::uint8_t>(image)[y * width + x] = static_cast<std::uint8_t>(stored(x, y));
  const Bytes plain = encode(jpeg_codec(), image, {"", 100});
  for (bool big_endian : {false, true})
    for (int exif = 1; exif <= 8; ++exif) {
      SCOPED_TRACE(exif);
      const Image back =
          decode(jpeg_codec(), with_segment(plain, 0xe1, exif_block(exif, big_endian)));
      const bool turned = exif >= 5;
      const int w = turned ? height : width, h = turned ? width : height;
      ASSERT_EQ(back.spec().data_window, (Rect{0, 0, w, h}));
      for (int y = 4; y < h; y += 8)
        for (int x = 4; x < w; x += 8) {
          // EXIF 2.32 defines on which side of the scene the stored row 0 and column 0 are.
          int sx = x, sy = y;
          if (exif == 2) sx = width - 1 - x;
          if (exif == 3) sx = width - 1 - x, sy = height - 1 - y;
          if (exif == 4) sy = height - 1 - y;
          if (exif == 5) sx = y, sy = x;
          if (exif == 6) sx = y, sy = height - 1 - x;
          if (exif == 7) sx = width - 1 - y, sy = height - 1 - x;
          if (exif == 8) sx = width - 1 - y, sy = x;
          EXPECT_NEAR(pixels<std::uint8_t>(back)[y * w + x], stored(sx, sy), 2) << x << " " << y;
        }
    }
}

TEST(Jpeg, IgnoresMalformedExif) {
  const Bytes plain = encode(jpeg_codec(), ramp(16, 16, 3));
  const Bytes block = exif_block(6, true);
  for (std::size_t length = 0; length < block.size() - 8; ++length) {
    const Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_EQ(decode(jpeg_codec(), with_segment(plain, 0xe1, cut)).spec().data_window.width, 16);
  }
  EXPECT_NO_THROW(decode(jpeg_codec(), with_segment(plain, 0xe1, exif_block(9, false))));
}

// A block with texts, a GPS directory, and a camera's directory with a maker note.
Bytes exif_with_texts(bool big_endian) {
  const std::vector<std::pair<unsigned, std::string>> texts = {{0x010e, "a picture   "},
                                                               {0x010f, "Maker"},
                                                               {0x0110, "M1"},
                                                               {0x0131, "J\xf6rg 1"},
                                                               {0x0132, "2024:05:06 07:08:09"},
                                                               {0x013b, "somebody"},
                                                               {0x8298, "(c) somebody"}};
  std::string block = exif_head(big_endian), data;
  const auto put = [&](unsigned value, int bytes) { append(block, value, bytes, big_endian); };
  const unsigned entries = 9, after = 8 + 2 + 12 * entries + 4, camera_size = 2 + 12 + 4;
  put(entries, 2);
  for (auto [tag, text] : texts) {
    text += '\0';
    put(tag, 2), put(2, 2), put(static_cast<unsigned>(text.size()), 4);
    if (text.size() <= 4) {
      text.resize(4);
      block += text;
      continue;
    }
    put(after + camera_size + static_cast<unsigned>(data.size()), 4);
    data += text;
  }
  put(0x8769, 2), put(4, 2), put(1, 4), put(after, 4);
  put(0x8825, 2), put(4, 2), put(1, 4), put(after, 4);
  put(0, 4);
  put(1, 2);
  put(0x927c, 2), put(7, 2), put(1, 4), put(0, 4);
  put(0, 4);
  return bytes_of_text(block + data);
}

Metadata texts_of(const Image& image) {
  Metadata texts = image.spec().metadata;
  EXPECT_EQ(texts.erase("exif"), 1u);
  return texts;
}

TEST(Jpeg, CarriesTheTextsOfExif) {
  const Metadata texts = {{"comments", std::string("a picture")},
                          {"cameraMake", std::string("Maker")},
                          {"cameraModel", std::string("M1")},
                          {"Software", std::string("J\xc3\xb6rg 1")},
                          {"capDate", std::string("2024:05:06 07:08:09")},
                          {"Author", std::string("somebody")},
                          {"owner", std::string("(c) somebody")}};
  const Bytes plain = encode(jpeg_codec(), ramp(16, 16, 3));
  for (const bool big_endian : {false, true}) {
    std::string note;
    DecodeOptions options;
    options.notify = [&](const std::string& text) { note += text; };
    const Image image =
        decode(jpeg_codec(), with_segment(plain, 0xe1, exif_with_texts(big_endian)), options);
    EXPECT_EQ(note, "");
    EXPECT_EQ(texts_of(image), texts);
    for (const Codec& codec : {jpeg_codec(), tiff_codec(), png_codec()})
      EXPECT_EQ(texts_of(decode(codec, encode(codec, image))), texts) << codec.name;
  }
  const Bytes block = exif_with_texts(true);
  for (std::size_t length = 0; length < block.size(); ++length) {
    const Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NO_THROW(decode(jpeg_codec(), with_segment(plain, 0xe1, cut)));
  }
  expect_no_crash_on_changed_bytes(jpeg_codec(), with_segment(plain, 0xe1, block), 1000);
}

TEST(Jpeg, WritesTextsThatOtherFormatsCallOtherwise) {
  Image image = ramp(16, 16, 3);
  EXPECT_EQ(decode(jpeg_codec(), encode(jpeg_codec(), image)).spec().metadata, Metadata{});
  image.editable_spec().metadata = {{"Copyright", std::string("me")},
                                    {"Artist", std::string("I")},
                                    {"DateTime", std::string("yesterday")},
                                    {"Description", std::string(70000, 'x')}};
  EXPECT_EQ(decode(jpeg_codec(), encode(jpeg_codec(), image)).spec().metadata,
            (Metadata{{"owner", std::string("me")}, {"Author", std::string("I")}}));
}

TEST(Jpeg, CarriesDensityAndPixelAspect) {
  Image image = ramp(16, 16, 3);
  image.editable_spec().metadata["xDensity"] = 300.0;
  image.editable_spec().pixel_aspect = 2.0f;
  const Image back = decode(jpeg_codec(), encode(jpeg_codec(), image));
  EXPECT_EQ(back.spec().pixel_aspect, 2.0f);
  EXPECT_EQ(std::get<double>(back.spec().metadata.at("xDensity")), 300.0);
}

Bytes cmyk_jpeg(int c, int m, int y, int k) {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = info.image_height = 16;
  info.input_components = 4;
  info.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 100, TRUE);
  jpeg_start_compress(&info, TRUE);
  unsigned char row[64];
  for (int x = 0; x < 64; x += 4)
    row[x] = static_cast<unsigned char>(c), row[x + 1] = static_cast<unsigned char>(m),
    row[x + 2] = static_cast<unsigned char>(y), row[x + 3] = static_cast<unsigned char>(k);
  unsigned char* rows[] = {row};
  for (int i = 0; i < 16; ++i) jpeg_write_scanlines(&info, rows, 1);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const auto bytes = std::as_bytes(std::span(buffer, size));
  Bytes result(bytes.begin(), bytes.end());
  std::free(buffer);
  return result;
}

TEST(Jpeg, ConvertsAdobesInvertedCmyk) {
  // libjpeg writes an Adobe marker, so the stored values are 255 minus the ink.
  std::string note;
  DecodeOptions options;
  options.notify = [&](const std::string& text) { note = text; };
  const Image image = decode(jpeg_codec(), cmyk_jpeg(255, 100, 0, 200), options);
  ASSERT_EQ(image.spec().layers[0].channel_count(), 3);
  EXPECT_NEAR(pixels<std::uint8_t>(image)[300], 200, 2);
  EXPECT_NEAR(pixels<std::uint8_t>(image)[301], 78, 2);
  EXPECT_NEAR(pixels<std::uint8_t>(image)[302], 0, 2);
  EXPECT_NE(note.find("CMYK"), std::string::npos);
}

TEST(Jpeg, RefusesTruncatedFiles) {
  expect_truncation_is_refused(jpeg_codec(), encode(jpeg_codec(), ramp(200, 150, 3)));
  expect_truncation_is_refused(jpeg_codec(), encode(jpeg_codec(), ramp(31, 7, 1)));
}

// The warnings or the error from reading it.
std::string said_of(const Bytes& jpeg, DecodeOptions options = {}) {
  std::string said;
  options.warn = [&](const std::string& line) { said += line; };
  try {
    decode(jpeg_codec(), jpeg, options);
  } catch (const Error& error) {
    said = std::string("error: ") + error.what();
  }
  return said;
}

// With `count` zeros before the end marker.
Bytes with_stray_bytes(const Bytes& jpeg, std::size_t count) {
  return Bytes(jpeg.begin(), jpeg.end() - 2) + Bytes(count) + Bytes(jpeg.end() - 2, jpeg.end());
}

TEST(Jpeg, WarnsOfStrayBytesBehindTheLastBlock) {
  for (const char* compression : {"420", "444-progressive"}) {
    const Bytes whole = encode(jpeg_codec(), ramp(100, 75, 3), {.compression = compression});
    const Bytes stray = with_stray_bytes(whole, 9);
    EXPECT_EQ(said_of(whole), "");
    EXPECT_NE(said_of(stray).find("stray bytes lie between its last block and its end"),
              std::string::npos)
        << said_of(stray);
    expect_same_pixels(decode(jpeg_codec(), stray), decode(jpeg_codec(), whole));
    // Reading only its blocks would not print the warning.
    EXPECT_TRUE(read_jpeg_blocks(whole).has_value());
    EXPECT_FALSE(read_jpeg_blocks(stray).has_value());
    const std::string refused = said_of(stray, {.replaces_file = true});
    EXPECT_TRUE(refused.starts_with("error: ") &&
                refused.find("stray bytes lie") != std::string::npos)
        << refused;
  }
}

TEST(Jpeg, RefusesStrayBytesWhereAScanIsLost) {
  Bytes bytes = encode(jpeg_codec(), ramp(100, 75, 3), {.compression = "444-progressive"});
  // Replaces the marker of the last scan by other bytes.
  std::size_t last = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
    if (bytes[i] == std::byte{0xff} && bytes[i + 1] == std::byte{0xda}) last = i;
  ASSERT_GT(last, 0u);
  bytes[last] = std::byte{0};
  const std::string said = said_of(bytes);
  EXPECT_TRUE(said.starts_with("error: ") && said.find("extraneous") != std::string::npos) << said;
}

TEST(Jpeg, SaysWhatHelpsATruncatedFile) {
  const Bytes whole = encode(jpeg_codec(), ramp(200, 150, 3));
  const Bytes half(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2));
  EXPECT_NE(said_of(half).find("the file is truncated; copy it again"), std::string::npos)
      << said_of(half);
}

TEST(Jpeg, SurvivesChangedBytes) {
  expect_no_crash_on_changed_bytes(jpeg_codec(), encode(jpeg_codec(), ramp(100, 75, 3)), 300);
}

TEST(Jpeg, RefusesHeadersThatPromiseMoreThanTheFileHolds) {
  Bytes bytes = encode(jpeg_codec(), ramp(16, 16, 3));
  for (std::size_t i = 2; i + 9 < bytes.size(); ++i)
    if (bytes[i] == std::byte{0xff} && bytes[i + 1] == std::byte{0xc0}) {
      bytes[i + 5] = bytes[i + 7] = std::byte{0x7f};  // 32,528 on a side
      break;
    }
  try {
    decode(jpeg_codec(), bytes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot hold"), std::string::npos) << error.what();
  }
  DecodeOptions options;
  options.limit_side = 15;
  EXPECT_THROW(decode(jpeg_codec(), encode(jpeg_codec(), ramp(16, 16, 3)), options), Error);
}

TEST(Jpeg, ReadsRealPictures) {
  const struct {
    const char* name;
    int width, height;
  } pictures[] = {{"sky.jpg", 4080, 3072}, {"tahoe-gps.jpg", 2048, 1536}};
  for (const auto& picture : pictures) {
    const Bytes bytes = bytes_of_file(shared_file(picture.name));
    if (bytes.empty()) GTEST_SKIP() << "no " << shared_file(picture.name);
    const Image image = decode(jpeg_codec(), bytes);
    EXPECT_EQ(image.spec().data_window, (Rect{0, 0, picture.width, picture.height}))
        << picture.name;
    EXPECT_EQ(image.spec().layers[0].channels, (std::vector<std::string>{"R", "G", "B"}));
  }
}

}  // namespace
}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// TGA and BMP, and formats refused by name.
#include "io/codec_helpers.h"
#include "io/refused.h"

namespace cuimg {
namespace {

using namespace test;

// Noise with some runs, for the run-length code.
Image runs(int width, int height, int channels) {
  Image image = noise(width, height, channels, PixelType::u8);
  auto* p = pixels<std::uint8_t>(image);
  for (int i = 1; i < width * height; ++i)
    if (i % 400 > 30) std::memcpy(p + i * channels, p + (i - 1) * channels, unsigned(channels));
  return image;
}

Bytes tga_header(int type, int width, int height, int bits, int descriptor, int map_length = 0,
                 int map_bits = 0) {
  Bytes h(18);
  h[1] = std::byte(map_length > 0);
  h[2] = std::byte(type);
  h[5] = std::byte(map_length);
  h[7] = std::byte(map_bits);
  h[12] = std::byte(width);
  h[14] = std::byte(height);
  h[16] = std::byte(bits);
  h[17] = std::byte(descriptor);
  return h;
}

std::vector<int> values(const Image& image) {
  const auto* p = pixels<std::uint8_t>(image);
  return {p, p + image.spec().pixel_bytes()};
}

TEST(Tga, RoundTripsPlainAndRunLength) {
  for (int channels : {1, 3, 4})
    for (const char* compression : {"rle", "none"})
      for (int width : {1, 2, 127, 300}) {
        expect_round_trip(tga_codec(), runs(width, 5, channels), {compression, {}});
        expect_round_trip(tga_codec(), noise(width, 5, channels, PixelType::u8), {compression, {}});
      }
}

TEST(Tga, WritesGreyWithAlphaAsColor) {
  const Image image = noise(5, 5, 2, PixelType::u8);
  const Image back = decode(tga_codec(), encode(tga_codec(), image));
  ASSERT_EQ(back.spec().layers[0].channel_count(), 4);
  for (int i = 0; i < 25; ++i)
    for (int c = 0; c < 4; ++c)
      EXPECT_EQ(pixels<std::uint8_t>(back)[4 * i + c],
                pixels<std::uint8_t>(image)[2 * i + (c == 3)]);
}

TEST(Tga, ReadsEveryOrigin) {
  const Bytes data = bytes_of_text("\x01\x02\x03\x04");
  EXPECT_EQ(values(decode(tga_codec(), tga_header(3, 2, 2, 8, 0x20) + data)),
            (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(values(decode(tga_codec(), tga_header(3, 2, 2, 8, 0x30) + data)),
            (std::vector<int>{2, 1, 4, 3}));
  EXPECT_EQ(values(decode(tga_codec(), tga_header(3, 2, 2, 8, 0x00) + data)),
            (std::vector<int>{3, 4, 1, 2}));
  EXPECT_EQ(values(decode(tga_codec(), tga_header(3, 2, 2, 8, 0x10) + data)),
            (std::vector<int>{4, 3, 2, 1}));
}

TEST(Tga, ReadsColorMapsSixteenBitsAndPacketsAcrossRows) {
  const Bytes map = bytes_of_text("abcdef");  // two entries, blue first
  EXPECT_EQ(values(decode(tga_codec(), tga_header(1, 2, 1, 8, 0x20, 2, 24) + map +
                                           Bytes{std::byte{1}, std::byte{0}})),
            (std::vector<int>{'f', 'e', 'd', 'c', 'b', 'a'}));
  EXPECT_THROW(decode(tga_codec(), tga_header(1, 2, 1, 8, 0x20, 2, 24) + map +
                                       Bytes{std::byte{1}, std::byte{2}}),
               Error);
  EXPECT_EQ(values(decode(tga_codec(), tga_header(1, 2, 1, 8, 0x20, 2, 8) + bytes_of_text("ab") +
                                           Bytes{std::byte{1}, std::byte{0}})),
            (std::vector<int>{'b', 'a'}));
  // 1 11111 00000 10000
  const Bytes pixel = {std::byte{0x10}, std::byte{0xfc}};
  EXPECT_EQ(values(decode(tga_codec(), tga_header(2, 1, 1, 16, 0x20) + pixel)),
            (std::vector<int>{255, 0, 132}));
  EXPECT_EQ(values(decode(tga_codec(), tga_header(2, 1, 1, 16, 0x21) + pixel)),
            (std::vector<int>{255, 0, 132, 255}));
  EXPECT_EQ(values(decode(tga_codec(),
                          tga_header(11, 2, 2, 8, 0x20) + Bytes{std::byte{0x83}, std::byte{7}})),
            (std::vector<int>{7, 7, 7, 7}));
}

// Puts TGA 2.0's extension area and footer around the pixels.
Bytes with_attribute_type(const Bytes& file, unsigned type) {
  Bytes extension(495), footer(8);
  extension[0] = std::byte{0xef};
  extension[1] = std::byte{0x01};
  extension[494] = static_cast<std::byte>(type);
  footer[0] = static_cast<std::byte>(file.size());
  return file + extension + footer + bytes_of_text(std::string("TRUEVISION-XFILE.\0", 18));
}

// As most readers do, since many writers store alpha without declaring it.
TEST(Tga, FourthBytesThatNobodyDeclaresAreAlphaUnlessAllAreZero) {
  const auto read = [](const Bytes& file) { return values(decode(tga_codec(), file)); };
  const Bytes plain = tga_header(2, 2, 1, 32, 0x20), packed = tga_header(10, 2, 1, 32, 0x20);
  const std::string zeros("abc\0def\0", 8), last("abc\0defg", 8);
  EXPECT_EQ(read(plain + bytes_of_text(zeros)), (std::vector<int>{'c', 'b', 'a', 'f', 'e', 'd'}));
  EXPECT_EQ(read(plain + bytes_of_text(last)),
            (std::vector<int>{'c', 'b', 'a', 0, 'f', 'e', 'd', 'g'}));
  EXPECT_EQ(read(packed + bytes_of_text("\x01" + last)),
            (std::vector<int>{'c', 'b', 'a', 0, 'f', 'e', 'd', 'g'}));
  EXPECT_EQ(read(packed + bytes_of_text("\x81" + zeros.substr(0, 4))),
            (std::vector<int>{'c', 'b', 'a', 'c', 'b', 'a'}));
  EXPECT_EQ(read(with_attribute_type(plain + bytes_of_text(last), 0)),
            (std::vector<int>{'c', 'b', 'a', 'f', 'e', 'd'}));
}

TEST(Tga, DividesColoursByAlphaWhereTheFileSaysPremultiplied) {
  const Bytes pixels = {std::byte{128}, std::byte{64}, std::byte{0}, std::byte{128}};
  const Bytes file = tga_header(2, 1, 1, 32, 0x28) + pixels;
  EXPECT_EQ(values(decode(tga_codec(), with_attribute_type(file, 3))),
            (std::vector<int>{0, 64, 128, 128}));
  const Image image = decode(tga_codec(), with_attribute_type(file, 4));
  EXPECT_EQ(values(image), (std::vector<int>{0, 128, 255, 128}));
  EXPECT_FALSE(image.spec().color.premultiplied);
  DecodeOptions raw;
  raw.raw = true;
  EXPECT_EQ(values(decode(tga_codec(), with_attribute_type(file, 4), raw)),
            (std::vector<int>{0, 64, 128, 128}));
}

TEST(Tga, SaysThatColoursAreDividedByAlphaAndWarnsWhereThatCutsThem) {
  const auto warned = [](int red, int alpha) {
    const Bytes pixel = {std::byte{0}, std::byte{0}, static_cast<std::byte>(red),
                         static_cast<std::byte>(alpha)};
    const Bytes file = with_attribute_type(tga_header(2, 1, 1, 32, 0x28) + pixel, 4);
    std::string text;
    DecodeOptions options;
    options.warn = [&](const std::string& line) { text += line; };
    const auto decoder = tga_codec().open(ByteSource::from_memory(file, "test"), options);
    EXPECT_TRUE(decoder->file_facts().contains("alpha"));
    Image image(decoder->spec());
    RowProgress progress;
    decoder->read(image, progress);
    return text.find("above their alpha") != std::string::npos;
  };
  EXPECT_FALSE(warned(128, 128));
  EXPECT_FALSE(warned(0, 0));
  EXPECT_TRUE(warned(129, 128));
  EXPECT_TRUE(warned(1, 0));
}

TEST(Tga, IsRecognizedOnlyByAPlausibleHeader) {
  EXPECT_TRUE(tga_codec().sniff(tga_header(2, 1, 1, 24, 0)));
  EXPECT_FALSE(tga_codec().sniff(tga_header(2, 0, 1, 24, 0)));
  EXPECT_FALSE(tga_codec().sniff(tga_header(4, 1, 1, 24, 0)));
  EXPECT_FALSE(tga_codec().sniff(tga_header(2, 1, 1, 25, 0)));
  EXPECT_FALSE(tga_codec().sniff(tga_header(2, 1, 1, 24, 0x80)));
  EXPECT_FALSE(tga_codec().sniff(tga_header(1, 1, 1, 8, 0)));
  EXPECT_FALSE(tga_codec().sniff(bytes_of_text("just some text, long enough")));
  EXPECT_FALSE(tga_codec().sniff({}));
}

TEST(Tga, RefusesTruncatedFilesAndBombs) {
  for (const char* compression : {"rle", "none"}) {
    const Bytes bytes = encode(tga_codec(), runs(100, 20, 3), {compression, {}});
    expect_truncation_is_refused(tga_codec(), bytes);
    expect_no_crash_on_changed_bytes(tga_codec(), bytes, 2000);
  }
  expect_no_crash_on_changed_bytes(
      tga_codec(), tga_header(10, 2, 2, 32, 0x20) + bytes_of_text("\x03" + std::string(16, '\0')),
      2000);
  Bytes bomb = tga_header(10, 1, 1, 24, 0);
  bomb[12] = bomb[13] = std::byte{0xff};
  bomb[15] = std::byte{0x3f};
  EXPECT_THROW(decode(tga_codec(), bomb + bytes_of_text("12345678")), Error);
}

TEST(Bmp, RoundTripsGreyColorAndAlpha) {
  for (int channels : {1, 3, 4})
    for (int width : {1, 2, 3, 4, 17})
      expect_round_trip(bmp_codec(), noise(width, 5, channels, PixelType::u8));
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

// The header's pixels per metre, across and down.
Pair bmp_density(const Bytes& file) {
  return {number_at(file, 38, 4, false), number_at(file, 42, 4, false)};
}

TEST(Bmp, KeepsItsResolution) {
  Bytes file = encode(bmp_codec(), noise(3, 2, 3, PixelType::u8));
  EXPECT_EQ(bmp_density(file), Pair(0, 0));
  EXPECT_FALSE(decode(bmp_codec(), file).spec().metadata.contains("xDensity"));
  put_number(std::span(file).subspan(38, 4), 11811, false);
  put_number(std::span(file).subspan(42, 4), 5906, false);
  const Image read = decode(bmp_codec(), file);
  // 300 pixels per inch, rounded to whole pixels per metre.
  EXPECT_DOUBLE_EQ(std::get<double>(read.spec().metadata.at("xDensity")), 299.9994);
  EXPECT_EQ(read.spec().pixel_aspect, 5906.0f / 11811.0f);
  EXPECT_EQ(bmp_density(encode(bmp_codec(), read)), Pair(11811, 5906));
  // One number alone, or a negative one, means no resolution.
  for (const std::uint64_t number : {0ull, 0xfffff000ull}) {
    put_number(std::span(file).subspan(42, 4), number, false);
    EXPECT_FALSE(decode(bmp_codec(), file).spec().metadata.contains("xDensity")) << number;
  }
}

TEST(Bmp, WritesTheResolutionThatThePictureHas) {
  for (const int channels : {1, 3, 4}) {
    Image image = noise(3, 2, channels, PixelType::u8);
    image.editable_spec().metadata["xDensity"] = 72.0;
    EXPECT_EQ(bmp_density(encode(bmp_codec(), image)), Pair(2835, 2835));
    image.editable_spec().metadata["xDensity"] = 1e9;  // more than 32 bits can hold
    EXPECT_EQ(bmp_density(encode(bmp_codec(), image)), Pair(0, 0));
  }
}

Bytes bmp(int width, int height, int bits, int compression, int colors, const Bytes& rest,
          int offset) {
  Bytes b = bytes_of_text("BM");
  const auto put = [&](int value, int bytes) {
    for (int i = 0; i < bytes; ++i) b.push_back(static_cast<std::byte>(value >> 8 * i));
  };
  put(0, 4), put(0, 4), put(54 + offset, 4), put(40, 4), put(width, 4), put(height, 4), put(1, 2);
  put(bits, 2), put(compression, 4), put(0, 4), put(0, 4), put(0, 4), put(colors, 4), put(0, 4);
  return b + rest;
}

TEST(Bmp, ReadsPalettesAndBitFieldsAndTopDown) {
  const Bytes palette = bytes_of_text("abc0def0");
  EXPECT_EQ(
      values(decode(bmp_codec(), bmp(2, -2, 1, 0, 2, palette + bytes_of_text("\x80   @   "), 8))),
      (std::vector<int>{'f', 'e', 'd', 'c', 'b', 'a', 'c', 'b', 'a', 'f', 'e', 'd'}));
  EXPECT_EQ(values(decode(bmp_codec(),
                          bmp(2, 1, 4, 0, 2, palette + Bytes{std::byte{0x01}, {}, {}, {}}, 8))),
            (std::vector<int>{'c', 'b', 'a', 'f', 'e', 'd'}));
  // Indices beyond a short palette are an error, not reads of other memory.
  EXPECT_THROW(
      decode(bmp_codec(), bmp(2, 1, 4, 0, 2, palette + Bytes{std::byte{0x02}, {}, {}, {}}, 8)),
      Error);
  const Bytes rgb555 = {std::byte{0x1f}, std::byte{0x7c}, {}, {}};
  EXPECT_EQ(values(decode(bmp_codec(), bmp(1, 1, 16, 0, 0, rgb555, 0))),
            (std::vector<int>{255, 0, 255}));
  const Bytes rgb565 = {{},
                        std::byte{0xf8},
                        {},
                        {},
                        std::byte{0xe0},
                        std::byte{7},
                        {},
                        {},
                        std::byte{0x1f},
                        {},
                        {},
                        {},
                        std::byte{0xe0},
                        std::byte{7},
                        {},
                        {}};
  EXPECT_EQ(values(decode(bmp_codec(), bmp(1, 1, 16, 3, 0, rgb565, 12))),
            (std::vector<int>{0, 255, 0}));
  EXPECT_EQ(values(decode(bmp_codec(), bmp(1, 1, 32, 0, 0, bytes_of_text("abcd"), 0))),
            (std::vector<int>{'c', 'b', 'a'}));
}

// A file with a grey palette whose entry i is 16 * i, and these run-length codes after it.
Bytes run_length_bmp(int width, int height, int bits, const std::string& codes) {
  std::string palette;
  for (int i = 0; i < 16; ++i) palette += std::string(3, static_cast<char>(16 * i)) + '\0';
  return bmp(width, height, bits, bits == 8 ? 1 : 2, 16, bytes_of_text(palette + codes), 64);
}

std::vector<int> run_length_values(int width, int height, int bits, const std::string& codes) {
  std::vector<int> result = values(decode(bmp_codec(), run_length_bmp(width, height, bits, codes)));
  for (int& value : result) value /= 16;
  return result;
}

TEST(Bmp, ReadsRunLengthCodes) {
  using namespace std::string_literals;
  // The bottom row is first: a run, literal values with a padding byte, the end markers.
  EXPECT_EQ(run_length_values(5, 2, 8, "\5\3\0\0\0\3\1\2\4\0\2\7\0\1"s),
            (std::vector<int>{1, 2, 4, 7, 7, 3, 3, 3, 3, 3}));
  EXPECT_EQ(run_length_values(5, 2, 4, "\5\x3a\0\0\0\5\x12\x45\x60\0\0\1"s),
            (std::vector<int>{1, 2, 4, 5, 6, 3, 10, 3, 10, 3}));
  // Pixels that are skipped or come after the end have index 0.
  EXPECT_EQ(run_length_values(3, 4, 8, "\1\5\0\2\1\2\1\6\0\1"s),
            (std::vector<int>{0, 0, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0}));
  EXPECT_EQ(run_length_values(3, 1, 8, "\0\2\2\0\1\6\0\0"s), (std::vector<int>{0, 0, 6}));
  // ImageMagick also packs the padding bytes at the end of a row.
  EXPECT_EQ(run_length_values(3, 2, 8, "\4\5\0\0\0\4\1\2\3\7\0\1"s),
            (std::vector<int>{1, 2, 3, 5, 5, 5}));
  EXPECT_EQ(run_length_values(3, 1, 4, "\10\x12\0\1"s), (std::vector<int>{1, 2, 1}));
}

TEST(Bmp, RefusesRunLengthCodesThatDoNotFit) {
  using namespace std::string_literals;
  const auto problem = [](int width, int height, int bits, const std::string& codes) {
    try {
      decode(bmp_codec(), run_length_bmp(width, height, bits, codes));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return "none"s;
  };
  for (const int bits : {4, 8}) {
    const std::string one_too_many(1, bits == 8 ? '\5' : '\11');
    EXPECT_EQ(problem(3, 1, bits, one_too_many + "\0\0\1"s), "test: BMP: a run exceeds its row");
    EXPECT_EQ(problem(3, 1, bits, "\2\0\0"s + one_too_many + "\0\0\0\0\0\0\0\1"s),
              "test: BMP: a run exceeds its row");
    EXPECT_EQ(problem(3, 1, bits, "\1\0\0\2"s + one_too_many + "\0\0\1"s),
              "test: BMP: a run exceeds its row");
    EXPECT_EQ(problem(3, 2, bits, "\3\0\0\0\3"s), "test: BMP: truncated: a byte is missing");
    EXPECT_NE(problem(3, 1, bits, "\3\0"s).find("truncated"), std::string::npos);
  }
  EXPECT_EQ(problem(1, 1, 8, "\1\x20\0\1"s), "test: BMP: colour 32 is not in the palette");
  EXPECT_NE(problem(1, -1, 8, "\1\0\0\1"s).find("from the top"), std::string::npos);
  EXPECT_THROW(decode(bmp_codec(), bmp(1, 1, 4, 1, 16, Bytes(80), 64)), Error);
  EXPECT_THROW(decode(bmp_codec(), bmp(1, 1, 24, 2, 0, Bytes(80), 64)), Error);
  for (const int bits : {4, 8})
    expect_no_crash_on_changed_bytes(
        bmp_codec(), run_length_bmp(9, 4, bits, "\7\5\0\3\1\2\3\0\0\0\0\2\1\1\4\6\0\1"s), 3000);
}

TEST(Bmp, RefusesTruncatedAndMalformedFiles) {
  for (int channels : {1, 3, 4}) {
    const Bytes bytes = encode(bmp_codec(), noise(30, 20, channels, PixelType::u8));
    expect_truncation_is_refused(bmp_codec(), bytes);
    expect_no_crash_on_changed_bytes(bmp_codec(), bytes, 2000);
  }
  EXPECT_THROW(decode(bmp_codec(), bmp(100000, 100000, 24, 0, 0, Bytes(64), 0)), Error);
  EXPECT_THROW(decode(bmp_codec(), bmp(-1, 1, 24, 0, 0, Bytes(64), 0)), Error);
  EXPECT_THROW(decode(bmp_codec(), bmp(1, INT32_MIN, 24, 0, 0, Bytes(64), 0)), Error);
}

TEST(Bmp, NamesTheCodesThatItDoesNotRead) {
  const auto problem = [](int bits, int compression) {
    try {
      decode(bmp_codec(), bmp(1, 1, bits, compression, 0, Bytes(64), 0));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const std::string end = " is not supported: convert the file with another program";
  EXPECT_EQ(problem(1, 3), "test: BMP: OS/2's Huffman code" + end);
  EXPECT_EQ(problem(24, 4), "test: BMP: JPEG in a BMP" + end);
  EXPECT_EQ(problem(24, 5), "test: BMP: PNG in a BMP" + end);
  EXPECT_EQ(problem(24, 77), "test: BMP: compression 77" + end);
  EXPECT_EQ(problem(8, 3), "test: BMP: bit fields in pixels of 8 bits");
  EXPECT_EQ(problem(2, 0), "test: BMP: 2 bits a pixel: 1, 4, 8, 16, 24 and 32 are read");
}

TEST(Refused, NamesFormatsThatAreNotRead) {
  const auto name = [](const std::string& head) {
    return std::string(refused_format(bytes_of_text(head)));
  };
  EXPECT_EQ(name("SDPX...."), "DPX");
  EXPECT_EQ(name("XPDS...."), "DPX");
  EXPECT_EQ(name("RIFF1234WEBPVP8 "), "WebP");
  EXPECT_EQ(name(std::string("\0\0\0\x1c", 4) + "ftypavif"), "AVIF");
  EXPECT_EQ(name(std::string("\0\0\0\x1c", 4) + "ftypheic"), "HEIF");
  EXPECT_EQ(name(std::string("\0\0\0\x0cjP  \r\n\x87\n....", 16)), "JPEG 2000");
  EXPECT_EQ(name("\xff\x4f\xff\x51...."), "JPEG 2000");
  EXPECT_EQ(name("\xff\x0a..."), "JPEG XL");
  EXPECT_EQ(name("qoif...."), "QOI");
  EXPECT_EQ(name("<?xml version=\"1.0\"?>\n<svg xmlns="), "SVG");
  EXPECT_EQ(name("\xff\xd8\xff\xe0"), "");
  EXPECT_EQ(name(""), "");
  EXPECT_EQ(name("text"), "");
}

TEST(Refused, KnowsTheExtensionsOfFormatsThatAreNotRead) {
  for (const char* extension : {"webp", "heic", "heif", "jp2", "jpx", "dpx", "ktx2", "nef", "xcf"})
    EXPECT_TRUE(is_refused_extension(extension)) << extension;
  for (const char* extension : {"", "exr", "png", "pdf", "svg", "txt"})
    EXPECT_FALSE(is_refused_extension(extension)) << extension;
}

}  // namespace
}  // namespace cuimg

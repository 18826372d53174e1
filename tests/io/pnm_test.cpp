// SPDX-License-Identifier: Apache-2.0
// PNM, PAM and PFM.
#include "io/codec_helpers.h"

namespace cuimg {
namespace {

using namespace test;

TEST(Pnm, RoundTripsEveryChannelCountAndDepth) {
  for (int channels = 1; channels <= 4; ++channels)
    for (PixelType type : {PixelType::u8, PixelType::u16}) {
      expect_round_trip(pnm_codec(), noise(17, 70, channels, type));
      expect_round_trip(pnm_codec(), noise(1, 1, channels, type));
    }
}

TEST(Pnm, EveryExtensionWritesItsKindAndHoldsWhatItPromises) {
  const struct {
    const char* extension;
    std::string kinds;  // by the number of channels; '-' if it cannot be stored
  } cases[] = {{"pgm", "5---"}, {"ppm", "--6-"}, {"pam", "7777"}, {"pnm", "5767"}};
  for (const auto& c : cases)
    for (int channels = 1; channels <= 4; ++channels) {
      SCOPED_TRACE(std::string(c.extension) + " " + std::to_string(channels));
      const Codec& codec = codec_for_output(std::string("a.") + c.extension, "");
      EXPECT_EQ(&codec, &codec_for_output("-", c.extension));
      const Image image = noise(17, 9, channels, PixelType::u8);
      const char kind = c.kinds[static_cast<std::size_t>(channels - 1)];
      if (kind == '-') {
        EXPECT_THROW(encode(codec, image), Error);
        continue;
      }
      EXPECT_EQ(std::to_integer<char>(encode(codec, image)[1]), kind);
      expect_round_trip(codec, image);
    }
}

std::vector<int> values(const Image& image) {
  std::vector<int> result;
  const LayerSpec& layer = image.spec().layers[0];
  const std::size_t count = image.spec().pixel_bytes() / bytes_of(layer.type);
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(layer.type == PixelType::u8 ? pixels<std::uint8_t>(image)[i]
                                                 : pixels<std::uint16_t>(image)[i]);
  return result;
}

TEST(Pnm, ReadsTextAndPackedVariantsWithComments) {
  const struct {
    std::string file;
    std::vector<int> expected;
  } cases[] = {
      {"P1\n# a comment\n3 2\n1 0 1\n0#c\n10", {0, 255, 0, 255, 0, 255}},
      {"P2 2 # width\n2 255\n0 1\n254 255", {0, 1, 254, 255}},
      {"P2 2 1 255\n1 # c\n# d\n2\n", {1, 2}},
      {"P2\n2#width\n 2#height\n255\n0 1\n254 255", {0, 1, 254, 255}},
      {"P3\n1 2\n65535\n1 2 3 65535 0 9\n", {1, 2, 3, 65535, 0, 9}},
      {"P4\n10 1\n\xa0\x40", {0, 255, 0, 255, 255, 255, 255, 255, 255, 0}},
      {"P2 3 1 15 0 7 15", {0, 119, 255}},
      {"P2 3 1 100 0 50 99", {0, 32768, 64880}},
      {std::string("P5 2 1 1023\n\x03\xff\x01\0", 16), {65535, 16400}},
      {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\n# c\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE_ALPHA\nENDHDR\n\x01"
       "\x01",
       {255, 255}},
  };
  for (const auto& c : cases) {
    const Bytes bytes = bytes_of_text(c.file);
    ASSERT_TRUE(pnm_codec().sniff(bytes));
    EXPECT_EQ(values(decode(pnm_codec(), bytes)), c.expected) << c.file;
  }
}

TEST(Pnm, TheFirstOfSeveralPicturesIsReadAndTheOthersAreNamed) {
  const auto left_out = [](const std::string& file) {
    const Bytes bytes = bytes_of_text(file);
    return open_image(ByteSource::from_memory(bytes, "test"), {})->left_out();
  };
  const std::string pam = "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nab";
  for (const std::string& one : {std::string("P6 1 1 255\nabc"), std::string("P5 2 1 255\nab"),
                                 std::string("P4\n10 1\n\xa0\x40"), pam}) {
    const std::vector<int> alone = values(decode(pnm_codec(), bytes_of_text(one)));
    EXPECT_EQ(left_out(one), "");
    EXPECT_EQ(values(decode(pnm_codec(), bytes_of_text(one + one))), alone);
    EXPECT_EQ(left_out(one + one), "more pictures follow; only the first is read");
    EXPECT_EQ(values(decode(pnm_codec(), bytes_of_text(one + "\n"))), alone);
    EXPECT_EQ(left_out(one + "\n"), "");
  }
}

TEST(Pnm, RefusesMalformedFiles) {
  for (const char* file :
       {"P6 0 1 255\nabc", "P6 1 1 0\nabc", "P6 1 1 65536\nabcdef", "P6 -1 1 255\nabc", "P6",
        "P6 1 1 255", "P5 200000 1 255\nabc", "P6 100000 100000 255\nabc", "P2 1 1 9 10",
        "P2 2 1 9 1 x", "P1 1 1 2", "P5 1 1 100\n\x7f", "P2 2 2 255 1 2 3", "P6 1x1 255\nabc",
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\n123456789",
        "P7\nWIDTH 1\nHEIGHT 1\nENDHDR\n1", "P7\nBREADTH 1\nENDHDR\n1"})
    EXPECT_THROW(decode(pnm_codec(), bytes_of_text(file)), Error) << file;
  for (int channels : {1, 3, 4})
    expect_truncation_is_refused(pnm_codec(),
                                 encode(pnm_codec(), noise(20, 9, channels, PixelType::u16)));
  expect_no_crash_on_changed_bytes(pnm_codec(), encode(pnm_codec(), noise(20, 9, 4, PixelType::u8)),
                                   1000);
  expect_no_crash_on_changed_bytes(pnm_codec(), bytes_of_text("P3\n1 2\n65535\n1 2 3 4 0 9\n"),
                                   1000);
}

TEST(Pfm, RoundTripsGreyAndColorBitByBit) {
  Image image = noise(13, 5, 3, PixelType::f32);
  // Infinities and a NaN's payload are unchanged.
  const std::uint32_t odd[] = {0x7f800000, 0xff800000, 0x7fc12345, 0x80000000, 1};
  std::memcpy(image.row(0, 2), odd, sizeof odd);
  expect_round_trip(pfm_codec(), image);
  expect_round_trip(pfm_codec(), noise(13, 5, 1, PixelType::f32));
}

TEST(Pfm, ReadsBigEndianFromTheBottomUp) {
  std::string file = "Pf\n1 2\n1.0\n";
  file += std::string("\x3f\x80\x00\x00\x40\x00\x00\x00", 8);
  ASSERT_TRUE(pfm_codec().sniff(bytes_of_text(file)));
  const Image image = decode(pfm_codec(), bytes_of_text(file));
  EXPECT_EQ(pixels<float>(image)[0], 2.0f);
  EXPECT_EQ(pixels<float>(image)[1], 1.0f);
}

TEST(Pfm, RefusesTruncatedAndMalformedFiles) {
  expect_truncation_is_refused(pfm_codec(), encode(pfm_codec(), noise(9, 9, 3, PixelType::f32)));
  for (const char* file : {"PF\n1 1\n0\n123456789012", "PF\n1 1\nx\n123456789012",
                           "PF\n1 0\n-1\n123456789012", "Pf\n100000 100000\n-1\n1234"})
    EXPECT_THROW(decode(pfm_codec(), bytes_of_text(file)), Error) << file;
  expect_no_crash_on_changed_bytes(pfm_codec(), encode(pfm_codec(), noise(9, 9, 3, PixelType::f32)),
                                   500);
}

}  // namespace
}  // namespace cuimg

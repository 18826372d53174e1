// SPDX-License-Identifier: Apache-2.0
// Radiance HDR and the RGBE pixel.
#include <cmath>
#include <limits>

#include "io/codec_helpers.h"
#include "io/simple/rgbe.h"

namespace cuimg {
namespace {

using namespace test;

// Values that RGBE represents exactly, with runs for the run-length code.
Image exact_image(int width, int height) {
  Image image(flat_spec(width, height, 3, PixelType::f32, linear_premultiplied()));
  for (int i = 0; i < width * height; ++i) {
    const int step = i % 7 < 5 ? 0 : i;
    const float scale = std::ldexp(1.0f, step % 40 - 20);
    pixels<float>(image)[3 * i] = static_cast<float>(128 + step % 128) * scale;
    pixels<float>(image)[3 * i + 1] = static_cast<float>(step % 255) * scale;
    pixels<float>(image)[3 * i + 2] = 0;
  }
  return image;
}

TEST(Rgbe, EveryNormalizedPixelSurvives) {
  for (int e = 1; e < 256; ++e)
    for (int m = 128; m < 256; ++m) {
      const Rgbe pixel = {static_cast<std::uint8_t>(m), static_cast<std::uint8_t>(m / 2),
                          static_cast<std::uint8_t>(255 - m), static_cast<std::uint8_t>(e)};
      float rgb[3];
      decode_rgbe(pixel, rgb);
      ASSERT_EQ(encode_rgbe(rgb), pixel) << m << " " << e;
    }
}

TEST(Rgbe, RoundsToTheNearestAndCarriesIntoTheExponent) {
  const float up[] = {255.75f, 1.0f, 0.0f};
  EXPECT_EQ(encode_rgbe(up), (Rgbe{128, 0, 0, 137}));
  const float down[] = {255.25f, 1.5f, 0.4f};
  EXPECT_EQ(encode_rgbe(down), (Rgbe{255, 2, 0, 136}));
}

TEST(Rgbe, ClampsWhatItCannotHold) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float odd[] = {inf, nan, -1.0f};
  EXPECT_EQ(encode_rgbe(odd), (Rgbe{255, 0, 0, 255}));
  const float most[] = {std::numeric_limits<float>::max(), 0, 0};
  EXPECT_EQ(encode_rgbe(most), (Rgbe{255, 0, 0, 255}));
  const float tiny[] = {1e-40f, 0, 0};
  EXPECT_EQ(encode_rgbe(tiny), (Rgbe{0, 0, 0, 0}));
}

TEST(Hdr, KeepsEveryAspectThatAnExrHolds) {
  Image image = exact_image(9, 2);
  for (const float aspect : {1e-6f, 0.001f, 0.3f, 1000.0f, 1e6f}) {
    image.editable_spec().pixel_aspect = aspect;
    EXPECT_EQ(decode(hdr_codec(), encode(hdr_codec(), image)).spec().pixel_aspect, aspect);
  }
}

TEST(Hdr, RoundTripsAtEveryWidthThatTheCodesDistinguish) {
  for (int width : {1, 7, 8, 9, 127, 128, 129, 300, 32767, 32768})
    expect_round_trip(hdr_codec(), exact_image(width, 3));
}

TEST(Hdr, CarriesPrimariesExposureAndAspect) {
  Image image = exact_image(9, 3);
  image.editable_spec().color.primaries =
      Chromaticities{0.7f, 0.3f, 0.2f, 0.7f, 0.1f, 0.05f, 0.31f, 0.33f};
  image.editable_spec().metadata["hdr:EXPOSURE"] = 0.25;
  image.editable_spec().pixel_aspect = 2.0f;
  const Image back = decode(hdr_codec(), encode(hdr_codec(), image));
  EXPECT_EQ(back.spec(), image.spec());
}

Bytes flat_file(const std::string& header, const std::string& resolution, int pixels_count) {
  Bytes bytes = bytes_of_text("#?RADIANCE\n" + header + "\n" + resolution + "\n");
  for (int i = 0; i < pixels_count; ++i)
    bytes = bytes + Bytes{std::byte(128 + i), std::byte{0}, std::byte{0}, std::byte{136}};
  return bytes;
}

TEST(Hdr, CarriesTheLinesAboutTheViewTheProgramAndTheDates) {
  const std::string lines = "oconv a=1 x.rad | rpict\n# a comment\n\tVIEW= -vp 9 9 9\n",
                    variables =
                        "CAPDATE= 2024:05:06 07:08:09\nGMT= 2024:05:06 05:08:09\n"
                        "SOFTWARE= RADIANCE 5.4\nVIEW= -vp 0 0 0\nVIEW= -vh 40\n";
  const Bytes file = flat_file(lines + variables + "FORMAT=32-bit_rle_rgbe\n", "-Y 1 +X 3", 3);
  const Image image = decode(hdr_codec(), file);
  const Metadata& metadata = image.spec().metadata;
  EXPECT_EQ(metadata.at("hdr:VIEW"), MetadataValue(std::string("-vp 0 0 0\n-vh 40")));
  EXPECT_EQ(metadata.at("hdr:lines"), MetadataValue(lines.substr(0, lines.size() - 1)));
  EXPECT_EQ(encode(hdr_codec(), image), file);
}

TEST(Hdr, DoesNotWriteLinesThatWouldEndTheHeaderOrMeanSomethingElse) {
  Image image = exact_image(9, 2);
  const Bytes plain = encode(hdr_codec(), image);
  Metadata& metadata = image.editable_spec().metadata;
  for (const std::string key : {"hdr:lines", "hdr:VIEW"})
    for (const std::string& text : {std::string(), std::string("a\n\nb"), std::string("a\n"),
                                    std::string("a\0", 2), std::string(5000, 'a')}) {
      metadata = {{key, text}};
      EXPECT_EQ(encode(hdr_codec(), image), plain) << key << text;
    }
  metadata.clear();
  metadata["hdr:lines"] = std::string("EXPOSURE=4");
  metadata["hdr:FORMAT"] = std::string("32-bit_rle_xyze");
  EXPECT_EQ(encode(hdr_codec(), image), plain);
}

TEST(Hdr, NotesTheVariablesThatItLeavesOut) {
  std::vector<std::string> notes;
  DecodeOptions options;
  options.notify = [&](const std::string& note) { notes.push_back(note); };
  decode(hdr_codec(), flat_file("NCOMP=3\nNCOMP=3\n", "-Y 1 +X 3", 3), options);
  EXPECT_EQ(notes, std::vector<std::string>{"test: its header line NCOMP= is left out"});
}

TEST(Hdr, ReadsAllEightScanlineOrders) {
  // Two scanlines of three pixels, numbered 0 to 5 in the file's order.
  const struct {
    const char* resolution;
    std::vector<int> upright;
  } cases[] = {
      {"-Y 2 +X 3", {0, 1, 2, 3, 4, 5}}, {"-Y 2 -X 3", {2, 1, 0, 5, 4, 3}},
      {"+Y 2 +X 3", {3, 4, 5, 0, 1, 2}}, {"+Y 2 -X 3", {5, 4, 3, 2, 1, 0}},
      {"+X 2 -Y 3", {0, 3, 1, 4, 2, 5}}, {"+X 2 +Y 3", {2, 5, 1, 4, 0, 3}},
      {"-X 2 -Y 3", {3, 0, 4, 1, 5, 2}}, {"-X 2 +Y 3", {5, 2, 4, 1, 3, 0}},
  };
  for (const auto& c : cases) {
    const Image image = decode(hdr_codec(), flat_file("FORMAT=32-bit_rle_rgbe\n", c.resolution, 6));
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_EQ(pixels<float>(image)[3 * i], 128.0f + float(c.upright[i])) << c.resolution << i;
  }
}

TEST(Hdr, ReadsOldRunLengthCodeAndXyz) {
  Bytes bytes = bytes_of_text("#?RGBE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 258\n");
  const auto pixel = [](int a, int b, int c, int e) {
    return Bytes{std::byte(a), std::byte(b), std::byte(c), std::byte(e)};
  };
  // One pixel, then 1 + 256 repetitions, in base 256.
  bytes = bytes + pixel(122, 128, 139, 136) + pixel(1, 1, 1, 1) + pixel(1, 1, 1, 1);
  const Image image = decode(hdr_codec(), bytes);
  // XYZ of D65 is neutral in Rec.709.
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(pixels<float>(image)[3 * 257 + c], 128.0f, 1.5f);
}

TEST(Hdr, RefusesTruncatedAndMalformedFiles) {
  expect_truncation_is_refused(hdr_codec(), encode(hdr_codec(), exact_image(50, 20)));
  expect_truncation_is_refused(hdr_codec(), encode(hdr_codec(), exact_image(5, 5)));
  for (const char* resolution : {"-Y 2 +X", "-Y 0 +X 3", "Y 2 X 3", "-Y 2 +Y 3", "-Y 200000 +X 3",
                                 "-Y 100000 +X 100000", "-Y 99999999999 +X 3"})
    EXPECT_THROW(decode(hdr_codec(), flat_file("", resolution, 6)), Error) << resolution;
  EXPECT_THROW(decode(hdr_codec(), flat_file("FORMAT=other\n", "-Y 2 +X 3", 6)), Error);
  EXPECT_THROW(decode(hdr_codec(), flat_file("EXPOSURE=x\n", "-Y 2 +X 3", 6)), Error);
  expect_no_crash_on_changed_bytes(hdr_codec(), encode(hdr_codec(), exact_image(50, 20)), 2000);
}

}  // namespace
}  // namespace cuimg

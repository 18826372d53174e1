// SPDX-License-Identifier: Apache-2.0
// JPEG's application segments: profiles in pieces, EXIF, and files with too many of them.
#include <lcms2.h>

#include <cstddef>

#include "io/codec_helpers.h"
#include "io/jpeg/jpeg_markers.h"
#include "io/memory_images.h"
#include "io/tags/exif_block.h"

namespace cuimg {
namespace {

using namespace test;

using Segments = std::vector<std::pair<int, Bytes>>;

Bytes grey_jpeg(int width = 16, int height = 16) {
  Image image(flat_spec(width, height, 1, PixelType::u8, srgb_straight()));
  std::fill_n(pixels<std::uint8_t>(image), width * height, std::uint8_t{100});
  return encode(jpeg_codec(), image);
}

// Inserts these segments after the start-of-image marker.
Bytes with_segments(const Bytes& jpeg, const Segments& segments) {
  Bytes bytes(jpeg.begin(), jpeg.begin() + 2);
  for (const auto& [marker, body] : segments) {
    const std::size_t length = body.size() + 2;
    for (const std::size_t byte : {std::size_t{0xff}, std::size_t(marker), length >> 8, length})
      bytes.push_back(static_cast<std::byte>(byte));
    bytes.insert(bytes.end(), body.begin(), body.end());
  }
  bytes.insert(bytes.end(), jpeg.begin() + 2, jpeg.end());
  return bytes;
}

Bytes gamma_profile(double gamma) {
  const cmsCIExyY white = {0.3127, 0.3290, 1.0};
  cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
  cmsHPROFILE profile = cmsCreateGrayProfile(&white, curve);
  cmsFreeToneCurve(curve);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  Bytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

// One segment of a profile.
std::pair<int, Bytes> piece(const Bytes& profile, int number, int pieces) {
  const std::size_t share = (profile.size() + 2) / 3;
  const std::size_t begin = std::min(profile.size(), share * std::size_t(std::max(0, number - 1)));
  const std::size_t end = std::min(profile.size(), begin + share);
  Bytes body = bytes_of_text(std::string("ICC_PROFILE\0", 12));
  body.push_back(static_cast<std::byte>(number));
  body.push_back(static_cast<std::byte>(pieces));
  body.insert(body.end(), profile.begin() + std::ptrdiff_t(begin),
              profile.begin() + std::ptrdiff_t(end));
  return {0xe2, body};
}

struct Opened {
  Spec spec;
  std::string notes, warnings;
};

Opened opened(const Bytes& bytes) {
  Opened result;
  DecodeOptions options;
  options.notify = [&](const std::string& note) { result.notes += note; };
  options.warn = [&](const std::string& warning) { result.warnings += warning; };
  result.spec = jpeg_codec().open(ByteSource::from_memory(bytes, "test"), options)->spec();
  return result;
}

TEST(JpegMarkers, JoinAProfileInPiecesWhateverTheirOrder) {
  const Bytes profile = gamma_profile(2.6);
  for (const auto& order : {std::array{1, 2, 3}, {3, 1, 2}, {2, 3, 1}}) {
    Segments segments;
    for (const int number : order) {
      segments.push_back(piece(profile, number, 3));
      segments.push_back({0xe2, bytes_of_text("MPF")});  // with another use of APP2 between them
    }
    const Opened image = opened(with_segments(grey_jpeg(), segments));
    EXPECT_EQ(image.spec.color.curve, Curve::gamma);
    EXPECT_NEAR(image.spec.color.gamma, 2.6f, 0.01f);
    EXPECT_EQ(image.notes,
              "test: blocks that are valid only for the original file are left out: APP2");
  }
}

TEST(JpegMarkers, LeaveAProfileOutThatIsNotWholeAndSaySo) {
  const Bytes profile = gamma_profile(2.6);
  const auto part = [&](int number, int pieces) { return piece(profile, number, pieces); };
  const Segments cases[] = {
      {part(1, 3), part(3, 3)},              // one is missing
      {part(1, 3), part(2, 3), part(2, 3)},  // one occurs twice
      {part(1, 3), part(2, 2), part(3, 3)},  // they disagree about the number of pieces
      {part(1, 3), part(0, 3), part(2, 3), part(3, 3)},
      {part(1, 3), part(4, 3), part(2, 3), part(3, 3)},
      {part(1, 0)},
      {part(1, 255)},
      {piece({}, 1, 1)},  // an empty piece
  };
  for (const Segments& segments : cases) {
    const Opened image = opened(with_segments(grey_jpeg(), segments));
    EXPECT_EQ(image.spec.color, srgb_straight());
    EXPECT_EQ(image.warnings,
              "test: the segments of its ICC profile do not form a whole one; sRGB is assumed");
  }
  // Too short to be a piece, so there is no profile at all.
  Bytes body = bytes_of_text(std::string("ICC_PROFILE\0\1", 13));
  const Opened without = opened(with_segments(grey_jpeg(), {{0xe2, body}}));
  EXPECT_EQ(without.notes + without.warnings, "");
}

// A block whose only tag is the orientation.
Bytes exif(int orientation) {
  std::string block("Exif\0\0II\x2a\0\x8\0\0\0\x1\0\x12\x1\x3\0\x1\0\0\0", 24);
  block += static_cast<char>(orientation);
  return bytes_of_text(block + std::string(7, '\0'));
}

TEST(JpegMarkers, TakeTheFirstExifBlockAmongOtherSegments) {
  const Bytes wide = grey_jpeg(32, 16);
  const Bytes xmp = bytes_of_text("http://ns.adobe.com/xap/1.0/");
  const auto is_turned = [&](const Segments& segments) {
    return opened(with_segments(wide, segments)).spec.data_window == Rect{0, 0, 16, 32};
  };
  EXPECT_FALSE(is_turned({}));
  EXPECT_TRUE(is_turned({{0xe1, exif(6)}}));
  EXPECT_TRUE(is_turned({{0xfe, bytes_of_text("a comment")}, {0xe1, xmp}, {0xe1, exif(6)}}));
  EXPECT_TRUE(is_turned({{0xe1, exif(6)}, {0xe1, exif(1)}}));
  EXPECT_FALSE(is_turned({{0xe1, exif(1)}, {0xe1, exif(6)}}));
  EXPECT_FALSE(is_turned({{0xe1, bytes_of_text(std::string("Exif\0\0", 6))}, {0xe1, exif(6)}}));
  EXPECT_FALSE(is_turned({{0xe2, exif(6)}}));
}

TEST(JpegMarkers, OfLengthsBelowTwoAreEmptySegments) {
  for (const char length : {'\0', '\1', '\2'}) {
    Bytes bytes = grey_jpeg();
    const Bytes segment = bytes_of_text(std::string("\xff\xe1\0", 3) + length);
    bytes.insert(bytes.begin() + 2, segment.begin(), segment.end());
    EXPECT_EQ(decode(jpeg_codec(), bytes).spec(), decode(jpeg_codec(), grey_jpeg()).spec());
  }
}

TEST(JpegMarkers, CutShortAreRefused) {
  const Bytes whole = with_segments(grey_jpeg(), {{0xe1, exif(6)}});
  for (std::size_t length = 3; length < 40; ++length)
    EXPECT_THROW(opened(Bytes(whole.begin(), whole.begin() + std::ptrdiff_t(length))), Error);
}

TEST(JpegMarkers, BeyondFourThousandAreRefusedWithinASecond) {
  const Bytes jpeg = grey_jpeg(32, 157);
  for (const int marker : {0xe0, 0xe1, 0xe2, 0xe7, 0xee, 0xef, 0xfe}) {
    // grey_jpeg() already has one segment, JFIF's.
    const Segments most(std::size_t{most_jpeg_markers - 1}, {marker, bytes_of_text("x")});
    EXPECT_EQ(opened(with_segments(jpeg, most)).spec.data_window, (Rect{0, 0, 32, 157}));
    const Bytes file = with_segments(jpeg, Segments(115255, {marker, bytes_of_text("x")}));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(error_of([&] { opened(file); }),
              "test: JPEG: the file has more than 4,096 markers of applications and comments "
              "(APPn, COM)");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  }
}

// XMP's orientation does not turn the picture, as in most viewers. If EXIF's did, XMP must not turn
// it again.
TEST(JpegMarkers, XmpsOrientationFollowsTheOneThatWasApplied) {
  const Bytes xmp =
      bytes_of_text(std::string("http://ns.adobe.com/xap/1.0/\0", 29) + "<a tiff:Orientation='6'>");
  const auto orientation_in_xmp = [&](std::uint32_t exif) {
    Segments segments = {{0xe1, xmp}};
    if (exif != 0) {
      ExifBlock block;
      block.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16, {exif});
      Bytes body = bytes_of_text(std::string_view("Exif\0\0", 6));
      append_bytes(body, block.bytes());
      segments.push_back({0xe1, body});
    }
    const Bytes file = with_segments(grey_jpeg(16, 8), segments);
    const Image image = decode(jpeg_codec(), file);
    EXPECT_EQ(image.spec().data_window.height, exif == 6 ? 16 : 8);
    const Image written = decode(jpeg_codec(), encode(jpeg_codec(), image));
    return std::string(text_of_bytes(std::get<Blob>(written.spec().metadata.at("xmp"))));
  };
  EXPECT_EQ(orientation_in_xmp(6), "<a tiff:Orientation='1'>");
  EXPECT_EQ(orientation_in_xmp(1), "<a tiff:Orientation='6'>");
  EXPECT_EQ(orientation_in_xmp(0), "<a tiff:Orientation='6'>");
}

}  // namespace
}  // namespace cuimg

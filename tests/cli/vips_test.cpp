// SPDX-License-Identifier: Apache-2.0
// Pictures with ICC profiles against vips, where it is installed, and against lcms2, which vips and
// cuimg both ask. vips has lcms2 make tables of 8 and 16 bits first, which leaves dark colours up
// to a dozen codes beside what the profiles say; it is held to those tables, and cuimg to the
// profiles.
#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/codec.h"
#include "io/made_profiles.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

constexpr int width = 64, height = 48;
using Codes = std::vector<std::uint8_t>;  // interleaved, from the top
using Values = std::vector<float>;

class Handle {
 public:
  Handle(const ProfileBytes& from, cmsUInt32Number from_type, const ProfileBytes& to,
         cmsUInt32Number to_type, cmsUInt32Number flags) {
    cmsHPROFILE source = opened(from), target = opened(to);
    transform_ =
        cmsCreateTransform(source, from_type, target, to_type, INTENT_RELATIVE_COLORIMETRIC, flags);
    cmsCloseProfile(source);
    cmsCloseProfile(target);
  }
  ~Handle() { cmsDeleteTransform(transform_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  void run(const void* from, void* to, std::size_t pixels) const {
    cmsDoTransform(transform_, from, to, static_cast<cmsUInt32Number>(pixels));
  }

 private:
  static cmsHPROFILE opened(const ProfileBytes& bytes) {
    return cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
  }
  cmsHTRANSFORM transform_ = nullptr;
};

float srgb_code(float light) {
  const float v = std::clamp(light, 0.0f, 1.0f);
  return 255 * (v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f);
}

// A file, its profile, and how many values its pixels have.
struct Picture {
  std::string file;
  ProfileBytes profile;
  int channels = 3;
};

class Vips : public testing::Test {
 protected:
  void SetUp() override {
    if (run({"vips", "--version"}).exit != 0) GTEST_SKIP() << "vips is not installed";
    make("p3", rgb_profile(p3_colors, srgb_curve()), 3);
    make("adobe", rgb_profile(adobe_colors, power_curve(2.19921875), 2.1), 3);
    make("grey", grey_profile(power_curve(1.8)), 1);
    const ProfileBytes inks = ink_profile();
    make_cmyk("cmyk.tif", inks);
    expect_done({"vips", "copy", "cmyk.tif", "cmyk.jpg[Q=95]"});
    pictures_.push_back({"cmyk.tif", inks, 4});
    pictures_.push_back({"cmyk.jpg", inks, 4});
  }

  void expect_done(const std::vector<std::string>& words) const {
    const Outcome outcome = run(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit, 0) << words[0] << " " << words[1] << ": " << outcome.err;
  }
  // Stages that end in sRGB's primaries, in a format that holds no profile.
  Codes made_by_cuimg(std::vector<std::string> stages, const Picture& picture) const {
    stages.insert(stages.begin(), CUIMG_PROGRAM);
    if (stages.size() > 1) stages.emplace_back("+");
    if (picture.channels == 1)
      stages.insert(stages.end(), {"exposure", "--stops", "0"});
    else
      stages.insert(stages.end(), {"primaries", "--to", "rec709"});
    stages.insert(stages.end(), {"-q", picture.file, "own.bmp"});
    expect_done(stages);
    return codes_of("own.bmp");
  }
  Codes made_by_vips(const std::string& file) const {
    expect_done({"vips", "icc_transform", file, "vips.png", "srgb", "--embedded"});
    return codes_of("vips.png");
  }
  // As three values a pixel.
  Codes codes_of(const std::string& name) const {
    const DecodeOptions raw{.raw = true};
    const Image image = read_image(folder_ / name, raw);
    const Rect& window = image.spec().data_window;
    const int channels = image.spec().layers[0].channel_count();
    Codes codes;
    for (int y = 0; y < window.height; ++y)
      for (int x = 0; x < window.width; ++x)
        for (int c = 0; c < 3; ++c)
          codes.push_back(value_at<std::uint8_t>(image, x, y, std::min(c, channels - 1)));
    return codes;
  }
  // What the file's pixels are before any profile.
  Codes stored(const Picture& picture) const {
    expect_done({"vips", "rawsave", picture.file, "stored.raw"});
    const std::string bytes = read_file(folder_ / "stored.raw");
    return {bytes.begin(), bytes.end()};
  }
  static std::size_t pixels_of(const Codes& codes, const Picture& picture) {
    return codes.size() / static_cast<std::size_t>(picture.channels);
  }
  // Light in Rec.709, below 0 and above 1 too.
  Values light_by_lcms2(const Picture& picture) const {
    const Codes codes = stored(picture);
    const std::size_t pixels = pixels_of(codes, picture);
    const cmsUInt32Number types[] = {0, TYPE_GRAY_FLT, 0, TYPE_RGB_FLT, TYPE_CMYK_FLT};
    const Handle handle(picture.profile, types[picture.channels],
                        rgb_profile(rec709_colors, power_curve(1.0)), TYPE_RGB_FLT,
                        cmsFLAGS_NOOPTIMIZE);
    // Inks are percentages there.
    const float whole = picture.channels == 4 ? 2.55f : 255.0f;
    Values values, light(3 * pixels);
    for (const std::uint8_t code : codes) values.push_back(static_cast<float>(code) / whole);
    handle.run(values.data(), light.data(), pixels);
    return light;
  }
  // As any program gets it that does not ask for more.
  Codes tables_of_lcms2(const Picture& picture) const {
    const Codes codes = stored(picture);
    const std::size_t pixels = pixels_of(codes, picture);
    const cmsUInt32Number types[] = {0, TYPE_GRAY_8, 0, TYPE_RGB_8, TYPE_CMYK_8};
    const Handle handle(picture.profile, types[picture.channels], saved(cmsCreate_sRGBProfile()),
                        TYPE_RGB_8, 0);
    Codes made(3 * pixels);
    handle.run(codes.data(), made.data(), pixels);
    return made;
  }
  static int distance(const Codes& a, const Codes& b) {
    EXPECT_EQ(a.size(), b.size());
    int largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  }
  // In codes, from rounding to half a one on.
  static double distance(const Codes& codes, const Values& light) {
    EXPECT_EQ(codes.size(), light.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(codes.size(), light.size()); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(codes[i]) -
                                           static_cast<double>(srgb_code(light[i]))));
    return largest;
  }
  Values resized_by_vips(const Values& light) const {
    Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 3);
    write_image(folder_ / "light.tif",
                image_of(spec,
                         [&](int, int x, int y, int c) {
                           return light[static_cast<std::size_t>((y * width + x) * 3 + c)];
                         }),
                *codec_named("tif"));
    expect_done(
        {"vips", "resize", "light.tif", "small.tif", "0.5", "--kernel", "lanczos3", "--gap", "0"});
    const Image small = read_image(folder_ / "small.tif");
    Values values;
    for (int y = 0; y < height / 2; ++y)
      for (int x = 0; x < width / 2; ++x)
        for (int c = 0; c < 3; ++c) values.push_back(value_at(small, x, y, c));
    return values;
  }
  static Codes mirrored(const Codes& codes) {
    Codes made;
    for (int y = 0; y < height; ++y)
      for (int x = width; x-- > 0;)
        for (int c = 0; c < 3; ++c)
          made.push_back(codes[static_cast<std::size_t>((y * width + x) * 3 + c)]);
    return made;
  }

  const TempDir folder_;
  std::vector<Picture> pictures_;

 private:
  // Noise, and slopes through all codes.
  static std::vector<std::uint8_t> content(int channels) {
    std::mt19937 random(5);
    std::vector<std::uint8_t> codes;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < channels; ++c)
          codes.push_back(static_cast<std::uint8_t>(
              x < width / 2 ? random() : static_cast<unsigned>(8 * x + (c + 1) * 3 * y)));
    return codes;
  }
  void make(const std::string& name, const ProfileBytes& profile, int channels) {
    Spec spec = spec_of({0, 0, width, height}, PixelType::u8, channels);
    spec.color = {Curve::raw, 1.0f, false, {}};
    spec.color.profile = SharedProfile({profile, channels == 1});
    Image image(spec);
    const std::vector<std::uint8_t> codes = content(channels);
    const std::size_t row = static_cast<std::size_t>(width * channels);
    for (int y = 0; y < height; ++y)
      std::memcpy(image.row(0, y), &codes[static_cast<std::size_t>(y) * row], row);
    for (const std::string end : {"png", "tif", "jpg"}) {
      write_image(folder_ / (name + "." + end), image, *codec_named(end));
      pictures_.push_back({name + "." + end, profile, channels});
    }
  }
  // Of a printing press, which vips brings with it.
  ProfileBytes ink_profile() const {
    expect_done({"vips", "icc_transform", "p3.tif", "inks.tif", "cmyk", "--embedded"});
    ProfileBytes profile;
    TIFF* tiff = TIFFOpen((folder_ / "inks.tif").c_str(), "r");
    std::uint32_t size = 0;
    const std::byte* bytes = nullptr;
    if (tiff != nullptr && TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &bytes) != 0)
      profile.assign(bytes, bytes + size);
    if (tiff != nullptr) TIFFClose(tiff);
    return profile;
  }
  void make_cmyk(const std::string& name, const ProfileBytes& profile) const {
    TIFF* tiff = TIFFOpen((folder_ / name).c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    for (const auto& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, width},
                                     {TIFFTAG_IMAGELENGTH, height},
                                     {TIFFTAG_BITSPERSAMPLE, 8},
                                     {TIFFTAG_SAMPLESPERPIXEL, 4},
                                     {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_SEPARATED},
                                     {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
                                     {TIFFTAG_ROWSPERSTRIP, height}})
      TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()),
                 profile.data());
    std::vector<std::uint8_t> codes = content(4);
    TIFFWriteEncodedStrip(tiff, 0, codes.data(), static_cast<tmsize_t>(codes.size()));
    TIFFClose(tiff);
  }
};

TEST_F(Vips, ConvertsColoursAlikeWithinOneCode) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_cuimg({}, picture), vips = made_by_vips(picture.file);
    EXPECT_LE(distance(own, light_by_lcms2(picture)), 1);
    EXPECT_LE(distance(vips, tables_of_lcms2(picture)), 1);
    if (picture.channels == 3) EXPECT_LE(distance(own, vips), 1);
    RecordProperty(picture.file, distance(own, vips));
  }
}

TEST_F(Vips, ResizesLightAlikeWithinOneCode) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_cuimg({"resize", "--size", "50%"}, picture);
    EXPECT_LE(distance(own, resized_by_vips(light_by_lcms2(picture))), 1);
  }
}

TEST_F(Vips, FlopsTheSameCodes) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    expect_done({"vips", "flip", picture.file, "vips.tif", "horizontal"});
    if (picture.channels == 4) {  // in cuimg they are colours
      EXPECT_EQ(made_by_cuimg({"flop"}, picture), mirrored(made_by_cuimg({}, picture)));
      EXPECT_EQ(made_by_vips("vips.tif"), mirrored(made_by_vips(picture.file)));
      continue;
    }
    expect_done({CUIMG_PROGRAM, "flop", picture.file, "own.png"});
    EXPECT_EQ(codes_of("own.png"), codes_of("vips.tif"));
    for (const char* name : {"own.png", "vips.tif"}) {
      const Image image = read_image(folder_ / name);
      ASSERT_TRUE(image.spec().color.profile) << name;
      EXPECT_EQ(image.spec().color.profile->bytes, picture.profile) << name;
    }
  }
}

}  // namespace
}  // namespace cuimg::test

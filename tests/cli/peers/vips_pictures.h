// SPDX-License-Identifier: Apache-2.0
// Pictures with ICC profiles, and the results of vips and lcms2 for them.
#pragma once

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/codec.h"
#include "io/made_profiles.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {

inline constexpr int width = 64, height = 48;
using Codes = std::vector<std::uint8_t>;  // interleaved, top row first
using Values = std::vector<float>;

/// How to apply a profile, as options of cuimg, vips and lcms2.
struct Rendering {
  cmsUInt32Number intent = INTENT_RELATIVE_COLORIMETRIC;
  bool black_point = false;

  std::string intent_name() const {
    static constexpr const char* names[] = {"perceptual", "relative", "saturation", "absolute"};
    return names[intent];
  }
  std::vector<std::string> words_of_cuimg() const {
    std::vector<std::string> words = {"--icc-intent", intent_name()};
    if (black_point) words.emplace_back("--icc-black-point");
    return words;
  }
  std::vector<std::string> words_of_vips() const {
    std::vector<std::string> words = {"--intent", intent_name()};
    if (black_point) words.emplace_back("--black-point-compensation");
    return words;
  }
};

/// All combinations that lcms2 distinguishes: black is not compensated for if the intent is
/// absolute.
inline std::vector<Rendering> renderings() {
  std::vector<Rendering> all;
  for (const cmsUInt32Number intent : {INTENT_PERCEPTUAL, INTENT_RELATIVE_COLORIMETRIC,
                                       INTENT_SATURATION, INTENT_ABSOLUTE_COLORIMETRIC})
    for (const bool black_point : {false, true})
      if (!(black_point && intent == INTENT_ABSOLUTE_COLORIMETRIC))
        all.push_back({intent, black_point});
  return all;
}

class Handle {
 public:
  /// @param target is closed by this. With a target of version 4, lcms2 would always compensate
  /// black points for some intents.
  Handle(const ProfileBytes& from, cmsUInt32Number from_type, cmsHPROFILE target,
         cmsUInt32Number to_type, const Rendering& rendering, cmsUInt32Number flags) {
    cmsHPROFILE source = opened(from);
    cmsSetProfileVersion(target, 2.1);
    if (rendering.black_point) flags |= cmsFLAGS_BLACKPOINTCOMPENSATION;
    transform_ = cmsCreateTransform(source, from_type, target, to_type, rendering.intent, flags);
    cmsCloseProfile(source);
    cmsCloseProfile(target);
  }
  ~Handle() { cmsDeleteTransform(transform_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  void run(const void* from, void* to, std::size_t pixels) const {
    cmsDoTransform(transform_, from, to, static_cast<cmsUInt32Number>(pixels));
  }

  static cmsHPROFILE opened(const ProfileBytes& bytes) {
    return cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
  }

 private:
  cmsHTRANSFORM transform_ = nullptr;
};

inline float srgb_code(float light) {
  const float v = std::clamp(light, 0.0f, 1.0f);
  return 255 * (v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f);
}

/// A file, its profile, and the number of values per pixel.
struct Picture {
  std::string file;
  ProfileBytes profile;
  int channels = 3;
};

inline float srgb_light(int code) {
  const float v = static_cast<float>(code) / 255;
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

class Vips : public testing::Test {
 protected:
  void SetUp() override {
    if (run({"vips", "--version"}).exit != 0) GTEST_SKIP() << "vips is not installed";
    make("p3", rgb_profile(p3_colors, srgb_curve()), 3);
    make("adobe", rgb_profile(adobe_colors, power_curve(2.19921875), 2.1), 3);
    make("grey", grey_profile(power_curve(1.8)), 1);
    const ProfileBytes inks = ink_profile();
    make_cmyk("cmyk", inks);
  }

  void expect_done(const std::vector<std::string>& words) const {
    const Outcome outcome = run(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit, 0) << words[0] << " " << words[1] << ": " << outcome.err;
  }
  // The same with --icc exact, for CMYK's profiles too.
  Codes made_exactly(std::vector<std::string> stages, const Picture& picture,
                     const Rendering& rendering = {}) const {
    return made_by_cuimg(std::move(stages), picture, rendering, {"--icc", "exact"});
  }
  // Runs stages that end in sRGB's primaries, with an output format that holds no profile.
  Codes made_by_cuimg(std::vector<std::string> stages, const Picture& picture,
                      const Rendering& rendering = {},
                      const std::vector<std::string>& method = {}) const {
    stages.insert(stages.begin(), CUIMG_PROGRAM);
    if (stages.size() > 1) stages.emplace_back("+");
    const bool tinted = rendering.intent == INTENT_ABSOLUTE_COLORIMETRIC;
    if (picture.channels == 1 && !tinted)
      stages.insert(stages.end(), {"exposure", "--stops", "0"});
    else
      stages.insert(stages.end(), {"primaries", "--to", "rec709"});
    for (const std::string& word : rendering.words_of_cuimg()) stages.push_back(word);
    stages.insert(stages.end(), method.begin(), method.end());
    stages.insert(stages.end(), {"-q", picture.file, "own.bmp"});
    expect_done(stages);
    return codes_of("own.bmp");
  }
  // Runs one stage, in command-line words, or convert.
  Codes made_by_tables(std::vector<std::string> stage, const Picture& picture,
                       const Rendering& rendering = {}) const {
    stage.insert(stage.begin(), CUIMG_PROGRAM);
    for (const std::string& word : rendering.words_of_cuimg()) stage.push_back(word);
    stage.insert(stage.end(), {"--icc", "tables", "-q", picture.file, "own.png"});
    expect_done(stage);
    return codes_of("own.png");
  }
  // @param target a profile's file, or the name of a profile that is part of vips.
  Codes made_by_vips(const std::string& file, const Rendering& rendering = {},
                     const std::string& target = "srgb") const {
    std::vector<std::string> words = {"vips",     "icc_transform", file,
                                      "vips.png", target,          "--embedded"};
    for (const std::string& word : rendering.words_of_vips()) words.push_back(word);
    expect_done(words);
    return codes_of("vips.png");
  }
  // With three values per pixel.
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
  // The file's pixels before any profile is applied.
  Codes stored(const Picture& picture) const {
    expect_done({"vips", "rawsave", picture.file, "stored.raw"});
    const std::string bytes = read_file(folder_ / "stored.raw");
    return {bytes.begin(), bytes.end()};
  }
  static std::size_t pixels_of(const Codes& codes, const Picture& picture) {
    return codes.size() / static_cast<std::size_t>(picture.channels);
  }
  // Light in Rec.709, including values below 0 and above 1.
  Values light_by_lcms2(const Picture& picture) const {
    return light_by_lcms2(picture, {}, rec709_colors);
  }
  // The same by way of Rec.2020, which clips two kinds of colours: paper bluer than white, and
  // colours darker than the black that is compensated for.
  Values light_within_rec2020(const Picture& picture, const Rendering& rendering) const {
    Values wide = light_by_lcms2(picture, rendering, rec2020_colors), light(wide.size());
    for (float& v : wide) v = std::clamp(v, 0.0f, 1.0f);
    const Handle handle(rgb_profile(rec2020_colors, power_curve(1.0)), TYPE_RGB_FLT,
                        Handle::opened(rgb_profile(rec709_colors, power_curve(1.0))), TYPE_RGB_FLT,
                        {}, cmsFLAGS_NOOPTIMIZE);
    handle.run(wide.data(), light.data(), wide.size() / 3);
    return light;
  }
  Values light_by_lcms2(const Picture& picture, const Rendering& rendering,
                        const cmsCIExyYTRIPLE& primaries) const {
    const Codes codes = stored(picture);
    const std::size_t pixels = pixels_of(codes, picture);
    const cmsUInt32Number types[] = {0, TYPE_GRAY_FLT, 0, TYPE_RGB_FLT, TYPE_CMYK_FLT};
    const Handle handle(picture.profile, types[picture.channels],
                        Handle::opened(rgb_profile(primaries, power_curve(1.0))), TYPE_RGB_FLT,
                        rendering, cmsFLAGS_NOOPTIMIZE);
    // lcms2 expresses inks in percent.
    const float whole = picture.channels == 4 ? 2.55f : 255.0f;
    Values values, light(3 * pixels);
    for (const std::uint8_t code : codes) values.push_back(static_cast<float>(code) / whole);
    handle.run(values.data(), light.data(), pixels);
    return light;
  }
  // The result for a program that uses lcms2 with default flags.
  Codes tables_of_lcms2(const Picture& picture, const Rendering& rendering = {}) const {
    const Codes codes = stored(picture);
    const std::size_t pixels = pixels_of(codes, picture);
    const cmsUInt32Number types[] = {0, TYPE_GRAY_8, 0, TYPE_RGB_8, TYPE_CMYK_8};
    const Handle handle(picture.profile, types[picture.channels], cmsCreate_sRGBProfile(),
                        TYPE_RGB_8, rendering, 0);
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
  // The largest difference in codes. Rounding alone can reach half a code.
  static double distance(const Codes& codes, const Values& light) {
    EXPECT_EQ(codes.size(), light.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(codes.size(), light.size()); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(codes[i]) -
                                           static_cast<double>(srgb_code(light[i]))));
    return largest;
  }
  static Values light_of(const Codes& codes) {
    Values light;
    for (const std::uint8_t code : codes) light.push_back(srgb_light(code));
    return light;
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

  // Writes a PNG, a TIFF and a JPEG of 8 bits.
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
  // Writes a TIFF and a JPEG.
  void make_cmyk(const std::string& name, const ProfileBytes& profile) {
    write_cmyk(name + ".tif", profile);
    expect_done({"vips", "copy", name + ".tif", name + ".jpg[Q=95]"});
    for (const std::string end : {"tif", "jpg"})
      pictures_.push_back({name + "." + end, profile, 4});
  }

  // sRGB with the white of IEC 61966-2-1, as a target for vips.
  std::string srgb_file() const {
    const ProfileBytes bytes = rgb_profile(rec709_colors, srgb_curve(), 2.1);
    return folder_.write("srgb.icc",
                         std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
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
  // The profile of a printing press that is part of vips.
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
  void write_cmyk(const std::string& name, const ProfileBytes& profile) const {
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

}  // namespace cuimg::test

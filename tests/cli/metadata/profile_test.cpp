// SPDX-License-Identifier: Apache-2.0
// Colours that a profile or code points describe, from one file to the next.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "io/made_profiles.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class ProfileOf : public testing::Test {
 protected:
  // Writes a picture of codes with that profile by --raw.
  void write(const std::string& name, const ProfileBytes& profile, int channels = 3,
             PixelType type = PixelType::u8) const {
    Spec spec = spec_of({0, 0, 24, 18}, type, channels);
    spec.color = {Curve::raw, 1.0f, false, {}};
    spec.color.profile = SharedProfile({profile, channels == 1});
    write_image(folder_ / name, noise(spec), *codec_named(name.substr(name.size() - 3)));
  }
  // Writes a picture with a single code in that encoding.
  void write_flat(const std::string& name, const ColorEncoding& color, unsigned code) const {
    Spec spec = spec_of({0, 0, 24, 18}, PixelType::u16, 3);
    spec.color = color;
    Image image(spec);
    for (int y = 0; y < 18; ++y)
      for (int i = 0; i < 3 * 24; ++i)
        reinterpret_cast<std::uint16_t*>(image.row(0, y))[i] = static_cast<std::uint16_t>(code);
    write_image(folder_ / name, image, *codec_named("png"));
  }
  Outcome work(std::vector<std::string> words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    Outcome outcome = run(words, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome;
  }
  Image read(const std::string& name, bool raw = false) const {
    DecodeOptions options;
    options.raw = raw;
    return read_image(folder_ / name, options);
  }
  const TempDir folder_;
};

void expect_same_codes(const Image& a, const Image& b) {
  ASSERT_EQ(a.spec().layers, b.spec().layers);
  for (int y = 0; y < a.spec().data_window.height; ++y)
    EXPECT_EQ(0, std::memcmp(a.row(0, y), b.row(0, y), a.row_bytes(0))) << "row " << y;
}

ProfileBytes profile_of(int kind) {
  if (kind == 0) return rgb_profile(p3_colors, srgb_curve());
  if (kind == 1) return rgb_profile(adobe_colors, power_curve(2.19921875), 2.1);
  return rgb_profile(adobe_colors, sampled_curve(odd_shape), 2.1);
}

TEST_F(ProfileOf, MovedAndScaledPicturesStays) {
  for (int kind = 0; kind < 3; ++kind)
    for (const std::string end : {"png", "tif"})
      for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        SCOPED_TRACE(std::to_string(kind) + end);
        const ProfileBytes profile = profile_of(kind);
        write("in." + end, profile, 3, type);
        for (const bool raw : {false, true}) {
          std::vector<std::string> words = {"flop", "+", "flop", "in." + end, "out." + end};
          if (raw) words.emplace_back("--raw");
          work(words);
          const Image out = read("out." + end);
          ASSERT_TRUE(out.spec().color.profile);
          EXPECT_EQ(out.spec().color.profile->bytes, profile);
          expect_same_codes(out, read("in." + end));
        }
        work({"resize", "--size", "50%", "in." + end, "small." + end});
        ASSERT_TRUE(read("small." + end).spec().color.profile);
        EXPECT_EQ(read("small." + end).spec().color.profile->bytes, profile);
        // Converting to light and back gives the same code.
        work({"exposure", "--stops", "0", "in." + end, "again." + end});
        if (type == PixelType::u8) expect_same_codes(read("again." + end), read("in." + end));
        work({"blur", "--sigma", "0.1", "in." + end, "blurred." + end});
        EXPECT_EQ(read("blurred." + end).spec().color, read("in." + end).spec().color);
      }
}

TEST_F(ProfileOf, LightIsThatOfLcms2) {
  const ProfileBytes linear = rgb_profile(rec709_colors, power_curve(1.0));
  for (int kind = 0; kind < 3; ++kind) {
    const ProfileBytes profile = profile_of(kind);
    write("in.png", profile);
    work({"primaries", "--to", "rec709", "in.png", "out.exr", "--type", "float"});
    const Image in = read("in.png", true), out = read("out.exr");
    cmsHPROFILE from = cmsOpenProfileFromMem(profile.data(), cmsUInt32Number(profile.size()));
    cmsHPROFILE to = cmsOpenProfileFromMem(linear.data(), cmsUInt32Number(linear.size()));
    cmsHTRANSFORM reference = cmsCreateTransform(from, TYPE_RGB_FLT, to, TYPE_RGB_FLT,
                                                 INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);
    for (int y = 0; y < 18; ++y) {
      float codes[3 * 24], light[3 * 24];
      for (int i = 0; i < 3 * 24; ++i)
        codes[i] = static_cast<float>(std::to_integer<int>(in.row(0, y)[i])) / 255.0f;
      cmsDoTransform(reference, codes, light, 24);
      for (int i = 0; i < 3 * 24; ++i)
        ASSERT_NEAR(reinterpret_cast<const float*>(out.row(0, y))[i], light[i], 1e-3f) << kind;
    }
    cmsDeleteTransform(reference);
    cmsCloseProfile(from);
    cmsCloseProfile(to);
  }
}

TEST_F(ProfileOf, GreyPicturesStays) {
  const ProfileBytes profile = grey_profile(sampled_curve(odd_shape));
  write("in.png", profile, 1);
  for (const std::string out : {"out.png", "out.tif", "out.jpg"}) {
    work({"flop", "in.png", out});
    ASSERT_TRUE(read(out).spec().color.profile) << out;
    EXPECT_EQ(read(out).spec().color.profile->bytes, profile);
    EXPECT_EQ(read(out).spec().layers[0].channel_count(), 1);
  }
}

// Other programs cannot use a profile for RGB with grey pixels.
TEST_F(ProfileOf, ColoursBecomesOneForGreyOrNone) {
  const std::vector<std::vector<std::string>> ways = {
      {"grayscale"}, {"channels", "--pick", "Y=R"}, {"grayscale", "--raw"}};
  // The curve of sRGB, a power, and a curve that no formula gives, which becomes sRGB's.
  for (int kind = 0; kind < 3; ++kind)
    for (const std::string from : {"in.jpg", "in.tif"})
      for (const std::string out : {"out.jpg", "out.tif", "out.png"})
        for (const auto& way : ways) {
          write(from, profile_of(kind));
          std::vector<std::string> words = way;
          words.insert(words.end(), {from, out});
          SCOPED_TRACE(std::to_string(kind) + from + out + way.back());
          work(words);
          const bool is_raw = way.back() == "--raw";
          const Spec made = read(out).spec();
          ASSERT_EQ(made.layers[0].channel_count(), 1);
          const bool has_gamma = kind == 1 && !is_raw;
          EXPECT_EQ(made.color.curve, has_gamma ? Curve::gamma : Curve::srgb);
          EXPECT_NEAR(made.color.gamma, has_gamma ? 2.19921875f : 1.0f, 1e-4f);
          EXPECT_EQ(bool(made.color.profile), has_gamma);
          EXPECT_TRUE(!made.color.profile || made.color.profile->grey);
        }
}

TEST_F(ProfileOf, RawValuesIsNotLostSilently) {
  write("in.png", profile_of(0));
  EXPECT_NE(work({"convert", "--raw", "in.png", "out.bmp"}).err.find("profile"), std::string::npos);
  EXPECT_EQ(work({"convert", "--raw", "-q", "in.png", "out.bmp"}).err, "");
  EXPECT_EQ(work({"convert", "in.png", "out.bmp"}).err, "");
}

TEST_F(ProfileOf, PrimariesGoFromFormatToFormat) {
  write("in.png", rgb_profile(rec709_colors, srgb_curve()));
  for (const char* space : {"p3", "rec2020", "ap0", "ap1"}) {
    work({"primaries", "--to", space, "in.png", "light.exr"});
    for (const std::string between : {"light.exr", "a.png", "a.jpg", "a.tif", "b.tif"}) {
      SCOPED_TRACE(space + between);
      if (between[0] != 'l')
        work({"convert", "light.exr", between, "--type", between[0] == 'b' ? "half" : "u8"});
      work({"convert", between, "back.exr"});
      const auto found = read("back.exr").spec().color.primaries;
      ASSERT_TRUE(found);
      EXPECT_TRUE(near(*found, *primaries_named(space), 1e-6f));
    }
  }
}

TEST_F(ProfileOf, PrimariesThatAStageMadeAndAFormatCannotSayAreSaidToBeLost) {
  write_flat("in.png", {Curve::srgb, 1.0f, false, {}}, 30001);
  write_flat("p3.png", {Curve::srgb, 1.0f, false, primaries::p3_d65}, 30001);
  const std::string lost = " cannot store primaries: colours are converted to Rec.709's\n";
  for (const auto& [output, format] : {std::pair{"o.tga", "Truevision TGA"},
                                       {"o.bmp", "Windows BMP"},
                                       {"o.ppm", "PPM"},
                                       {"o.pam", "PAM"},
                                       {"o.pfm", "Portable float map"}}) {
    EXPECT_EQ(work({"primaries", "--to", "p3", "in.png", output}).err,
              std::string("cuimg: in.png: ") + format + lost);
    EXPECT_EQ(work({"primaries", "--to", "p3", "-q", "in.png", output}).err, "");
    // Colours in such a file look as they did, and a stage may request Rec.709.
    EXPECT_EQ(work({"convert", "p3.png", output}).err, "");
    EXPECT_EQ(work({"exposure", "--stops", "-1", "p3.png", output}).err, "");
    EXPECT_EQ(work({"primaries", "--to", "rec709", "p3.png", output}).err, "");
  }
  for (const char* output : {"o.png", "o.jpg", "o.tif", "o.exr", "o.hdr"})
    EXPECT_EQ(work({"primaries", "--to", "p3", "in.png", output}).err, "") << output;
}

TEST_F(ProfileOf, PqAndHlgAreLightAndStayWhatTheyAre) {
  for (const bool pq : {true, false}) {
    const ColorTag tag{pq ? CurveCode::pq : CurveCode::hlg, 1.0f, primaries::rec2020};
    write_flat("in.png", {Curve::raw, 1.0f, false, {}, false, tag}, 65535);
    work({"convert", "in.png", "out.exr", "--type", "float"});
    const float white = reinterpret_cast<const float*>(read("out.exr").row(0, 0))[0];
    EXPECT_NEAR(white, pq ? 100.0f : 1.0f, pq ? 1e-3f : 1e-6f);
    EXPECT_EQ(read("out.exr").spec().color.primaries, primaries::rec2020);
    write_flat("grey.png", {Curve::raw, 1.0f, false, {}, false, tag}, 30001);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"flop"}, {"resize", "--size", "50%"}, {"exposure"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"grey.png", "made.png"});
      work(all);
      const Image made = read("made.png");
      EXPECT_EQ(made.spec().color, read("grey.png").spec().color);
      EXPECT_EQ(reinterpret_cast<const std::uint16_t*>(made.row(0, 3))[7], 30001);
    }
    // After tonemap the values are in a display's range, so they are no longer HDR.
    work({"tonemap", "in.png", "shown.png"});
    EXPECT_EQ(read("shown.png").spec().color.curve, Curve::srgb);
    for (const std::string lesser : {"out.jpg", "out.tif"}) {
      const std::string said = work({"convert", "in.png", lesser}).err;
      EXPECT_NE(said.find(pq ? "cannot say PQ" : "cannot say HLG"), std::string::npos) << said;
      EXPECT_EQ(read(lesser).spec().color.curve, Curve::srgb);
    }
    EXPECT_EQ(work({"convert", "in.png", "out.png"}).err, "");
  }
  EXPECT_NE(work({"encode", "--curve", "pq", "out.exr", "out.jpg"}).err.find("PQ"),
            std::string::npos);
  EXPECT_EQ(work({"encode", "--curve", "pq", "out.exr", "out.png"}).err, "");
}

TEST_F(ProfileOf, APictureThatMeansNothingIsSaidWithoutBeingAsked) {
  const ProfileBytes junk(200, std::byte{'j'});
  for (const std::string name : {"bad.jpg", "bad.tif"}) {
    write(name, junk);
    const std::string line = "cuimg: " + name + ": ICC profile is malformed; sRGB is assumed\n";
    EXPECT_EQ(work({"flip", name, "o.png"}).err, line);
    EXPECT_EQ(work({"checksum", name}).err, line);
    EXPECT_EQ(work({"flip", "--raw", name, "o.png"}).err, "");
  }
  write("good.tif", profile_of(0));
  EXPECT_EQ(work({"flip", "good.tif", "o.png"}).err, "");
}

}  // namespace
}  // namespace cuimg::test

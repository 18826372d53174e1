// SPDX-License-Identifier: Apache-2.0
// Every code of a grey profile, and a dense grid of those of a colour profile, against vips and
// against the profile's own numbers. The sRGB profile of vips was made for a white of 6504 K
// instead of D65 as in IEC 61966-2-1: its green is off by 0.0002, which changes a few dark codes of
// saturated colours by one more. So vips is given a correct profile to convert to.
#include "cli/peers/vips_pictures.h"

namespace cuimg::test {
namespace {

class VipsEveryColor : public Vips {
 protected:
  template <class T>
  void write(const std::string& name, const ProfileBytes& profile, int rows, int channels,
             const std::vector<T>& codes) const {
    const int columns = static_cast<int>(codes.size()) / (rows * channels);
    const PixelType type = sizeof(T) == 1 ? PixelType::u8 : PixelType::u16;
    Spec spec = spec_of({0, 0, columns, rows}, type, channels);
    spec.color = {Curve::raw, 1.0f, false, {}};
    spec.color.profile = SharedProfile({profile, channels == 1});
    Image image(spec);
    const std::size_t row = static_cast<std::size_t>(columns * channels);
    for (int y = 0; y < rows; ++y)
      std::memcpy(image.row(0, y), &codes[static_cast<std::size_t>(y) * row], row * sizeof(T));
    write_image(folder_ / name, image, *codec_named("tif"));
  }
  // All pairs of red and green, every 51st blue. With more, this process would need so much memory
  // that wait4() would report it for programs which other tests start.
  static Codes grid() {
    Codes codes;
    for (int blue = 0; blue < 256; blue += 51)
      for (int red = 0; red < 256; ++red)
        for (int green = 0; green < 256; ++green)
          for (const int v : {red, green, blue}) codes.push_back(static_cast<std::uint8_t>(v));
    return codes;
  }
  static double code_of_grey(double code, double gamma) {
    const double light = std::pow(code, gamma);
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  }
};

TEST_F(VipsEveryColor, OfRgbProfilesIsWithinOneCode) {
  for (const auto& [name, profile] :
       {std::pair{"p3.tif", rgb_profile(p3_colors, srgb_curve())},
        {"adobe.tif", rgb_profile(adobe_colors, power_curve(2.19921875), 2.1)}}) {
    SCOPED_TRACE(name);
    write(name, profile, 512, 3, grid());
    const Picture picture{name, profile, 3};
    const Codes own = made_by_cuimg({}, picture);
    EXPECT_LE(distance(own, made_by_vips(name, {}, srgb_file())), 1);
    EXPECT_LE(distance(own, light_by_lcms2(picture)), 0.75);  // in codes; rounding alone is 0.5
  }
}

TEST_F(VipsEveryColor, OfGreyProfilesIsWithinOneCode) {
  Codes codes;
  for (int i = 0; i < 256; ++i) codes.push_back(static_cast<std::uint8_t>(i));
  for (const double gamma : {1.8, 2.2, 2.4}) {
    SCOPED_TRACE(gamma);
    const ProfileBytes profile = grey_profile(power_curve(gamma));
    write("grey.tif", profile, 16, 1, codes);
    const Codes own = made_by_cuimg({}, {"grey.tif", profile, 1});
    EXPECT_LE(distance(own, made_by_vips("grey.tif")), 1);
    for (std::size_t i = 0; i < 256; ++i)
      EXPECT_LE(std::abs(own[3 * i] - 255 * code_of_grey(static_cast<double>(i) / 255, gamma)),
                0.51);
  }
}

// vips differs by hundreds of these codes, because lcms2 uses tables of 4096 entries.
TEST_F(VipsEveryColor, OfGreyProfilesIsTheProfilesInSixteenBits) {
  std::vector<std::uint16_t> codes;
  for (int i = 0; i < 65536; ++i) codes.push_back(static_cast<std::uint16_t>(i));
  for (const double gamma : {1.8, 2.2}) {
    SCOPED_TRACE(gamma);
    write("grey.tif", grey_profile(power_curve(gamma)), 256, 1, codes);
    expect_done({CUIMG_PROGRAM, "exposure", "--stops", "0", "-q", "grey.tif", "own.ppm"});
    const Image own = read_image(folder_ / "own.ppm", {.raw = true});
    double farthest = 0;
    for (int i = 0; i < 65536; ++i)
      farthest = std::max(farthest, std::abs(value_at<std::uint16_t>(own, i % 256, i / 256, 0) -
                                             65535 * code_of_grey(i / 65535.0, gamma)));
    EXPECT_LE(farthest, 0.6);
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// EXIF's statements about the pixels follow changes of them: colours, resolution.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "io/made_profiles.h"
#include "io/tags/exif_block.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr std::uint16_t color_space = 0xa001, index_tag = 0x0001;

class ExifOfPixels : public ProgramFolder {
 protected:
  // @param profile empty for sRGB without a profile.
  void write(const std::string& name, const ProfileBytes& profile, std::uint32_t space,
             const std::string& index) const {
    Spec spec = spec_of({0, 0, 24, 18}, PixelType::u8, 3);
    if (!profile.empty()) {
      spec.color = {Curve::raw, 1.0f, false, {}};
      spec.color.profile = SharedProfile({profile, false});
    }
    ExifBlock block;
    block.set_numbers(ExifDirectory::camera, color_space, TiffType::u16, {space});
    block.set_text(ExifDirectory::interop, index_tag, index);
    spec.metadata["exif"] = block.bytes();
    write_image(folder_ / name, noise(spec), *codec_named("jpg"));
  }
  // Returns colour space and interoperability: "1 R98".
  std::string colors_of(const std::string& name) const {
    const Metadata metadata = read_image(folder_ / name).spec().metadata;
    const ExifBlock block(std::get<Blob>(metadata.at("exif")));
    const auto space = block.find(ExifDirectory::camera, color_space);
    const auto index = block.find(ExifDirectory::interop, index_tag);
    return (space ? std::to_string(static_cast<int>(block.numbers(*space)[0])) : "none") +
           (index ? " " + ExifBlock::text(*index) : "");
  }
  std::string colors_after(std::vector<std::string> words, const std::string& out) const {
    words.insert(words.end(), {"in.jpg", out});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return colors_of(out);
  }
  const ProfileBytes adobe_ = rgb_profile(adobe_colors, power_curve(2.19921875), 2.1);
};

TEST_F(ExifOfPixels, SaysTheColoursThatTheyHave) {
  write("in.jpg", adobe_, 0xffff, "R03");
  for (const std::string out : {"out.jpg", "out.png", "out.tif"}) {
    EXPECT_EQ(colors_after({"flop", "+", "exposure", "--stops", "0.1"}, out), "65535 R03") << out;
    EXPECT_EQ(colors_after({"primaries", "--to", "srgb", "+", "encode", "--curve", "srgb"}, out),
              "1 R98")
        << out;
    EXPECT_EQ(colors_after({"blur", "--icc", "tables"}, out), "1 R98") << out;
    EXPECT_EQ(colors_after({"primaries", "--to", "p3"}, out), "65535") << out;
  }
  write("in.jpg", {}, 1, "R98");
  EXPECT_EQ(colors_after({"blur"}, "out.jpg"), "1 R98");
  EXPECT_EQ(colors_after({"primaries", "--to", "p3"}, "out.jpg"), "65535");
  // From sRGB to light, and back to sRGB.
  ASSERT_EQ(cuimg({"convert", "in.jpg", "light.exr"}).exit, 0);
  EXPECT_EQ(colors_of("light.exr").substr(0, 5), "65535");
  ASSERT_EQ(cuimg({"convert", "light.exr", "in.jpg"}).exit, 0);
  EXPECT_EQ(colors_of("in.jpg").substr(0, 1), "1");
}

// Cameras may write this without a profile, and other programs may depend on it.
TEST_F(ExifOfPixels, StaysWhatItWasWhereColoursStay) {
  write("in.jpg", {}, 0xffff, "R03");
  EXPECT_EQ(colors_after({"blur"}, "out.jpg"), "65535 R03");
  EXPECT_EQ(colors_after({"convert"}, "out.jpg"), "65535 R03");
  EXPECT_EQ(colors_after({"rotate90"}, "out.jpg"), "65535 R03");
  EXPECT_EQ(colors_after({"convert", "--set", "exif:ColorSpace=1"}, "out.jpg"), "1 R03");
  write("in.jpg", table_profile(false), 0xffff, "R03");
  EXPECT_EQ(colors_after({"convert", "--set", "Author=Me"}, "out.jpg"), "65535 R03");
}

TEST_F(ExifOfPixels, ResolutionIsSetByTheEntryOfThePicture) {
  write("in.jpg", {}, 1, "R98");
  for (const std::string name : {"XResolution", "YResolution", "ResolutionUnit"}) {
    const Outcome outcome = cuimg({"convert", "--set", "exif:" + name + "=300", "in.jpg", "o.jpg"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("xDensity"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Pictures with ICC profiles compared with vips, where it is installed, and with lcms2, which both
// vips and cuimg use. vips makes lcms2 compute tables of 8 and 16 bits first, as cuimg does for
// CMYK. With those, dark colours can be off by up to a dozen codes: with --icc exact cuimg is
// compared with the profiles themselves.
#include "cli/peers/vips_pictures.h"

namespace cuimg::test {
namespace {

TEST_F(Vips, ConvertsColoursAlikeWithinOneCode) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_cuimg({}, picture), vips = made_by_vips(picture.file);
    EXPECT_LE(distance(made_exactly({}, picture), light_by_lcms2(picture)), 1);
    EXPECT_LE(distance(vips, tables_of_lcms2(picture)), 1);
    EXPECT_LE(distance(own, vips), 1);
    RecordProperty(picture.file, distance(own, vips));
  }
}

TEST_F(Vips, ResizesLightAlikeWithinOneCode) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_cuimg({"resize", "--size", "50%"}, picture);
    // For CMYK the colours before resizing equal those of vips within one code, as tested above.
    const Values light =
        picture.channels == 4 ? light_of(made_by_cuimg({}, picture)) : light_by_lcms2(picture);
    EXPECT_LE(distance(own, resized_by_vips(light)), 1);
    EXPECT_LE(distance(made_exactly({"resize", "--size", "50%"}, picture),
                       resized_by_vips(light_by_lcms2(picture))),
              1);
  }
}

TEST_F(Vips, FlopsTheSameCodes) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    expect_done({"vips", "flip", picture.file, "vips.tif", "horizontal"});
    if (picture.channels == 4) {  // cuimg converts them to colours
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

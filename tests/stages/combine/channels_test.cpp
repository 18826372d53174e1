// SPDX-License-Identifier: Apache-2.0
// Picking, renaming, reordering and filling channels.
#include <limits>

#include "stages/combine/combine_fixture.h"
#include "support/images.h"
#include "support/oiiotool.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Names = std::vector<std::string>;

// Channel c of layer l is 10 l + c + 1 everywhere; ids likewise.
Image layered() {
  Spec spec = spec_of({3, 4, 5, 6}, PixelType::f32, 4);
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::half});
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  return image_of(spec, [](int l, int, int, int c) { return 10 * l + c + 1; });
}

float half_at(const Image& image, int layer, int channel) {
  const auto* const row = reinterpret_cast<const Half*>(image.row(layer, 4));
  return half_to_float(row[channel]);
}

std::string refusal(const std::string& words, const Image& image) {
  return error_of([&] { run_chain("channels --pick " + words, image); });
}

TEST(Channels, AreKeptReorderedAndRenamed) {
  const Image swapped = run_chain("channels --pick R=B,G,B=R", layered());
  ASSERT_EQ(swapped.spec().layers.size(), 1u);
  EXPECT_EQ(swapped.spec().layers[0].channels, (Names{"R", "G", "B"}));
  EXPECT_EQ(value_at(swapped, 3, 4, 0), 3);
  EXPECT_EQ(value_at(swapped, 3, 4, 1), 2);
  EXPECT_EQ(value_at(swapped, 7, 9, 2), 1);
  EXPECT_EQ(swapped.spec().data_window, (Rect{3, 4, 5, 6}));
  // The same channels in another order are the same picture.
  EXPECT_TRUE(same_pixels(run_chain("channels --pick B,G,R", layered()),
                          run_chain("channels --pick R,G,B", layered())));
}

TEST(Channels, ColoursOfAGreyPictureAreItsGrey) {
  const Image grey =
      image_of(spec_of({0, 0, 5, 6}, PixelType::f32, 2), [](int, int x, int y, int c) {
        return c == 0 ? 10.0f * static_cast<float>(x) + static_cast<float>(y) : 200.0f;
      });
  const Image color = run_chain("channels --pick R,G,B", grey);
  EXPECT_EQ(color.spec().layers[0].channels, (Names{"R", "G", "B"}));
  for (int c = 0; c < 3; ++c) EXPECT_EQ(value_at(color, 3, 4, c), 34) << c;
  EXPECT_EQ(run_chain("channels --pick Y=R,A", grey).spec().layers[0].channels, (Names{"Y", "A"}));
  // In a picture with colours, a missing colour stays missing.
  Spec red = spec_of({0, 0, 5, 6}, PixelType::f32, 2);
  red.layers[0].channels = {"R", "B"};
  EXPECT_TRUE(has(refusal("R,G", flat(red, 1)), "no channel G: it has R, B"));
}

TEST(Channels, MakeEverySetOfALayerAndConstants) {
  const Image opaque = run_chain("channels --pick R,G,B,A=1", layered());
  EXPECT_EQ(opaque.spec().layers[0].channels, (Names{"R", "G", "B", "A"}));
  EXPECT_EQ(value_at(opaque, 3, 4, 3), 1);
  const Image grey = run_chain("channels --pick Y=A", layered());
  EXPECT_EQ(grey.spec().layers[0].channels, (Names{"Y"}));
  EXPECT_EQ(value_at(grey, 5, 5, 0), 4);
  EXPECT_EQ(run_chain("channels --pick Y=G,A", layered()).spec().layers[0].channels,
            (Names{"Y", "A"}));
  const Image constant = run_chain("channels --pick R=0.25,G=-2,B=1e3", layered());
  EXPECT_EQ(value_at(constant, 3, 4, 1), -2);
  EXPECT_EQ(value_at(constant, 3, 4, 2), 1000);
}

TEST(Channels, OfLayersGoByNameByLayerAndByNumber) {
  const Image one = run_chain("channels --pick R=diffuse.R,G=diffuse.G,B=diffuse.B", layered());
  ASSERT_EQ(one.spec().layers.size(), 1u);
  EXPECT_EQ(one.spec().layers[0].type, PixelType::half);
  EXPECT_EQ(half_at(one, 0, 2), 13);
  const Image whole = run_chain("channels --pick diffuse", layered());
  EXPECT_EQ(whole.spec().layers[0].name, "diffuse");
  EXPECT_TRUE(same_pixels(run_chain("channels --pick =diffuse", layered()), one));
  const Image renamed = run_chain("channels --pick R,G,B,base.rough=Z,albedo=diffuse", layered());
  ASSERT_EQ(renamed.spec().layers.size(), 3u);
  EXPECT_EQ(renamed.spec().layers[1].full_name(0), "base.rough");
  EXPECT_EQ(renamed.spec().layers[2].full_name(1), "albedo.G");
  EXPECT_TRUE(same_pixels(run_chain("channels --pick 4,5,6", layered()), whole));
}

TEST(Channels, OfALayerWithoutANameGoByWhatItIsCalled) {
  const Image named = run_chain("channels --pick beauty=RGBA", layered());
  ASSERT_EQ(named.spec().layers.size(), 1u);
  EXPECT_EQ(named.spec().layers[0].name, "beauty");
  EXPECT_EQ(named.spec().layers[0].channels, (Names{"R", "G", "B", "A"}));
  EXPECT_EQ(value_at(named, 3, 4, 2), 3);
  EXPECT_TRUE(same_pixels(run_chain("channels --pick RGBA", layered()),
                          run_chain("channels --pick R,G,B,A", layered())));
  EXPECT_TRUE(same_pixels(run_chain("channels --pick =RGBA,diffuse", layered()),
                          run_chain("channels --pick R,G,B,A,diffuse", layered())));
}

TEST(Channels, OfSeveralTypesStayApartUnlessTheyAreOneColour) {
  const Image mixed = run_chain("channels --pick R=diffuse.R,G=Z,B=diffuse.B", layered());
  ASSERT_EQ(mixed.spec().layers.size(), 1u);
  EXPECT_EQ(mixed.spec().layers[0].type, PixelType::f32);
  EXPECT_EQ(value_at(mixed, 4, 4, 0), 11);
  EXPECT_EQ(value_at(mixed, 4, 4, 1), 21);
  const Image ids = run_chain("channels --pick R,G,B,object=id", layered());
  ASSERT_EQ(ids.spec().layers.size(), 2u);
  EXPECT_EQ(ids.spec().layers[1].type, PixelType::u32);
  EXPECT_EQ(value_at<std::uint32_t>(ids, 3, 4, 0, 1), 31u);
}

TEST(Channels, KeepTheBitsOfEveryType) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32}) {
    Image image = noise(spec_of({0, 0, 9, 7}, type, 4), 3);
    for (std::size_t i = 0; i < image.row_bytes(0); ++i)
      image.row(0, 3)[i] = static_cast<std::byte>(37 * i);  // includes NaN with payloads
    const Image same = run_chain("channels --pick R,G,B,A", image);
    EXPECT_TRUE(same_pixels(same, image)) << name_of(type);
    const Image there = run_chain("channels --pick a=R,b=G,c=B,d=A", image);
    EXPECT_EQ(there.spec().layers[0].type, type);
    EXPECT_EQ(std::memcmp(there.row(0, 3), image.row(0, 3), image.row_bytes(0)), 0);
  }
}

TEST(Channels, AreWhatOiiotoolMakesOfTheSameList) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not here";
  const Image image = noise(spec_of({0, 0, 9, 7}, PixelType::f32, 4), 4);
  for (const std::string list : {"R,G,B", "R=B,G,B=R,A", "Y=G", "R=0.5,G,B,A=1", "0,1,2", "A"})
    EXPECT_TRUE(same_pixels(run_chain("channels --raw --pick " + list, image),
                            oiiotool(image, {"--ch", list})))
        << list;
}

// The straight colours of an 8-bit picture are its codes, with or without alpha.
TEST(Channels, AreNotMultipliedByAnAlphaThatGoes) {
  const Image image = noise(spec_of({0, 0, 8, 8}, PixelType::u8, 4), 2);
  const Image colors = run_chain("channels --pick R,G,B", image, {.format = "png"});
  for (int x = 0; x < 8; ++x)
    for (int c = 0; c < 3; ++c) ASSERT_EQ(colors.row(0, 5)[3 * x + c], image.row(0, 5)[4 * x + c]);
}

TEST(Channels, ConstantsOfColourAreLightUnlessRaw) {
  const Image image = noise(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 2);
  const auto code = [&](const std::string& words) {
    return std::to_integer<int>(run_chain(words, image).row(0, 0)[0]);
  };
  EXPECT_EQ(code("channels --pick R=0.5,G,B"), 188);  // sRGB's code of half the light
  EXPECT_EQ(code("channels --raw --pick R=0.5,G,B"), 128);
  const Image half = run_chain("channels --pick R,G,B,A=0.5", image);
  EXPECT_EQ(std::to_integer<int>(half.row(0, 0)[3]), 128);
  EXPECT_EQ(half.spec().layers[0].type, PixelType::u8);
}

// A picture of 8 bits of grey in sRGB's curve, as in packed maps.
Spec grey_spec(const Rect& window) {
  Spec spec = spec_of(window, PixelType::u8, 1);
  spec.color = {Curve::srgb, 1, false, {}};
  return spec;
}

Image grey_codes(int first) {
  return image_of(grey_spec({0, 0, 5, 4}), [=](int, int x, int y, int) {
    return static_cast<float>(first + 7 * x + 3 * y) / 255;
  });
}

TEST_F(Combine, ChannelsPackThreeGreyFilesIntoOne) {
  const std::string rough = write("rough.png", grey_codes(40));
  const std::string metal = write("metal.png", grey_codes(90));
  const Image packed = run_chain("channels --pick R=Y,G=with:Y --with " + rough +
                                     " + channels --pick R,G,B=with:Y --with " + metal,
                                 grey_codes(0), {.format = "png"});
  ASSERT_EQ(packed.spec().layers.size(), 1u);
  EXPECT_EQ(packed.spec().layers[0].channels, (Names{"R", "G", "B"}));
  EXPECT_EQ(packed.spec().layers[0].type, PixelType::u8);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      for (int c = 0; c < 3; ++c) {
        const int first[] = {0, 40, 90};
        EXPECT_EQ(std::to_integer<int>(packed.row(0, y)[3 * x + c]), first[c] + 7 * x + 3 * y);
      }
}

TEST_F(Combine, ChannelsTakeAlphaAsItIsStoredAndColoursAsTheyLook) {
  const std::string matte = write("matte.png", flat(grey_spec({0, 0, 1, 1}), 0.2f));
  const auto made = [&](const std::string& words) {
    return at(run_chain(words + " --with " + matte, pixel({1, 2, 3})), 0, 0);
  };
  EXPECT_EQ(made("channels --pick R,G,B,A=with:Y"), (Values{1, 2, 3, 0.2f}));
  const Values color = made("channels --pick R,G=with:G,B");
  EXPECT_EQ(color[0], 1);
  EXPECT_NEAR(color[1], 0.0331048f, 1e-6f);  // the light of sRGB's 0.2
  EXPECT_EQ(made("channels --raw --pick R,G=with:Y,B"), (Values{1, 0.2f, 3}));
  // A channel that is no colour is used unchanged.
  const Image apart =
      run_chain("channels --pick R,G,B,roughness=with:Y --with " + matte, pixel({1, 2, 3}));
  ASSERT_EQ(apart.spec().layers[1].type, PixelType::u8);
  EXPECT_EQ(std::to_integer<int>(apart.row(1, 0)[0]), 51);
}

TEST_F(Combine, ChannelsOfASecondImageGoByNameByLayerAndByNumber) {
  const std::string file = write("second.exr", layered());
  const Image picture = flat(spec_of({3, 4, 5, 6}, PixelType::f32, 3), 0.5f);
  const auto made = [&](const std::string& list) {
    return run_chain("channels --with " + file + " --pick " + list, picture);
  };
  const Image whole = made("R,G,B,with:diffuse,depth=with:Z,object=with:id");
  ASSERT_EQ(whole.spec().layers.size(), 4u);
  EXPECT_EQ(value_at(whole, 3, 4, 0), 0.5f);
  EXPECT_EQ(whole.spec().layers[1].label(), "diffuse");
  EXPECT_EQ(whole.spec().layers[1].type, PixelType::half);
  EXPECT_EQ(half_at(whole, 1, 2), 13);
  EXPECT_EQ(value_at(whole, 7, 9, 0, 2), 21);
  EXPECT_EQ(value_at<std::uint32_t>(whole, 3, 4, 0, 3), 31u);
  EXPECT_TRUE(same_pixels(made("with:RGBA"), run_chain("channels --pick RGBA", layered())));
  EXPECT_TRUE(same_pixels(made("=with:diffuse"), run_chain("channels --pick =diffuse", layered())));
  EXPECT_TRUE(same_pixels(made("with:1,q=with:0"), run_chain("channels --pick G,q=R", layered())));
}

TEST_F(Combine, ChannelsOfThePictureAreMeantBeforeThoseOfASecondImage) {
  Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, 1);
  spec.layers[0].channels = {"with:Y"};
  const std::string file = write("second.exr", pixel({9}));
  const Image made = run_chain("channels --pick Y=with:Y,q=with:0 --with " + file, flat(spec, 4));
  EXPECT_EQ(value_at(made, 0, 0, 0, 0), 4);
  EXPECT_EQ(value_at(made, 0, 0, 0, 1), 9);
}

TEST_F(Combine, ChannelsLieWhereTheSecondImageIsPut) {
  const std::string file = write("second.exr", flat(spec_of({0, 0, 2, 1}, PixelType::f32, 1), 9));
  const std::string pick = "channels --pick R,G,B,A=with:Y --with " + file;
  const Image at_corner = flat(spec_of({0, 0, 5, 4}, PixelType::f32, 3), 1);
  EXPECT_TRUE(has(error_of([&] { run_chain(pick, at_corner); }),
                  "channels: the second image is 2x1 and the picture 5x4"));
  const Image picture = flat(spec_of({10, 20, 5, 4}, PixelType::f32, 3), 1);
  const Image made = run_chain(pick + " --gravity southeast", picture);
  for (int y = 20; y < 24; ++y)
    for (int x = 10; x < 15; ++x)
      EXPECT_EQ(at(made, x, y), (Values{1, 1, 1, x > 12 && y == 23 ? 9.0f : 0.0f}));
  // A data window that is smaller than the display window grows to include the second image's
  // pixels.
  Spec part = spec_of({2, 2, 1, 1}, PixelType::f32, 1);
  part.display_window = {0, 0, 5, 4};
  const std::string full = write("full.exr", flat(spec_of({0, 0, 5, 4}, PixelType::f32, 1), 9));
  const Image grown = run_chain("channels --pick X=Y,A=with:Y --with " + full, flat(part, 1));
  EXPECT_EQ(grown.spec().data_window, (Rect{0, 0, 5, 4}));
  EXPECT_EQ(value_at(grown, 2, 2, 0), 1);
  EXPECT_EQ(value_at(grown, 0, 0, 0), 0);
}

TEST_F(Combine, ChannelsRefuseWhatASecondImageLacks) {
  const std::string file = write("second.exr", pixel({9}));
  const auto problem = [&](const std::string& words) {
    return error_of([&] { run_chain("channels " + words, pixel({1, 2, 3})); });
  };
  EXPECT_EQ(problem("--pick R,G=with:Q --with " + file),
            "channels: --pick G=with:Q: the second image has no channel Q: it has Y");
  EXPECT_EQ(problem("--pick R,G=with:Y"),
            "channels: --pick G=with:Y: the image has no channel with:Y: name the second image by "
            "--with");
  EXPECT_EQ(problem("--pick R,G --with " + file),
            "channels: --with " + file +
                " is given, and --pick takes none of its channels: write with:NAME or "
                "NEW=with:NAME");
  EXPECT_EQ(problem("--pick R --at 1,1"),
            "channels: --at places a second image: give it with --with");
}

TEST(Channels, ThatAreMissingAreAnErrorThatNamesThoseThereAre) {
  const std::string has = "R, G, B, A, diffuse.R, diffuse.G, diffuse.B, Z, id";
  EXPECT_EQ(refusal("R,Q", layered()),
            "channels: --pick Q: the image has no channel Q: it has " + has);
  EXPECT_EQ(
      refusal("difuse.R", layered()),
      "channels: --pick difuse.R: the image has no channel difuse.R: did you mean diffuse.R? It "
      "has " +
          has);
  EXPECT_EQ(refusal("X=specular.R", layered()),
            "channels: --pick X=specular.R: the image has no channel specular.R: it has " + has);
  EXPECT_EQ(refusal("9", layered()),
            "channels: --pick 9: the image has no channel 9: it has " + has);
  EXPECT_EQ(refusal("R=nan", layered()).substr(0, 45),
            "channels: --pick R=nan: the image has no chan");
  EXPECT_EQ(refusal("=1", layered()), "channels: --pick =1 names nothing: write NEW=1");
  EXPECT_EQ(refusal("R,G=R,R", layered()),
            "channels: --pick names R twice: every channel is made once");
  EXPECT_EQ(error_of([] { run_chain("channels", layered()); }),
            "channels: --pick is missing: name the channels to keep, such as R,G,B");
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// --icc, --icc-intent and --icc-black-point: compared with vips and lcms2 where vips is installed,
// and their use on the command line.
#include "cli/peers/vips_pictures.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class IccOptionsVips : public Vips {
 protected:
  void SetUp() override {
    Vips::SetUp();
    if (IsSkipped()) return;
    make("scanner", renderings_profile(false), 3);
    make_cmyk("press", renderings_profile(true));
  }
  // The default rendering is tested in every format, the others in one: another test compares
  // formats.
  static bool is_shown_in(const Rendering& rendering, const Picture& picture) {
    const bool usual = rendering.intent == INTENT_RELATIVE_COLORIMETRIC && !rendering.black_point;
    return usual || picture.file.ends_with(picture.channels == 4 ? ".tif" : ".png");
  }
};

TEST_F(IccOptionsVips, TablesGiveLcms2sCodesAndThoseOfVipsWithinOne) {
  for (const Picture& picture : pictures_)
    for (const Rendering& rendering : renderings()) {
      if (!is_shown_in(rendering, picture)) continue;
      SCOPED_TRACE(picture.file + " " + rendering.intent_name());
      const Codes own = made_by_tables({"convert"}, picture, rendering);
      EXPECT_LE(distance(own, made_by_vips(picture.file, rendering)), 1);
      const bool tinted = rendering.intent == INTENT_ABSOLUTE_COLORIMETRIC;
      if (picture.channels > 1 || tinted)
        EXPECT_EQ(distance(own, tables_of_lcms2(picture, rendering)), 0);
      else  // one channel instead of three
        EXPECT_LE(distance(own, tables_of_lcms2(picture, rendering)), 1);
      const Spec spec = read_image(folder_ / "own.png").spec();
      EXPECT_EQ(spec.layers[0].type, PixelType::u8);
      EXPECT_EQ(spec.layers[0].channel_count(), picture.channels == 1 && !tinted ? 1 : 3);
      EXPECT_EQ(spec.color, (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
    }
}

TEST_F(IccOptionsVips, TablesOfTurnedPicturesAreTurned) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_tables({"flop"}, picture);
    EXPECT_LE(distance(own, mirrored(made_by_vips(picture.file))), 1);
    EXPECT_EQ(own, mirrored(made_by_tables({"convert"}, picture)));
  }
}

TEST_F(IccOptionsVips, TablesAreResizedAsLight) {
  for (const Picture& picture : pictures_) {
    SCOPED_TRACE(picture.file);
    const Codes own = made_by_tables({"resize", "--size", "50%"}, picture);
    // The codes equal those of vips within one, as tested above.
    const Codes converted = made_by_tables({"convert"}, picture);
    EXPECT_LE(distance(own, resized_by_vips(light_of(converted))), 1);
  }
}

TEST_F(IccOptionsVips, ExactColoursAreTheProfilesForEveryIntent) {
  for (const Picture& picture : pictures_)
    for (const Rendering& rendering : renderings()) {
      if (!is_shown_in(rendering, picture)) continue;
      SCOPED_TRACE(picture.file + " " + rendering.intent_name());
      const Codes own = made_exactly({}, picture, rendering);
      EXPECT_LE(distance(own, light_within_rec2020(picture, rendering)), 1);
    }
}

TEST_F(IccOptionsVips, IntentsDifferWhereTheProfileHasSeveral) {
  for (const Picture& picture : pictures_) {
    if (picture.file != "scanner.png" && picture.file != "press.tif") continue;
    SCOPED_TRACE(picture.file);
    std::vector<Codes> made;
    for (const Rendering& rendering : renderings()) {
      made.push_back(made_by_tables({"convert"}, picture, rendering));
      made.push_back(made_exactly({}, picture, rendering));
    }
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t j = i % 2; j < i; j += 2) {
        // lcms2 would need the black of inks on the way back to inks, which this profile lacks.
        const Rendering a = renderings()[i / 2], b = renderings()[j / 2];
        if (picture.channels == 4 && a.intent == b.intent) continue;
        EXPECT_GT(distance(made[i], made[j]), 2) << i << " " << j;
      }
  }
}

TEST_F(IccOptionsVips, BlackPointsAndPaperCountForVipsOwnInks) {
  for (const Picture& picture : pictures_) {
    if (!picture.file.starts_with("cmyk")) continue;
    const Rendering plain, black{INTENT_RELATIVE_COLORIMETRIC, true},
        paper{INTENT_ABSOLUTE_COLORIMETRIC, false};
    for (const Rendering& other : {black, paper}) {
      EXPECT_GT(distance(made_by_tables({"convert"}, picture, plain),
                         made_by_tables({"convert"}, picture, other)),
                2);
      EXPECT_GT(distance(made_exactly({}, picture, plain), made_exactly({}, picture, other)), 2);
    }
  }
}

// Tests that need no other program.
class IccOptions : public ProgramFolder {
 protected:
  void write(const std::string& name, const ProfileBytes& profile) const {
    Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
    spec.color = {Curve::raw, 1.0f, false, {}};
    spec.color.profile = SharedProfile({profile, false});
    write_image(folder_ / name, noise(spec), *codec_named(name.substr(name.size() - 3)));
  }
  void expect_done(const Words& words) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
  }
  void expect_refused(const Words& words, const Words& parts) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    for (const std::string& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }
  Image read(const std::string& name, const IccRendering& icc = {}) const {
    return read_image(folder_ / name, {.icc = icc});
  }
};

constexpr IccRendering by_tables{IccMethod::tables, IccIntent::relative, false};

TEST_F(IccOptions, OfUnknownWordsNameTheChoices) {
  write("a.png", renderings_profile(false));
  expect_refused({"convert", "--icc", "lut", "a.png", "o.png"}, {"--icc lut", "exact", "tables"});
  expect_refused({"convert", "--icc-intent", "colorimetric", "a.png", "o.png"},
                 {"--icc-intent colorimetric", "relative", "perceptual", "saturation", "absolute"});
}

TEST_F(IccOptions, ThatContradictEachOtherAreRefused) {
  write("a.png", renderings_profile(false));
  const Words absolute = {"--icc-intent", "absolute", "--icc-black-point", "a.png"};
  for (const Words& first : {Words{"convert"}, Words{"info"}, Words{"compare", "a.png"}}) {
    Words words = first;
    words.insert(words.end(), absolute.begin(), absolute.end());
    if (first[0] == "convert") words.emplace_back("o.png");
    expect_refused(words, {"--icc-black-point", "absolute"});
  }
  for (const Words& option :
       {Words{"--icc=tables"}, Words{"--icc-intent=saturation"}, Words{"--icc-black-point"}})
    expect_refused({"convert", "--raw", option[0], "a.png", "o.png"}, {"--raw", "ICC"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o.png"));
}

TEST_F(IccOptions, AreWrittenInRecipesToo) {
  write("a.png", renderings_profile(false));
  folder_.write("r.txt", "convert --icc tables --icc-intent saturation\n");
  expect_done({"@r.txt", "a.png", "o.png"});
  const Image made = read("o.png");
  EXPECT_EQ(made.spec().layers[0].type, PixelType::u8);
  EXPECT_TRUE(same_pixels(made, read("a.png", {IccMethod::tables, IccIntent::saturation, false})));
}

TEST_F(IccOptions, HoldForSecondImages) {
  write("a.png", renderings_profile(false));
  write("b.png", rgb_profile(adobe_colors, power_curve(2.2)));
  expect_done({"over", "--with", "a.png", "--icc", "tables", "b.png", "o.png"});
  EXPECT_TRUE(same_pixels(read("o.png"), read("a.png", by_tables)));  // the picture is opaque
}

TEST_F(IccOptions, MakeExistingOutputsAnew) {
  write("a.png", renderings_profile(false));
  const auto made_with = [&](const Words& options) {
    Words words = {"flip", "--skip-existing", "a.png", "-o", "o.tif"};
    words.insert(words.end(), options.begin(), options.end());
    expect_done(words);
    return read_file(folder_ / "o.tif");
  };
  std::vector<std::string> made;
  for (const Words& options :
       {Words{}, Words{"--icc=tables"}, Words{"--icc-intent=perceptual"},
        Words{"--icc-black-point"}, Words{"--icc=tables", "--icc-intent=saturation"}}) {
    made.push_back(made_with(options));
    EXPECT_EQ(std::ranges::count(made, made.back()), 1);
    const auto time = std::filesystem::last_write_time(folder_ / "o.tif");
    made_with(options);
    EXPECT_EQ(std::filesystem::last_write_time(folder_ / "o.tif"), time);
  }
}

TEST_F(IccOptions, TurnAJpegsPixelsWhereItsProfileIsUsedUp) {
  write("a.jpg", rgb_profile(p3_colors, srgb_curve()));
  expect_done({"flop", "a.jpg", "kept.jpg"});
  EXPECT_TRUE(read("kept.jpg").spec().color.profile);
  expect_done({"flop", "--icc-intent", "perceptual", "a.jpg", "same.jpg"});
  EXPECT_EQ(read_file(folder_ / "same.jpg"), read_file(folder_ / "kept.jpg"));
  expect_done({"flop", "--icc", "tables", "a.jpg", "made.jpg"});
  EXPECT_FALSE(read("made.jpg").spec().color.profile);
  expect_done({"convert", "--icc", "tables", "a.jpg", "a.png"});
  expect_done({"flop", "a.png", "again.jpg"});
  EXPECT_TRUE(same_pixels(read("made.jpg"), read("again.jpg")));
}

TEST_F(IccOptions, ShowInWhatCommandsSayOfAFile) {
  write("a.png", renderings_profile(false));
  const auto info = [&](const Words& options) {
    Words words = {"info", "a.png"};
    words.insert(words.end(), options.begin(), options.end());
    return cuimg(words).out;
  };
  EXPECT_NE(info({}).find("u16"), std::string::npos) << info({});
  EXPECT_EQ(info({"--icc", "tables"}).find("u16"), std::string::npos) << info({"--icc", "tables"});
  expect_done({"convert", "--icc", "tables", "a.png", "o.png"});
  EXPECT_EQ(cuimg({"compare", "--icc", "tables", "a.png", "o.png"}).exit, 0);
  EXPECT_EQ(cuimg({"compare", "a.png", "o.png"}).exit, 1);
}

}  // namespace
}  // namespace cuimg::test

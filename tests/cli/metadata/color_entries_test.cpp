// SPDX-License-Identifier: Apache-2.0
// Entries of an EXR that describe its colours: read if chromaticities are absent, and left out if
// they are no longer true.
#include "image/color_interop.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;
using Names = std::set<std::string>;

const Names all = {"acesImageContainerFlag", "adoptedNeutral", "colorInteropID"};

class ColorEntries : public ProgramFolder {
 protected:
  void write(const std::string& name, const std::string& id,
             const std::optional<Chromaticities>& primaries) const {
    Spec spec = spec_of({0, 0, 12, 9}, PixelType::half, 3);
    spec.color.primaries = primaries;
    spec.metadata = {{"acesImageContainerFlag", std::int64_t{1}},
                     {"adoptedNeutral", std::vector<double>{0.32168, 0.33767}}};
    if (!id.empty()) spec.metadata["colorInteropID"] = id;
    write_image(folder_ / name, noise(spec), *codec_named("exr"), {.compression = "none"});
  }
  Spec read(const std::string& name) const { return read_image(folder_ / name).spec(); }

  // The entries that the output still has.
  Names left_by(Words words) const {
    words.insert(words.end(), {"in.exr", "out.exr"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    Names names;
    for (const auto& [key, value] : read("out.exr").metadata)
      if (all.contains(key)) names.insert(key);
    return names;
  }
};

TEST_F(ColorEntries, AnInteropIdSaysThePrimariesWhereChromaticitiesDoNot) {
  const std::map<std::string, std::optional<Chromaticities>> ids = {
      {"lin_rec709_scene", primaries::rec709},
      {"lin_p3d65_scene", primaries::p3_d65},
      {"lin_rec2020_scene", primaries::rec2020},
      {"lin_ap0_scene", primaries::aces_ap0},
      {"lin_ap1_scene", primaries::aces_ap1},
      {"lin_adobergb_scene", Chromaticities{0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f}},
      {"srgb_ap1_scene", std::nullopt},
      {"data", std::nullopt},
      {"", std::nullopt}};
  for (const auto& [id, primaries] : ids) {
    write("in.exr", id, std::nullopt);
    EXPECT_EQ(read("in.exr").color.primaries, primaries) << id;
    write("stated.exr", "", primaries);
    for (const std::string name : {"in", "stated"})
      expect_made({"primaries", "--to", "rec2020", name + ".exr", name + "_out.exr"});
    EXPECT_TRUE(
        same_pixels(read_image(folder_ / "in_out.exr"), read_image(folder_ / "stated_out.exr")))
        << id;
    const Outcome info = cuimg({"info", "in.exr"});
    EXPECT_EQ(info.out.find("Rec.709 assumed") == std::string::npos, primaries.has_value()) << id;
  }
  write("in.exr", "lin_ap1_scene", primaries::rec2020);
  EXPECT_EQ(read("in.exr").color.primaries, primaries::rec2020);
  DecodeOptions raw;
  raw.raw = true;
  write("in.exr", "lin_ap1_scene", std::nullopt);
  EXPECT_EQ(read_image(folder_ / "in.exr", raw).spec().color.primaries, std::nullopt);
}

TEST_F(ColorEntries, ThoseThatStayTrueAreKept) {
  write("in.exr", "lin_ap0_scene", primaries::aces_ap0);
  EXPECT_EQ(left_by({"convert"}), all);
  EXPECT_EQ(left_by({"exposure", "--stops", "1"}), all);
  EXPECT_EQ(left_by({"resize", "--size", "50%"}), all);
  EXPECT_EQ(left_by({"primaries", "--to", "ap0"}), all);
  EXPECT_EQ(left_by({"convert", "--metadata", "strip"}),
            (Names{"adoptedNeutral", "colorInteropID"}));
}

TEST_F(ColorEntries, ThoseThatStagesMakeFalseAreLeftOut) {
  write("in.exr", "lin_ap0_scene", primaries::aces_ap0);
  EXPECT_EQ(left_by({"primaries", "--to", "rec709"}), Names{});
  EXPECT_EQ(left_by({"tonemap"}), Names{});
  // AP1 has the white of ACES.
  EXPECT_EQ(left_by({"primaries", "--to", "ap1"}), Names{"adoptedNeutral"});
  EXPECT_EQ(left_by({"encode", "--curve", "srgb"}), Names{"adoptedNeutral"});
  const Outcome outcome = cuimg({"primaries", "--to", "rec709", "-v", "in.exr", "out.exr"});
  for (const std::string& name : all)
    EXPECT_NE(outcome.err.find(name + " is left out: "), std::string::npos) << outcome.err;
}

TEST_F(ColorEntries, AContainerOfAcesIsHalfAndUncompressed) {
  write("in.exr", "lin_ap0_scene", primaries::aces_ap0);
  const Names others = {"adoptedNeutral", "colorInteropID"};
  EXPECT_EQ(left_by({"convert", "--type", "float"}), others);
  EXPECT_EQ(left_by({"convert", "--compression", "zip"}), others);
  EXPECT_EQ(left_by({"mip"}), others);
  EXPECT_EQ(left_by({"convert", "--compression", "zip", "--set", "acesImageContainerFlag=1"}), all);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// PNG's mDCV and cLLI, on the light for which a picture was graded: kept as long as they are true.
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;
using Names = std::set<std::string>;

const Names both = {"mDCV", "cLLI"};

class GradedLight : public ProgramFolder {
 protected:
  GradedLight() {
    Spec spec = spec_of({0, 0, 12, 9}, PixelType::u16, 3);
    spec.color = {Curve::pq, 1.0f, false, {primaries::rec2020}};
    spec.metadata = {{"mDCV", std::vector<double>{0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127,
                                                  0.329, 1000, 0.0001}},
                     {"cLLI", std::vector<double>{812.5, 101.25}}};
    write_image(folder_ / "in.png", noise(spec), *codec_named("png"));
  }

  // The entries that the output has with the input's values. A warning names the others.
  Names left_by(Words words, const std::string& output = "out.png") const {
    words.insert(words.end(), {"in.png", output});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Metadata before = read_image(folder_ / "in.png").spec().metadata;
    const Metadata after = read_image(folder_ / output).spec().metadata;
    Names names;
    for (const auto& [key, value] : after)
      if (both.contains(key) && before.at(key) == value) names.insert(key);
    const std::size_t colon = outcome.err.find(": left out, since ");
    EXPECT_EQ(colon == std::string::npos, names == both) << outcome.err;
    for (const std::string& name : both)
      EXPECT_EQ(outcome.err.find(name) == std::string::npos, names.contains(name)) << outcome.err;
    return names;
  }
};

TEST_F(GradedLight, StaysWhilePixelsKeepValuesAndEncoding) {
  EXPECT_EQ(left_by({"convert"}), both);
  EXPECT_EQ(left_by({"flip", "+", "rotate90"}), both);
  EXPECT_EQ(left_by({"convert", "--raw"}), both);
  EXPECT_EQ(left_by({"convert", "--metadata", "strip"}), both);
  EXPECT_EQ(left_by({"convert", "--metadata", "private"}), both);
  const Outcome info = cuimg({"info", "in.png"});
  for (const char* const text : {"mDCV", "0.708", "1000", "cLLI", "812.5"})
    EXPECT_NE(info.out.find(text), std::string::npos) << info.out;
}

TEST_F(GradedLight, OfACutPictureOnlyTheDisplayStays) {
  EXPECT_EQ(left_by({"cut", "--region", "4x4+1+1"}), Names{"mDCV"});
  EXPECT_EQ(left_by({"crop", "--region", "4x4+1+1"}), Names{"mDCV"});
  EXPECT_EQ(left_by({"pad", "--left", "2"}), Names{"mDCV"});
}

TEST_F(GradedLight, IsLeftOutWithAWarningIfStagesChangeIt) {
  for (const Words& words : std::vector<Words>{{"exposure", "--stops", "1"},
                                               {"blur"},
                                               {"resize", "--size", "50%"},
                                               {"channels", "--pick", "R=B,G,B=R"},
                                               {"append", "--with", "in.png"},
                                               {"primaries", "--to", "rec709"},
                                               {"tonemap"}})
    EXPECT_EQ(left_by(words), Names{}) << words.front();
  EXPECT_EQ(left_by({"convert"}, "out.exr"), Names{}) << "linear light";
}

}  // namespace
}  // namespace cuimg::test

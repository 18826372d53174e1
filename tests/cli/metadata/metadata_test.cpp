// SPDX-License-Identifier: Apache-2.0
// A file's statements about its pixels, from one file to the next.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class MetadataOf : public testing::Test {
 protected:
  // Writes a picture of bytes in that encoding.
  void write(const std::string& name, const Spec& spec) const {
    write_image(folder_ / name, noise(spec), *codec_named("png"));
  }
  static Spec bytes_in(const ColorEncoding& color) {
    Spec spec = spec_of({0, 0, 8, 6}, PixelType::u8, 3);
    spec.color = color;
    return spec;
  }
  Image made(std::vector<std::string> words, const std::string& output,
             const DecodeOptions& options = {}) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    words.push_back(output);
    const Outcome outcome = run(words, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_image(folder_ / output, options);
  }
  const TempDir folder_;
};

void expect_same_values(const Image& a, const Image& b) {
  ASSERT_EQ(a.spec().layers, b.spec().layers);
  for (int y = 0; y < a.spec().data_window.height; ++y)
    EXPECT_EQ(0, std::memcmp(a.row(0, y), b.row(0, y), a.row_bytes(0))) << "row " << y;
}

TEST_F(MetadataOf, PngKeepsItsCurveAndPrimariesAndSoItsValues) {
  for (const ColorEncoding& color :
       {ColorEncoding{Curve::gamma, 2.2f, false, {}},
        ColorEncoding{Curve::gamma, 1.8f, false, primaries::p3_d65},
        ColorEncoding{Curve::linear, 1.0f, false, primaries::rec2020},
        ColorEncoding{Curve::srgb, 1.0f, false, primaries::p3_d65},
        ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020, false,
                      ColorTag{CurveCode::pq, 1.0f, primaries::rec2020}}}) {
    write("in.png", bytes_in(color));
    const Image in = read_image(folder_ / "in.png");
    const Image twice = made({"flip", "+", "flip", "in.png"}, "out.png");
    EXPECT_EQ(twice.spec().color, in.spec().color);
    expect_same_values(twice, in);
    const Image raw = made({"convert", "--raw", "in.png"}, "raw.png");
    EXPECT_EQ(raw.spec().color, in.spec().color);
    expect_same_values(raw, in);
    EXPECT_EQ(made({"exposure", "--stops", "0.5", "in.png"}, "brighter.png").spec().color,
              in.spec().color);
    // A JPEG stores it as a profile, except for PQ.
    const ColorEncoding jpeg = made({"flip", "in.png"}, "out.jpg").spec().color;
    EXPECT_EQ(jpeg.curve, color.tag ? Curve::srgb : color.curve);
    EXPECT_NEAR(jpeg.gamma, color.gamma, 1e-4f);
    EXPECT_EQ(jpeg.primaries.value_or(Chromaticities{}),
              color.primaries.value_or(Chromaticities{}));
  }
}

TEST_F(MetadataOf, PngSaysWhatEncodeHasMade) {
  write("in.png", bytes_in({Curve::srgb, 1.0f, false, {}}));
  EXPECT_EQ(made({"primaries", "--to", "p3", "+", "encode", "in.png"}, "p3.png").spec().color,
            (ColorEncoding{Curve::srgb, 1.0f, false, primaries::p3_d65}));
  const ColorEncoding pq{Curve::pq, 1.0f,
                         false,     primaries::rec2020,
                         false,     ColorTag{CurveCode::pq, 1.0f, primaries::rec2020}};
  for (const std::string curve : {"pq", "st2084"})
    EXPECT_EQ(made({"primaries", "--to", "rec2020", "+", "encode", "--curve", curve, "+", "gain",
                    "--value", "0.5", "in.png"},
                   "pq.png")
                  .spec()
                  .color,
              pq);
  // After decode the values are light again, which the input's sRGB can represent.
  made({"primaries", "--to", "rec2020", "+", "encode", "--curve", "pq", "in.png"}, "pq.png");
  EXPECT_EQ(made({"decode", "--curve", "pq", "pq.png"}, "decoded.png").spec().color,
            (ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020}));
  // Light is written as sRGB, with its own primaries.
  EXPECT_EQ(made({"primaries", "--to", "p3", "in.png"}, "p3.exr").spec().color.primaries,
            primaries::p3_d65);
  EXPECT_EQ(made({"flip", "p3.exr"}, "light.png").spec().color,
            (ColorEncoding{Curve::srgb, 1.0f, false, primaries::p3_d65}));
}

TEST_F(MetadataOf, TurnedPixelsAreDenserTheOtherWay) {
  Spec spec = bytes_in({Curve::srgb, 1.0f, false, {}});
  spec.pixel_aspect = 2;
  spec.metadata["xDensity"] = 100.0;
  write("in.png", spec);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"rotate90"},
                                                {"rotate270"},
                                                {"transpose"},
                                                {"rotate", "--angle", "90", "--expand"},
                                                {"rotate", "--angle", "-90", "--expand"},
                                                {"rotate", "--angle", "630"}}) {
    std::vector<std::string> all = words;
    all.emplace_back("in.png");
    const Spec turned = made(all, "out.png").spec();
    EXPECT_EQ(turned.pixel_aspect, 0.5f) << words.back();
    EXPECT_NEAR(std::get<double>(turned.metadata.at("xDensity")), 200.0, 0.02) << words.back();
  }
  for (const std::string word : {"flip", "rotate180"}) {
    const Spec stays = made({word, "in.png"}, "out.png").spec();
    EXPECT_EQ(stays.pixel_aspect, 2.0f);
    EXPECT_NEAR(std::get<double>(stays.metadata.at("xDensity")), 100.0, 0.02);
  }
}

}  // namespace
}  // namespace cuimg::test

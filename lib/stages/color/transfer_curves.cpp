// SPDX-License-Identifier: Apache-2.0
// Encode and decode: transfer curves that the user names instead of the one that a file implies.
#include "stages/color/curve_list.h"
#include "stages/color/value_words.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/conversion.h"

namespace cuimg {

namespace {

struct CurveOption {
  CurveNumber curve = CurveNumber::srgb;
};

using CurveOps = std::vector<PixelOp> (*)(const NamedCurve&, std::uint8_t);

std::function<ColorChange(const LayerSpec&)> through(CurveOps ops, const CurveOption& p) {
  return [ops, p](const LayerSpec& layer) {
    return ColorChange{ops(curve_of(p.curve), color_channels(layer))};
  };
}

// The code by which a file declares encoded values; logarithmic curves have no code.
ColorTag tag_of(const NamedCurve& curve, const ColorEncoding& before) {
  ColorTag tag{curve.code};
  if (curve.code == CurveCode::power) tag.gamma = std::get<Transfer>(curve.form).gamma;
  tag.primaries = before.tag ? before.tag->primaries : before.primaries;
  return tag;
}

ColorEncoding straight(Curve curve, const Spec& input, const StageContext& context) {
  ColorEncoding color = working_color(input, Values::straight, context);
  color.curve = curve;
  color.tag.reset();
  color.profile.reset();
  return color;
}

}  // namespace

StageDescription encode_stage() {
  return describe<CurveOption>("encode", "encode light with a transfer curve", Kind::filter)
      .param("curve", &CurveOption::curve, "the curve")
      .details(
          "Linear light with alpha divided out becomes the curve's values. They are final: they "
          "are written as they are, without the output format's own curve. Until a decode, later "
          "stages use them as they are, and use a second image's values as its file stores them. "
          "EXR holds the values multiplied by alpha, like any colour. PNG names the curve if there "
          "is a code for it. With --raw the stored values are encoded, whatever they are. sRGB, "
          "Rec.709, HLG, powers and Canon's curves are mirrored for values below 0; the other "
          "logarithmic curves continue as lines. For cameras' curves a light of 0.18 is grey. They "
          "give full-range values: code / 1023 for 10 bits. " +
          std::string(least_of_powers))
      .example("cuimg encode --curve pq in.exr out.png --type u16")
      .example("cuimg encode --curve acescct in.exr log.exr")
      .on_color_layers()
      .prepare([](const CurveOption& p, const Spec& input, const StageContext& context) {
        ColorEncoding after = straight(Curve::raw, input, context);
        after.tag = tag_of(curve_of(p.curve), input.color);
        return make_color_operation(input, context, Values::straight, through(encoding_ops, p),
                                    {.color = after});
      });
}

StageDescription decode_stage() {
  return describe<CurveOption>("decode", "decode a transfer curve's values to light", Kind::filter)
      .param("curve", &CurveOption::curve, "the curve")
      .details(
          "The file's values are read as the curve's values and become linear light. Where the "
          "format is premultiplied, alpha is divided out first. The curve that the format implies, "
          "such as a PNG's sRGB, is not applied. After another stage the values are those that the "
          "file would hold. With --raw the stored values are decoded. " +
          std::string(least_of_powers))
      .example("cuimg decode --curve logc3 shot.png out.exr --type half")
      .on_color_layers()
      .prepare([](const CurveOption& p, const Spec& input, const StageContext& context) {
        const ColorEncoding after = straight(Curve::linear, input, context);
        return make_color_operation(input, context, Values::encoded, through(decoding_ops, p),
                                    {.color = after});
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Encode and decode: transfer curves that the user names, in place of the one that a file implies.
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/conversion.h"

namespace cuimg {

std::span<const Choice<TransferCurve>> choices_of(TransferCurve) {
  using enum TransferCurve;
  static constexpr Choice<TransferCurve> choices[] = {
      {srgb, "srgb", "IEC 61966-2-1"},
      {rec709, "rec709", "ITU-R BT.709-6, with BT.2020's exact constants", "bt709 rec2020"},
      {pq, "pq", "SMPTE ST 2084; light 1 is 100 cd/m^2, limited to 0 to 100", "st2084"},
      {hlg, "hlg", "ITU-R BT.2100-2, scene light 0 to 1"},
      {acescct, "acescct", "Academy S-2016-001; primaries stay"},
      {logc3, "logc3", "ARRI LogC3 at EI 800", "logc"},
      {slog3, "slog3", "Sony S-Log3"}};
  return choices;
}

namespace {

struct CurveOption {
  TransferCurve curve = TransferCurve::srgb;
};

using CurveOp = std::optional<PixelOp> (*)(const Transfer&, std::uint8_t);

std::function<ColorChange(const LayerSpec&)> through(CurveOp op, const CurveOption& p) {
  return [op, p](const LayerSpec& layer) {
    return ColorChange{{op({p.curve}, color_channels(layer)).value()}};
  };
}

// What a file may say of encoded values; logarithmic curves have no code.
ColorTag tag_of(TransferCurve curve, const ColorEncoding& before) {
  ColorTag tag;
  if (curve == TransferCurve::srgb) tag.curve = CurveCode::srgb;
  if (curve == TransferCurve::rec709) tag.curve = CurveCode::rec709;
  if (curve == TransferCurve::pq) tag.curve = CurveCode::pq;
  if (curve == TransferCurve::hlg) tag.curve = CurveCode::hlg;
  tag.primaries = before.tag ? before.tag->primaries : before.primaries;
  return tag;
}

constexpr double curve_ns = 4;

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
          "Linear light with alpha divided out becomes the curve's values. They are final: "
          "they are written as they are, and no curve of the output's format comes on top; "
          "stages that follow take them as they are, and a second image's as its file stores "
          "them, until decode. EXR holds them times alpha, as it holds any colour; PNG says "
          "which curve it is, where there is a code for it. With --raw the stored values are "
          "encoded, whatever they are. sRGB, Rec.709 and HLG are mirrored for values below 0; "
          "the logarithmic curves continue as lines.")
      .example("cuimg encode --curve pq in.exr out.png --type u16")
      .on_color_layers()
      .prepare([](const CurveOption& p, const Spec& input, const StageContext& context) {
        ColorEncoding after = straight(Curve::raw, input, context);
        after.tag = tag_of(p.curve, input.color);
        return make_color_operation(input, context, Values::straight, through(encoding_curve, p),
                                    curve_ns, after);
      });
}

StageDescription decode_stage() {
  return describe<CurveOption>("decode", "decode values of a transfer curve to light", Kind::filter)
      .param("curve", &CurveOption::curve, "the curve")
      .details(
          "The file's values, alpha divided out where the format multiplies it in, are taken "
          "for the curve's and become linear light. The curve that the format implies, such as "
          "a PNG's sRGB, is not applied. After another stage the values are those that the "
          "file would hold. With --raw the stored values are decoded.")
      .example("cuimg decode --curve logc3 shot.png out.exr --type half")
      .on_color_layers()
      .prepare([](const CurveOption& p, const Spec& input, const StageContext& context) {
        const ColorEncoding after = straight(Curve::linear, input, context);
        return make_color_operation(input, context, Values::encoded, through(decoding_curve, p),
                                    curve_ns, after);
      });
}

}  // namespace cuimg

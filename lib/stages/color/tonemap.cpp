// SPDX-License-Identifier: Apache-2.0
// Tone curves: from scene light to a display's range.
#include "stages/color/tonemap.h"

#include "base/error.h"
#include "base/exact_math.h"
#include "kernels/color/tone_curve.h"
#include "stages/color/exposure.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {

std::span<const Choice<ToneCurve>> choices_of(ToneCurve) {
  static constexpr Choice<ToneCurve> table[] = {
      {ToneCurve::reinhard, "reinhard", "L / (1 + L) on luminance"},
      {ToneCurve::reinhard_extended, "reinhard-extended", "like reinhard, reaching 1 at --white"},
      {ToneCurve::hable, "hable", "Uncharted 2, reaching 1 at --white"},
      {ToneCurve::aces, "aces", "Hill's fit of the ACES RRT and ODT"},
      {ToneCurve::agx, "agx", "Blender's and three.js's"},
      {ToneCurve::neutral, "neutral", "Khronos PBR Neutral"}};
  return table;
}

namespace {

double hable(double x) { return x * (0.14 * x + 1 / 60.0) / (x * (0.15 * x + 0.5) + 0.06); }

template <class Curve>
PixelOp tone_op(const LayerSpec& layer, float exposure, const Curve& curve) {
  if (form_of(layer).shape.colors != 3)
    return GreyToneMap<Curve>{color_channels(layer), exposure, curve};
  return ToneMap<Curve>{exposure, curve};
}

PixelOp tone_op(const Tonemap& p, const LayerSpec& layer) {
  const auto exposure = static_cast<float>(exact::pow(2.0, static_cast<double>(p.exposure)));
  const double white =
      static_cast<double>(p.white.value_or(p.curve == ToneCurve::hable ? 11.2f : 4.0f));
  switch (p.curve) {
    case ToneCurve::reinhard:
      return tone_op(layer, exposure, ReinhardCurve{});
    case ToneCurve::reinhard_extended: {
      ReinhardExtendedCurve curve;
      curve.per_white_squared = static_cast<float>(1 / (white * white));
      return tone_op(layer, exposure, curve);
    }
    case ToneCurve::hable: {
      HableCurve curve;
      curve.per_white = static_cast<float>(1 / hable(white));
      return tone_op(layer, exposure, curve);
    }
    case ToneCurve::aces:
      return tone_op(layer, exposure, AcesCurve{});
    case ToneCurve::agx:
      return tone_op(layer, exposure, AgxCurve{});
    case ToneCurve::neutral:
      break;
  }
  return tone_op(layer, exposure, NeutralCurve{});
}

// The operations that convert a layer's light to the primaries for which the curves are made.
std::vector<PixelOp> to_rec709(const ColorEncoding& color, const LayerSpec& layer) {
  if (!layer.is_color() || form_of(layer).shape.colors != 3) return {};
  return {primaries_op(*color.primaries, primaries::rec709, layer)};
}

std::unique_ptr<Operation> tonemap(const Tonemap& p, const Spec& input,
                                   const StageContext& context) {
  if (p.white && p.curve != ToneCurve::hable && p.curve != ToneCurve::reinhard_extended)
    throw Error("tonemap", "--white is given for a curve with a fixed white",
                "use it with reinhard-extended or hable");
  const bool converts =
      !context.raw && input.color.primaries && *input.color.primaries != primaries::rec709;
  Spec in_rec709 = input;
  if (converts) in_rec709.color.primaries = primaries::rec709;
  // Light in a display's range is not encoded as PQ or HLG again.
  if (!context.raw && is_hdr(context.home.curve)) in_rec709.color.tag.reset();
  return make_color_operation(in_rec709, context, Values::straight,
                              [&](const LayerSpec& layer) {
                                ColorChange change;
                                if (converts) change.ops = to_rec709(input.color, layer);
                                change.ops.push_back(tone_op(p, layer));
                                return change;
                              },
                              {.cost_ns = 8});
}

}  // namespace

StageDescription tonemap_stage() {
  using T = Tonemap;
  return describe<T>("tonemap", "compress scene light into a display's range", Kind::filter)
      .param("curve", &T::curve, "the tone curve")
      .param("exposure", &T::exposure, stops_range, "exposure applied before the curve",
             unit("stops"))
      .param("white", &T::white, range(0.01f, 65504.0f),
             "light that becomes 1, for reinhard-extended (default 4) and hable (default 11.2)")
      .details(
          "Linear Rec.709 light of any brightness becomes linear light between 0 and 1, which is "
          "encoded as usual when a PNG or JPEG is written. Images with other primaries are "
          "converted to Rec.709. Curves act on colour that is not premultiplied; alpha stays. "
          "Negative light gives 0, infinite light the curve's end. A NaN in one colour makes all "
          "colours of the pixel NaN. Grey is treated as a colour with three equal "
          "channels.\n\nSources: reinhard and reinhard-extended, Reinhard et al. 2002, equations 3 "
          "and 4 on luminance, so that colours keep their hue until a channel would exceed 1, "
          "where it is cut off; hable, J. Hable 2010, without the factor of 2 of his listing "
          "(--exposure 1 is that factor); aces, S. Hill's fit, without the division by 0.6 that "
          "some engines apply before it (--exposure 0.737); agx, T. Sobotka's in the form of "
          "three.js and Filament (matrices of Blender 4, the contrast's sixth-order fit by B. "
          "Wrensch, base look), linearised by the power of 2.2 that it is meant for; neutral, the "
          "Khronos group's PBR Neutral of 2024.")
      .example("cuimg tonemap --curve agx --exposure 0.5 in.exr out.png")
      .on_color_layers()
      .prepare(tonemap);
}

}  // namespace cuimg

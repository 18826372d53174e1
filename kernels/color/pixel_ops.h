// SPDX-License-Identifier: Apache-2.0
// The list of per-pixel operations. To add one, add its header and one line here.
#pragma once

#include "kernels/color/clamp_op.h"
#include "kernels/color/color_matrix.h"
#include "kernels/color/combine_op.h"
#include "kernels/color/curve_ops.h"
#include "kernels/color/exposure_op.h"
#include "kernels/color/light_ops.h"
#include "kernels/color/line.h"
#include "kernels/color/log_curve.h"
#include "kernels/color/lut_op.h"
#include "kernels/color/spline.h"
#include "kernels/color/tone_curve.h"
#include "kernels/math/variant.h"

namespace cuimg {

using PixelOp = Variant<  //
    DecodeCurve<TransferCurve::srgb>, EncodeCurve<TransferCurve::srgb>,
    DecodeCurve<TransferCurve::rec709>, EncodeCurve<TransferCurve::rec709>,
    DecodeCurve<TransferCurve::pq>, EncodeCurve<TransferCurve::pq>, DecodeCurve<TransferCurve::hlg>,
    EncodeCurve<TransferCurve::hlg>, LogDecode, LogEncode, ToneMap<ReinhardCurve>,
    GreyToneMap<ReinhardCurve>, ToneMap<ReinhardExtendedCurve>, GreyToneMap<ReinhardExtendedCurve>,
    ToneMap<HableCurve>, GreyToneMap<HableCurve>, ToneMap<AcesCurve>, GreyToneMap<AcesCurve>,
    ToneMap<AgxCurve>, GreyToneMap<AgxCurve>, ToneMap<NeutralCurve>, GreyToneMap<NeutralCurve>,
    MirroredPower,           //
    MirroredRoot,            //
    Premultiply,             //
    Unpremultiply,           //
    Line,                    //
    ColorMatrix,             //
    Saturate,                //
    Luminance,               //
    Spline,                  //
    Limit,                   //
    FiniteOrZero,            //
    MapLight,                //
    Scale,                   //
    WithValue<Sum>,          //
    WithValue<Difference>,   //
    WithValue<Quotient>,     //
    WithValue<Smaller>,      //
    WithValue<Larger>,       //
    WithValue<Distance>,     //
    CurveTable,              //
    ColorMapTable,           //
    GridTable<Tetrahedral>,  //
    GridTable<Trilinear>>;

/// The most operations that run in one pass; a longer chain takes several.
inline constexpr int most_pixel_ops = 16;

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The list of per-pixel operations: a new one is its header and one line here.
#pragma once

#include "kernels/color_matrix.h"
#include "kernels/combine.h"
#include "kernels/curve_ops.h"
#include "kernels/exposure.h"
#include "kernels/light_ops.h"
#include "kernels/limits.h"
#include "kernels/line.h"
#include "kernels/lut.h"
#include "kernels/one_of.h"
#include "kernels/spline.h"
#include "kernels/tonemap.h"

namespace cuimg {

using PixelOp = OneOf<  //
    DecodeCurve<TransferCurve::srgb>, EncodeCurve<TransferCurve::srgb>,
    DecodeCurve<TransferCurve::rec709>, EncodeCurve<TransferCurve::rec709>,
    DecodeCurve<TransferCurve::pq>, EncodeCurve<TransferCurve::pq>, DecodeCurve<TransferCurve::hlg>,
    EncodeCurve<TransferCurve::hlg>, DecodeCurve<TransferCurve::acescct>,
    EncodeCurve<TransferCurve::acescct>, DecodeCurve<TransferCurve::logc3>,
    EncodeCurve<TransferCurve::logc3>, DecodeCurve<TransferCurve::slog3>,
    EncodeCurve<TransferCurve::slog3>, ToneMap<ReinhardCurve>, GreyToneMap<ReinhardCurve>,
    ToneMap<ReinhardExtendedCurve>, GreyToneMap<ReinhardExtendedCurve>, ToneMap<HableCurve>,
    GreyToneMap<HableCurve>, ToneMap<AcesCurve>, GreyToneMap<AcesCurve>, ToneMap<AgxCurve>,
    GreyToneMap<AgxCurve>, ToneMap<NeutralCurve>, GreyToneMap<NeutralCurve>,
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

/// So many run in one pass at most; a longer chain takes two.
inline constexpr int most_pixel_ops = 16;

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The list of per-pixel operations: a new one is its header and one line here.
#pragma once

#include "kernels/combine.h"
#include "kernels/exposure.h"
#include "kernels/light_ops.h"
#include "kernels/lut.h"
#include "kernels/one_of.h"
#include "kernels/tonemap.h"

namespace cuimg {

using PixelOp = OneOf<  //
    DecodeLight,        //
    EncodeLight,        //
    MapLight,           //
    Scale,              //
    WithValue<Sum>,     //
    WithValue<Difference>,
    WithValue<Quotient>,             //
    WithValue<Smaller>,              //
    WithValue<Larger>,               //
    WithValue<Distance>,             //
    ToneMap<ReinhardCurve>,          //
    ToneMap<ReinhardExtendedCurve>,  //
    ToneMap<HableCurve>,             //
    ToneMap<AcesCurve>,              //
    ToneMap<AgxCurve>,               //
    ToneMap<NeutralCurve>,           //
    CurveTable,                      //
    GridTable<Tetrahedral>,          //
    GridTable<Trilinear>>;

/// So many run in one pass at most; a longer chain takes two.
inline constexpr int most_pixel_ops = 16;

/// Applies whichever operation it is to one pixel.
struct ApplyTo {
  float* v;
  PixelShape* shape;
  template <class Op>
  CUIMG_HD void operator()(const Op& op) const {
    op(v, *shape);
  }
};

}  // namespace cuimg

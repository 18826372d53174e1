// SPDX-License-Identifier: Apache-2.0
// The list of generators. To add one, add its header and one line here.
#pragma once

#include "kernels/generate/chart_generator.h"
#include "kernels/generate/noise_generator.h"
#include "kernels/generate/pattern_generators.h"
#include "kernels/generate/spheres_generator.h"
#include "kernels/math/variant.h"

namespace cuimg {

using Generator = Variant<  //
    Constant,               //
    Checker,                //
    Gradient,               //
    Ramp,                   //
    Zoneplate,              //
    Noise,                  //
    Chart,                  //
    Spheres>;

}  // namespace cuimg

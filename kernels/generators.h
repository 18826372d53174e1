// SPDX-License-Identifier: Apache-2.0
// The list of generators: a new one is its header and one line here.
#pragma once

#include "kernels/chart.h"
#include "kernels/noise.h"
#include "kernels/one_of.h"
#include "kernels/patterns.h"
#include "kernels/spheres.h"

namespace cuimg {

using Generator = OneOf<  //
    Constant,             //
    Checker,              //
    Gradient,             //
    Ramp,                 //
    Zoneplate,            //
    Noise,                //
    Chart,                //
    Spheres>;

}  // namespace cuimg

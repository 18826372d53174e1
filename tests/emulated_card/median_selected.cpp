// SPDX-License-Identifier: Apache-2.0
// What median_networks.cu does where a window holds a NaN, with optimisation: the linker takes it
// instead of what comes with the networks, which are compiled without.
#include "stages/filter/median/median_source.cuh"

namespace cuimg {

template float selected(const KeySource<float>&, int, int, int);
template Half selected(const KeySource<Half>&, int, int, int);

}  // namespace cuimg

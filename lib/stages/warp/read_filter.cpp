// SPDX-License-Identifier: Apache-2.0
#include "stages/warp/read_filter.h"

namespace cuimg {

std::span<const Choice<ReadFilter>> choices_of(ReadFilter) {
  static constexpr Choice<ReadFilter> choices[] = {
      {ReadFilter::point, "point", "the texel that holds the position", "nearest"},
      {ReadFilter::linear, "linear", "the texture unit's filter", "bilinear"},
      {ReadFilter::cubic, "cubic", "Keys 1981, a = -1/2, in float; linear for depth"},
      {ReadFilter::trilinear, "trilinear", "the texture unit's, on halved pictures"}};
  return choices;
}

}  // namespace cuimg

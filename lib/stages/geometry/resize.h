// SPDX-License-Identifier: Apache-2.0
// resize: scales to a size, and its options.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "options/gravity.h"
#include "options/values.h"

namespace cuimg {

class Operation;
struct Spec;
struct StageContext;

/// The first three read through the texture unit. The values after them are the filters of
/// resample_filters(), in that order, which weight texels that were read by point.
enum class ResizeFilter : std::uint8_t { point, linear, trilinear };
std::span<const Choice<ResizeFilter>> choices_of(ResizeFilter);
/// The filter of that name, for defaults and tests. @throws Error if there is none.
ResizeFilter resize_filter_named(std::string_view name);

struct Resize {
  Size size = percent(50);
  ResizeFilter filter = resize_filter_named("lanczos3");
  bool antialias = true;
  bool clamp_ringing = false;
  Border border = Border::clamp;
  bool enlarge = true;
  bool fit = false;
  bool fill = false;
  Gravity gravity = Gravity::center;  ///< The part that is kept if `fill` must cut.
};

/// For stages that scale pictures themselves. @throws Error if the values do not suit the input.
std::unique_ptr<Operation> make_resize(const Resize& resize, const Spec& input,
                                       const StageContext& context);

}  // namespace cuimg

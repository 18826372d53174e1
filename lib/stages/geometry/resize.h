// SPDX-License-Identifier: Apache-2.0
// Resize: scaling to a size, and its options.
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

/// These read through the texture unit; the values after them, in the order of resample_filters(),
/// weigh texels that were read by point.
enum class ResizeFilter : std::uint8_t { point, linear, trilinear };
std::span<const Choice<ResizeFilter>> choices_of(ResizeFilter);
/// The filter of that name, for defaults and tests. @throws Error when there is none.
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
  Gravity gravity = Gravity::center;  ///< Which part is kept where `fill` must cut.
};

/// For stages that scale pictures of their own. @throws Error when values and input do not fit.
std::unique_ptr<Operation> make_resize(const Resize& resize, const Spec& input,
                                       const StageContext& context);

}  // namespace cuimg

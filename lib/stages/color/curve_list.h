// SPDX-License-Identifier: Apache-2.0
// The transfer curves that a user can name.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "image/spec.h"
#include "kernels/color/log_curve.h"
#include "kernels/color/transfer.h"
#include "options/values.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// A logarithmic curve that is odd about black: base + curve(|x|) with the sign of x.
struct MirroredLog {
  LogCurve curve;  ///< Its value at 0 is black.
  double base;
};

/// One line of the list.
struct NamedCurve {
  std::string_view name, help;
  std::string_view aliases;
  std::variant<Transfer, LogCurve, MirroredLog> form;
  CurveCode code = CurveCode::unspecified;  ///< The code by which files declare this curve.
};
std::span<const NamedCurve> named_curves();

/// An index into the list, as an option's value.
enum class CurveNumber : std::uint8_t { srgb };
std::span<const Choice<CurveNumber>> choices_of(CurveNumber);
const NamedCurve& curve_of(CurveNumber number);

/// @name Operations from light to the curve's values and back, on the channels in a mask.
/// @{
std::vector<PixelOp> encoding_ops(const NamedCurve& curve, std::uint8_t channels);
std::vector<PixelOp> decoding_ops(const NamedCurve& curve, std::uint8_t channels);
/// @}

}  // namespace cuimg

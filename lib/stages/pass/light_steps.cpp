// SPDX-License-Identifier: Apache-2.0
// Decoding and encoding as per-pixel operations: curves on some channels, and alpha.
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

std::uint8_t without_alpha(const PixelShape& shape) {
  const int all = (1 << shape.channels) - 1;
  return static_cast<std::uint8_t>(shape.alpha < 0 ? all : all & ~(1 << shape.alpha));
}

// Curves that are a separate operation.
template <template <TransferCurve> class Op>
std::optional<PixelOp> curve_op(TransferCurve curve, std::uint8_t channels) {
  using enum TransferCurve;
  if (curve == srgb) return Op<srgb>{channels};
  if (curve == rec709) return Op<rec709>{channels};
  if (curve == pq) return Op<pq>{channels};
  if (curve == hlg) return Op<hlg>{channels};
  return std::nullopt;
}

}  // namespace

PixelOp mirrored_power_op(double exponent, std::uint8_t channels) {
  if (exponent < 1) return MirroredRoot{log_factor(exponent), channels};
  return MirroredPower{log_factor(exponent), channels};
}

std::optional<PixelOp> decoding_curve(const Transfer& transfer, std::uint8_t channels) {
  if (transfer.curve == TransferCurve::gamma)
    return mirrored_power_op(static_cast<double>(transfer.gamma), channels);
  return curve_op<DecodeCurve>(transfer.curve, channels);
}

std::optional<PixelOp> encoding_curve(const Transfer& transfer, std::uint8_t channels) {
  if (transfer.curve == TransferCurve::gamma)
    return mirrored_power_op(1 / static_cast<double>(transfer.gamma), channels);
  return curve_op<EncodeCurve>(transfer.curve, channels);
}

std::vector<PixelOp> decoding(const Encoding& encoding, const PixelShape& shape) {
  std::vector<PixelOp> ops;
  if (const auto curve = decoding_curve(encoding.transfer, without_alpha(shape)))
    ops.push_back(*curve);
  if (encoding.straight_alpha) ops.emplace_back(Premultiply{});
  return ops;
}

std::vector<PixelOp> encoding(const Encoding& encoding, const PixelShape& shape) {
  std::vector<PixelOp> ops;
  if (encoding.straight_alpha) ops.emplace_back(Unpremultiply{});
  if (const auto curve = encoding_curve(encoding.transfer, without_alpha(shape)))
    ops.push_back(*curve);
  return ops;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A pass over pixels: they are decoded from their stored form, processed by per-pixel operations in
// registers, and encoded again. Conversions and colour stages are such passes, and consecutive
// passes are merged.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/per_card.h"
#include "kernels/color/convert.h"
#include "kernels/color/pixel_ops.h"
#include "stages/pass/code_table.h"
#include "stages/pass/fresh_in_copies.h"
#include "stages/stage.h"

namespace cuimg {

/// A pass in a card's form; defined in stages/pass/pass_on_card.cuh.
struct PassOnCard;

/// The processing of one layer.
struct PixelPass {
  PixelForm from, to;
  /// The form is the same on both sides and there are no operations: bytes are copied.
  bool moves_only = false;
  std::vector<PixelOp> ops;
  /// The values to which the operations' tables point, in host memory.
  std::vector<std::shared_ptr<const std::vector<float>>> tables;
  FreshInCopies<KeptCodeTable> code_table;
  /// The tables on cards, and the operations that read them.
  FreshInCopies<PerCard<PassOnCard>> on_cards;
};

/// Whether values with this encoding are already linear light.
inline bool is_plain(const Encoding& e) { return e.transfer == Transfer{} && !e.straight_alpha; }

/// The stored form of a layer. Colours and alpha are only distinguished if it contains colour.
PixelForm form_of(const LayerSpec& layer, const Encoding& encoding = {});

/// A pass that does not change a layer.
PixelPass moving_pass(const LayerSpec& layer);

/// `first` then `second` as one pass, with the same bytes; nothing if they would be too long.
std::optional<PixelPass> merged(const PixelPass& first, const PixelPass& second);

/// Both operations as one, if both are per-pixel and every pixel of the second's output is inside
/// the first's; otherwise null.
std::unique_ptr<Operation> fused(const Operation& first, const Operation& second);

/// An operation made of passes: each layer of `plan` has one pass and one source.
/// @param input_window outside of it the source's pixels are zero.
std::unique_ptr<Operation> make_pixel_operation(OperationPlan plan, const Rect& input_window);

/// @name Processes the pixels of target's region; outside the source's region they are made from
/// zero. The first function looks up codes in a table if the result is the same; the others compute
/// every pixel.
/// @{
void run_pass(const Queue& queue, const PixelPass& pass, const Frame& source, const Frame& target);
void run_pass_on_cpu(const PixelPass& pass, const Frame& source, const Frame& target);
void run_pass_on_cuda(const Queue& queue, const PixelPass& pass, const Frame& source,
                      const Frame& target);
/// @}

/// @name The operations that decode and encode values with that shape, at most two each.
/// @{
std::vector<PixelOp> decoding(const Encoding& encoding, const PixelShape& shape);
std::vector<PixelOp> encoding(const Encoding& encoding, const PixelShape& shape);
/// A curve on the channels in a mask; none for a linear one.
std::optional<PixelOp> decoding_curve(const Transfer& transfer, std::uint8_t channels);
std::optional<PixelOp> encoding_curve(const Transfer& transfer, std::uint8_t channels);
/// |x|^exponent with the sign of x on the channels in a mask.
PixelOp mirrored_power_op(double exponent, std::uint8_t channels);
/// @}

/// Runs operations on a row of pixels whose channels are separate.
/// @param planes four, whatever the shape. @returns the shape of all pixels afterwards.
PixelShape run_pixel_ops(std::span<const PixelOp> ops, float* const (&planes)[4], std::size_t count,
                         PixelShape shape);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A pass over pixels: decoded from how they are stored, taken through per-pixel operations in
// registers, encoded again. Conversions are such passes, colour stages too, and several in a row
// become one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/fresh_in_copies.h"
#include "device/per_card.h"
#include "kernels/color/convert.h"
#include "kernels/color/pixel_ops.h"
#include "stages/pass/code_table.h"
#include "stages/stage.h"

namespace cuimg {

/// A pass as a card runs it; complete in stages/pass/pass_on_card.cuh.
struct PassOnCard;

/// What happens to one layer.
struct PixelPass {
  PixelForm from, to;
  bool moves_only = false;  ///< Same form on both sides and no operations: bytes are copied.
  std::vector<PixelOp> ops;
  /// What the operations' tables point to, in host memory.
  std::vector<std::shared_ptr<const std::vector<float>>> tables;
  FreshInCopies<KeptCodeTable> code_table;
  FreshInCopies<PerCard<PassOnCard>> on_cards;  ///< The tables there, and what reads them.
};

/// Whether values with this encoding are light already.
inline bool is_plain(const Encoding& e) { return e.transfer == Transfer{} && !e.straight_alpha; }

/// How a layer is stored. Colours and alpha are distinguished only when it holds colour.
PixelForm form_of(const LayerSpec& layer, const Encoding& encoding = {});

/// A pass that leaves a layer as it is.
PixelPass moving_pass(const LayerSpec& layer);

/// `first` then `second` as one pass, the same bytes; nothing when they would be too long.
std::optional<PixelPass> merged(const PixelPass& first, const PixelPass& second);

/// Both operations as one, when both are per-pixel and no pixel of the second's output lies outside
/// the first's; else null.
std::unique_ptr<Operation> fused(const Operation& first, const Operation& second);

/// An operation of passes: each layer of `plan` has one, and one source.
/// @param input_window outside of it the source's pixels are zero.
std::unique_ptr<Operation> make_pixel_operation(OperationPlan plan, const Rect& input_window);

/// @name Pixels of target's region; where the source's region does not reach they are made of zero.
/// The first looks codes up in a table where that is the same; the others compute every pixel.
/// @{
void run_pass(const Queue& queue, const PixelPass& pass, const Frame& source, const Frame& target);
void run_pass_on_cpu(const PixelPass& pass, const Frame& source, const Frame& target);
void run_pass_on_cuda(const Queue& queue, const PixelPass& pass, const Frame& source,
                      const Frame& target);
/// @}

/// @name The operations that decode and encode values of that shape, at most two each.
/// @{
std::vector<PixelOp> decoding(const Encoding& encoding, const PixelShape& shape);
std::vector<PixelOp> encoding(const Encoding& encoding, const PixelShape& shape);
/// A curve over the channels of a mask; none for a linear one.
std::optional<PixelOp> decoding_curve(const Transfer& transfer, std::uint8_t channels);
std::optional<PixelOp> encoding_curve(const Transfer& transfer, std::uint8_t channels);
/// |x|^exponent with the sign of x over the channels of a mask.
PixelOp mirrored_power_op(double exponent, std::uint8_t channels);
/// @}

/// Runs operations over a row of pixels whose channels lie apart.
/// @param planes four, whatever the shape. @returns the pixels' shape afterwards, which every pixel
/// shares.
PixelShape run_pixel_ops(std::span<const PixelOp> ops, float* const (&planes)[4], std::size_t count,
                         PixelShape shape);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Carrying out a plan on a queue, from one image in memory to another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/row_progress.h"
#include "device/queue.h"
#include "image/image.h"
#include "pipeline/execute/block_flow.h"
#include "pipeline/plan.h"

namespace cuimg {

/// One image's rows on their way through a plan.
struct RowFlow {
  const Image& source;  ///< Of the plan's input spec.
  RowProgress& ready;   ///< Rows of the source that can be read.
  /// As large as the plan's output, with its layers; its window's origin may differ.
  Image& target;
  RowProgress& done;  ///< Advances as rows of every layer of the target are complete.
  BlockFlow blocks = {};
};

/// How a plan is carried out on a card.
struct CardUse {
  std::uint64_t bytes = UINT64_MAX;  ///< What frames may take.
  /// Whether no other image keeps the card busy: rows are then complete early, where that is
  /// possible, and two bands or tiles are under way at a time. Else it takes the card for as short
  /// as can be.
  bool is_alone = false;
  /// Pixels of source and result together from which on there is a second lane. Its memory on the
  /// card and two or three slots of pinned memory are made first. Measured on an H200: commands of
  /// 120 MB are no faster by it, those of 460 MB spend half as long between first and last copy.
  std::uint64_t bytes_worth_two_lanes = std::uint64_t{256} << 20;
};

/// Runs every step. On the CPU in bands of rows, each through all steps, so that no whole image
/// but the two lies in memory; on a card step by step over whole frames, or tiles where those have
/// no room.
/// @throws Error, DeviceError, or what `ready` failed with.
void execute(const Plan& plan, const Queue& queue, const RowFlow& flow, const CardUse& card = {});
/// About what whole frames take of a card.
std::uint64_t whole_bytes_on_card(const Plan& plan);

/// The same for a source that is complete in memory. @returns the plan's output.
Image execute(const Plan& plan, const Queue& queue, const Image& source);

/// What the copies of execute() are called among its steps.
inline constexpr const char* copy_to_card_name = "copy to the card, as rows come";
inline constexpr const char* copy_to_host_name = "copy to the host";

/// Where a card holds what each step makes, for --explain: a line for each.
std::vector<std::string> layout_on_card(const Plan& plan);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Executes a plan on a queue, from one image in memory to another.
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

/// The rows of one image that is processed by a plan.
struct RowFlow {
  const Image& source;  ///< Has the plan's input spec.
  RowProgress& ready;   ///< The rows of the source that can be read.
  /// Has the size and layers of the plan's output; its window's origin may differ.
  Image& target;
  RowProgress& done;  ///< Advances as rows of every layer of the target are complete.
  BlockFlow blocks = {};
};

/// How a plan is executed on a card.
struct CardUse {
  std::uint64_t bytes = UINT64_MAX;  ///< The memory that frames may take.
  /// Whether no other image uses the card. If so, rows are completed early if possible, and two
  /// bands or tiles are in progress at a time. Otherwise the image uses the card for as short a
  /// time as possible.
  bool is_alone = false;
  /// The size of source and result together from which on there is a second lane. Its memory on the
  /// card and two or three slots of pinned memory must be allocated first. Measured on an H200:
  /// commands with 120 MB are not faster with it; those with 460 MB spend half as long between the
  /// first and the last copy.
  std::uint64_t bytes_worth_two_lanes = std::uint64_t{256} << 20;
};

/// Runs every step. On the CPU each band of rows goes through all steps, so memory holds no whole
/// images except these two. On a card each step runs on whole frames, or on tiles if frames do not
/// fit.
/// @throws Error, DeviceError, or the error of `ready`.
void execute(const Plan& plan, const Queue& queue, const RowFlow& flow, const CardUse& card = {});
/// Approximate memory of whole frames on a card.
std::uint64_t whole_bytes_on_card(const Plan& plan);

/// The same for a source that is complete in memory. @returns the plan's output.
Image execute(const Plan& plan, const Queue& queue, const Image& source);

/// The names of execute()'s copies among its steps.
inline constexpr const char* copy_to_card_name = "copy to the card, as rows come";
inline constexpr const char* copy_to_host_name = "copy to the host";

/// Where a card stores the result of each step, for --explain: one line each.
std::vector<std::string> layout_on_card(const Plan& plan);

}  // namespace cuimg

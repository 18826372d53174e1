// SPDX-License-Identifier: Apache-2.0
// Runs steps on a card one after the other, each on the whole frame of the image or of a tile.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "device/queue.h"
#include "pipeline/execute/card_layout.h"
#include "pipeline/execute/execute.h"
#include "pipeline/execute/planned_steps.h"

namespace cuimg {

/// An image of which parts are copied to a card, by one or several of the card's queues.
class SourceOnCard {
 public:
  /// @param keeps_whole whether a layer that was copied completely is kept for later calls by any
  /// queue. It belongs to the queue that copied it: before this object is destroyed, the work of
  /// other queues must have ended.
  /// @param blocks that can replace the image's pixels; null: none. Only for a single queue.
  SourceOnCard(const Image& image, RowProgress& ready, bool keeps_whole,
               SourceBlocks* blocks = nullptr)
      : image_(image), ready_(ready), keeps_whole_(keeps_whole), blocks_(blocks) {}

  const Rect& window() const { return image_.spec().data_window; }
  /// May be called from several threads. @throws DeviceError, or the error of `ready`.
  Frame upload(const Queue& queue, int layer, const Rect& region, Storage storage);

 private:
  Frame upload_once(const Queue& queue, int layer, Storage storage);
  Frame upload_rows(const Queue& queue, int layer, const Rect& region, Storage storage);
  std::optional<Frame> upload_blocks(const Queue& queue, const Rect& region, Storage storage);

  const Image& image_;
  RowProgress& ready_;
  const bool keeps_whole_;
  SourceBlocks* const blocks_;
  std::mutex mutex_;  ///< Guards the following members.
  std::map<std::pair<int, Storage>, Frame> whole_;
};

/// The region of each step's result that is needed for a region of the last one, at least one
/// pixel. @param source its window.
Regions needed_regions(Steps steps, const Rect& source, const Rect& region);

/// Steps to run on a card, and the part of their results to compute.
struct WorkOnCard {
  Steps steps;
  const Queue& queue;
  SourceOnCard& source;
  Regions regions;  ///< See needed_regions().
  const Layers& wanted;
};

/// Computes the last region and copies it into `target`, whose window has the output's size but may
/// be moved. @param done advances as rows of the last layer arrive.
/// @param blocks made instead of the target's pixels; null: none. @throws DeviceError, or the error
/// of the source's progress.
void make_on_card(const WorkOnCard& work, Image& target, RowProgress& done,
                  TargetBlocks* blocks = nullptr);

/// Computes the last region and discards it, so that the kernels are loaded and the card's memory
/// is allocated for the next call. Does not wait. @throws as make_on_card() does.
void try_on_card(const WorkOnCard& work);

}  // namespace cuimg

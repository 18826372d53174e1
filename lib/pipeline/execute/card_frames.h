// SPDX-License-Identifier: Apache-2.0
// Runs steps on a card one after the other, each on a whole frame of the image or of a tile.
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

/// An image of which parts are copied to a card, by one queue or several of the card's.
class SourceOnCard {
 public:
  /// @param keeps_whole whether a layer that was copied whole stays there for later calls, of any
  /// queue. It belongs to the one that copied it: when this goes, work of the others is to have
  /// ended.
  /// @param blocks that may take the place of the image's pixels; null: none. For one queue.
  SourceOnCard(const Image& image, RowProgress& ready, bool keeps_whole,
               SourceBlocks* blocks = nullptr)
      : image_(image), ready_(ready), keeps_whole_(keeps_whole), blocks_(blocks) {}

  const Rect& window() const { return image_.spec().data_window; }
  /// May be called from several threads. @throws DeviceError, or what `ready` failed with.
  Frame upload(const Queue& queue, int layer, const Rect& region, Storage storage);

 private:
  Frame upload_once(const Queue& queue, int layer, Storage storage);
  Frame upload_rows(const Queue& queue, int layer, const Rect& region, Storage storage);
  std::optional<Frame> upload_blocks(const Queue& queue, const Rect& region, Storage storage);

  const Image& image_;
  RowProgress& ready_;
  const bool keeps_whole_;
  SourceBlocks* const blocks_;
  std::mutex mutex_;  ///< Guards what follows.
  std::map<std::pair<int, Storage>, Frame> whole_;
};

/// As much as is needed for a region of the last, and at least a pixel. @param source its window.
Regions needed_regions(Steps steps, const Rect& source, const Rect& region);

/// Makes the last region and copies it into `target`, whose window is the output's, perhaps
/// elsewhere. @param done advances as rows of the last layer arrive.
/// @param blocks what is made in place of the target's pixels; null: nothing. @throws DeviceError,
/// or what the source's progress failed with.
void make_on_card(Steps steps, const Queue& queue, SourceOnCard& source, const Regions& regions,
                  const Layers& wanted, Image& target, RowProgress& done,
                  TargetBlocks* blocks = nullptr);

/// Makes the last region and leaves it, so that the kernels are loaded and the card's memory is
/// there for the next. Does not wait. @throws as make_on_card() does.
void try_on_card(Steps steps, const Queue& queue, SourceOnCard& source, const Regions& regions,
                 const Layers& wanted);

}  // namespace cuimg

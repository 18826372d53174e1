// SPDX-License-Identifier: Apache-2.0
// Where `cuimg compare` measures, as --device says. `auto` is the processor: decoding takes longer
// than most metrics, and a card's context longer than a pair of small pictures.
#pragma once

#include <optional>
#include <vector>

#include "device/card_session.h"
#include "device/queue.h"
#include "pipeline/options.h"

namespace cuimg {

struct CompareDevices {
  std::vector<int> cards;  ///< None: the processor measures.
  bool both = false;       ///< The processor and the one card.
};
CompareDevices compare_devices(const DeviceChoice& choice);

/// The queues for one pair. @throws Error where a card is named and cannot be used.
class CompareQueues {
 public:
  explicit CompareQueues(const CommonOptions& common);
  const Queue& processor() const { return processor_; }
  /// The one whose figures count.
  const Queue& measuring() const { return card_ && !both_ ? **card_ : processor_; }
  /// Null, or the one whose figures have to be the same.
  const Queue* also() const { return both_ ? &**card_ : nullptr; }

 private:
  bool both_;
  Queue processor_;
  mutable std::optional<CardQueueLease> card_;
};

}  // namespace cuimg

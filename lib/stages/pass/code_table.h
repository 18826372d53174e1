// SPDX-License-Identifier: Apache-2.0
// A pass between 8-bit pixels as a table. If a channel's result depends only on the channel and
// alpha, there are at most 256 x 256 cases: the pass runs once on all of them, and pixels look up
// their codes. Exact by construction, and the same table on a card.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/frame.h"
#include "device/per_card.h"

namespace cuimg {

class Queue;
struct PixelPass;

class CodeTable {
 public:
  /// Whether the pass can be a table.
  static bool fits(const PixelPass& pass);
  /// The number of cases in a table of the pass. @param pass one that fits.
  static std::int64_t cases(const PixelPass& pass);
  explicit CodeTable(const PixelPass& pass);

  /// @name Processes the pixels of target's region, all of which are inside the source's. @{
  void apply_on_cpu(const Frame& source, const Frame& target) const;
  void apply_on_cuda(const Queue& queue, const Frame& source, const Frame& target) const;
  /// @}
  /// Whether a card's frames are stored in the form that its kernel needs.
  static bool can_apply_on_cuda(const Frame& source, const Frame& target);

  /// The position of a channel's codes; identical channels share theirs.
  int first(int channel) const { return first_[static_cast<std::size_t>(channel)]; }
  /// Alpha's index if colours have 256 codes for each of alpha's, otherwise -1.
  int alpha() const { return alpha_; }
  int channels() const { return channels_; }
  const std::vector<std::uint8_t>& codes() const { return codes_; }

 private:
  int channels_, alpha_;
  std::vector<std::uint8_t> codes_;
  std::array<int, 4> first_ = {};
  struct OnCard;
  PerCard<OnCard> on_cards_;
};

/// A pass's table, computed once enough pixels have been requested for it to pay off.
class KeptCodeTable {
 public:
  /// @param pixels that will be made now. @returns null if a table does not fit or does not pay
  /// off.
  const CodeTable* of(const PixelPass& pass, std::int64_t pixels) const;

 private:
  struct State {
    std::atomic<std::int64_t> pixels = 0;
    std::once_flag once;
    std::unique_ptr<const CodeTable> table;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/tile_turns.h"

#include <utility>

namespace cuimg {

TileTurns::TileTurns(const TileGrid& grid, int lanes, RowProgress& done)
    : grid_(grid),
      done_(done),
      unfinished_(static_cast<std::size_t>(grid.rows()), grid.columns()),
      alone_(lanes == 1 ? std::optional(0) : std::nullopt) {}

std::optional<int> TileTurns::next(int lane) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return has_ended(lane) || !left_.empty() || next_ == grid_.count() ||
           grid_.row_of(next_) <= complete_ + 1;
  });
  if (has_ended(lane) || (left_.empty() && next_ == grid_.count())) return std::nullopt;
  ++under_way_;
  if (left_.empty()) return next_++;
  const int tile = left_.back();
  left_.pop_back();
  return tile;
}

// The rows are passed on without the lock: waiting there for the user of the rows must not block
// other lanes.
void TileTurns::finish(int tile) {
  int rows = 0;
  {
    const std::lock_guard lock(mutex_);
    --under_way_;
    --unfinished_[static_cast<std::size_t>(grid_.row_of(tile))];
    while (complete_ < grid_.rows() && unfinished_[static_cast<std::size_t>(complete_)] == 0)
      ++complete_;
    if (complete_ > 0) rows = grid_.row(complete_ - 1).bottom() - grid_.row(0).y;
  }
  changed_.notify_all();
  done_.advance(rows);
}

bool TileTurns::is_alone(int lane) const {
  const std::lock_guard lock(mutex_);
  return alone_ == lane && under_way_ == 1;
}

bool TileTurns::go_on_alone(int lane, int tile) {
  std::unique_lock lock(mutex_);
  if (!alone_) alone_ = lane;
  changed_.notify_all();  // lanes that wait for the end of a tile
  if (alone_ == lane) changed_.wait(lock, [&] { return failure_ || under_way_ == 1; });
  if (!has_ended(lane)) return true;
  --under_way_;
  left_.push_back(tile);
  changed_.notify_all();
  return false;
}

void TileTurns::fail(int tile, std::exception_ptr cause) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_ || tile < failed_tile_) {
      failure_ = std::move(cause);
      failed_tile_ = tile;
    }
  }
  changed_.notify_all();
}

void TileTurns::rethrow_failure() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace cuimg

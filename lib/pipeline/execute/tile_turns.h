// SPDX-License-Identifier: Apache-2.0
// Assigns tiles to a card's lanes. A lane is a thread that makes one tile at a time, on a stream of
// its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "base/row_progress.h"
#include "pipeline/execute/tile_grid.h"

namespace cuimg {

/// Used by all lanes of one picture, which are counted from 0.
class TileTurns {
 public:
  /// @param grid, done outlive this. @param done advances as rows of tiles are complete from the
  /// top.
  TileTurns(const TileGrid& grid, int lanes, RowProgress& done);
  TileTurns(const TileTurns&) = delete;
  TileTurns& operator=(const TileTurns&) = delete;

  /// The lane's next tile, in ascending order. Waits while that lies more than one row of tiles
  /// below the first incomplete one: rows that nobody can use yet take memory.
  /// @returns nothing when the lane is to end: no tile is left, a lane failed, or another one goes
  /// on alone.
  std::optional<int> next(int lane);
  /// The tile is made. May wait for who uses the rows.
  void finish(int tile);

  /// Whether no other lane can be what takes a card's memory.
  bool is_alone(int lane) const;
  /// Called for a tile that found no memory while other lanes have some.
  /// @returns true once the others have ended their tiles, and with them all their work: this lane
  /// makes the rest, beginning with this tile. False where the lane is to end: another one makes
  /// the rest, this tile too, or a lane failed.
  bool go_on_alone(int lane, int tile);

  /// A lane failed at a tile: the others end with the tiles that they are at.
  void fail(int tile, std::exception_ptr cause);
  /// Once all lanes have ended. @throws what the first tile of those that failed did, as one lane
  /// would.
  void rethrow_failure() const;

 private:
  bool has_ended(int lane) const { return failure_ || (alone_ && *alone_ != lane); }

  const TileGrid& grid_;
  RowProgress& done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int next_ = 0;
  std::vector<int> left_;        ///< Handed out before, and not made.
  std::vector<int> unfinished_;  ///< Tiles of each row.
  int complete_ = 0;             ///< Rows of tiles, from the top.
  int under_way_ = 0;            ///< Tiles.
  std::optional<int> alone_;     ///< The only lane that gets tiles.
  std::exception_ptr failure_;
  int failed_tile_ = 0;
};

}  // namespace cuimg

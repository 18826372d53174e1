// SPDX-License-Identifier: Apache-2.0
// Assigns tiles to a card's lanes. A lane is a thread that makes one tile at a time on a separate
// stream.
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

/// Used by all lanes of one picture, which are numbered from 0.
class TileTurns {
 public:
  /// @param grid, done must outlive this. @param done advances as rows of tiles are complete from
  /// the top.
  TileTurns(const TileGrid& grid, int lanes, RowProgress& done);
  TileTurns(const TileTurns&) = delete;
  TileTurns& operator=(const TileTurns&) = delete;

  /// The lane's next tile, in ascending order. Waits if that tile is more than one row of tiles
  /// below the first incomplete one, because rows that nobody can use yet take memory.
  /// @returns nothing if the lane must end: no tile is left, a lane failed, or another one
  /// continues alone.
  std::optional<int> next(int lane);
  /// Called when the tile is made. May wait for the user of the rows.
  void finish(int tile);

  /// Whether no other lane can be using the card's memory.
  bool is_alone(int lane) const;
  /// Called for a tile that found no memory while other lanes hold some.
  /// @returns true after the others have ended their tiles and all their work: this lane makes the
  /// rest, beginning with this tile. False if the lane must end: another one makes the rest
  /// including this tile, or a lane failed.
  bool go_on_alone(int lane, int tile);

  /// Called if a lane failed at a tile: the others end after their present tiles.
  void fail(int tile, std::exception_ptr cause);
  /// Called after all lanes have ended. @throws the error of the first tile that failed, as a
  /// single lane would.
  void rethrow_failure() const;

 private:
  bool has_ended(int lane) const { return failure_ || (alone_ && *alone_ != lane); }

  const TileGrid& grid_;
  RowProgress& done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int next_ = 0;
  std::vector<int> left_;        ///< Tiles that were assigned before, but not made.
  std::vector<int> unfinished_;  ///< The number of tiles in each row.
  int complete_ = 0;             ///< Rows of tiles, from the top.
  int under_way_ = 0;            ///< Number of tiles.
  std::optional<int> alone_;     ///< The only lane that gets tiles.
  std::exception_ptr failure_;
  int failed_tile_ = 0;
};

}  // namespace cuimg

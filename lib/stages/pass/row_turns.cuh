// SPDX-License-Identifier: Apache-2.0
// Rows cut into pieces that workers, threads or warps, process in turn: each advances by as many
// pieces as there are workers, so that a block can keep tables for much of a picture.
#pragma once

#include <cstdint>

namespace cuimg {

/// A worker's piece, row after row.
struct TurnInRows {
  std::uint32_t piece, row;
  std::uint32_t step_pieces, step_rows;
  std::uint32_t pieces;  ///< Pieces of a row.

  __device__ TurnInRows(std::uint32_t worker, std::uint32_t workers, std::uint32_t pieces_of_row)
      : piece(worker % pieces_of_row),
        row(worker / pieces_of_row),
        step_pieces(workers % pieces_of_row),
        step_rows(workers / pieces_of_row),
        pieces(pieces_of_row) {}
  __device__ void advance() {
    piece += step_pieces;
    row += step_rows;
    if (piece >= pieces) {
      piece -= pieces;
      ++row;
    }
  }
};

}  // namespace cuimg

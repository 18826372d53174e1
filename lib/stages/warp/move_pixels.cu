// SPDX-License-Identifier: Apache-2.0
// Moved texels on a card.
#include <cstring>

#include "device/cuda/cuda_words.cuh"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct MovedTexel {
  ByteRows source;
  IndexMap map;
  TexelWords fill;

  __device__ TexelWords operator()(int x, int y) const {
    const int u = map.column(map.transposed ? y : x), v = map.row(map.transposed ? x : y);
    const int column = map.columns(u), row = map.rows(v);
    if (column != BorderAxis::nothing && row != BorderAxis::nothing)
      return source.words(column, row);
    const bool beyond = IndexMap::is_beyond(map.columns, u) || IndexMap::is_beyond(map.rows, v);
    return beyond ? fill : TexelWords{};
  }
};

}  // namespace

void move_on_cuda(const Queue& queue, const IndexMap& map, const StoredTexel& fill,
                  const Frame& source, const Frame& target) {
  MovedTexel moved{ByteRows(source), map, {}};
  std::memcpy(moved.fill.word, fill.data(), sizeof moved.fill.word);
  make_texels(queue.card(), "move", moved, target);
}

}  // namespace cuimg

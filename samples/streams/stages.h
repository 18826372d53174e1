// SPDX-License-Identifier: Apache-2.0
// Integers that are copied to the card, processed by a kernel, and copied back. For nvcc.
#pragma once

#include <vector>

#include "streams/churn.h"

namespace cuimg::samples {

/// The data: `in` and `out` in the host's memory, mapped for the card, and copies of both on the
/// card.
struct Stages {
  Stages(std::size_t elements, int stream_count) : count(elements) {
    for (int i = 0; i < stream_count; ++i) streams.push_back(new_stream());
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<unsigned>(i * 2654435761u);
  }
  std::size_t count;
  MappedArray<unsigned> in{count}, out{count};
  DeviceArray<unsigned> card_in{count}, card_out{count};
  std::vector<StreamHandle> streams;
  unsigned blocks = static_cast<unsigned>(8 * multiprocessors());

  void to_card(std::size_t first, std::size_t n, cudaStream_t stream) const {
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(card_in.get() + first, in.host() + first, n * sizeof(unsigned),
                             cudaMemcpyHostToDevice, stream);
    });
  }
  void from_card(std::size_t first, std::size_t n, cudaStream_t stream) const {
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(out.host() + first, card_out.get() + first, n * sizeof(unsigned),
                             cudaMemcpyDeviceToHost, stream);
    });
  }
  void kernel(std::size_t first, std::size_t n, int cycles, cudaStream_t stream) const {
    churn<1><<<blocks, 256, 0, stream>>>(card_out.get() + first, card_in.get() + first, n, cycles,
                                         Cycle());
    check_launch("churn");
  }
};

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// How many kernels run at the same time. Each registers when it begins and deregisters when it
// ends. For nvcc.
#pragma once

#include <array>

#include "common/card.h"
#include "common/host_clock.h"
#include "common/sample.h"

namespace cuimg::samples {

constexpr unsigned kernels = 8;

/// The kernels that are running, and those that were running when each one began.
struct Attendance {
  unsigned present = 0, most = 0;  // counters
  unsigned mask = 0;               // one bit for each kernel
  unsigned met[kernels] = {};
};

/// Keeps every block busy for a number of cycles. The first thread of the grid does the counting.
inline __global__ void attend(Attendance* attendance, unsigned self, long long cycles) {
  const bool checks = blockIdx.x == 0 && threadIdx.x == 0;
  if (checks) {
    atomicMax(&attendance->most, atomicAdd(&attendance->present, 1u) + 1);
    attendance->met[self] = atomicOr(&attendance->mask, 1u << self) | 1u << self;
  }
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (checks) {
    atomicAnd(&attendance->mask, ~(1u << self));
    atomicSub(&attendance->present, 1u);
  }
}

/// Compares kernels in one stream with kernels in separate streams, for several numbers of blocks.
inline void show_active_kernels(Report& report) {
  constexpr long long cycles = 200000;
  std::vector<StreamHandle> streams;
  for (unsigned i = 0; i < kernels; ++i) streams.push_back(new_stream());
  Table table{text("%u kernels of 256 threads a block", kernels),
              {"blocks per SM", "one stream: at once", "ms", "eight streams: at once", "ms"}};
  bool all_attended = true, never_two_in_one = true;
  for (int per_sm : {1, 2, 4, 8}) {
    std::vector<Cell> row = {per_sm};
    for (bool own_stream : {false, true}) {
      const DeviceArray<Attendance> attendance(std::vector<Attendance>(1));
      wait();  // until the zeros are written: these streams do not wait for the default stream
      const double us = best_host_us(1, [&] {
        for (unsigned i = 0; i < kernels; ++i) {
          const cudaStream_t stream = streams[own_stream ? i : 0].get();
          attend<<<static_cast<unsigned>(per_sm * multiprocessors()), 256, 0, stream>>>(
              attendance.get(), i, cycles);
          check_launch("attend");
        }
        wait();
      });
      const Attendance seen = attendance.to_host()[0];
      all_attended = all_attended && seen.present == 0 && seen.mask == 0;
      for (unsigned i = 0; i < kernels; ++i) {
        all_attended = all_attended && (seen.met[i] >> i & 1) == 1;
        never_two_in_one = never_two_in_one && (own_stream || seen.met[i] == 1u << i);
      }
      if (!own_stream) never_two_in_one = never_two_in_one && seen.most == 1;
      row.insert(row.end(), {Cell(seen.most), Cell(us / 1e3)});
    }
    table.row(std::move(row));
  }
  report.show(table);
  report.check(all_attended, "every kernel checks in and out");
  report.check(never_two_in_one, "in one stream never two kernels at once");
  report.say("The book: at most 3 at once with 2 blocks per SM, 2 with 3 (Tesla M2050, 14 SMs).");
}

}  // namespace cuimg::samples

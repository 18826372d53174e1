// SPDX-License-Identifier: Apache-2.0
// A card can copy on its own only from pages that cannot move. Other memory is first copied into
// such pages. This compares five kinds of host memory: the time to allocate them, and the speed of
// the card's copies, of kernels and of the CPU.
#include <algorithm>

#include "common/host_clock.h"
#include "memory/host_memory.h"

using namespace cuimg;
using namespace cuimg::samples;

// Whether memory that starts and ends in the middle of pages can be registered.
std::string register_between_pages() {
  std::vector<char> memory(std::size_t{1} << 20);
  char* const inside = memory.data() + 100;
  const cudaError_t code = cudaHostRegister(inside, memory.size() - 333, cudaHostRegisterDefault);
  if (code == cudaSuccess)
    checked("cudaHostUnregister", [&] { return cudaHostUnregister(inside); });
  else
    static_cast<void>(cudaGetLastError());  // an error is a valid answer
  return cudaGetErrorName(code);
}

int main(int argc, char** argv) {
  int megabytes = 32;
  Sample program("memory/pinned", "pageable, pinned, mapped, write-combined, registered memory");
  program.option("megabytes", megabytes, "to copy", 1, 4096);
  return program.run(argc, argv, [&](Report& report) {
    const std::size_t bytes = static_cast<std::size_t>(megabytes) << 20;
    { const HostMemory first(Kind::pinned, bytes); }  // a process's first allocation takes longer
    Table table{text("%d MB, GB/s", megabytes),
                {"memory", "ms to have", "to card", "to host", "kernel reads", "kernel writes",
                 "CPU writes", "CPU reads", "a kernel's pointer"}};
    bool all_right = true;
    constexpr Kind kinds[] = {Kind::pageable, Kind::pinned, Kind::mapped, Kind::write_combined,
                              Kind::registered};
    std::vector<Speeds> of_kind;
    for (const Kind kind : kinds) {
      // The time to allocate is measured with separate memory, which is freed immediately.
      const double ms = best_host_us(1, [&] { const HostMemory memory(kind, bytes); }) / 1e3;
      const HostMemory memory(kind, bytes);
      const Speeds speeds = measure(memory, bytes, static_cast<std::uint32_t>(kind) * 1000);
      all_right = all_right && speeds.is_right;
      table.row({kind_names[static_cast<int>(kind)], Cell(ms, 2), Cell(speeds.to_card, 1),
                 Cell(speeds.to_host, 1), speed_cell(speeds.kernel_reads),
                 speed_cell(speeds.kernel_writes), Cell(speeds.cpu_writes, 1),
                 Cell(speeds.cpu_reads, 2),
                 memory.device() == nullptr         ? "-"
                 : memory.device() == memory.host() ? "the same"
                                                    : "another"});
      of_kind.push_back(speeds);
    }
    report.show(table);
    report.check(all_right, "every word arrives, by each way and in each kind");
    const Speeds &pageable = of_kind[0], &pinned = of_kind[1], &combined = of_kind[3];
    report.say("registering from the middle of a page: " + register_between_pages() +
               "; the book says that it begins and ends where pages do");
    report.say(text(
        "The book: about 3.4 GB/s from pageable memory, over PCI Express 2.0; here %.1f, and %.1f "
        "from pinned memory, which kernels read at %.1f.",
        pageable.to_card, pinned.to_card, pinned.kernel_reads));
    report.say(
        text("The book: a CPU reads write-combined memory about 6 times slower, and copies from "
             "it gain next to nothing: here %.0f times slower, and %.2f of pinned memory's speed.",
             pinned.cpu_reads / combined.cpu_reads, combined.to_card / pinned.to_card));
    report.headline(
        text("%.1f GB/s to the card and %.1f back from pinned memory, %.1f and %.1f from "
             "pageable memory",
             pinned.to_card, pinned.to_host, pageable.to_card, pageable.to_host));
  });
}

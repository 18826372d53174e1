// SPDX-License-Identifier: Apache-2.0
// On a machine with several NUMA nodes, a card is near one of them. So is each page of memory: it
// is on the node of the CPU that first wrote to it. This writes pages from a thread on each node,
// pins them by registering, and copies. No library is needed: the system's files and CPU affinity
// are enough.
#include <algorithm>

#include "memory/numa_nodes.h"

using namespace cuimg;
using namespace cuimg::samples;

int main(int argc, char** argv) {
  int megabytes = 32;
  Sample program("memory/numa", "pinned memory on each NUMA node, by first touch and registering");
  program.option("megabytes", megabytes, "to copy", 1, 4096);
  return program.run(argc, argv, [&](Report& report) {
    const std::size_t bytes = static_cast<std::size_t>(megabytes) << 20;
    const std::vector<Node> all = nodes();
    const int near = node_of_card();
    if (all.size() == 1) report.say("This machine has one node: there is nothing far to compare.");
    Table table{text("%d MB, GB/s", megabytes),
                {"node", "CPUs", "the card", "MB there", "to card", "to host", "kernel reads",
                 "kernel writes", "CPU reads"}};
    bool all_right = true, all_placed = true, any_told = false;
    double best = 0, worst = 0;
    for (const Node& node : all) {
      const std::string place = near < 0 ? "?" : node.number == near ? "near" : "far";
      Affinity affinity;
      const int cpus = affinity.restrict_to(node.cpus);
      if (cpus == 0) {  // a node with memory only, or CPUs that this process may not use
        table.row({node.number, 0, place, Cell::none("-"), Cell::none("-"), Cell::none("-"),
                   Cell::none("-"), Cell::none("-"), Cell::none("-")});
        continue;
      }
      const HostMemory memory(Kind::registered, bytes);
      const long there = bytes_on_node(memory.host(), node.number);
      const Speeds speeds = measure(memory, bytes, static_cast<std::uint32_t>(node.number));
      all_right = all_right && speeds.is_right;
      any_told = any_told || there >= 0;
      all_placed = all_placed && (there < 0 || there >= static_cast<long>(bytes));
      // The mapping that contains our memory may contain other memory too.
      table.row({node.number, cpus, place,
                 there < 0 ? Cell::none("?") : Cell(std::min(there >> 20, long{megabytes})),
                 Cell(speeds.to_card, 1), Cell(speeds.to_host, 1), speed_cell(speeds.kernel_reads),
                 speed_cell(speeds.kernel_writes), Cell(speeds.cpu_reads, 1)});
      best = std::max(best, speeds.to_card);
      worst = worst == 0 ? speeds.to_card : std::min(worst, speeds.to_card);
    }
    if (best == 0) throw Skipped("the system's nodes name none of this process's CPUs");
    report.show(table);
    report.check(all_right && best > 0, "every word arrives, from each node that has CPUs");
    if (any_told) report.check(all_placed, "the pages lie on the node that wrote to them first");
    report.say(
        "The book: no call tells which node a card is near, and libnuma has to tell the nodes. Now "
        "cudaDevAttrHostNumaId and the card's numa_node file do" +
        std::string(near < 0 ? ", though not on this machine." : text(": %d.", near)));
    report.headline(all.size() == 1 ? text("one node: %.1f GB/s to the card", best)
                                    : text("%zu nodes: %.1f to %.1f GB/s to the card", all.size(),
                                           worst, best));
  });
}

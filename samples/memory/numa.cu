// SPDX-License-Identifier: Apache-2.0
// On a machine of several NUMA nodes a card is near one of them, and so is each page of memory: it
// lies on the node of the CPU that first wrote to it. We let a thread of each node write pages, pin
// them by registering, and copy. No library is needed: the system's files and affinity do.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "memory/host_memory.h"

using namespace cuimg;
using namespace cuimg::samples;

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Of a list like "0-15,32-47".
std::vector<int> numbers_of(const std::string& list) {
  std::vector<int> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = 0, last = 0;
    const char* const end = part.data() + part.size();
    const auto read = std::from_chars(part.data(), end, first);
    if (read.ec != std::errc()) continue;
    last = first;
    if (read.ptr != end) std::from_chars(read.ptr + 1, end, last);
    for (int i = first; i <= last; ++i) numbers.push_back(i);
  }
  return numbers;
}

// This thread's CPUs: given back at the end.
class Affinity {
 public:
  Affinity() { ask(sched_getaffinity(0, sizeof before_, &before_), "sched_getaffinity"); }
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;
  ~Affinity() { sched_setaffinity(0, sizeof before_, &before_); }
  // @returns how many of `cpus` we may use; none: nothing has changed.
  int restrict_to(const std::vector<int>& cpus) {
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (int cpu : cpus)
      if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &wanted);
    const int count = CPU_COUNT(&wanted);
    if (count > 0) ask(sched_setaffinity(0, sizeof wanted, &wanted), "sched_setaffinity");
    return count;
  }

 private:
  static void ask(int result, const char* call) {
    if (result != 0) throw Error(call, std::strerror(errno));
  }
  cpu_set_t before_;
};

struct Node {
  int number;
  std::vector<int> cpus;
};

// A system that tells of no nodes has one, with all CPUs.
std::vector<Node> nodes() {
  std::vector<Node> found;
  const std::string folder = "/sys/devices/system/node/";
  for (int number : numbers_of(line_of(folder + "online")))
    found.push_back(
        {number, numbers_of(line_of(folder + "node" + std::to_string(number) + "/cpulist"))});
  if (!found.empty()) return found;
  std::vector<int> all(CPU_SETSIZE);
  std::iota(all.begin(), all.end(), 0);
  return {{0, all}};
}

// The node that the card is attached to: what CUDA tells, else what the system does; -1: neither.
int node_of_card() {
  int device = 0, node = -1;
  char id[32] = "";
  checked("cudaGetDevice", [&] { return cudaGetDevice(&device); });
  checked("cudaDeviceGetAttribute",
          [&] { return cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, device); });
  if (node >= 0) return node;
  checked("cudaDeviceGetPCIBusId", [&] { return cudaDeviceGetPCIBusId(id, sizeof id, device); });
  std::string name = id;  // with capitals; the system's are small
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  const std::string line = line_of("/sys/bus/pci/devices/" + name + "/numa_node");
  return line.empty() ? -1 : std::stoi(line);
}

// Whether this process may have memory of a node.
bool may_use_memory_of(int node) {
  std::ifstream file("/proc/self/status");
  const std::string name = "Mems_allowed_list:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) {
      const auto allowed = numbers_of(line.substr(line.find_first_of("0123456789", name.size())));
      return std::find(allowed.begin(), allowed.end(), node) != allowed.end();
    }
  return false;
}

// How many bytes of the mapping around `memory` lie on a node; -1: the system does not tell, or
// places pages by another rule than that of the first write.
long bytes_on_node(const void* memory, int node) {
  if (!may_use_memory_of(node)) return -1;
  std::ifstream file("/proc/self/numa_maps");
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::string found;
  // Each line begins with a mapping's first address; they ascend.
  for (std::string line; std::getline(file, line);)
    if (std::strtoull(line.c_str(), nullptr, 16) <= address) found = line;
  std::istringstream words(found);
  std::string start, policy;
  words >> start >> policy;
  if (policy != "default") return -1;
  long pages = 0, kilobytes = 0;
  const std::string here = text("N%d=", node), size = "kernelpagesize_kB=";
  for (std::string word; words >> word;) {
    if (word.starts_with(here)) pages = std::stol(word.substr(here.size()));
    if (word.starts_with(size)) kilobytes = std::stol(word.substr(size.size()));
  }
  return pages * kilobytes * 1024;
}

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
      if (cpus == 0) {  // memory alone, or CPUs that are not ours
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
      // The mapping around ours may hold other memory too.
      table.row({node.number, cpus, place,
                 there < 0 ? Cell::none("?") : Cell(std::min(there >> 20, long{megabytes})),
                 Cell(speeds.to_card, 1), Cell(speeds.to_host, 1), speed_cell(speeds.kernel_reads),
                 speed_cell(speeds.kernel_writes), Cell(speeds.cpu_reads, 1)});
      best = std::max(best, speeds.to_card);
      worst = worst == 0 ? speeds.to_card : std::min(worst, speeds.to_card);
    }
    report.show(table);
    report.check(all_right && best > 0, "every word arrives, from each node that has CPUs");
    if (any_told) report.check(all_placed, "the pages lie on the node that wrote to them first");
    report.say(
        "The book: no call tells which node a card is near, and the nodes come from libnuma. "
        "Now cudaDevAttrHostNumaId does" +
        std::string(near < 0 ? ", though not on this machine." : text(": %d.", near)));
    report.headline(all.size() == 1 ? text("one node: %.1f GB/s to the card", best)
                                    : text("%zu nodes: %.1f to %.1f GB/s to the card", all.size(),
                                           worst, best));
  });
}

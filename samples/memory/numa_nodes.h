// SPDX-License-Identifier: Apache-2.0
// What the system's files and calls report about NUMA nodes: their CPUs, the card's node, where
// pages are.
#pragma once

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "memory/host_memory.h"

namespace cuimg::samples {

inline std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Parses a list like "0-15,32-47".
inline std::vector<int> numbers_of(const std::string& list) {
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

// The CPUs that this thread may use; the destructor restores them.
class Affinity {
 public:
  Affinity() { ask(sched_getaffinity(0, sizeof before_, &before_), "sched_getaffinity"); }
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;
  ~Affinity() { sched_setaffinity(0, sizeof before_, &before_); }
  // @returns the number of `cpus` that we may use; if it is 0, nothing has changed.
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

// A system that reports no nodes counts as one node with all CPUs.
inline std::vector<Node> nodes() {
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

// The node that the card is attached to, from CUDA or else from the system; -1 if neither knows.
inline int node_of_card() {
  int device = 0, node = -1;
  char id[32] = "";
  checked("cudaGetDevice", [&] { return cudaGetDevice(&device); });
  checked("cudaDeviceGetAttribute",
          [&] { return cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, device); });
  if (node >= 0) return node;
  checked("cudaDeviceGetPCIBusId", [&] { return cudaDeviceGetPCIBusId(id, sizeof id, device); });
  std::string name = id;  // CUDA writes capital hex digits, the system small ones
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  const std::string line = line_of("/sys/bus/pci/devices/" + name + "/numa_node");
  return line.empty() ? -1 : std::stoi(line);
}

// Whether this process may allocate memory on a node.
inline bool may_use_memory_of(int node) {
  std::ifstream file("/proc/self/status");
  const std::string name = "Mems_allowed_list:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) {
      const auto allowed = numbers_of(line.substr(line.find_first_of("0123456789", name.size())));
      return std::find(allowed.begin(), allowed.end(), node) != allowed.end();
    }
  return false;
}

// How many bytes of the mapping that contains `memory` are on a node. -1 if the system does not
// report it, or places pages by another rule than the first write.
inline long bytes_on_node(const void* memory, int node) {
  if (!may_use_memory_of(node)) return -1;
  std::ifstream file("/proc/self/numa_maps");
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::string found;
  // Each line begins with the first address of a mapping, in ascending order.
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

}  // namespace cuimg::samples

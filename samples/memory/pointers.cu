// SPDX-License-Identifier: Apache-2.0
// What CUDA knows about a pointer: who owns the memory, and who can access it. Also variables that
// a file declares for the card, and their addresses; and memory with padded rows, filled by memsets
// and by kernels, in two dimensions and in three.
#include <cstdint>
#include <numeric>

#include "common/sample.h"
#include "memory/host_memory.h"
#include "memory/padded_rows.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int symbol_count = 64;
__device__ int device_symbol[symbol_count];
__constant__ int constant_symbol[symbol_count];

// @returns the headline.
std::string attributes(Report& report) {
  constexpr std::size_t bytes = 1 << 20;
  const HostMemory pageable(Kind::pageable, bytes), pinned(Kind::pinned, bytes),
      combined(Kind::write_combined, bytes), registered(Kind::registered, bytes);
  const DeviceArray<char> device(bytes);
  void *managed = nullptr, *symbol = nullptr;
  checked("cudaMallocManaged", [&] { return cudaMallocManaged(&managed, bytes); });
  const DeviceMemoryHandle managed_handle(managed);
  checked("cudaGetSymbolAddress", [&] { return cudaGetSymbolAddress(&symbol, device_symbol); });
  struct Asked {
    const char* what;
    const void* pointer;
    cudaMemoryType expected;
  };
  const Asked asked[] = {{"mmap", pageable.host(), cudaMemoryTypeUnregistered},
                         {"cudaHostAlloc", pinned.host(), cudaMemoryTypeHost},
                         {"write-combined", combined.host(), cudaMemoryTypeHost},
                         {"cudaHostRegister", registered.host(), cudaMemoryTypeHost},
                         {"cudaMalloc", device.get(), cudaMemoryTypeDevice},
                         {"and 1000 bytes on", device.get() + 1000, cudaMemoryTypeDevice},
                         {"cudaMallocManaged", managed, cudaMemoryTypeManaged},
                         {"__device__", symbol, cudaMemoryTypeDevice}};
  const char* const types[] = {"unregistered", "host", "device", "managed"};
  const auto seen = [](const void* seen_as, const void* pointer) {
    return seen_as == nullptr ? "no" : seen_as == pointer ? "the same" : "another";
  };
  Table table{"pointers", {"from", "type", "kernels reach it by", "the host by"}};
  bool all_right = true;
  int pinned_kinds = 0, same = 0;
  for (const Asked& one : asked) {
    cudaPointerAttributes told = {};
    checked("cudaPointerGetAttributes",
            [&] { return cudaPointerGetAttributes(&told, one.pointer); });
    all_right = all_right && told.type == one.expected;
    if (told.type == cudaMemoryTypeHost) {
      ++pinned_kinds;
      same += told.devicePointer == told.hostPointer;
    }
    table.row({one.what, types[told.type], seen(told.devicePointer, one.pointer),
               seen(told.hostPointer, one.pointer)});
  }
  report.show(table);
  report.check(all_right, "each pointer is known for what it is");
  CUdeviceptr base = 0;
  std::size_t size = 0;
  const auto inside = reinterpret_cast<CUdeviceptr>(device.get() + 1000);
  check_driver(
      driver_call<decltype(cuMemGetAddressRange)>("cuMemGetAddressRange")(&base, &size, inside),
      "cuMemGetAddressRange");
  report.check(
      base == reinterpret_cast<CUdeviceptr>(device.get()) && size >= bytes,
      text("cuMemGetAddressRange finds where a pointer's memory begins, and its %zu bytes", size));
  return text("kernels reach %d of %d kinds of pinned memory by the host's own pointer", same,
              pinned_kinds);
}

enum Space { global_space = 1, shared_space = 2, constant_space = 4, local_space = 8 };

// Not inlined: the compiler would see where the pointers come from and answer without the card.
__device__ __noinline__ int space_of(const void* pointer) {
  return (__isGlobal(pointer) ? global_space : 0) | (__isShared(pointer) ? shared_space : 0) |
         (__isConstant(pointer) ? constant_space : 0) | (__isLocal(pointer) ? local_space : 0);
}

// Adds a symbol found by its name to the same symbol found by its address, and reports the memory
// spaces of four pointers. `spaces` begins with zeros.
__global__ void use_symbols(const int* address, int* sums, int* from_constant, int* spaces) {
  const int i = static_cast<int>(threadIdx.x);
  sums[i] = address[i] + device_symbol[i];
  from_constant[i] = constant_symbol[i];
  if (i > 0) return;
  __shared__ int in_shared[2];
  int in_local[2] = {};
  const int unknown = spaces[0];  // unknown to the compiler, so the array cannot be in registers
  spaces[0] = space_of(address);
  spaces[1] = space_of(in_shared);
  spaces[2] = space_of(constant_symbol);
  spaces[3] = space_of(&in_local[unknown]);
}

void symbols(Report& report) {
  std::vector<int> numbers(symbol_count), back(symbol_count);
  std::iota(numbers.begin(), numbers.end(), 100);
  void *address = nullptr, *constant = nullptr;
  std::size_t bytes = 0;
  checked("cudaGetSymbolAddress", [&] { return cudaGetSymbolAddress(&address, device_symbol); });
  checked("cudaGetSymbolAddress", [&] { return cudaGetSymbolAddress(&constant, constant_symbol); });
  checked("cudaGetSymbolSize", [&] { return cudaGetSymbolSize(&bytes, device_symbol); });
  checked("cudaMemcpyToSymbol",
          [&] { return cudaMemcpyToSymbol(device_symbol, numbers.data(), sizeof device_symbol); });
  // Two of the books disagree about whether this fills constant memory.
  checked("cudaMemcpy", [&] {
    return cudaMemcpy(constant, numbers.data(), sizeof constant_symbol, cudaMemcpyHostToDevice);
  });
  const DeviceArray<int> doubled(symbol_count), copied(symbol_count), spaces(std::vector<int>(4));
  use_symbols<<<1, symbol_count>>>(static_cast<const int*>(address), doubled.get(), copied.get(),
                                   spaces.get());
  check_launch("use_symbols");
  checked("cudaMemcpyFromSymbol",
          [&] { return cudaMemcpyFromSymbol(back.data(), device_symbol, sizeof device_symbol); });
  report.check(bytes == sizeof device_symbol && back == numbers,
               "a symbol keeps what is copied to it");
  std::vector<int> twice = numbers;
  for (int& number : twice) number *= 2;
  report.check(doubled.to_host() == twice, "a kernel finds it by its name and by its address");
  report.check(copied.to_host() == numbers, "cudaMemcpy to its address fills constant memory");
  report.check(
      spaces.to_host() == std::vector<int>{global_space, shared_space, constant_space, local_space},
      "a kernel tells global, shared, constant and local pointers apart");
}

int main(int argc, char** argv) {
  Sample program("memory/pointers", "whose memory a pointer is; symbols, memsets, padded rows");
  return program.run(argc, argv, [&](Report& report) {
    const std::string headline = attributes(report);
    symbols(report);
    rows_and_slices(report);
    report.say(
        "The book: kernels reach registered and write-combined memory by another pointer than the "
        "host, and mapping has to be asked for before all else. The table tells what is left of "
        "that.");
    report.headline(headline);
  });
}

// SPDX-License-Identifier: Apache-2.0
// What can be asked of a pointer: whose memory it is, and who reaches it. Variables that a file
// declares for the card, and their addresses. Memory whose rows are padded, filled by memsets and
// by kernels, in two dimensions and in three.
#include <cuda.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "common/sample.h"
#include "memory/host_memory.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int symbol_count = 64;
__device__ int device_symbol[symbol_count];
__constant__ int constant_symbol[symbol_count];

// A driver's call, without linking the driver: the runtime knows where it is.
template <class Call>
Call* driver_call(const char* name) {
  void* call = nullptr;
  checked("cudaGetDriverEntryPointByVersion",
          [&] { return cudaGetDriverEntryPointByVersion(name, &call, 12000, cudaEnableDefault); });
  return reinterpret_cast<Call*>(call);
}

void check_driver(CUresult code, const char* call) {
  if (code != CUDA_SUCCESS) throw Error(call, text("CUresult %d", static_cast<int>(code)));
}

void attributes(Report& report) {
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
  const Asked asked[] = {{"malloc", pageable.host(), cudaMemoryTypeUnregistered},
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
  for (const Asked& one : asked) {
    cudaPointerAttributes told = {};
    checked("cudaPointerGetAttributes",
            [&] { return cudaPointerGetAttributes(&told, one.pointer); });
    all_right = all_right && told.type == one.expected;
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
  report.check(base == reinterpret_cast<CUdeviceptr>(device.get()) && size == bytes,
               "cuMemGetAddressRange finds the beginning and the size of what holds a pointer");
}

enum Space { global_space = 1, shared_space = 2, constant_space = 4, local_space = 8 };

// Not inlined: else the compiler, which sees where the pointers come from, answers by itself.
__device__ __noinline__ int space_of(const void* pointer) {
  return (__isGlobal(pointer) ? global_space : 0) | (__isShared(pointer) ? shared_space : 0) |
         (__isConstant(pointer) ? constant_space : 0) | (__isLocal(pointer) ? local_space : 0);
}

// Adds a symbol found by its name to the same by its address, and tells four pointers' spaces;
// `spaces` begins with zeros.
__global__ void use_symbols(const int* address, int* sums, int* from_constant, int* spaces) {
  const int i = static_cast<int>(threadIdx.x);
  sums[i] = address[i] + device_symbol[i];
  from_constant[i] = constant_symbol[i];
  if (i > 0) return;
  __shared__ int in_shared[2];
  int in_local[2] = {};
  const int unknown = spaces[0];  // an index that keeps the array out of registers
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
  // Two of the articles' books disagree whether this fills constant memory.
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

// Each row's first byte is computed anew from its number: a pointer that moves on by the sum of
// what it has moved, as in the book, leaves the picture after a few.
__global__ void fill_volume(cudaPitchedPtr volume, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y), z = static_cast<int>(blockIdx.z);
  if (x >= width) return;
  char* const row = static_cast<char*>(volume.ptr) +
                    (static_cast<std::size_t>(z) * volume.ysize + y) * volume.pitch;
  reinterpret_cast<int*>(row)[x] = (z * height + y) * width + x;
}

void rows_and_slices(Report& report) {
  constexpr std::size_t width = 37, height = 11, depth = 5, row_bytes = width * sizeof(int);
  void* memory = nullptr;
  std::size_t pitch = 0;
  checked("cudaMallocPitch", [&] { return cudaMallocPitch(&memory, &pitch, row_bytes, height); });
  const DeviceMemoryHandle plane(memory);
  cudaPitchedPtr volume = {};
  const cudaExtent extent = make_cudaExtent(row_bytes, height, depth);
  checked("cudaMalloc3D", [&] { return cudaMalloc3D(&volume, extent); });
  const DeviceMemoryHandle slices(volume.ptr);
  report.say(text("rows of %zu bytes lie %zu bytes apart, of a volume %zu", row_bytes, pitch,
                  volume.pitch));
  // All bytes 0x11, then the rows' own 0x22: what pads them stays.
  std::vector<unsigned char> bytes(pitch * height), expected(bytes.size(), 0x11);
  checked("cudaMemset", [&] { return cudaMemset(memory, 0x11, bytes.size()); });
  checked("cudaMemset2D", [&] { return cudaMemset2D(memory, pitch, 0x22, row_bytes, height); });
  checked("cudaMemcpy",
          [&] { return cudaMemcpy(bytes.data(), memory, bytes.size(), cudaMemcpyDeviceToHost); });
  for (std::size_t y = 0; y < height; ++y)
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(y * pitch), row_bytes, 0x22);
  report.check(bytes == expected, "cudaMemset2D fills the rows and not what pads them");
  // The runtime's memsets know bytes alone; the driver's know 16 and 32 bits, and so floats.
  std::vector<float> floats(width * height);
  check_driver(driver_call<decltype(cuMemsetD2D32)>("cuMemsetD2D32")(
                   reinterpret_cast<CUdeviceptr>(memory), pitch, std::bit_cast<unsigned>(1.5f),
                   width, height),
               "cuMemsetD2D32");
  checked("cudaMemcpy2D", [&] {
    return cudaMemcpy2D(floats.data(), row_bytes, memory, pitch, row_bytes, height,
                        cudaMemcpyDeviceToHost);
  });
  report.check(std::ranges::count(floats, 1.5f) == static_cast<std::ptrdiff_t>(floats.size()),
               "cuMemsetD2D32 fills rows with floats");
  fill_volume<<<dim3(2, height, depth), 32>>>(volume, width, height);
  check_launch("fill_volume");
  std::vector<int> cells(width * height * depth), counted(cells.size());
  std::iota(counted.begin(), counted.end(), 0);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(cells.data(), row_bytes, row_bytes, height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  checked("cudaMemcpy3D", [&] { return cudaMemcpy3D(&copy); });
  report.check(cells == counted, "cudaMemcpy3D leaves the padding behind, slice after slice");
}

int main(int argc, char** argv) {
  Sample program("memory/pointers", "whose memory a pointer is; symbols, memsets, padded rows");
  return program.run(argc, argv, [&](Report& report) {
    attributes(report);
    symbols(report);
    rows_and_slices(report);
    report.say(
        "The book: asking about memory that CUDA does not know is an error, and a kernel reaches "
        "registered and write-combined memory by another pointer. Where one address space "
        "serves all, as since CUDA 11, such memory is unregistered, and the table tells the rest.");
    report.headline("a pointer's type, its allocation, its space: asked and answered");
  });
}

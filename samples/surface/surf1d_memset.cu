// SPDX-License-Identifier: Apache-2.0
// A surface stores bytes: the same templated memset fills an array of floats with floats or with
// shorts, at offsets in bytes. A store beyond the edge is dropped (zero), goes to the edge (clamp),
// or makes the card unusable for the process (trap).
#include <algorithm>
#include <bit>

#include "common/sample.h"
#include "surface/software_surface.h"
#include "surface/trap.h"
#ifdef __CUDACC__
#include "surface/boundary_mode.h"
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

constexpr int texels = 16;  // floats in the array: 64 bytes
constexpr int row_bytes = texels * static_cast<int>(sizeof(float));

// Stores `count` values, from index `first` on.
template <class T>
struct Fill {
  T value;
  int first, count;
  Boundary boundary;
};

// The array's floats from index -2 to 17 after a fill, read with the same boundary mode.
constexpr int first_read = -2, reads = texels + 4;

template <class T>
std::vector<float> fill_on_cpu(const Fill<T>& fill) {
  SoftwareSurface surface(row_bytes, 1);
  for (int i = fill.first; i < fill.first + fill.count; ++i)
    surface.write(fill.value, i * static_cast<int>(sizeof(T)), 0, fill.boundary);
  std::vector<float> values;
  for (int i = first_read; i < first_read + reads; ++i)
    values.push_back(surface.read<float>(i * static_cast<int>(sizeof(float)), 0, fill.boundary));
  return values;
}

void provoke_trap();

#ifdef __CUDACC__
template <class T>
__global__ void memset_surface(cudaSurfaceObject_t surface, int first, T value, int count,
                               cudaSurfaceBoundaryMode mode) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += step)
    surf1Dwrite(value, surface, (first + i) * static_cast<int>(sizeof(T)), mode);
}

__global__ void read_surface(cudaSurfaceObject_t surface, cudaSurfaceBoundaryMode mode,
                             float* values) {
  const int i = static_cast<int>(threadIdx.x);
  values[i] = surf1Dread<float>(surface, (first_read + i) * static_cast<int>(sizeof(float)), mode);
}

template <class T>
std::vector<float> fill_on_card(const Fill<T>& fill) {
  const ArrayHandle array =
      array_of(std::vector<float>(texels), texels, 0, cudaArraySurfaceLoadStore);
  const SurfaceHandle surface = new_surface(array);
  // The book's launch. It works with any number of threads, because each strides over the values.
  memset_surface<<<2, 384>>>(surface.get(), fill.first, fill.value, fill.count,
                             as_cuda(fill.boundary));
  check_launch("memset_surface");
  const DeviceArray<float> values(reads);
  read_surface<<<1, reads>>>(surface.get(), as_cuda(fill.boundary), values.get());
  check_launch("read_surface");
  return values.to_host();
}

// Runs in the process that --trap started. Calls are unchecked because we want their error.
void provoke_trap() {
  const ArrayHandle array = new_array<float>(texels, 0, cudaArraySurfaceLoadStore);
  const SurfaceHandle surface = new_surface(array);
  memset_surface<<<1, 32>>>(surface.get(), 0, 1.0f, texels + 1, cudaBoundaryModeTrap);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
#endif

int main(int argc, char** argv) {
  bool only_trap = false;
  Sample program("surface/surf1d_memset", "stores of bytes, and what happens beyond the edge",
                 Runs::on_card_or_cpu);
  program.option("trap", only_trap, "store out of range and print the error's name, nothing else");
  return program.run(argc, argv, [&](Report& report) {
    if constexpr (build::has_cuda)
      if (only_trap && report.on_card()) return provoke_trap();
    Table table{"an array of 16 floats, filled",
                {"with", "boundary", "from", "count", "filled", "bits", "as float", "before",
                 "first", "last", "after"}};
    bool as_emulated = true, as_counted = true;
    const auto show = [&](const auto& fill, const std::string& with, std::uint32_t bits) {
      const auto values = fill_surface(report.on_card(), fill);
      as_emulated = as_emulated && values == fill_on_cpu(fill);
      // The last float is always filled. The floats before it are filled from the fill's first one
      // on.
      const auto pattern = std::bit_cast<float>(bits);
      const auto filled = std::count(values.begin() + 2, values.begin() + 2 + texels, pattern);
      as_counted = as_counted && filled == texels - fill.first;
      table.row({with, fill.boundary == Boundary::zero ? "zero" : "clamp", fill.first, fill.count,
                 filled, hex(values[9]), Cell(values[9], text("%.6E", values[9])),
                 Cell(values[1], 4), Cell(values[2], 4), Cell(values[17], 4), Cell(values[18], 4)});
    };
    constexpr auto beef = std::bit_cast<short>(std::uint16_t{0xbeef});
    for (Boundary boundary : {Boundary::zero, Boundary::clamp}) {
      show(Fill<float>{3.141592654f, 0, texels, boundary}, "float pi", 0x40490fdb);
      show(Fill<short>{beef, 0, 2 * texels, boundary}, "short 0xbeef", 0xbeefbeef);
      show(Fill<float>{3.141592654f, 4, texels, boundary}, "float pi", 0x40490fdb);
    }
    report.show(table);
    report.check_on_card(as_emulated, "every float equals that of the surface in software");
    report.check(as_counted, "as many floats as counted have the stored bits");
    show_trap(report, "a store of one float too many", [] {
      fill_on_cpu(Fill<float>{1.0f, 0, texels + 1, Boundary::trap});
    });
  });
}

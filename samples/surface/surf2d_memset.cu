// SPDX-License-Identifier: Apache-2.0
// A memset of a rectangle in a 2D surface. Offsets are bytes across and rows down. A rectangle that
// extends beyond a corner shows the boundary modes: values outside are dropped (zero), go to the
// edge (clamp), or make the card unusable for the process (trap).
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

constexpr int width = 8, height = 4;  // floats
constexpr int row_bytes = width * static_cast<int>(sizeof(float));

template <class T>
struct Fill {
  T value;
  int x, y, width, height;  // in values of T and rows
  Boundary boundary;
};

template <class T>
std::vector<float> fill_on_cpu(const Fill<T>& fill) {
  SoftwareSurface surface(row_bytes, height);
  for (int y = fill.y; y < fill.y + fill.height; ++y)
    for (int x = fill.x; x < fill.x + fill.width; ++x)
      surface.write(fill.value, x * static_cast<int>(sizeof(T)), y, fill.boundary);
  std::vector<float> values;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      values.push_back(surface.read<float>(x * static_cast<int>(sizeof(float)), y, Boundary::trap));
  return values;
}

void provoke_trap();

#ifdef __CUDACC__
template <class T>
__global__ void memset_surface(cudaSurfaceObject_t surface, T value, int left, int top, int columns,
                               int rows, cudaSurfaceBoundaryMode mode) {
  const int across = static_cast<int>(gridDim.x * blockDim.x);
  const int down = static_cast<int>(gridDim.y * blockDim.y);
  for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < rows; y += down)
    for (int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); x < columns; x += across)
      surf2Dwrite(value, surface, (left + x) * static_cast<int>(sizeof(T)), top + y, mode);
}

template <class T>
std::vector<float> fill_on_card(const Fill<T>& fill) {
  const std::vector<float> zeros(width * height);
  const ArrayHandle array = array_of(zeros, width, height, cudaArraySurfaceLoadStore);
  const SurfaceHandle surface = new_surface(array);
  memset_surface<<<dim3(1, 2), dim3(32, 4)>>>(surface.get(), fill.value, fill.x, fill.y, fill.width,
                                              fill.height, as_cuda(fill.boundary));
  check_launch("memset_surface");
  std::vector<float> values(zeros.size());
  checked("cudaMemcpy2DFromArray", [&] {
    return cudaMemcpy2DFromArray(values.data(), row_bytes, array.get(), 0, 0, row_bytes, height,
                                 cudaMemcpyDeviceToHost);
  });
  return values;
}

// Runs in the process that --trap started. Calls are unchecked because we want their error.
void provoke_trap() {
  const ArrayHandle array = new_array<float>(width, height, cudaArraySurfaceLoadStore);
  const SurfaceHandle surface = new_surface(array);
  memset_surface<<<1, dim3(32, 4)>>>(surface.get(), 1.0f, 0, 1, width, height,
                                     cudaBoundaryModeTrap);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
#endif

int main(int argc, char** argv) {
  bool only_trap = false;
  Sample program("surface/surf2d_memset",
                 "rectangles of bytes, and corners that hang over the edge", Runs::on_card_or_cpu);
  program.option("trap", only_trap, "store out of range and print the error's name, nothing else");
  return program.run(argc, argv, [&](Report& report) {
    if constexpr (build::has_cuda)
      if (only_trap && report.on_card()) return provoke_trap();
    const auto show = [&](const auto& fill, const std::string& title, int expected) {
      const auto values = fill_surface(report.on_card(), fill);
      Table table{title, {"y"}};
      for (int x = 0; x < width; ++x) table.columns.push_back(std::to_string(x));
      int filled = 0;
      for (int y = 0; y < height; ++y) {
        std::vector<Cell> row = {y};
        for (int x = 0; x < width; ++x) {
          const float value = values[static_cast<std::size_t>(y * width + x)];
          filled += value != 0;
          row.push_back(value == 0 ? Cell(".") : hex(value));
        }
        table.row(std::move(row));
      }
      report.show(table);
      report.check_on_card(values == fill_on_cpu(fill), "as in the surface in software");
      report.check(filled == expected, text("%d floats are filled", expected));
    };
    constexpr float pi = 3.141592654f;
    constexpr auto beef = std::bit_cast<short>(std::uint16_t{0xbeef});
    show(Fill<float>{pi, 0, 0, width, height, Boundary::zero}, "float pi, all of it", 32);
    show(Fill<short>{beef, 4, 1, 6, 2, Boundary::zero}, "short 0xbeef, 6x2 shorts at 4, 1", 6);
    show(Fill<float>{pi, 6, 2, 4, 4, Boundary::zero}, "float pi, 4x4 at 6, 2, boundary zero", 4);
    show(Fill<float>{pi, 9, -2, 4, 4, Boundary::clamp}, "float pi, 4x4 at 9, -2, boundary clamp",
         2);
    show_trap(report, "a row too many", [] {
      fill_on_cpu(Fill<float>{1.0f, 0, 1, width, height, Boundary::trap});
    });
  });
}

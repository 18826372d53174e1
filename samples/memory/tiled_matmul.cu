// SPDX-License-Identifier: Apache-2.0
// A matrix product computed from its definition reads two numbers for each multiplication. If the
// threads of a block load tiles of both matrices into shared memory, each number is read only once
// per tile instead of once per thread.
#include <algorithm>
#include <cstdint>

#include "common/card.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

// Square matrices, row after row.
using Matrix = std::vector<float>;

// One thread computes each number of the product.
__global__ void multiply(const float* a, const float* b, float* product, int width) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= width) return;
  float sum = 0;  // in a register; the article's listing adds in the card's memory
  for (int k = 0; k < width; ++k) sum = fmaf(a[y * width + k], b[k * width + x], sum);
  product[y * width + x] = sum;
}

// Blocks have tile x tile threads. Tiles contain zeros beyond the matrix's edge.
template <int tile>
__global__ void multiply_tiled(const float* a, const float* b, float* product, int width) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * tile + i;
  const int y = static_cast<int>(blockIdx.y) * tile + j;
  float sum = 0;
  for (int first = 0; first < width; first += tile) {
    a_tile[j][i] = y < width && first + i < width ? a[y * width + first + i] : 0;
    b_tile[j][i] = x < width && first + j < width ? b[(first + j) * width + x] : 0;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < tile; ++k) sum = fmaf(a_tile[j][k], b_tile[k][i], sum);
    __syncthreads();  // both tiles may be overwritten
  }
  if (x < width && y < width) product[y * width + x] = sum;
}

// Whole numbers from -8 to 8: their sums of products are exact in any order.
Matrix numbers(int width, std::uint32_t seed) {
  Matrix matrix(static_cast<std::size_t>(width) * static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const std::uint32_t mixed = (static_cast<std::uint32_t>(i) + seed) * 2654435761u;
    matrix[i] = static_cast<float>(static_cast<int>((mixed >> 16) % 17) - 8);
  }
  return matrix;
}

// Whether rows 0, step, 2 step, ... of a product equal the host's.
bool rows_are_right(const Matrix& a, const Matrix& b, const Matrix& product, int width, int step) {
  const auto columns = static_cast<std::size_t>(width);
  std::vector<float> row(columns);
  for (std::size_t y = 0; y < columns; y += static_cast<std::size_t>(step)) {
    std::fill(row.begin(), row.end(), 0.0f);
    for (std::size_t k = 0; k < columns; ++k)
      for (std::size_t x = 0; x < columns; ++x) row[x] += a[y * columns + k] * b[k * columns + x];
    if (!std::equal(row.begin(), row.end(), product.begin() + static_cast<long>(y * columns)))
      return false;
  }
  return true;
}

struct Product {
  Matrix matrix;
  double ms;
};

template <class Kernel>
Product multiply_with(const Kernel& kernel, const Matrix& a, const Matrix& b, int width, int tile) {
  const DeviceArray<float> left(a), right(b), product(a.size());
  checked("cudaMemset", [&] { return cudaMemset(product.get(), 0xff, product.bytes()); });
  const auto side = static_cast<unsigned>(tile);
  const auto blocks = static_cast<unsigned>((width + tile - 1) / tile);
  const double ms = best_ms(3, [&] {
    kernel<<<dim3(blocks, blocks), dim3(side, side)>>>(left.get(), right.get(), product.get(),
                                                       width);
    check_launch("multiply");
  });
  return {product.to_host(), ms};
}

int main(int argc, char** argv) {
  int width = 1024;
  Sample program("memory/tiled_matmul", "tiles in shared memory read each number once for many");
  program.option("width", width, "of the matrices", 1, 8192);
  return program.run(argc, argv, [&](Report& report) {
    constexpr int odd = 157;  // not a multiple of any tile
    const Matrix a = numbers(width, 1), b = numbers(width, 77), odd_a = numbers(odd, 5),
                 odd_b = numbers(odd, 99);
    const double operations = 2.0 * width * width * width;
    Table table{text("matrices of %dx%d", width, width),
                {"block", "plain ms", "GFLOP/s", "tiled ms", "GFLOP/s", "faster", "reads left"}};
    Matrix first;
    bool odd_right = true, all_equal = true;
    double best = 0, plain_best = 0, gain = 0;
    const auto compare = [&](auto kernel, int tile) {
      for (const auto any : {multiply, static_cast<decltype(&multiply)>(kernel)})
        odd_right =
            odd_right && rows_are_right(odd_a, odd_b,
                                        multiply_with(any, odd_a, odd_b, odd, tile).matrix, odd, 1);
      const Product plain = multiply_with(multiply, a, b, width, tile);
      const Product tiled = multiply_with(kernel, a, b, width, tile);
      if (first.empty()) first = plain.matrix;
      all_equal = all_equal && plain.matrix == first && tiled.matrix == first;
      const double plain_speed = operations / plain.ms / 1e6, speed = operations / tiled.ms / 1e6;
      table.row({text("%dx%d", tile, tile), Cell(plain.ms, 3), Cell(plain_speed, 0),
                 Cell(tiled.ms, 3), Cell(speed, 0), Cell(plain.ms / tiled.ms, 2),
                 Cell(1.0 / tile, 4)});
      best = std::max(best, speed);
      plain_best = std::max(plain_best, plain_speed);
      gain = plain.ms / tiled.ms;  // the last tile is the largest
    };
    compare(multiply_tiled<4>, 4);
    compare(multiply_tiled<8>, 8);
    compare(multiply_tiled<16>, 16);
    compare(multiply_tiled<32>, 32);
    report.show(table);
    report.check(odd_right,
                 text("products of %dx%d, which no tile divides, are the host's", odd, odd));
    report.check(all_equal, text("all products of %dx%d are the same", width, width));
    const int step = std::max(1, width / 64);
    report.check(rows_are_right(a, b, first, width, step),
                 text("and row 0, %d, %d, ... is the host's", step, 2 * step));
    report.say(
        text("The article: tiles N wide leave 1/N of the reads. The time follows only in part, "
             "32 wide by %.2f: a cache answers what neighbours have read.",
             gain));
    report.headline(text("%.0f GFLOP/s plain, %.0f tiled: %.2f times faster for 1/32 of the reads",
                         plain_best, best, best / plain_best));
  });
}

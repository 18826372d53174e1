// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels. A picture of a disc is cut into quarters, and those that its edge
// crosses again: only the card knows how many there are. A parent can no longer wait for its
// children, but a kernel that it launches as its tail begins when all of them are done. Three ways
// paint the same squares: children that have children, levels that launch the next, and the host in
// between.
#include <cstdint>

#include "common/card.h"
#include "common/sample.h"
#include "execution/painted_disc.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int most_levels = 12;  // more than there can be

__device__ void check_child(const Picture& picture) {
  if (cudaGetLastError() != cudaSuccess) atomicAdd(picture.failures, 1u);
}

// Children that have children: each square that must be cut launches a grid for its quarters, which
// begins immediately and is not waited for. 2048 launches may wait for room to run, unless the host
// increases the limit with cudaDeviceSetLimit: enough for this edge.
__global__ void cut(Square parent, Picture picture) {
  const Square square = parent.quarter(blockIdx.x);
  if (paint(square, picture) && threadIdx.x == 0) {
    cut<<<4, threads, 0, cudaStreamFireAndForget>>>(square, picture);
    check_child(picture);
  }
}
__global__ void begin_cutting(Picture picture) {
  cut<<<4, threads, 0, cudaStreamFireAndForget>>>({0, 0, picture.side, 0}, picture);
  check_child(picture);
  // All pixels are painted then: a tail waits for the children, for their children, and so on.
  count_pixels<<<blocks_to_count(picture), 1024, 0, cudaStreamTailLaunch>>>(picture);
  check_child(picture);
}

// A whole level: four blocks for each square that must be cut, which record those for the next
// level.
__global__ void cut_level(int level, Picture picture) {
  const Square square = picture.to_cut[level % 2][blockIdx.x / 4].quarter(blockIdx.x % 4);
  if (paint(square, picture) && threadIdx.x == 0)
    picture.to_cut[(level + 1) % 2][atomicAdd(&picture.counts[level + 1], 1u)] = square;
}

// Levels that launch the next: one thread reads the number of squares, launches as many blocks, and
// then itself as their tail.
__global__ void next_level(int level, Picture picture) {
  const unsigned count = picture.counts[level];
  if (count > 0) {
    cut_level<<<4 * count, threads, 0, cudaStreamFireAndForget>>>(level, picture);
    check_child(picture);
    next_level<<<1, 1, 0, cudaStreamTailLaunch>>>(level + 1, picture);
  } else {
    count_pixels<<<blocks_to_count(picture), 1024, 0, cudaStreamTailLaunch>>>(picture);
  }
  check_child(picture);
}

// The host in between: it reads the number back, and launches.
void cut_from_host(const Picture& picture) {
  for (int level = 0;; ++level) {
    unsigned count = 0;
    checked("cudaMemcpy", [&] {
      return cudaMemcpy(&count, picture.counts + level, sizeof count, cudaMemcpyDeviceToHost);
    });
    if (count == 0) break;
    cut_level<<<4 * count, threads>>>(level, picture);
    check_launch("cut_level");
  }
  count_pixels<<<blocks_to_count(picture), 1024>>>(picture);
  check_launch("count_pixels");
}

int main(int argc, char** argv) {
  int side = 1024;
  std::string out = "dynamic_parallelism.png";
  Sample program("execution/dynamic_parallelism",
                 "kernels that launch kernels, as many as it takes");
  program.option("side", side, "of the picture: 64, 128, ... 4096", 64, 4096)
      .option("out", out, "the squares, lighter where they are smaller");
  return program.run(argc, argv, [&](Report& report) {
    if ((side & (side - 1)) != 0)
      throw Error("execution/dynamic_parallelism", text("--side %d is no power of two", side),
                  "use 64, 128, ... 4096");
    const Square whole = {0, 0, side, 0};
    int cuts = 0, levels = 0;
    expect(whole, side, cuts, levels);
    const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    const DeviceArray<std::uint8_t> on_card(pixels);
    const DeviceArray<Square> even(pixels / least / least), odd(pixels / least / least);
    const DeviceArray<unsigned> counts(most_levels), failures(1);
    const DeviceArray<unsigned long long> painted(1);
    const Picture picture = {side,         on_card.get(), {even.get(), odd.get()},
                             counts.get(), painted.get(), failures.get()};
    std::vector<std::uint8_t> first;

    Table table{text("%d squares are cut, on %d levels", cuts, levels),
                {"who launches", "grids", "ms"}};
    const auto try_out = [&](const char* who, int grids, const auto& launch) {
      const auto prepare = [&] {
        std::vector<unsigned> one_square(most_levels);
        one_square[0] = 1;
        counts.assign(one_square);
        even.assign({whole});
        painted.set_bytes(0);
        failures.set_bytes(0);
      };
      on_card.set_bytes(unpainted);
      prepare();
      launch();
      const auto got = on_card.to_host();
      if (first.empty()) first = got;
      report.check(shows_the_disc(got, side) && got == first && failures.to_host()[0] == 0,
                   std::string(who) + ": every pixel painted, and no launch refused");
      report.check(painted.to_host()[0] == pixels_inside(side),
                   std::string(who) + ": what is launched last finds all of them");
      Stopwatch watch;
      double ms = std::numeric_limits<double>::infinity();
      for (int run = 0; run < 5; ++run) {
        prepare();
        wait();
        watch.start();
        launch();
        ms = std::min(ms, watch.stop_ms());
      }
      table.row({who, grids, Cell(ms, 3)});
      return ms;
    };
    const double squares_ms = try_out("each square", cuts + 2, [&] {
      begin_cutting<<<1, 1>>>(picture);
      check_launch("begin_cutting");
    });
    const double levels_ms = try_out("each level", 2 * levels + 2, [&] {
      next_level<<<1, 1>>>(0, picture);
      check_launch("next_level");
    });
    const double host_ms = try_out("the host", levels + 1, [&] { cut_from_host(picture); });
    report.show(table);
    report.say(
        "The book's parents wait for their children, for which each level takes up to 150 MB; "
        "cards of compute capability 9.0 and later cannot, and begin what is next as a tail.");
    write_squares(out, first, side, levels);
    report.wrote(out, "the squares, lighter where they are smaller, and within the disc");
    report.headline(
        text("%d squares cut: %.2f ms by children of children, %.3f ms level by level, "
             "%.3f ms with the host in between",
             cuts, squares_ms, levels_ms, host_ms));
  });
}

// SPDX-License-Identifier: Apache-2.0
// The speed at which a kernel reads, writes and copies the card's memory depends on three numbers:
// the bytes of an operand, the operands in progress per thread, and the threads of a block. This
// measures all of them, with plain loads and with a texture, and the cost of beginning one operand
// off a warp's boundary.
#include <algorithm>
#include <array>

#include "common/sample.h"
#include "memory/move.h"

using namespace cuimg;
using namespace cuimg::samples;

// The memory used for the measurements.
struct Memory {
  const DeviceArray<unsigned char>&from, &to;
  unsigned blocks;
  bool uncoalesced;  // begin one operand late
};

struct Best {
  double gb_per_s = 0;
  int unrolled = 0, threads = 0;
};

// An operation on operands of one width.
struct Result {
  Table table;              // by operands in progress and threads
  Best best;                // of all
  double with_sixteen = 0;  // the maximum with 16 operands in progress
  double beside = 0;        // the best case's speed if it begins one operand late
  bool is_right = true;
};

template <Operation operation, class T>
Result sweep(const Memory& memory) {
  auto* source = reinterpret_cast<T*>(memory.from.get());
  std::size_t operands = memory.from.bytes() / sizeof(T);
  TextureHandle texture;
  if (operation == texture_reads) {
    operands = std::min(operands, texture_limit<T>());
    texture = new_texture(in_memory(source, operands), Sampler{.filter = Filter::point});
  }
  const auto speed_of = [&](auto kernel, int threads, std::size_t first) {
    const Work<T> work = {source, texture.get(), reinterpret_cast<T*>(memory.to.get()),
                          T{},    first,         operands - first,
                          nullptr};
    const double ms = best_ms(2, [&] {
      kernel<<<memory.blocks, static_cast<unsigned>(threads)>>>(work);
      check_launch("move_operands");
    });
    return static_cast<double>(work.count * sizeof(T)) * (operation == copies ? 2 : 1) / ms / 1e6;
  };
  Result result;
  result.table = {
      text("%s, operands of %zu bytes%s: GB/s by operands under way (down) and threads of "
           "a block (across)",
           operation_names[operation], sizeof(T), memory.uncoalesced ? ", one late" : ""),
      {"", "32", "64", "128", "256", "512", "most", "with"}};
  const auto kernels = kernels_of<operation, T>(std::make_integer_sequence<int, most_unrolled>());
  for (int unrolled = 1; unrolled <= most_unrolled; ++unrolled) {
    const auto kernel = kernels[static_cast<std::size_t>(unrolled - 1)];
    result.is_right = result.is_right && is_right<operation, T>(kernel, least_block, 1) &&
                      is_right<operation, T>(kernel, most_block, 0);
    Best most = {0, unrolled, 0};
    std::vector<Cell> row = {unrolled};
    for (int threads = least_block; threads <= most_block; threads *= 2) {
      const double speed = speed_of(kernel, threads, memory.uncoalesced ? 1 : 0);
      row.push_back(Cell(speed, 0));
      if (speed > most.gb_per_s) most = {speed, unrolled, threads};
    }
    row.insert(row.end(), {Cell(most.gb_per_s, 0), most.threads});
    result.table.row(std::move(row));
    if (most.gb_per_s > result.best.gb_per_s) result.best = most;
    result.with_sixteen = most.gb_per_s;  // the last one is kept
  }
  const Best& best = result.best;
  result.beside = speed_of(kernels[static_cast<std::size_t>(best.unrolled - 1)], best.threads, 1);
  return result;
}

template <Operation operation>
std::array<Result, 5> sweep_all(const Memory& memory) {
  return {sweep<operation, unsigned char>(memory), sweep<operation, unsigned short>(memory),
          sweep<operation, unsigned>(memory), sweep<operation, uint2>(memory),
          sweep<operation, uint4>(memory)};
}

int main(int argc, char** argv) {
  std::string tables = "read";
  int megabytes = 256, blocks_per_sm = 32;
  bool uncoalesced = false;
  Sample program("memory/global_bandwidth",
                 "the operands, batches and blocks that reach the memory's bandwidth");
  program
      .option("tables", tables, "which to print in full",
              {"none", "read", "texture", "write", "copy", "all"})
      .option("megabytes", megabytes, "to read or to write: more than the L2 cache holds", 1, 4096)
      .option("blocks", blocks_per_sm, "for each multiprocessor", 1, 1024)
      .option("uncoalesced", uncoalesced, "in the tables: begin one operand late");
  return program.run(argc, argv, [&](Report& report) {
    const std::size_t bytes = static_cast<std::size_t>(megabytes) << 20;
    const DeviceArray<unsigned char> from(bytes), to(bytes);
    from.set_bytes(1);
    to.set_bytes(1);
    const auto blocks = static_cast<unsigned>(multiprocessors() * blocks_per_sm);
    const Memory memory = {from, to, blocks, uncoalesced};
    const std::array<std::array<Result, 5>, 4> results = {
        sweep_all<reads>(memory), sweep_all<texture_reads>(memory), sweep_all<writes>(memory),
        sweep_all<copies>(memory)};
    // The maximum of each table in the book, for a GeForce GTX 680.
    const std::array<std::array<double, 5>, 4> of_the_book = {
        {{61.56, 101.38, 140.64, 142.63, 142.86}, {0, 0, 140, 140, 140}, {}, {0, 0, 0, 126.21, 0}}};
    Table best{"the best of each, GB/s",
               {"", "bytes", "GB/s", "under way", "threads", "one late", "the book"}};
    bool all_right = true;
    for (std::size_t o = 0; o < results.size(); ++o)
      for (std::size_t width = 0; width < results[o].size(); ++width) {
        const Result& result = results[o][width];
        all_right = all_right && result.is_right;
        if (tables == "all" || tables == operation_names[o]) report.show(result.table);
        best.row({operation_names[o], 1 << width, Cell(result.best.gb_per_s, 0),
                  result.best.unrolled, result.best.threads, Cell(result.beside, 0),
                  of_the_book[o][width] > 0 ? Cell(of_the_book[o][width], 2) : Cell::none("-")});
      }
    report.show(best);
    report.check(all_right, "each of the 320 kernels touches every operand once, and nothing else");
    const auto& plain = results[reads];
    const double most = plain[4].best.gb_per_s;
    report.say(
        text("The book: bytes reach 0.43 of the bandwidth and 16 bits 0.71, whatever is under "
             "way; here %.2f and %.2f: today's multiprocessors keep more loads under way, "
             "and join a warp's bytes like its words.",
             plain[0].best.gb_per_s / most, plain[1].best.gb_per_s / most));
    report.say(
        text("The book: copies of 8 bytes, 16 under way, fall to 0.52 of the best since 63 "
             "registers do not hold them; here %.2f, with 255.",
             results[copies][3].with_sixteen / results[copies][3].best.gb_per_s));
    report.say(
        text("The book: operands that begin next to a boundary cost a factor of 2 to 8; here, "
             "of 4 bytes, %.2f: neighbouring warps find the other half in the cache.",
             plain[2].best.gb_per_s / plain[2].beside));
    report.headline(text("reads %.0f, writes %.0f, copies %.0f GB/s; bytes alone reach %.2f of it",
                         most, results[writes][4].best.gb_per_s, results[copies][4].best.gb_per_s,
                         plain[0].best.gb_per_s / most));
  });
}

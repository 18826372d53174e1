// SPDX-License-Identifier: Apache-2.0
// Copies from one card's memory to another's. Staged copies go through two buffers in the host's
// page-locked, portable memory, which both cards can access: one card fills a buffer while the
// other empties the other buffer. Events order their accesses without the host. Direct copies are
// possible if one card can access the other's memory: by the runtime, by the driver API below it,
// or by a kernel that reads the memory like its own.
#include "common/host_clock.h"
#include "multi_gpu/cards.h"
#include "multi_gpu/driver_copy.h"
#include "multi_gpu/end.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

// Copies one part when `other` has been reached, that is when the buffer is free, and records `own`
// after it.
void move_part(const End& end, void* to, const void* from, std::size_t bytes,
               const EventHandle& other, const EventHandle& own) {
  const cudaStream_t stream = end.stream.get();
  use_card(end.card);
  // Waiting for an event that was never recorded returns immediately.
  checked("cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, other.get(), 0); });
  checked("cudaMemcpyAsync",
          [&] { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream); });
  checked("cudaEventRecord", [&] { return cudaEventRecord(own.get(), stream); });
}

using Buffers = std::array<MappedArray<unsigned char>, 2>;

// If there is only one card, source and target are two streams on it.
void copy_staged(const End& target, const End& source, const Buffers& buffers) {
  auto* const to = reinterpret_cast<unsigned char*>(target.received.get());
  const auto* const from = reinterpret_cast<const unsigned char*>(source.sent.get());
  std::size_t turn = 0;
  for (std::size_t at = 0; at < source.sent.bytes(); at += buffer_bytes, turn = 1 - turn) {
    const std::size_t part = std::min(buffer_bytes, source.sent.bytes() - at);
    unsigned char* const buffer = buffers[turn].host();
    move_part(source, buffer, from + at, part, target.done[turn], source.done[turn]);
    move_part(target, to + at, buffer, part, source.done[turn], target.done[turn]);
  }
  wait(target.stream.get());  // its last copy waits for the source's last copy
}

void copy_by_runtime(const End& target, const End& source) {
  use_card(source.card);
  checked("cudaMemcpyPeerAsync", [&] {
    return cudaMemcpyPeerAsync(target.received.get(), target.card, source.sent.get(), source.card,
                               source.sent.bytes(), source.stream.get());
  });
  wait(source.stream.get());
}

// The same by the driver API, which takes contexts instead of cards.
void copy_by_driver(const End& target, const End& source, const DriverApi& driver) {
  const CUcontext there = driver.context_on(target.card);
  const CUcontext here = driver.context_on(source.card);  // requested last, so that it is current
  driver.copy(target.received.get(), there, source.sent.get(), here, source.sent.bytes(),
              source.stream.get());
  wait(source.stream.get());
}

__global__ void fetch(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    to[i] = from[i];
}

void copy_by_kernel(const End& target, const End& source) {
  use_card(target.card);
  fetch<<<blocks, threads, 0, target.stream.get()>>>(
      reinterpret_cast<uint4*>(target.received.get()),
      reinterpret_cast<const uint4*>(source.sent.get()), source.sent.size() / 4);
  check_launch("fetch");
  wait(target.stream.get());
}

int main(int argc, char** argv) {
  int megabytes = 64, most_cards = 8;
  Sample program("multi_gpu/peer_memcpy", "one card's memory to another's, staged and directly");
  program.option("megabytes", megabytes, "to copy, in MiB", 1, 1 << 14)
      .option("cards", most_cards, "to use at most", 1, 64);
  return program.run(argc, argv, [&](Report& report) {
    const std::vector<int> cards = cards_alike(most_cards);
    const bool alone = cards.size() == 1;
    // The data is not a multiple of the buffers' size. It is a multiple of 4 words, as the kernel
    // requires.
    const std::size_t words = (static_cast<std::size_t>(megabytes) << 18) + 44;
    std::vector<End> ends;
    for (int card : cards) ends.emplace_back(card, static_cast<unsigned>(ends.size()), words);
    if (alone) {
      ends.emplace_back(cards[0], 1u, words);
      report.say(
          "There is one card: it copies between two places of its own memory, in two streams.");
    }
    const Buffers buffers = {MappedArray<unsigned char>(buffer_bytes, cudaHostAllocPortable),
                             MappedArray<unsigned char>(buffer_bytes, cudaHostAllocPortable)};
    const DriverApi driver;
    const auto staged = [&](const End& to, const End& from) { copy_staged(to, from, buffers); };
    const auto by_driver = [&](const End& to, const End& from) {
      copy_by_driver(to, from, driver);
    };
    bool all_right = true;
    double most[3] = {}, unused = 0;
    const auto gb_per_s = [&](const End& target, const End& source, double& best,
                              const auto& copy) {
      target.clear();
      copy(target, source);  // checked here: later runs would find its result in the target
      all_right = all_right && target.has_all_of(source);
      const double us = best_host_us(3, [&] { copy(target, source); });
      all_right = all_right && target.has_all_of(source);
      const double speed = static_cast<double>(source.sent.bytes()) / us / 1e3;
      best = std::max(best, speed);
      return speed;
    };
    Table table{
        "GB/s",
        {"from", "to", "staged", "before access", "access", "direct copy", "driver API", "kernel"}};
    const std::vector<Pair> pairs = pairs_of(ends);
    for (const auto& [source, target] : pairs)
      table.row({source.card, target.card, Cell(gb_per_s(target, source, most[0], staged), 1),
                 Cell(gb_per_s(target, source, unused, copy_by_runtime), 1), Cell::none("no"),
                 Cell::none("-"), Cell::none("-"), Cell::none("-")});
    // Each card now requests access to each other one. From then on the driver uses that access
    // too.
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (alone || let_access(pairs[i].target.card, pairs[i].source.card))
        table.rows[i][4] = alone ? "its own" : "yes";
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& [source, target] = pairs[i];
      std::vector<Cell>& cells = table.rows[i];
      if (cells[4].kind == Cell::Kind::nothing) continue;
      cells[5] = Cell(gb_per_s(target, source, most[1], copy_by_runtime), 1);
      cells[6] = Cell(gb_per_s(target, source, unused, by_driver), 1);
      cells[7] = Cell(gb_per_s(target, source, most[2], copy_by_kernel), 1);
    }
    report.show(table);
    report.check(all_right, "every copy brings all of the other card's words");
    // From the manufacturers: 16 lanes of 32 Gbit/s with 128 of 130 bits data; 18 links of 25 GB/s
    // each way.
    if (most[1] > 0)
      report.say(text("Directly %.1f times as fast as through the host%s",
                      std::max(most[1], most[2]) / most[0],
                      alone ? ", within one card."
                            : ". The book's cards met over PCI Express, which in version 5.0 "
                              "carries 63 GB/s one way; an H200's 18 NVLinks carry 450."));
    report.headline(text("%s: %.0f GB/s staged, ",
                         alone ? "one card" : text("%zu cards", cards.size()).c_str(), most[0]) +
                    (most[1] == 0 ? "no direct access"
                                  : text("%.0f direct, %.0f by a kernel", most[1], most[2])));
  });
}

// SPDX-License-Identifier: Apache-2.0
// Every body attracts every other. The forces are independent sums, so each card computes its share
// of them from the positions of all bodies. Either one thread launches the work on all cards before
// it waits for any, or each card has its own thread. Both ways give the same forces.
#include <cstring>
#include <future>

#include "common/host_clock.h"
#include "multi_gpu/cards.h"
#include "multi_gpu/host_forces.h"
#include "multi_gpu/pull.h"

using namespace cuimg;
using namespace cuimg::samples;

// A share of the work, on one card and in its own stream. Several shares may be on one card.
struct Share {
  Share(int index, int all, int from, int many)
      : card(use_card(index)),
        first(from),
        bodies(static_cast<std::size_t>(all)),
        forces(static_cast<std::size_t>(many)) {}
  int card, first;
  DeviceArray<float4> bodies;
  DeviceArray<float3> forces;
  StreamHandle stream = new_stream();

  void upload(const MappedArray<float4>& from) const {
    use_card(card);
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(bodies.get(), from.host(), bodies.bytes(), cudaMemcpyHostToDevice,
                             stream.get());
    });
  }
  void compute(const MappedArray<float3>& to) const {
    use_card(card);
    const auto count = static_cast<int>(forces.size());
    pull<<<static_cast<unsigned>((count + tile - 1) / tile), tile, 0, stream.get()>>>(
        forces.get(), bodies.get(), static_cast<int>(bodies.size()), first, count);
    check_launch("pull");
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(to.host() + first, forces.get(), forces.bytes(),
                             cudaMemcpyDeviceToHost, stream.get());
    });
  }
  void finish() const {
    use_card(card);
    wait(stream.get());
  }
};

void by_one_thread(const std::vector<Share>& shares, const MappedArray<float4>& bodies,
                   const MappedArray<float3>& forces) {
  for (const Share& share : shares) share.upload(bodies);
  for (const Share& share : shares) share.compute(forces);
  for (const Share& share : shares) share.finish();
}

void by_a_thread_each(const std::vector<Share>& shares, const MappedArray<float4>& bodies,
                      const MappedArray<float3>& forces) {
  std::vector<std::future<void>> threads;
  for (const Share& share : shares)
    threads.push_back(std::async(std::launch::async, [&] {
      share.upload(bodies);  // the current card is a property of the thread
      share.compute(forces);
      share.finish();
    }));
  for (auto& thread : threads) thread.get();  // rethrows an exception of its thread
}

int main(int argc, char** argv) {
  int count = 131072, most_cards = 8, looked_at = 256;
  Sample program("multi_gpu/nbody", "one thread for all cards against a thread for each");
  program.option("bodies", count, "that pull at each other", 1024, 1 << 20)
      .option("cards", most_cards, "to use at most", 1, 64)
      .option("checked", looked_at, "bodies whose force the host computes too", 1, 1 << 20);
  return program.run(argc, argv, [&](Report& report) {
    const auto n = static_cast<std::size_t>(count);
    // Portable: all cards can access this memory.
    const MappedArray<float4> bodies(n, cudaHostAllocPortable);
    const MappedArray<float3> forces(n, cudaHostAllocPortable);
    unsigned random = 1;
    const auto next = [&] {
      random = random * 1664525 + 1013904223;
      return static_cast<float>(random >> 8) * 0x1p-24f;
    };
    for (std::size_t i = 0; i < n; ++i) bodies[i] = {next(), next(), next(), next() / count};
    const std::vector<int> cards = cards_alike(most_cards);
    if (cards.size() == 1) report.say("There is one card: it gets two shares, each in a stream.");

    Table table{text("%d bodies, copies included", count),
                {"cards", "shares", "asked by", "ms", "10^9 interactions/s", "times"}};
    std::vector<float3> first_forces;
    bool all_equal = true;
    double first_us = 0, us_before = 0, threads_gain = 0, best_speed = 0;
    const std::size_t most_parts = std::max<std::size_t>(2, cards.size());
    for (std::size_t parts = 1, last = 0; parts != last;
         last = parts, parts = std::min(2 * parts, most_parts)) {
      const int per_share = (count + static_cast<int>(parts) - 1) / static_cast<int>(parts);
      std::vector<Share> shares;
      for (int first = 0; first < count; first += per_share)
        shares.emplace_back(cards[shares.size() % cards.size()], count, first,
                            std::min(per_share, count - first));
      for (const bool threads : {false, true}) {
        const auto pass = [&] {
          (threads ? by_a_thread_each : by_one_thread)(shares, bodies, forces);
        };
        // Forces that one way does not write cannot equal those of the other way.
        std::memset(forces.host(), threads ? 0 : 0xff, forces.bytes());
        pass();
        if (first_forces.empty()) first_forces.assign(forces.host(), forces.host() + n);
        const auto equal = [&] {
          return std::memcmp(first_forces.data(), forces.host(), forces.bytes()) == 0;
        };
        all_equal = all_equal && equal();
        const double us = best_host_us(3, pass);
        all_equal = all_equal && equal();
        if (first_us == 0) first_us = us;
        if (threads) threads_gain = us_before / us;
        us_before = us;
        const double speed = static_cast<double>(count) * count / us / 1e3;
        best_speed = std::max(best_speed, speed);
        table.row({std::min(parts, cards.size()), shares.size(),
                   threads ? "a thread each" : "one thread", Cell(us / 1e3), Cell(speed, 0),
                   Cell(first_us / us)});
      }
    }
    double worst = 0;
    for (int i = 0; i < looked_at; ++i) {
      const auto body = static_cast<int>(static_cast<long long>(i) * count / looked_at);
      worst = std::max(worst,
                       share_of_bound(first_forces[static_cast<std::size_t>(body)], body, bodies));
    }
    report.show(table);
    report.check(all_equal, "however divided and asked for, the forces are the same to the bit");
    report.check(worst <= 1,
                 text("%d of them are within %.1e of their terms' magnitudes of the host's "
                      "sums in double, the bound of float arithmetic (%.2f of it)",
                      looked_at, bound_of_sums(n), worst));
    report.say(
        text("Until CUDA 4 every card needed a thread of its own; now one reaches all by "
             "cudaSetDevice, and a thread each is %.2f times as fast.",
             threads_gain));
    report.headline(text("%.0f x 10^9 interactions/s on %zu card%s", best_speed, cards.size(),
                         cards.size() == 1 ? "" : "s"));
  });
}

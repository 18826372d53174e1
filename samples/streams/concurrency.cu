// SPDX-License-Identifier: Apache-2.0
// A copy to the card, a kernel and a copy back use three engines, of which only one works at a
// time. If the data is split into parts with one stream each, the engines work at the same time.
// Alternatively, the kernel accesses the host's memory itself. The gain depends on the kernel's
// work for each element.
#include <cstring>

#include "common/host_clock.h"
#include "common/plot.h"
#include "common/sample.h"
#include "streams/active_kernels.h"
#include "streams/stages.h"

using namespace cuimg;
using namespace cuimg::samples;

// The different ways to do the work.
struct Work : Stages {
  using Stages::Stages;

  template <int unroll>
  void mapped(int cycles) const {
    churn<unroll>
        <<<blocks, 256, 0, streams[0].get()>>>(out.device(), in.device(), count, cycles, Cycle());
    check_launch("churn");
    wait();
  }

  // The times of {copy to the card, kernel, copy from the card} in ms, measured with events.
  std::array<double, 3> each(int cycles) const {
    const cudaStream_t stream = streams[0].get();
    return {best_ms(
                3, [&] { to_card(0, count, stream); }, stream),
            best_ms(
                3, [&] { kernel(0, count, cycles, stream); }, stream),
            best_ms(
                3, [&] { from_card(0, count, stream); }, stream)};
  }
  void one_after_the_other(int cycles) const {
    const cudaStream_t stream = streams[0].get();
    to_card(0, count, stream);
    kernel(0, count, cycles, stream);
    from_card(0, count, stream);
    wait();
  }
  // By stage: first the copies to the card of all parts are issued, then all kernels, then all
  // copies back, as the book advises. Otherwise one part after another.
  void streamed(int cycles, bool by_stage) const {
    const std::size_t most = (count + streams.size() - 1) / streams.size();
    for (int pass = 0; pass < (by_stage ? 3 : 1); ++pass)
      for (std::size_t i = 0; i * most < count; ++i) {
        const std::size_t first = i * most, n = std::min(most, count - first);
        const cudaStream_t stream = streams[i].get();
        if (!by_stage || pass == 0) to_card(first, n, stream);
        if (!by_stage || pass == 1) kernel(first, n, cycles, stream);
        if (!by_stage || pass == 2) from_card(first, n, stream);
      }
    wait();
  }
};

int main(int argc, char** argv) {
  int mega = 8, stream_count = 8, most_cycles = 4096;
  std::string out = "concurrency.svg";
  Sample program("streams/concurrency", "copies and kernels at once, through streams or mapped");
  program.option("mega", mega, "2^20 integers to work on", 1, 4096)
      .option("streams", stream_count, "parts, each in its own", 1, 64)
      .option("cycles", most_cycles, "of work for an element, at most; from 4, doubled", 4, 1 << 20)
      .option("out", out, "the times by cycles");
  return program.run(argc, argv, [&](Report& report) {
    // The count is not a multiple of the parts' number.
    const Work work((static_cast<std::size_t>(mega) << 20) + 77, stream_count);
    Table table{text("%d Mi integers, ms: in turn, in %d streams, mapped", mega, stream_count),
                {"cycles", "to card", "kernel", "back", "in turn", "by stage", "by part",
                 "mapped x1", "x2", "x4", "gain"}};
    Line lines[] = {
        {"kernel alone", {}}, {"one after the other", {}}, {"streams", {}}, {"mapped", {}}};
    bool all_right = true;
    double most_gain = 0, by_part_there = 0, mapped_there[2] = {};
    int most_at = 0, even_at = 0;
    for (int cycles = 4; cycles <= most_cycles; cycles *= 2) {
      const auto alone = work.each(cycles);
      const auto ms = [&](const auto& way) {
        std::memset(work.out.host(), 0, work.out.bytes());
        work.card_in.set_bytes(0);
        work.card_out.set_bytes(0);
        wait();
        way();  // checked here: later runs would find its result in the output
        all_right = all_right && is_churned(work.in, work.out, cycles);
        const double best = best_host_us(3, way) / 1e3;
        all_right = all_right && is_churned(work.in, work.out, cycles);
        return best;
      };
      const double in_turn = ms([&] { work.one_after_the_other(cycles); });
      const double by_stage = ms([&] { work.streamed(cycles, true); });
      const double by_part = ms([&] { work.streamed(cycles, false); });
      const double mapped[] = {ms([&] { work.mapped<1>(cycles); }),
                               ms([&] { work.mapped<2>(cycles); }),
                               ms([&] { work.mapped<4>(cycles); })};
      const double streamed = std::min(by_stage, by_part), gain = in_turn / streamed;
      if (gain > most_gain) {
        most_gain = gain, most_at = cycles, by_part_there = by_stage / by_part;
        mapped_there[0] = in_turn / mapped[0], mapped_there[1] = in_turn / mapped[2];
      }
      if (even_at == 0 && alone[1] >= alone[0]) even_at = cycles;
      table.row({cycles, alone[0], alone[1], alone[2], in_turn, by_stage, by_part, mapped[0],
                 mapped[1], mapped[2], gain});
      const double drawn[] = {alone[1], in_turn, streamed, mapped[2]};
      for (int i = 0; i < 4; ++i) lines[i].points.emplace_back(cycles, drawn[i]);
    }
    report.show(table);
    report.check(all_right, "every way leaves the integers that many cycles lead to");
    LinePlot{"Copy, kernel, copy back",
             "cycles of work for an element",
             "ms",
             {lines, lines + 4},
             true,
             true}
        .write(out);
    report.wrote(out, "the same as lines");
    const std::string even =
        even_at == 0 ? "more cycles than measured" : text("%d cycles", even_at);
    report.say("The kernel takes as long as a copy from " + even +
               " on; the book: 48, Tesla M2050.");
    report.say(
        text("Streams gain most at %d cycles, %.2f times the speed; the book: 1.5 (Tesla "
             "M2050), nearly 2 (GTX 280), of 3 with an engine for each direction.",
             most_at, most_gain));
    report.say(
        text("There a part after the other is %.2f times as fast as stage by stage, the only "
             "way for the book's cards; and mapped memory gains %.2f with one element a "
             "thread, %.2f with four, which the book needs below 64 cycles.",
             by_part_there, mapped_there[0], mapped_there[1]));
    show_active_kernels(report);
    report.headline(
        text("at %d cycles streams are %.2f times as fast as one after the other, "
             "mapped %.2f times",
             most_at, most_gain, mapped_there[1]));
  });
}

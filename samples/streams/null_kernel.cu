// SPDX-License-Identifier: Apache-2.0
// The cost of a launch: a kernel that does nothing is launched repeatedly. The host continues while
// the card is still starting the previous one, or it waits for each; a graph launches a thousand
// with one call. Then kernels that are busy for a while: how long must one run until the cost of
// its launch no longer matters?
#include "common/card.h"
#include "common/host_clock.h"
#include "common/plot.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

using GraphHandle = Handle<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Handle<cudaGraphExec_t, cudaGraphExecDestroy>;

// `launches` is null when we measure. The compiler cannot know that, so the kernel is not empty.
__global__ void do_nothing(unsigned* launches) {
  if (launches != nullptr) atomicAdd(launches, 1u);
}

__global__ void be_busy(long long cycles, long long* taken) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (taken != nullptr) *taken = clock64() - begin;
}

// Launches kernels one after another in a stream. The host waits once at the end, or for each.
template <class Launch>
void launch_many(int count, bool wait_for_each, cudaStream_t stream, const Launch& launch) {
  for (int i = 0; i < count; ++i) {
    launch();
    check_launch("a kernel");
    if (wait_for_each) wait(stream);
  }
  wait(stream);
}

// The same launches recorded as a graph, which one call launches.
GraphExecHandle as_graph(int count, cudaStream_t stream, unsigned* launches) {
  cudaGraph_t graph = nullptr;
  checked("cudaStreamBeginCapture",
          [&] { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal); });
  for (int i = 0; i < count; ++i) {
    do_nothing<<<1, 1, 0, stream>>>(launches);
    check_launch("do_nothing");
  }
  checked("cudaStreamEndCapture", [&] { return cudaStreamEndCapture(stream, &graph); });
  const GraphHandle written(graph);
  cudaGraphExec_t ready = nullptr;
  checked("cudaGraphInstantiate", [&] { return cudaGraphInstantiate(&ready, graph, 0); });
  return GraphExecHandle(ready);
}

void launch_graph(const GraphExecHandle& graph, cudaStream_t stream) {
  checked("cudaGraphLaunch", [&] { return cudaGraphLaunch(graph.get(), stream); });
  wait(stream);
}

int main(int argc, char** argv) {
  int launches = 10000, most_cycles = 16000;
  std::string out = "null_kernel.svg";
  Sample program("streams/null_kernel", "what a launch costs, and how waiting for each adds to it");
  program.option("launches", launches, "of the kernel that does nothing", 10, 10000000)
      .option("cycles", most_cycles, "the longest kernel, in clock cycles", 16, 100000000)
      .option("out", out, "the time of a launch by the kernel's cycles");
  return program.run(argc, argv, [&](Report& report) {
    const StreamHandle stream = new_stream();
    const int in_graph = std::min(launches, 1000);
    const auto nothing = [&](unsigned* count) {
      return [&stream, count] { do_nothing<<<1, 1, 0, stream.get()>>>(count); };
    };
    {
      const DeviceArray<unsigned> count(std::vector<unsigned>{0});
      wait();  // until the 0 is written: this stream does not wait for the default stream
      launch_many(launches, false, stream.get(), nothing(count.get()));
      launch_many(launches, true, stream.get(), nothing(count.get()));
      launch_graph(as_graph(in_graph, stream.get(), count.get()), stream.get());
      const auto expected = 2 * static_cast<unsigned>(launches) + static_cast<unsigned>(in_graph);
      report.check(count.to_host()[0] == expected, "every launch ran, once");
    }
    const auto us_per_launch = [&](bool wait_for_each) {
      const auto work = [&] {
        launch_many(launches, wait_for_each, stream.get(), nothing(nullptr));
      };
      return best_host_us(3, work) / launches;
    };
    const double overlapped = us_per_launch(false), waited = us_per_launch(true);
    const GraphExecHandle graph = as_graph(in_graph, stream.get(), nullptr);
    const double drawn = best_host_us(5, [&] { launch_graph(graph, stream.get()); }) / in_graph;
    Table table{"a kernel that does nothing", {"launches", "us each", "the book, Tesla M2050"}};
    table.row({"one after the other", overlapped, Cell(3.4, 1)});
    table.row({"waiting for each", waited, Cell(100.0, 1)});
    table.row({text("a graph of %d", in_graph), drawn, Cell::none("-")});
    report.show(table);

    // For how many cycles must a kernel be busy to take twice as long as one that does nothing?
    const int some = std::max(10, launches / 10), step = most_cycles / 16;
    Table busy{"kernels that are busy for a while, us each", {"cycles", "overlapped", "waiting"}};
    Line lines[] = {{"overlapped", {}}, {"waiting for each", {}}};
    const DeviceArray<long long> taken(1);
    bool long_enough = true;
    double break_even = 0;
    for (int cycles = 0; cycles <= most_cycles; cycles += step) {
      be_busy<<<1, 1>>>(cycles, taken.get());
      check_launch("be_busy");
      long_enough = long_enough && taken.to_host()[0] >= cycles;
      double us[2] = {};
      for (bool wait_for_each : {false, true}) {
        const auto launch = [&] { be_busy<<<1, 1, 0, stream.get()>>>(cycles, nullptr); };
        us[wait_for_each] =
            best_host_us(3, [&] { launch_many(some, wait_for_each, stream.get(), launch); }) / some;
        lines[wait_for_each].points.emplace_back(cycles, us[wait_for_each]);
      }
      if (break_even == 0 && us[0] >= 2 * lines[0].points[0].second) break_even = cycles;
      busy.row({cycles, us[0], us[1]});
    }
    report.show(busy);
    LinePlot{"A launch, by how long its kernel is busy",
             "clock cycles",
             "us per launch",
             {lines[0], lines[1]}}
        .write(out);
    report.wrote(out, "the same as lines");
    report.check(long_enough, "every kernel was busy for as many cycles as asked");
    report.say(break_even == 0
                   ? "No kernel takes twice as long as one that does nothing."
                   : text("Twice as long as doing nothing from %.0f cycles on; the book: 4500.",
                          break_even));
    report.say(
        text("Waiting for each costs %.1f times as much (the book: 29 times); in a graph, "
             "which the book's cards did not have, a launch costs %.2f of one asked for.",
             waited / overlapped, drawn / overlapped));
    report.headline(text("%.1f us a launch, %.1f waiting for each, %.1f in a graph", overlapped,
                         waited, drawn));
  });
}

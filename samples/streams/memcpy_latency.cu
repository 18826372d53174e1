// SPDX-License-Identifier: Apache-2.0
// The fixed cost of a copy, and the size from which the bytes cost more than that. This first
// copies 4 bytes repeatedly, either overlapped or waiting for each copy, and then increasing sizes,
// to the card and back.
#include <cstring>

#include "common/card.h"
#include "common/host_clock.h"
#include "common/plot.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

// Equal numbers of bytes on both sides. The host's are page-locked: only then is a copy
// asynchronous.
class Ends {
 public:
  explicit Ends(std::size_t bytes) : host_(bytes, cudaHostAllocDefault), card_(bytes) {}

  void copy(std::size_t bytes, bool to_card, bool wait_for_it) const {
    void* const to = to_card ? static_cast<void*>(card_.get()) : host_.host();
    const void* const from = to_card ? static_cast<void*>(host_.host()) : card_.get();
    const auto kind = to_card ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (wait_for_it)
      checked("cudaMemcpy", [&] { return cudaMemcpy(to, from, bytes, kind); });
    else
      checked("cudaMemcpyAsync",
              [&] { return cudaMemcpyAsync(to, from, bytes, kind, stream_.get()); });
  }

  // The least time per copy when `copies` of them follow each other.
  double us_per_copy(std::size_t bytes, bool to_card, bool wait_for_each, int copies) const {
    const auto copy_all = [&] {
      for (int i = 0; i < copies; ++i) copy(bytes, to_card, wait_for_each);
      wait(stream_.get());
    };
    return best_host_us(3, copy_all) / copies;
  }

  // Whether a copy to the card changes exactly `bytes` bytes, and a copy back brings all of them.
  bool arrives(std::size_t bytes, bool wait_for_it) const {
    std::vector<unsigned char> sent(host_.size());
    for (std::size_t i = 0; i < sent.size(); ++i)
      sent[i] = static_cast<unsigned char>(i * 2654435761u >> 13 | 1);  // never 0
    checked("cudaMemset", [&] { return cudaMemset(card_.get(), 0, card_.bytes()); });
    wait();
    std::memcpy(host_.host(), sent.data(), sent.size());
    copy(bytes, true, wait_for_it);
    wait(stream_.get());
    std::memset(host_.host(), 0, host_.size());
    copy(host_.size(), false, wait_for_it);
    wait(stream_.get());
    std::fill(sent.begin() + static_cast<std::ptrdiff_t>(bytes), sent.end(), 0);
    return std::memcmp(host_.host(), sent.data(), sent.size()) == 0;
  }

 private:
  MappedArray<unsigned char> host_;
  DeviceArray<unsigned char> card_;
  StreamHandle stream_ = new_stream();
};

using Points = std::vector<std::pair<double, double>>;

// The straight line through the points from 4 to 64 KiB, the book's range, by least squares.
// @returns {value at 0 bytes, slope per byte}.
std::pair<double, double> line_through(const Points& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [bytes, us] : points) {
    if (bytes < 4096 || bytes > 65536) continue;
    n += 1, x += bytes, y += us, xx += bytes * bytes, xy += bytes * us;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

// The size at which a copy takes twice as long as one of 4 bytes; 0 if none does.
double break_even(const Points& points) {
  const double twice = 2 * points.front().second;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto [x0, y0] = points[i - 1];
    const auto [x1, y1] = points[i];
    if (y0 < twice && y1 >= twice) return x0 + (x1 - x0) * (twice - y0) / (y1 - y0);
  }
  return 0;
}

int main(int argc, char** argv) {
  int copies = 2000, largest = 4096;
  std::string out = "memcpy_latency.svg";
  Sample program("streams/memcpy_latency", "what a copy costs, and where its bytes cost as much");
  program.option("copies", copies, "of 4 bytes", 10, 10000000)
      .option("largest", largest, "copy, in KiB; a power of two", 64, 1 << 20)
      .option("out", out, "the time of a copy by its size");
  return program.run(argc, argv, [&](Report& report) {
    const std::size_t most = static_cast<std::size_t>(largest) << 10;
    const Ends ends(most);
    Table table{"copies of 4 bytes", {"copies", "us each", "the book, Tesla M2050"}};
    const double to_card = ends.us_per_copy(4, true, false, copies);
    const double from_card = ends.us_per_copy(4, false, false, copies);
    const double back_waiting = ends.us_per_copy(4, false, true, copies);
    table.row({"to the card", to_card, Cell(3.3, 1)});
    table.row({"to the card, waiting", ends.us_per_copy(4, true, true, copies), Cell::none("-")});
    table.row({"from the card", from_card, Cell(4.0, 1)});
    table.row({"from the card, waiting", back_waiting, Cell(7.9, 1)});
    report.show(table);

    Table sizes{"larger copies", {"KiB", "to the card, us", "GB/s", "from the card, us", "GB/s"}};
    Points there = {{4, to_card}}, back = {{4, from_card}}, in_book;
    bool all_arrive = ends.arrives(4, false) && ends.arrives(4, true);
    for (std::size_t bytes = 4096; bytes <= most; bytes *= 2) {
      const auto size = static_cast<double>(bytes);
      const int count = std::clamp(static_cast<int>(0x8000000 / bytes), 1, copies);
      there.emplace_back(size, ends.us_per_copy(bytes, true, false, count));
      back.emplace_back(size, ends.us_per_copy(bytes, false, false, count));
      in_book.emplace_back(size, 3.3 + 0.00017 * size);
      all_arrive = all_arrive && ends.arrives(bytes, false) && ends.arrives(bytes, true);
      sizes.row({bytes >> 10, there.back().second, Cell(size / there.back().second / 1e3, 1),
                 back.back().second, Cell(size / back.back().second / 1e3, 1)});
    }
    report.show(sizes);
    report.check(all_arrive, "copies of every size arrive whole, and touch nothing beyond");
    LinePlot plot{"A copy, by its size", "bytes", "us per copy", {}};
    plot.lines = {{"to the card", there}, {"from the card", back}, {"the book's line", in_book}};
    plot.log_x = plot.log_y = true;
    plot.write(out);
    report.wrote(out, "the same as lines");
    const auto [at_zero, per_byte] = line_through(there);
    report.say(
        text("A line through 4 to 64 KiB to the card: %.2f us and %.6f us/byte; the book: "
             "3.3 and 0.000170, which is 5.9 GB/s.",
             at_zero, per_byte));
    const auto words = [](double bytes) {
      return bytes == 0 ? std::string("no size measured") : text("%.0f KiB", bytes / 1024);
    };
    const std::string even = words(break_even(there));
    report.say("Twice as long as 4 bytes: " + even + " to the card, " + words(break_even(back)) +
               " from it; by the book's line 19 KiB.");
    const double link = there.back().first / there.back().second / 1e3 / 5.9;
    report.say(
        text("The link is %.1f times as fast as the book's, and asking costs %.2f of what it "
             "did then: so the size from which the bytes matter has moved.",
             link, to_card / 3.3));
    report.headline(text("%.1f us to the card, %.1f from it, %.1f waiting; twice that at ", to_card,
                         from_card, back_waiting) +
                    even);
  });
}

// SPDX-License-Identifier: Apache-2.0
// The card copies only from page-locked memory. Other memory goes through two page-locked buffers:
// while the card reads one, the host fills the other, and an event for each buffer shows when the
// card has finished reading it. The same is measured without overlap, with another memcpy, and by
// the driver.
#include <array>
#include <cstring>

#include "common/card.h"
#include "common/host_clock.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

using Bytes = std::vector<unsigned char>;
using Copy = void (*)(void* to, const void* from, std::size_t bytes);

void copy_by_library(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

// 16 bytes at a time, like the book's SSE instructions, on any processor.
typedef float Sixteen __attribute__((vector_size(16), may_alias));

void copy_by_sixteen(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<Sixteen*>(to);
  const auto* source = static_cast<const Sixteen*>(from);
  const std::size_t whole = bytes / sizeof(Sixteen);
  for (std::size_t i = 0; i < whole; ++i) target[i] = source[i];
  const std::size_t rest = bytes % sizeof(Sixteen);
  std::memcpy(target + whole, source + whole, rest);
}

// When the host may refill a buffer.
enum class Wait {
  until_fetched,   // after its own copy; the other buffer's may still run
  for_each_copy,   // after every copy
  as_the_listing,  // the book records the event of the wrong buffer, so copies do not overlap
};

struct Staging {
  explicit Staging(std::size_t size) : bytes(size) {}
  std::size_t bytes;
  std::array<MappedArray<unsigned char>, 2> buffers = {
      MappedArray<unsigned char>(bytes, cudaHostAllocDefault),
      MappedArray<unsigned char>(bytes, cudaHostAllocDefault)};
  std::array<EventHandle, 2> fetched = {new_event(cudaEventDisableTiming),
                                        new_event(cudaEventDisableTiming)};
  StreamHandle stream = new_stream();
};

// Waiting for an event that was never recorded returns immediately.
void wait_for(const EventHandle& event) {
  checked("cudaEventSynchronize", [&] { return cudaEventSynchronize(event.get()); });
}

void copy_staged(unsigned char* to, const Bytes& from, const Staging& staging, Copy copy,
                 Wait rule) {
  const cudaStream_t stream = staging.stream.get();
  std::size_t turn = 0;
  for (std::size_t at = 0; at < from.size(); at += staging.bytes, turn = 1 - turn) {
    const std::size_t part = std::min(staging.bytes, from.size() - at);
    unsigned char* const buffer = staging.buffers[turn].host();
    const EventHandle& event = staging.fetched[rule == Wait::as_the_listing ? 1 - turn : turn];
    wait_for(staging.fetched[turn]);
    copy(buffer, from.data() + at, part);
    checked("cudaMemcpyAsync",
            [&] { return cudaMemcpyAsync(to + at, buffer, part, cudaMemcpyHostToDevice, stream); });
    checked("cudaEventRecord", [&] { return cudaEventRecord(event.get(), stream); });
    if (rule == Wait::for_each_copy) wait_for(event);
  }
  wait(stream);
}

void copy_by_driver(unsigned char* to, const void* from, std::size_t bytes) {
  checked("cudaMemcpy", [&] { return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice); });
  wait();  // cudaMemcpy may return before the last bytes have left the driver's buffers
}

int main(int argc, char** argv) {
  int megabytes = 64, staging_kib = 1024;
  Sample program("streams/pageable_memcpy", "pageable memory to the card through two buffers");
  program.option("megabytes", megabytes, "to copy, in MiB", 1, 1 << 16)
      .option("staging", staging_kib, "size of each page-locked buffer, in KiB", 4, 1 << 20);
  return program.run(argc, argv, [&](Report& report) {
    // The size is not a multiple of the buffers' size, so the last part is a small one.
    Bytes source((static_cast<std::size_t>(megabytes) << 20) + 37);
    for (std::size_t i = 0; i < source.size(); ++i)
      source[i] = static_cast<unsigned char>(i * 2654435761u >> 24 | 1);  // never 0
    const Staging staging(static_cast<std::size_t>(staging_kib) << 10);
    const DeviceArray<unsigned char> target(source.size());
    Table table{text("%d MiB through two buffers of %d KiB", megabytes, staging_kib),
                {"copied by", "waits", "MB/s", "the book, Tesla M2050"}};
    bool all_right = true;
    const auto measure = [&](const std::string& by, const std::string& waits, Cell in_book,
                             const auto& work) {
      checked("cudaMemset", [&] { return cudaMemset(target.get(), 0, target.bytes()); });
      wait();
      work();  // checked here: later runs would find its result in the target
      all_right = all_right && target.to_host() == source;
      const double us = best_host_us(3, work);
      all_right = all_right && target.to_host() == source;
      const double mb_per_s = static_cast<double>(source.size()) / us;
      table.row({by, waits, Cell(mb_per_s, 0), std::move(in_book)});
      return mb_per_s;
    };
    const auto staged = [&](const std::string& by, const std::string& waits, Cell in_book,
                            Copy copy, Wait rule) {
      return measure(by, waits, std::move(in_book),
                     [&] { copy_staged(target.get(), source, staging, copy, rule); });
    };
    const double library = staged("the C library's memcpy", "for the buffer", 2155, copy_by_library,
                                  Wait::until_fetched);
    const double overlapped =
        staged("16 bytes at a time", "for the buffer", 3267, copy_by_sixteen, Wait::until_fetched);
    const double serial =
        staged("16 bytes at a time", "for each copy", 2334, copy_by_sixteen, Wait::for_each_copy);
    staged("16 bytes at a time", "as the listing", Cell::none("-"), copy_by_sixteen,
           Wait::as_the_listing);
    const double driver = measure("the driver", "-", Cell(3367.0, "about 3370"), [&] {
      copy_by_driver(target.get(), source.data(), source.size());
    });
    const MappedArray<unsigned char> pinned(source.size(), cudaHostAllocDefault);
    std::memcpy(pinned.host(), source.data(), source.size());
    const double link =
        measure("the driver, from page-locked memory", "-", Cell(5900.0, "about 5900"),
                [&] { copy_by_driver(target.get(), pinned.host(), pinned.size()); });
    report.show(table);
    report.check(all_right, "every way brings every byte");
    report.say(
        text("Without overlap %.2f of the speed (the book: 0.71). Page-locked memory crosses "
             "the link %.1f times as fast as one core feeds it (the book: 1.8): the more "
             "that is, the less there is to hide.",
             serial / overlapped, link / overlapped));
    report.say(
        text("16 bytes at a time against the C library's memcpy: %.2f of its speed (the book: "
             "1.52); libraries take the widest registers by themselves now.",
             overlapped / library));
    report.headline(
        text("%.1f GB/s through own buffers, %.1f by the driver", library / 1e3, driver / 1e3));
  });
}

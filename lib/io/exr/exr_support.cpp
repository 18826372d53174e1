// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_support.h"

#include <OpenEXR/ImfThreading.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "base/error.h"
#include "base/threads.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

struct Compression {
  std::string_view name;
  Imf::Compression value;
  int rows;
  /// More than any encoder achieves, even on constant pixels: deflate's own bound is 1032; a DWA
  /// block of 64 pixels can shrink to one entry of a run.
  std::uint64_t largest_ratio = 4096;
};

constexpr Compression compressions_by_name[] = {
    {"zip", Imf::ZIP_COMPRESSION, 16},           {"none", Imf::NO_COMPRESSION, 1, 1},
    {"rle", Imf::RLE_COMPRESSION, 1, 130},       {"zips", Imf::ZIPS_COMPRESSION, 1},
    {"piz", Imf::PIZ_COMPRESSION, 32},           {"pxr24", Imf::PXR24_COMPRESSION, 16},
    {"b44", Imf::B44_COMPRESSION, 32},           {"b44a", Imf::B44A_COMPRESSION, 32},
    {"dwaa", Imf::DWAA_COMPRESSION, 32, 200000}, {"dwab", Imf::DWAB_COMPRESSION, 256, 200000}};

Compression entry(Imf::Compression value) {
  for (const Compression& c : compressions_by_name)
    if (c.value == value) return c;
  return {"unknown", value, 1};
}

// OpenEXR's pool of threads.
struct Pool {
  std::mutex mutex;
  int started = 0;
  bool is_lost = false;            ///< In a child whose parent was using the pool when it forked.
  std::array<int, 2> wanted = {};  ///< The threads that all files want together, for each use.

  int& wanted_for(ExrUse use) { return wanted[static_cast<std::size_t>(use)]; }
};
Pool& pool() {
  static Pool all;
  return all;
}

// The pool's threads do not exist in a child that fork() makes, where its queue would never become
// empty. They end before a fork and are started again, in either process, for the next file.
void end_threads_before_fork() {
  pool().mutex.lock();
  if (pool().started == 0) return;
  Imf::setGlobalThreadCount(0);  // which completes the chunks in the queue
  pool().started = 0;
}

void allow_threads_after_fork() { pool().mutex.unlock(); }

// OpenEXR waits until no thread hands over chunks before it starts threads. A thread of the parent
// that did so would never end here, so this process does without them.
void allow_threads_in_child() {
  pool().is_lost = pool().is_lost || pool().wanted != std::array<int, 2>{};
  pool().mutex.unlock();
}

}  // namespace

std::vector<std::string_view> exr_rounding_compressions() { return {"pxr24", "dwaa", "dwab"}; }

int exr_threads(int wanted) {
  constexpr int most = 64;
  const int threads = std::min(wanted > 0 ? wanted : hardware_threads(), most);
  return threads == 1 ? 0 : threads;
}

int exr_worth_threads(int threads, std::size_t pixel_bytes) {
  // For less, starting threads and handing out chunks takes longer than it saves.
  constexpr std::size_t worthwhile_bytes = std::size_t{1} << 20;
  return pixel_bytes < worthwhile_bytes ? 0 : threads;
}

ExrPoolThreads::ExrPoolThreads(ExrUse use, int threads)
    : use_(use), threads_(std::max(1, threads)) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  const int wanted = all.wanted_for(use_) + threads_;
  // Once there is a pool, OpenEXR also gives it the chunks of files without threads, one at a time.
  const int together = threads == 0 && all.started == 0
                           ? 0
                           : std::max(threads_, std::min(wanted, hardware_threads()));
  // The pool only grows, since other files may be using it.
  if (together > all.started && !all.is_lost) {
    static const int is_prepared =
        pthread_atfork(end_threads_before_fork, allow_threads_after_fork, allow_threads_in_child);
    (void)is_prepared;
    Imf::setGlobalThreadCount(together);
    all.started = together;
  }
  all.wanted_for(use_) = wanted;
}

ExrPoolThreads::~ExrPoolThreads() {
  const std::lock_guard lock(pool().mutex);
  pool().wanted_for(use_) -= threads_;
}

std::string exr_problem(const std::exception& error) {
  std::string text = error.what();
  // `Cannot read image file "input". Unexpected ...`
  for (std::size_t end; (end = text.find("put\". ")) != std::string::npos;) text.erase(0, end + 6);
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return text;
}

Imf::PixelType exr_type(PixelType type) {
  switch (type) {
    case PixelType::half:
      return Imf::HALF;
    case PixelType::f32:
      return Imf::FLOAT;
    case PixelType::u32:
      return Imf::UINT;
    default:
      throw Error("exr", "pixels of type " + std::string(name_of(type)) + " cannot be stored",
                  "half, float and u32 can");
  }
}

PixelType type_of_exr(Imf::PixelType type) {
  return type == Imf::HALF ? PixelType::half : type == Imf::FLOAT ? PixelType::f32 : PixelType::u32;
}

std::vector<std::string_view> exr_compressions() {
  std::vector<std::string_view> names;
  for (const Compression& c : compressions_by_name) names.push_back(c.name);
  return names;
}

std::optional<Imf::Compression> exr_compression_named(std::string_view name) {
  for (const Compression& c : compressions_by_name)
    if (c.name == name) return c.value;
  return std::nullopt;
}

std::string_view exr_compression_name(Imf::Compression compression) {
  return entry(compression).name;
}
int exr_chunk_rows(Imf::Compression compression) { return entry(compression).rows; }
std::uint64_t exr_largest_ratio(Imf::Compression compression) {
  return entry(compression).largest_ratio;
}

int exr_block_rows(Imf::Compression compression, int threads) {
  constexpr int least = 128;
  return round_up(least, exr_chunk_rows(compression) * std::max(1, threads));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Limits how many rows of a large image are kept between threads that pass rows to each other.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

#include "base/kept_thread.h"
#include "base/row_progress.h"
#include "image/image.h"
#include "image/scratch.h"

namespace cuimg {

/// Images above this size are not held whole where their rows can be done one after another.
inline constexpr std::size_t keep_near_bytes = std::size_t{64} << 20;

/// Between the thread that makes an image's rows and the one that uses them a quarter of that may
/// wait, less where there is little memory; rows that were used are forgotten.
inline void keep_near(RowProgress& progress, Image& image) {
  constexpr std::size_t share = 32;  // some images of a run are under way, and their decoders
  std::size_t bytes = keep_near_bytes / 4;
  if (const auto memory = Scratch::memory_bytes())
    bytes = std::min<std::size_t>(bytes, static_cast<std::size_t>(*memory) / share);
  const int height = std::max(1, image.spec().data_window.height);
  const std::size_t row =
      std::max<std::size_t>(1, image.spec().pixel_bytes() / static_cast<std::size_t>(height));
  progress.keep_near(static_cast<int>(std::min<std::size_t>(bytes / row, INT_MAX)),
                     [&image](int first, int last) { image.forget_rows(first, last); });
}

/// Who makes rows.
enum class RowMaker : std::uint8_t {
  thread,  ///< One of its own, next to the one that uses them.
  caller,  ///< Before it goes on, where other images use the other processors.
};

/// The task on a thread of its own; before this returns where the system has no thread left.
template <class Task>
KeptThread start_or_run(const Task& task) try {
  return KeptThread(task);
} catch (const std::system_error&) {
  task();
  return {};
}

/// Finishes the progress when the work is done, or passes on the work's failure.
template <class Work>
KeptThread start_rows(RowMaker maker, RowProgress& progress, Work work) {
  const auto make = [&progress, work = std::move(work)] {
    try {
      work();
      progress.finish();
    } catch (...) {
      progress.fail(std::current_exception());
    }
  };
  // One that stays near waits for the rows' user, who must go on meanwhile.
  if (maker == RowMaker::thread)
    return progress.keeps_near() ? KeptThread(make) : start_or_run(make);
  make();
  return {};
}

/// When it goes, even by an exception, nobody uses the rows any more, and no thread waits for that.
class AbandonRows {
 public:
  explicit AbandonRows(RowProgress& progress) : progress_(progress) {}
  ~AbandonRows() { progress_.abandon(); }
  AbandonRows(const AbandonRows&) = delete;
  AbandonRows& operator=(const AbandonRows&) = delete;

 private:
  RowProgress& progress_;
};

}  // namespace cuimg

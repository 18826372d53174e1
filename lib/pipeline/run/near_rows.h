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

/// Images above this size are not kept completely if their rows can be processed one after another.
inline constexpr std::size_t keep_near_bytes = std::size_t{64} << 20;

/// A quarter of that may wait between the thread that makes an image's rows and the one that uses
/// them, or less if there is little memory; used rows are freed.
inline void keep_near(RowProgress& progress, Image& image) {
  // for the images of a run that are in progress, and their decoders
  constexpr std::size_t share = 32;
  std::size_t bytes = keep_near_bytes / 4;
  if (const auto memory = Scratch::memory_bytes())
    bytes = std::min<std::size_t>(bytes, static_cast<std::size_t>(*memory) / share);
  const int height = std::max(1, image.spec().data_window.height);
  const std::size_t row =
      std::max<std::size_t>(1, image.spec().pixel_bytes() / static_cast<std::size_t>(height));
  progress.keep_near(static_cast<int>(std::min<std::size_t>(bytes / row, INT_MAX)),
                     [&image](int first, int last) { image.forget_rows(first, last); });
}

/// The thread that makes rows.
enum class RowMaker : std::uint8_t {
  thread,  ///< A separate thread, next to the one that uses them.
  caller,  ///< The caller, before it continues, if other images use the other processors.
};

/// Runs the task on a separate thread; in this call if the system has no thread left.
template <class Task>
KeptThread start_or_run(const Task& task) try {
  return KeptThread(task);
} catch (const std::system_error&) {
  task();
  return {};
}

/// Finishes the progress when the work is done, or passes on its failure.
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
  // Work whose rows stay near waits for the user of the rows, which must be able to run.
  if (maker == RowMaker::thread)
    return progress.keeps_near() ? KeptThread(make) : start_or_run(make);
  make();
  return {};
}

/// At the end of its scope, even after an exception, the rows have no user any more, and no thread
/// waits for one.
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

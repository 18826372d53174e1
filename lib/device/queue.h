// SPDX-License-Identifier: Apache-2.0
// A Queue is a place where work runs: the CPU's threads, or a stream of a CUDA card.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/row_progress.h"
#include "base/trace.h"
#include "device/device_error.h"
#include "device/frame.h"
#include "image/dct_image.h"

namespace cuimg {

/// How a duration was measured.
enum class StepClock : std::uint8_t {
  processor,  ///< Processor time, all threads together.
  card,       ///< Between CUDA events.
  wall,       ///< The time of a thread that worked, without its waiting.
  waiting,    ///< The time during which one or more threads waited.
};

/// One step's duration, for --timing.
struct StepTime {
  std::string step;
  double milliseconds;
  StepClock clock;
  std::optional<Trace::Time> begin = {};  ///< On a card: when it began.
  int stream = 0;                         ///< On a card: 0 the queue's own, 1 its sibling's.
  /// The part or tee to which it belongs, if there are several.
  std::string of = {};
};

/// A card's data other than frames; defined in device/cuda/cuda_queue.h.
class CudaQueue;

class Queue {
 public:
  /// @param threads 0: as many as this process may use (affinity and cgroup limits respected).
  static Queue cpu(int threads = 0);
  /// Creates the context, and checks the card against the software texture unit.
  /// @throws DeviceError if there is no driver, no card, no memory, if the card is too old, and in
  /// a build without CUDA.
  /// @param threads for copies between image and pinned memory; 0 as for cpu().
  static Queue cuda(int index = 0, int threads = 0);
  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;
  ~Queue();

  /// A queue that uses the CPU only on the calling thread, for work that is itself an item of
  /// for_each(). Its times are added to this queue's.
  Queue serial() const;

  /// This queue with a way to end its work early: once a stop is requested, the next item of
  /// for_each() and the next time_step() throw Cancelled. Times are added to this queue's.
  Queue stopped_by(std::stop_token stop) const;

  /// Another stream of the same card, for a separate thread, with the same number of threads for
  /// copies. It is created once and kept with this queue, which also collects its times. Only if
  /// is_cuda(). @throws DeviceError.
  Queue sibling() const;
  /// For a thread's first use of a card's queue that another thread opened. @throws DeviceError.
  void make_current() const;

  bool is_cuda() const { return card_ != nullptr; }
  int threads() const { return threads_; }
  /// "cpu (2 threads)" or "cuda:0 (NVIDIA H200)".
  std::string name() const;

  /// CPU: calls work(0) ... work(count - 1) on this queue's threads, started in ascending order, so
  /// that item 0 is done early. The first exception ends it and is thrown. Denormals are kept.
  /// @param at_once limit on the number of items in progress, whatever the number of threads.
  void for_each(int count, const std::function<void(int)>& work, int at_once = INT32_MAX) const;

  /// The same for ranges of a region's rows: work(top, bottom) for every `rows_each` of them.
  template <class Work>
  void for_rows(const Rect& region, int rows_each, const Work& work) const {
    for_each((region.height + rows_each - 1) / rows_each, [&](int part) {
      const int top = region.y + part * rows_each;
      work(top, std::min(top + rows_each, region.bottom()));
    });
  }

  /// Uninitialised pixels on this queue (host rows on the CPU; `format.storage` applies on a card).
  Frame allocate(FrameFormat format) const;
  /// Copies a layer's rows to the card as `ready` delivers them, through the pinned ring.
  /// On the CPU it waits for every row and returns a frame over the image itself.
  /// Three channels are copied as three and widened on the card. @returns a frame in the layer's
  /// own type. @throws DeviceError, or the error of `ready`.
  Frame upload(const Image& image, int layer, RowProgress& ready, Storage storage) const;
  /// The same for a complete image, into rows.
  Frame upload(const Image& image, int layer) const;
  /// The same for a part of the image. @param region inside the data window.
  Frame upload(const Image& image, int layer, const Rect& region, RowProgress& ready,
               Storage storage) const;
  /// Copies a frame with the target's type and channels into the image's rows, and advances `done`
  /// as they arrive. The frame's region lies inside the data window. A failure does not fail
  /// `done`: the CPU may make the same rows again.
  void download(const Frame& frame, Image& image, int layer, RowProgress& done) const;
  /// Converts a picture in blocks on the card to a frame that covers `region`; waits. Only if
  /// is_cuda(). @returns nothing for coefficients on which decoders may disagree: no encoder makes
  /// such coefficients. @throws DeviceError.
  std::optional<Frame> upload(const DctImage& blocks, const Rect& region, Storage storage) const;
  /// The reverse: converts a frame of u8, Y or RGB, to blocks; waits. @param blocks with the
  /// frame's size, grey or YCbCr. @throws DeviceError.
  void download(const Frame& frame, DctImage& blocks) const;
  /// Reserves room on the card for pixels that are kept from call to call, while leaving room for
  /// those of a call: all kept pixels take at most the fraction 1 / parts of the memory that this
  /// process may use (limit_card_memory(), or the card's own). Only if is_cuda(). @returns an
  /// object that counts the bytes during its lifetime; null if they do not fit.
  std::shared_ptr<const void> room_to_keep(std::uint64_t bytes, int parts) const;
  /// Waits for all queued work. @throws DeviceError.
  void synchronize() const;

  /// Makes time_step() measure from now on. @param trace also records the CPU's work; the card's
  /// work is only available from take_times().
  void keep_times(ImageTrace trace = {});
  /// Runs `work`, which queues or performs one step: timed between CUDA events on a card, and by
  /// the host's clock on the CPU, where the times of threads are added.
  void time_step(const std::string& step, const std::function<void()>& work) const;
  /// Waits; returns each step's time since the last call, in the order in which they began.
  std::vector<StepTime> take_times() const;

  /// The card's side. Only if is_cuda().
  CudaQueue& card() const { return *card_; }

 private:
  Queue() = default;
  int threads_ = 1;
  std::shared_ptr<void> parallelism_;  ///< Raises oneTBB's limit during this queue's lifetime.
  std::shared_ptr<CudaQueue> card_;
  std::stop_token stop_ = {};
  struct Times;
  std::shared_ptr<Times> times_;  ///< Null unless times are kept.
};

/// One CUDA card as shown by `cuimg devices`.
struct DeviceInfo {
  int index;
  std::string name;
  int compute_major, compute_minor;
  std::size_t total_memory_bytes;
  std::size_t free_memory_bytes;  ///< 0: not queried, since that needs a context.
  int multiprocessors;
  /// Empty if the card can be used; otherwise the reason why it cannot.
  std::string problem;
  /// Texture formats whose filtering equals the software unit's, "u8 u16 half float", and those
  /// that differ.
  std::vector<std::string> exact_formats, differing_formats;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  int driver_version = 0, runtime_version = 0;  ///< 13000 means 13.0; 0: absent.
  std::string problem;  ///< The reason if there are none: no driver, no card, built without CUDA.
};

/// Does not throw if there is no card. @param check also creates a context on each card and runs
/// the self-check.
DeviceList list_devices(bool check);

/// Whether there may be a card: in a build with CUDA, if there is a driver. Creates no context.
bool may_have_cuda();

/// Starts to create the context on another thread, so that it overlaps with decoding; only during a
/// CardSession (card_session.h), which can wait for it. Harmless without a card.
void warm_up_cuda(int index = 0);

}  // namespace cuimg

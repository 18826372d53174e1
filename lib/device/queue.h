// SPDX-License-Identifier: Apache-2.0
// A Queue is where work runs: the CPU's threads, or a stream of a CUDA card.
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
  wall,       ///< Of a thread that worked, its waiting left out.
  waiting,    ///< While threads waited, one or more.
};

/// One step's duration, for --timing.
struct StepTime {
  std::string step;
  double milliseconds;
  StepClock clock;
  std::optional<Trace::Time> begin = {};  ///< On a card: when it began.
  int stream = 0;                         ///< On a card: 0 the queue's own, 1 its sibling's.
  std::string of = {};                    ///< The part or tee whose it was, of several.
};

/// A card's data other than frames; defined in device/cuda/cuda_queue.h.
class CudaQueue;

class Queue {
 public:
  /// @param threads 0: as many as this process may use (affinity and cgroup limits respected).
  static Queue cpu(int threads = 0);
  /// Creates the context, checks the card against the software texture unit.
  /// @throws DeviceError: no driver, no card, too old a card, no memory, a build without CUDA.
  /// @param threads for copies between image and pinned memory; 0 as for cpu().
  static Queue cuda(int index = 0, int threads = 0);
  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;
  ~Queue();

  /// The CPU on the calling thread alone, for work that is itself one of for_each()'s items. Times
  /// are kept by this queue.
  Queue serial() const;

  /// This queue with a way to end its work early: once a stop is requested, the next item of
  /// for_each() and the next time_step() throw Cancelled. Times are kept by this queue.
  Queue stopped_by(std::stop_token stop) const;

  /// Another stream of the same card, for a thread of its own, with the same number of threads for
  /// copies. It is made once and kept with this queue, which also takes its times. Only when
  /// is_cuda(). @throws DeviceError.
  Queue sibling() const;
  /// For a thread's first use of a card's queue that another thread opened. @throws DeviceError.
  void make_current() const;

  bool is_cuda() const { return card_ != nullptr; }
  int threads() const { return threads_; }
  /// "cpu (2 threads)" or "cuda:0 (NVIDIA H200)".
  std::string name() const;

  /// CPU: calls work(0) ... work(count - 1) on this queue's threads, started in ascending order, so
  /// that item 0 is done early. The first exception ends it and is thrown. With denormals kept.
  /// @param at_once how many of them at the most, whatever the number of threads.
  void for_each(int count, const std::function<void(int)>& work, int at_once = INT32_MAX) const;

  /// The same with shares of a region's rows: work(top, bottom) for every `rows_each` of them.
  template <class Work>
  void for_rows(const Rect& region, int rows_each, const Work& work) const {
    for_each((region.height + rows_each - 1) / rows_each, [&](int part) {
      const int top = region.y + part * rows_each;
      work(top, std::min(top + rows_each, region.bottom()));
    });
  }

  /// Uninitialised pixels on this queue (host rows on the CPU; `format.storage` is honoured on a
  /// card).
  Frame allocate(FrameFormat format) const;
  /// Copies a layer's rows to the card as `ready` delivers them, through the pinned ring.
  /// On the CPU it waits for every row and returns a frame over the image itself.
  /// Three channels cross as three and are widened on the card. @returns a frame in the layer's own
  /// type. @throws DeviceError, or what `ready` failed with.
  Frame upload(const Image& image, int layer, RowProgress& ready, Storage storage) const;
  /// The same for a complete image, into rows.
  Frame upload(const Image& image, int layer) const;
  /// The same for a part of the image. @param region inside the data window.
  Frame upload(const Image& image, int layer, const Rect& region, RowProgress& ready,
               Storage storage) const;
  /// Copies a frame of the target's type and channels into the image's rows, advances `done` as
  /// they arrive. The frame's region lies inside the data window. A failure does not fail `done`:
  /// the rows may be made again on the CPU, and are the same.
  void download(const Frame& frame, Image& image, int layer, RowProgress& done) const;
  /// A picture in blocks to a frame that covers `region`, made on the card; waits. Only when
  /// is_cuda(). @returns nothing for coefficients that decoders need not agree on: no encoder makes
  /// such. @throws DeviceError.
  std::optional<Frame> upload(const DctImage& blocks, const Rect& region, Storage storage) const;
  /// The reverse: the blocks of a frame of u8, Y or RGB; waits. @param blocks of the frame's size,
  /// grey or YCbCr. @throws DeviceError.
  void download(const Frame& frame, DctImage& blocks) const;
  /// Room on the card for pixels that are kept from call to call, so that those of a call find
  /// some: all that is kept takes no more than one of so many parts of what this process may use of
  /// the card (limit_card_memory(), the card's own). Only when is_cuda(). @returns what counts the
  /// bytes while it lives; null where they do not fit.
  std::shared_ptr<const void> room_to_keep(std::uint64_t bytes, int parts) const;
  /// Waits for everything queued. @throws DeviceError.
  void synchronize() const;

  /// After this call time_step() measures. @param trace also records what the CPU does; what a card
  /// did is known to take_times() only.
  void keep_times(ImageTrace trace = {});
  /// Does `work`, which queues or does one step of the whole: between CUDA events on a card, by the
  /// host's clock on the CPU, where threads add up.
  void time_step(const std::string& step, const std::function<void()>& work) const;
  /// Waits; each step's time since the last call, in the order in which they began.
  std::vector<StepTime> take_times() const;

  /// The card's side. Only when is_cuda().
  CudaQueue& card() const { return *card_; }

 private:
  Queue() = default;
  int threads_ = 1;
  std::shared_ptr<void> parallelism_;  ///< Lifts oneTBB's limit while this queue lives.
  std::shared_ptr<CudaQueue> card_;
  std::stop_token stop_ = {};
  struct Times;
  std::shared_ptr<Times> times_;  ///< Null unless they are kept.
};

/// One CUDA card as `cuimg devices` shows it.
struct DeviceInfo {
  int index;
  std::string name;
  int compute_major, compute_minor;
  std::size_t total_memory_bytes;
  std::size_t free_memory_bytes;  ///< 0: not asked, which takes a context.
  int multiprocessors;
  /// Empty if the card can be used; else the reason why it cannot.
  std::string problem;
  /// Texture formats whose filtering equals the software unit's, "u8 u16 half float", and the ones
  /// that differ.
  std::vector<std::string> exact_formats, differing_formats;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  int driver_version = 0, runtime_version = 0;  ///< 13000 is 13.0; 0: absent.
  std::string problem;  ///< Why there are none: no driver, no card, built without CUDA.
};

/// Never throws for an absent card. @param check also creates a context on each and runs the
/// self-check.
DeviceList list_devices(bool check);

/// Whether there may be a card: a build with CUDA, and a driver. Makes no context.
bool may_have_cuda();

/// Starts the context's creation on another thread, so that it overlaps decoding; only while a
/// CardSession (card_session.h) can wait for it. Harmless without a card.
void warm_up_cuda(int index = 0);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Runs work on the CPU's threads, and forwards a Queue's calls to a card.
#include "device/queue.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/float_environment.h"
#include "base/kept_thread.h"
#include "base/mapped_pages.h"
#include "base/message_text.h"
#include "base/threads.h"
#include "device/card_backend.h"
#include "device/card_session.h"

namespace cuimg {
namespace {

// By default oneTBB starts at most as many workers as the machine has processors. If several limits
// exist, it uses the smallest, and prints a warning on standard error for requests above it. So we
// set only one limit, the largest number that any queue needs.
class Parallelism {
 public:
  explicit Parallelism(int threads) : threads_(threads) {
    const std::lock_guard lock(all().mutex);
    all().wanted.insert(threads_);
    all().set();
  }
  ~Parallelism() {
    const std::lock_guard lock(all().mutex);
    all().wanted.erase(all().wanted.find(threads_));
    all().set();
  }
  Parallelism(const Parallelism&) = delete;
  Parallelism& operator=(const Parallelism&) = delete;

 private:
  struct All {
    std::mutex mutex;
    std::multiset<int> wanted;
    std::unique_ptr<tbb::global_control> limit;
    int limited_to = 0;

    void set() {
      const int most = wanted.empty() ? 0 : *wanted.rbegin();
      if (std::exchange(limited_to, most) == most) return;
      // The new limit is created before the old one is destroyed, so the default never applies
      // between them.
      limit = most == 0 ? nullptr
                        : std::make_unique<tbb::global_control>(
                              tbb::global_control::max_allowed_parallelism,
                              static_cast<std::size_t>(most));
    }
  };
  // Never destroyed: queues in other static objects may be destroyed later.
  static All& all() {
    static auto* const one = new All;
    return *one;
  }

  const int threads_;
};

std::shared_ptr<void> allow_parallelism(int threads) {
  if (threads <= tbb::info::default_concurrency()) return nullptr;
  return std::make_shared<Parallelism>(threads);
}

// oneTBB is not built for the thread sanitizer, which would report everything that its workers do
// as races.
#if defined(__SANITIZE_THREAD__)
constexpr bool under_thread_sanitizer = true;
#else
constexpr bool under_thread_sanitizer = false;
#endif

void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Cancelled();
}

// Items are given to threads in ascending order.
class Handout {
 public:
  Handout(int count, const std::function<void(int)>& work, const std::stop_token& stop)
      : count_(count), work_(work), stop_(stop) {}

  void run() noexcept {
    const FloatEnvironment environment;
    for (int i = next_++; i < count_; i = next_++) {
      try {
        throw_if_stopped(stop_);
        work_(i);
        keep_mapped_pages_few();
      } catch (...) {
        if (!failed_.exchange(true)) failure_ = std::current_exception();
        next_ = count_;
      }
    }
  }

  // Called when every thread has left run().
  void finish() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::int64_t count_;
  const std::function<void(int)>& work_;
  const std::stop_token& stop_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

// The processor time of this thread. Wall-clock time would include waiting for other programs, or
// for other threads if there are more than processors.
double thread_milliseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

}  // namespace

struct Queue::Times {
  ImageTrace trace = {};
  std::mutex mutex = {};
  std::vector<StepTime> steps = {};

  void add(const std::string& step, double milliseconds) {
    const std::lock_guard lock(mutex);
    for (StepTime& known : steps)
      if (known.step == step) {
        known.milliseconds += milliseconds;
        return;
      }
    steps.push_back({step, milliseconds, StepClock::processor});
  }
};

Queue Queue::cpu(int threads) {
  Queue queue;
  queue.threads_ = threads > 0 ? threads : hardware_threads();
  queue.parallelism_ = allow_parallelism(queue.threads_);
  return queue;
}

Queue Queue::cuda(int index, int threads) {
  Queue queue = cpu(threads);
  queue.card_ = open_card(index);
  return queue;
}

Queue Queue::serial() const {
  Queue queue;
  queue.times_ = times_;
  queue.stop_ = stop_;
  return queue;
}

Queue Queue::stopped_by(std::stop_token stop) const {
  Queue queue;
  queue.threads_ = threads_;
  queue.parallelism_ = parallelism_;
  queue.card_ = card_;
  queue.times_ = times_;
  queue.stop_ = std::move(stop);
  return queue;
}

Queue Queue::sibling() const {
  Queue queue = stopped_by(stop_);
  queue.card_ = card::sibling(*card_);
  return queue;
}

void Queue::make_current() const {
  if (is_cuda()) card::make_current(*card_);
}

Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&&) noexcept = default;
Queue::~Queue() = default;

std::string Queue::name() const {
  if (is_cuda()) return card::name(*card_);
  return "cpu (" + counted(threads_, "thread") + ")";
}

void Queue::for_each(int count, const std::function<void(int)>& work, int at_once) const {
  if (count <= 0) return;
  Handout handout(count, work, stop_);
  const int helpers = std::min({threads_, count, std::max(1, at_once)});
  if (helpers == 1) {
    handout.run();
  } else if (under_thread_sanitizer) {
    std::vector<KeptThread> others;
    for (int i = 1; i < helpers; ++i) others.emplace_back([&] { handout.run(); });
    handout.run();
  } else {
    // A separate arena: a caller never waits for another caller's items, which may be waiting for
    // rows that this call makes.
    tbb::task_arena arena(helpers);
    try {
      arena.execute([&] {
        tbb::parallel_for(
            0, helpers, 1, [&](int) { handout.run(); }, tbb::simple_partitioner());
      });
    } catch (const std::exception&) {
      // run() does not throw, so oneTBB could not start a thread. None of its threads is in run()
      // at this point.
      handout.run();
    }
  }
  handout.finish();
}

Frame Queue::allocate(FrameFormat format) const {
  if (is_cuda()) return card::allocate(*card_, format);
  return Frame::new_host(format);
}

Frame Queue::upload(const Image& image, int layer, RowProgress& ready, Storage storage) const {
  return upload(image, layer, image.spec().data_window, ready, storage);
}

Frame Queue::upload(const Image& image, int layer) const {
  RowProgress ready;
  ready.finish();
  return upload(image, layer, ready, Storage::pitched);
}

Frame Queue::upload(const Image& image, int layer, const Rect& region, RowProgress& ready,
                    Storage storage) const {
  if (is_cuda()) return card::upload(*card_, image, layer, region, ready, storage, threads_);
  if (!region.empty()) ready.wait_for(region.bottom() - image.spec().data_window.y);
  return Frame::over_image(image, layer).cropped(region);
}

void Queue::download(const Frame& frame, Image& image, int layer, RowProgress& done) const {
  if (is_cuda()) return card::download(*card_, frame, image, layer, done, threads_);
  const Frame target = Frame::over_image(image, layer);
  const Rect region = frame.region();
  const std::size_t bytes =
      frame.empty() ? 0 : static_cast<std::size_t>(region.width) * frame.format().pixel_bytes();
  for (int y = region.y; y < region.bottom() && bytes > 0; ++y) {
    std::byte* to = target.pixel(region.x, y);
    const std::byte* from = frame.pixel(region.x, y);
    if (to != from) std::memcpy(to, from, bytes);
    done.advance(y + 1 - target.region().y);
  }
}

std::optional<Frame> Queue::upload(const DctImage& blocks, const Rect& region,
                                   Storage storage) const {
  return card::upload_blocks(*card_, blocks, region, storage);
}

void Queue::download(const Frame& frame, DctImage& blocks) const {
  card::download_blocks(frame, blocks);
}

std::shared_ptr<const void> Queue::room_to_keep(std::uint64_t bytes, int parts) const {
  return card::room_to_keep(*card_, bytes, parts);
}

void Queue::synchronize() const {
  if (is_cuda()) card::synchronize(*card_);
}

void Queue::keep_times(ImageTrace trace) {
  times_ = std::make_shared<Times>();
  times_->trace = std::move(trace);
  if (is_cuda()) card::keep_times(*card_);
}

void Queue::time_step(const std::string& step, const std::function<void()>& work) const {
  throw_if_stopped(stop_);
  const ImageTrace nowhere;
  const TraceSpan span(times_ && !is_cuda() ? times_->trace : nowhere, "stages", step);
  if (!times_) return work();
  if (is_cuda()) return card::time_step(*card_, step, work);
  const double begin = thread_milliseconds();
  work();
  times_->add(step, thread_milliseconds() - begin);
}

std::vector<StepTime> Queue::take_times() const {
  if (!times_) return {};
  if (is_cuda()) return card::take_times(*card_);
  const std::lock_guard lock(times_->mutex);
  return std::exchange(times_->steps, {});
}

}  // namespace cuimg

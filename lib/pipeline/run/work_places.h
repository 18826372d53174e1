// SPDX-License-Identifier: Apache-2.0
// Threads that share a command's images: as many work at a time as there are places. Before a
// thread waits for something that needs no processor, it lends its place, so that another thread
// can begin the next image.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cuimg {

class WorkPlaces {
 public:
  struct Lending {
    std::size_t threads;  ///< Threads that may wait, in addition to those that have places.
    std::size_t busy;     ///< Threads that work while others wait for a card.
    /// The limit on memory held by waiting threads, beyond which no further thread is started.
    std::uint64_t bytes;
  };
  /// @param places the number of threads that work at a time.
  explicit WorkPlaces(std::size_t places = 1, Lending lending = {0, 0, 0})
      : places_(places), lending_(lending) {}
  WorkPlaces(const WorkPlaces&) = delete;
  WorkPlaces& operator=(const WorkPlaces&) = delete;

  /// Calls `next` repeatedly on all threads, including the caller's, until it returns false.
  /// Returns when every call has returned. @param next must not throw.
  void work(const std::function<bool()>& next);

  /// What a thread waits for: a disk, which needs no processor, or a card, whose context needs one.
  enum class WaitsFor : std::uint8_t { disk, card };
  /// While it exists, its thread waits and has lent its place.
  class Lent {
   public:
    /// @param places null: nothing is lent. @param bytes of memory that the thread holds meanwhile.
    Lent(WorkPlaces* places, WaitsFor what, std::uint64_t bytes)
        : places_(places), what_(what), bytes_(bytes) {
      if (places_ != nullptr) places_->lend(what_, bytes_);
    }
    ~Lent() {
      if (places_ != nullptr)
        places_->take_back(what_, bytes_, std::chrono::steady_clock::now() - begin_);
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

   private:
    WorkPlaces* const places_;
    const WaitsFor what_;
    const std::uint64_t bytes_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  /// The present number of threads. For tests.
  std::size_t threads() const;

 private:
  void lend(WaitsFor what, std::uint64_t bytes);
  void take_back(WaitsFor what, std::uint64_t bytes, std::chrono::nanoseconds waited);
  void start_thread();  ///< Called with the mutex held.
  void run();
  bool is_one_too_many();

  const std::size_t places_;
  const Lending lending_;
  mutable std::mutex mutex_;
  const std::function<bool()>* next_ = nullptr;  ///< Null while no work is done.
  bool is_done_ = false;                         ///< Whether there is no next image.
  std::size_t threads_ = 0, waiting_ = 0;
  std::uint64_t waiting_bytes_ = 0;
  /// Whether the last wait for the disk was long enough for a separate thread.
  bool is_disk_slow_ = false;
  std::vector<std::thread> others_;  ///< All started threads, including those that have ended.
};

}  // namespace cuimg

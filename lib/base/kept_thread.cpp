// SPDX-License-Identifier: Apache-2.0
#include "base/kept_thread.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "base/threads.h"

namespace cuimg {

struct KeptThread::Worker {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task;  // empty: the worker waits for a task
  bool is_done = false;

  void run() noexcept {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return task && !is_done; });
      lock.unlock();
      task();
      lock.lock();
      is_done = true;
      changed.notify_all();
    }
  }
};

// Neither this nor its workers are ever destroyed: they wait until the process ends. There are as
// many workers as tasks have ever run at the same time.
class KeptThread::Workers {
 public:
  static Workers& all() {
    static auto* const workers = new Workers;
    return *workers;
  }

  Worker* take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Worker* const worker = idle_.back();
        idle_.pop_back();
        return worker;
      }
      ++made_;
      idle_.reserve(made_);  // so that give_back() needs no memory
    }
    auto worker = std::make_unique<Worker>();
    start_thread([worker = worker.get()] { worker->run(); }).detach();
    return worker.release();
  }

  void give_back(Worker* worker) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(worker);
  }

 private:
  std::mutex mutex_;
  std::vector<Worker*> idle_;
  std::size_t made_ = 0;
};

KeptThread::KeptThread(std::function<void()> task) : worker_(Workers::all().take()) {
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->task = std::move(task);
    worker_->is_done = false;
  }
  worker_->changed.notify_all();
}

KeptThread& KeptThread::operator=(KeptThread&& other) noexcept {
  join();
  worker_ = std::exchange(other.worker_, nullptr);
  return *this;
}

void KeptThread::join() noexcept {
  if (worker_ == nullptr) return;
  {
    std::unique_lock lock(worker_->mutex);
    worker_->changed.wait(lock, [this] { return worker_->is_done; });
    worker_->task = nullptr;
  }
  Workers::all().give_back(std::exchange(worker_, nullptr));
}

}  // namespace cuimg

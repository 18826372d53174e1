// SPDX-License-Identifier: Apache-2.0
// A context that takes time to create, and the exit handlers that may run meanwhile.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "fake_state.h"

namespace fake_cuda {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> unloaded{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void unload() { unloaded = true; }

void log_time(const std::string& path, const char* what) {
  if (path.empty()) return;
  std::FILE* const file = std::fopen(path.c_str(), "a");
  if (file == nullptr) std::abort();
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch());
  std::fprintf(file, "%s %lld\n", what, static_cast<long long>(now.count()));
  std::fclose(file);
}

void create() {
  // The driver is loaded when it is first needed. So its exit handlers run before those of
  // everything that existed until then, such as static objects of the program.
  std::atexit(unload);
  int milliseconds = 0;
  std::string log;
  {
    State& state = State::instance();
    const std::lock_guard lock(state.mutex);
    milliseconds = state.context_ms;
    log = state.context_log;
  }
  log_time(log, "began");
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  while (Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    while (is_unloaded()) pause();
  }
  log_time(log, "ended");
}

}  // namespace

void make_context() {
  static std::once_flag once;
  if (!is_unloaded()) std::call_once(once, create);
}

bool is_unloaded() { return unloaded; }

}  // namespace fake_cuda

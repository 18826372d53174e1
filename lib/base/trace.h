// SPDX-License-Identifier: Apache-2.0
// What each thread and card did when, for --trace; and NVTX ranges, which NVIDIA's profilers show.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cuimg {

/// A recording of one run. May be added to from any thread.
class Trace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// @param row what kind of worker did it: "decode", "stages", "cuda:0 kernels". Spans of a kind
  /// that overlap are drawn in rows of their own, "decode 1", "decode 2"; those of one thread that
  /// lie within each other in one. @param image whose it was.
  void add(std::string_view row, std::string_view name, std::string_view image, Time begin,
           Time end);
  /// All of it in Chrome's trace format, which chrome://tracing and Perfetto read. Times are
  /// microseconds since the recording's start.
  std::string json() const;

 private:
  struct Event {
    std::string row, name, image;
    std::thread::id thread;
    Time begin, end;
    int lane = 0;
  };
  static void assign_lanes(std::vector<Event>& events);

  const Time start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

/// Where what is done for one image is recorded.
struct ImageTrace {
  Trace* trace = nullptr;  ///< Null: nowhere.
  std::string image = {};
};

/// Records from its making to its end, and is an NVTX range meanwhile.
class TraceSpan {
 public:
  /// @param of and the texts outlive the span.
  TraceSpan(const ImageTrace& of, std::string_view row, std::string_view name);
  ~TraceSpan();
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  const ImageTrace& of_;
  const std::string_view row_, name_;
  Trace::Time begin_ = {};
};

}  // namespace cuimg

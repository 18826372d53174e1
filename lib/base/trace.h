// SPDX-License-Identifier: Apache-2.0
// Records when each thread and card did what, for --trace, and as NVTX ranges for NVIDIA's
// profilers.
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

  /// @param row the kind of worker: "decode", "stages", "cuda:0 kernels". Overlapping spans of one
  /// kind get separate rows, "decode 1", "decode 2"; nested spans of one thread share a row. @param
  /// image the image that was worked on.
  void add(std::string_view row, std::string_view name, std::string_view image, Time begin,
           Time end);
  /// The recording in Chrome's trace format, which chrome://tracing and Perfetto read. Times are
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

/// The recording to which the work for one image is added.
struct ImageTrace {
  Trace* trace = nullptr;  ///< Null: nothing is recorded.
  std::string image = {};
};

/// Records the time from its construction to its destruction, also as an NVTX range.
class TraceSpan {
 public:
  /// @param of and the texts must outlive the span.
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

// SPDX-License-Identifier: Apache-2.0
// The fake runtime's state: rules, counts, existing objects.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fake_cudart.h"

namespace fake_cuda {

/// The thread's current card, as set by cudaSetDevice().
extern thread_local int current_card;
/// The thread's error, which cudaGetLastError() returns.
extern thread_local int last_error;

struct Rule {
  std::string name;
  int card;  ///< -1: any card.
  int code;
  int from_call;
};

struct Array {
  cudaChannelFormatDesc format;
  std::size_t width, height, depth;  ///< The height is the number of rows of all slices.
  std::vector<char> bytes;
  std::size_t pitch() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8 * width;
  }
};

/// A mipmapped array's levels, the largest first.
struct Mipmap {
  std::vector<Array> levels;
};

struct Texture {
  cudaResourceDesc resource;
  cudaTextureDesc description;
};

struct Surface {
  cudaResourceDesc resource;
};

struct State {
  std::recursive_mutex mutex;
  std::vector<Rule> rules;
  bool skip_kernels = false;
  bool overlapping = false;  ///< Several threads call the runtime at the same time.
  std::set<std::pair<std::thread::id, int>> notified = {};  ///< Of a broken context.
  std::string differing_type;
  int devices = 1, major = 9, minor = 0;
  int context_ms = 0;
  int shared_kb = 64;
  std::string context_log, calls_log;
  std::map<std::string, int> calls;
  std::map<const void*, std::string> kernels;
  std::set<const void*> alive;
  std::map<int, int> broken_by;  ///< The error that broke each card's context.
  std::function<void(const FakeCudaCall&)> watch;

  static State& instance();
  void set_rules(const char* text);
  /// Counts a call. @returns the code that a rule sets for it, or 0. Once the context is broken,
  /// this aborts; if calls may overlap, only at a thread's second call.
  cudaError_t enter(const std::string& name, const std::string& alias = "");
  cudaError_t fail(int code);
};

/// Creates the process's context, once. This takes State::context_ms, and never returns if the
/// process's exit handlers run meanwhile. Other threads wait for it.
void make_context();
/// Whether the exit handlers have run, which unload the runtime.
bool is_unloaded();

/// Does the work of the sampling kernels. For levels, `at` has four floats for each read.
void sample(const Texture& texture, const float* at, float* out, int count,
            const std::string& differing_type);
void sample_levels(const Texture& texture, const float* at, float* out, int count,
                   const std::string& differing_type);

}  // namespace fake_cuda

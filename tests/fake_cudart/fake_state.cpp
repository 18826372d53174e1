// SPDX-License-Identifier: Apache-2.0
// Rules, and the abort that catches a call after the context broke.
#include "fake_state.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "fake_cudart.h"

namespace fake_cuda {
namespace {

// The errors after which "the process must be terminated and relaunched", from the CUDA programming
// guide. This list is separate from the library's, so that each checks the other.
bool breaks_the_context(int code) {
  return code == 700 || code == 702 || code == 709 || code == 710 || (code >= 714 && code <= 719);
}

void log_calls() {
  State& state = State::instance();
  const std::lock_guard lock(state.mutex);
  std::ofstream file(state.calls_log);
  for (const auto& [name, calls] : state.calls)
    if (name.find('@') == std::string::npos) file << name << ' ' << calls << '\n';
}

}  // namespace

thread_local int current_card = 0;
thread_local int last_error = 0;

State& State::instance() {
  // Used by static constructors of every .cu file, and after every destructor.
  static State* const state = [] {
    auto* made = new State;
    const char* rules = std::getenv("CUIMG_FAKE_CUDA");
    made->set_rules(rules == nullptr ? "" : rules);
    return made;
  }();
  return *state;
}

void State::set_rules(const char* text) {
  std::lock_guard lock(mutex);
  rules.clear();
  calls.clear();
  skip_kernels = overlapping = false;
  notified.clear();
  differing_type.clear();
  devices = 1, major = 9, minor = 0;
  context_ms = 0;
  shared_kb = 64;
  context_log.clear();
  broken_by.clear();
  last_error = 0;
  std::string spaced = text;
  for (char& c : spaced)
    if (c == ',') c = ' ';
  std::istringstream words(spaced);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::size_t at = std::min(word.find('@'), equals);
    const std::string name = word.substr(0, at);
    const int card = at < equals && at != std::string::npos ? std::atoi(word.c_str() + at + 1) : -1;
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    Rule rule = {name, card, 0, 1};
    if (name == "kernels" && value == "skip") {
      skip_kernels = true;
    } else if (name == "calls" && value == "overlap") {
      overlapping = true;
    } else if (name == "differ") {
      differing_type = value;
    } else if (name == "devices") {
      devices = std::atoi(value.c_str());
    } else if (name == "shared_kb") {
      shared_kb = std::atoi(value.c_str());
    } else if (name == "context_ms") {
      context_ms = std::atoi(value.c_str());
    } else if (name == "context_log") {
      context_log = value;
    } else if (name == "calls_log") {
      calls_log = value;
      std::atexit(log_calls);
      std::at_quick_exit(log_calls);
    } else if (name == "capability" && std::sscanf(value.c_str(), "%d.%d", &major, &minor) == 2) {
    } else if (std::sscanf(value.c_str(), "%d:%d", &rule.code, &rule.from_call) >= 1) {
      rules.push_back(rule);
    } else {
      std::fprintf(stderr, "fake CUDA: cannot read the rule \"%s\"\n", word.c_str());
      std::abort();
    }
  }
}

cudaError_t State::enter(const std::string& name, const std::string& alias) {
  if (is_unloaded()) {
    std::fprintf(stderr, "fake CUDA: %s was called after the exit handlers ran\n", name.c_str());
    return cudaErrorCudartUnloading;
  }
  if (const auto broken = broken_by.find(current_card); broken != broken_by.end()) {
    // If calls overlap, a thread may not know of the error yet: it gets it once, as from the real
    // runtime.
    if (overlapping && notified.insert({std::this_thread::get_id(), current_card}).second) {
      last_error = broken->second;
      return static_cast<cudaError_t>(broken->second);
    }
    std::fprintf(stderr, "fake CUDA: %s was called after error %d broke the context\n",
                 name.c_str(), broken->second);
    std::abort();
  }
  const int call = ++calls[name];
  const int call_of_card = ++calls[name + "@" + std::to_string(current_card)];
  for (Rule& rule : rules) {
    if (rule.card >= 0 && rule.card != current_card) continue;
    const bool named = rule.name == name;
    const bool aliased = !alias.empty() && alias.find(rule.name) != std::string::npos;
    if (!named && !aliased) continue;
    // Rules for parts of kernel names have their own count.
    const int named_calls = rule.card >= 0 ? call_of_card : call;
    const int count = named ? named_calls : ++calls["rule " + rule.name];
    if (count >= rule.from_call) return fail(rule.code);
  }
  return cudaSuccess;
}

cudaError_t State::fail(int code) {
  last_error = code;
  if (breaks_the_context(code)) {
    broken_by[current_card] = code;
    notified.insert({std::this_thread::get_id(), current_card});
  }
  return static_cast<cudaError_t>(code);
}

}  // namespace fake_cuda

void fake_cuda_rules(const char* rules) { fake_cuda::State::instance().set_rules(rules); }

void fake_cuda_watch(std::function<void(const FakeCudaCall&)> watch) {
  fake_cuda::State::instance().watch = std::move(watch);
}

int fake_cuda_live_resources() {
  auto& state = fake_cuda::State::instance();
  std::lock_guard lock(state.mutex);
  return static_cast<int>(state.alive.size());
}

int fake_cuda_calls(const char* name) {
  auto& state = fake_cuda::State::instance();
  std::lock_guard lock(state.mutex);
  return state.calls[name];
}

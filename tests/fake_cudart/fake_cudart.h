// SPDX-License-Identifier: Apache-2.0
// A CUDA runtime without a card, linked into test programs instead of the real one: memory is the
// host's, calls fail as configured, and any call after an error that breaks the context aborts.
//
// The environment variable CUIMG_FAKE_CUDA holds rules, separated by spaces or commas:
//   NAME=CODE        every call of the runtime function NAME fails with CODE
//   NAME=CODE:N      the Nth call (from 1) and all later ones do
//   NAME@CARD=CODE[:N]  the same for calls while that card is the thread's, counted by themselves
//   launch=CODE[:N]  the same for kernel launches; KERNEL=CODE[:N] for kernels whose mangled name
//                    contains KERNEL, such as widen_kernel=719
//   kernels=skip     launches of kernels that are not emulated succeed and do nothing; else they
//                    fail with 209, no kernel image
//   differ=TYPE      the texture unit's linear reads of u8, u16, half or float differ in a bit;
//                    of "levels": those of floats between the levels of a mipmapped array
//   devices=N        cards present (1); capability=7.0 their compute capability (9.0)
//   shared_kb=N      memory that a block may have: 64, what the smallest card has; 227 on a Hopper
//   context_ms=N     creating the context takes N ms, and never ends once exit handlers run, as if
//                    the driver's own had taken away what the creation needs
//   context_log=FILE gets a line when the creation begins and one when it ends: "began MS",
//                    "ended MS", in ms of the monotonic clock
//   calls_log=FILE   gets a line for each runtime function at the end of the process: "NAME CALLS"
// After the exit handlers a call prints a line and fails with 4, as the real runtime does.
// Only the self-check's sampling kernels are emulated, with the software texture unit.
#pragma once

#include <cstddef>
#include <functional>

/// Replaces the rules and resets all counts, as in a process that has just started.
void fake_cuda_rules(const char* rules);
/// The number of streams, events, blocks, arrays, pinned blocks and objects that are not destroyed
/// yet.
int fake_cuda_live_resources();
/// The number of calls of a runtime function, or of launches ("launch").
int fake_cuda_calls(const char* name);

/// The information about a call that a watcher gets.
struct FakeCudaCall {
  FakeCudaCall(const char* called, const void* on = nullptr, std::size_t copied = 0,
               bool is_to_card = false)
      : name(called), stream(on), bytes(copied), to_card(is_to_card) {}
  const char* name;
  const void* stream;  ///< For copies of rows of pixels.
  std::size_t bytes;   ///< Of such a copy.
  bool to_card;
};
/// From now on `watch` is called before each call of the runtime, on the calling thread, and may
/// block it. Null ends this. Must not be called while another thread calls the runtime.
void fake_cuda_watch(std::function<void(const FakeCudaCall&)> watch);

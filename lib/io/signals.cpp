// SPDX-License-Identifier: Apache-2.0
#include "io/signals.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "io/temporaries.h"

namespace cuimg {
namespace {

// The effect of a SIGINT.
enum Interrupt : int { interrupt_ends, interrupt_is_noted, interrupt_was_noted };
std::atomic<int> interrupt{interrupt_ends};
static_assert(std::atomic<int>::is_always_lock_free, "the handler reads it");

// Signals often arrive twice, to the process and to its group, for example from `timeout`. This
// handler remains installed, so that a second signal, on another thread, cannot end the process
// before all files are removed.
extern "C" {
// static: a C function in an unnamed namespace is still a symbol of the whole program.
static void remove_temporaries_and_end(int signal_number) {
  int expected = interrupt_is_noted;
  if (signal_number == SIGINT && interrupt.compare_exchange_strong(expected, interrupt_was_noted)) {
    constexpr char text[] =
        "\ncuimg: finishing the images that were begun; Ctrl-C again stops immediately\n";
    const int error = errno;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) errno = 0;
    errno = error;
    return;
  }
  remove_temporaries_for_good();
  // The default action ends the process immediately and in the way that the signal's sender
  // expects. Until the handler returns, the signal stays blocked and other threads continue.
  std::signal(signal_number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  std::raise(signal_number);
}
}

}  // namespace

void remove_temporaries_on_signals() {
  for (const int signal_number : ending_signals) {
    struct sigaction previous;
    // A signal that the parent ignores (nohup) remains ignored.
    if (sigaction(signal_number, nullptr, &previous) == 0 && previous.sa_handler == SIG_IGN)
      continue;
    struct sigaction action = {};
    action.sa_handler = remove_temporaries_and_end;
    action.sa_mask = ending_signal_set();
    sigaction(signal_number, &action, nullptr);
  }
}

FinishOnInterrupt::FinishOnInterrupt(bool enabled) {
  int expected = interrupt_ends;
  if (enabled) interrupt.compare_exchange_strong(expected, interrupt_is_noted);
}

FinishOnInterrupt::~FinishOnInterrupt() {
  int expected = interrupt_is_noted;
  interrupt.compare_exchange_strong(expected, interrupt_ends);
}

bool FinishOnInterrupt::came() const { return was_interrupted(); }

bool was_interrupted() { return interrupt.load() == interrupt_was_noted; }

}  // namespace cuimg

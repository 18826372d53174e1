// SPDX-License-Identifier: Apache-2.0
// The threads of a block. A fiber runs one thread after another until one waits at a barrier; then
// the next begins on another fiber.
#include "emulate.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace emulated {

constinit thread_local Place place;

namespace {

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes, zeros;
};

constexpr std::size_t ungranted_bytes = std::size_t{48} << 10;  // available to any kernel
constexpr std::size_t most_stack_bytes = std::size_t{256} << 10;
constexpr std::size_t between_stacks = 1024 + 64;
constexpr std::size_t guard_bytes = most_stack_bytes;  // no stack frame is larger

// A fiber's stack, above protected memory: if the stack is too small, the program ends immediately.
class Stack {
 public:
  Stack()
      : memory_(mmap(nullptr, guard_bytes + most_stack_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (memory_ == MAP_FAILED || mprotect(memory_, guard_bytes, PROT_NONE) != 0) {
      std::fprintf(stderr, "emulated card: no memory for a thread's stack\n");
      std::abort();
    }
  }
  ~Stack() { munmap(memory_, guard_bytes + most_stack_bytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  char* lowest() const { return static_cast<char*>(memory_) + guard_bytes; }

 private:
  void* memory_;
};

// Where a fiber, or its launcher, continues. swapcontext() would also do, but it makes two system
// calls for the signal mask. Under an address sanitizer it also clears the state of the whole
// stack. Together these took half of the tests' time.
struct Resumption {
  void* registers[5];  // of __builtin_setjmp
};

[[noreturn, gnu::noipa]] void resume(Resumption& to) { __builtin_longjmp(to.registers, 1); }

// Returns when `from` is resumed. Other fibers have run then, which the optimizer does not know:
// noipa keeps it from assuming that memory is unchanged.
[[gnu::noipa]] void change(Resumption& from, Resumption& to) {
  if (__builtin_setjmp(from.registers) == 0) resume(to);
}

struct Fiber {
  explicit Fiber(std::size_t number)
      : stack_bytes(most_stack_bytes - number % 64 * between_stacks) {}

  Stack stack;
  // Stacks begin at different offsets within their pages. Otherwise addresses that are many powers
  // of two apart would share cache lines, and the processor's caches would hold little of the
  // fibers' data.
  std::size_t stack_bytes;
  Resumption place = {};
  bool begun = false;
};

enum class State { fresh, ready, at_warp, at_block, at_barrier, done };

struct Thread {
  State state = State::fresh;
  Fiber* fiber = nullptr;
  bool vote = false;
  std::uint32_t words[2] = {};  // for the other lanes: now and the last time
  unsigned exchanges = 0;
  unsigned barrier = 0, wanted = 0;         // for State::at_barrier
  std::vector<Copy> copies = {};            // oldest first
  std::vector<std::size_t> committed = {};  // number of copies before each commit

  // Prepares for the next block. There are no copies left, since a thread waits for them at its
  // end.
  void begin() {
    state = State::fresh;
    vote = false;
    words[0] = words[1] = 0;
    exchanges = 0;
  }
};

// Runs one block at a time, on the thread that launches.
struct Machine {
  std::vector<Thread> threads;  // of this block, in the order of execution
  std::size_t current = 0;
  std::size_t done = 0, at_barriers = 0;  // counts of threads
  bool backwards = false;
  bool any = false;  // of the last barrier's votes
  const std::function<void()>* kernel = nullptr;
  void* shared = nullptr;
  std::size_t most_shared_bytes = ungranted_bytes;  // for the next launch
  Resumption scheduler;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber*> idle;

  Thread& thread() { return threads[current]; }
};

thread_local Machine machine;

void execute(std::span<const Copy> copies) {
  for (const Copy& copy : copies) {
    std::memcpy(copy.to, copy.from, copy.bytes);
    std::memset(static_cast<char*>(copy.to) + copy.bytes, 0, copy.zeros);
  }
}

void go_to(std::size_t thread) {
  Machine& m = machine;
  m.current = thread;
  const dim3& block = place.block;
  const auto n = static_cast<unsigned>(m.backwards ? m.threads.size() - 1 - thread : thread);
  place.thread_index = {n % block.x, n / block.x % block.y, n / block.x / block.y};
}

// Runs the current thread to its end, then those after it that have not begun.
void run_threads() {
  Machine& m = machine;
  for (;;) {
    m.thread().state = State::ready;
    (*m.kernel)();
    wait_for_copies(0);
    m.thread().state = State::done;
    ++m.done;
    const std::size_t next = m.current + 1;
    if (next == m.threads.size() || m.threads[next].state != State::fresh) break;
    m.threads[next].fiber = m.thread().fiber;
    go_to(next);
  }
}

// The main function of a fiber: it runs threads whenever it is resumed.
[[noreturn]] void run_fiber() {
  Machine& m = machine;
  for (;;) {
    run_threads();
    Fiber* const fiber = m.thread().fiber;
    m.idle.push_back(fiber);
    change(fiber->place, m.scheduler);
  }
}

Fiber* new_fiber() {
  Machine& m = machine;
  if (m.idle.empty()) {
    m.fibers.push_back(std::make_unique<Fiber>(m.fibers.size()));
    m.idle.push_back(m.fibers.back().get());
  }
  Fiber* const fiber = m.idle.back();
  m.idle.pop_back();
  return fiber;
}

// Calls run_fiber() on the fiber's stack; returns when the scheduler is resumed.
[[gnu::noipa]] void begin(Fiber& fiber) {
  fiber.begun = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack.lowest();
  context.uc_stack.ss_size = fiber.stack_bytes;
  context.uc_link = nullptr;
  makecontext(&context, run_fiber, 0);
  if (__builtin_setjmp(machine.scheduler.registers) == 0) setcontext(&context);
}

void go_on(Fiber& fiber) {
  if (fiber.begun)
    change(machine.scheduler, fiber.place);
  else
    begin(fiber);
}

void yield(State state) {
  Thread& thread = machine.thread();
  thread.state = state;
  change(thread.fiber->place, machine.scheduler);
}

// Whether all live threads of [first, last) are in `state`, and there is at least one. They then
// become ready.
bool released(std::size_t first, std::size_t last, State state) {
  Machine& m = machine;
  bool one = false;
  for (std::size_t i = first; i < last; ++i) {
    if (m.threads[i].state == state)
      one = true;
    else if (m.threads[i].state != State::done)
      return false;
  }
  if (!one) return false;
  m.any = false;
  for (std::size_t i = first; i < last; ++i) {
    if (m.threads[i].state == State::done) continue;
    m.any = m.any || m.threads[i].vote;
    m.threads[i].state = State::ready;
  }
  return true;
}

// Whether the barrier where thread i waits has as many waiting threads as thread i requires. They
// then become ready.
bool met(std::size_t i) {
  std::vector<Thread>& threads = machine.threads;
  if (threads[i].state != State::at_barrier) return false;
  const auto waits = [barrier = threads[i].barrier](const Thread& thread) {
    return thread.state == State::at_barrier && thread.barrier == barrier;
  };
  const auto count = std::count_if(threads.begin(), threads.end(), waits);
  if (static_cast<std::size_t>(count) < threads[i].wanted) return false;
  for (Thread& thread : threads)
    if (waits(thread)) thread.state = State::ready;
  machine.at_barriers -= static_cast<std::size_t>(count);
  return true;
}

void run_block() {
  Machine& m = machine;
  for (Thread& thread : m.threads) thread.begin();
  m.done = m.at_barriers = 0;
  constexpr std::size_t warp = 32;
  // In backward order, the incomplete warp is first.
  const std::size_t odd = m.backwards ? m.threads.size() % warp : 0;
  for (bool goes_on = true; goes_on;) {
    for (std::size_t i = 0; i < m.threads.size(); ++i) {
      Thread& thread = m.threads[i];
      if (thread.state == State::fresh)
        thread.fiber = new_fiber();
      else if (thread.state != State::ready)
        continue;
      go_to(i);
      go_on(*thread.fiber);
    }
    if (m.done == m.threads.size()) return;
    goes_on = odd > 0 && released(0, odd, State::at_warp);
    for (std::size_t first = odd; first < m.threads.size(); first += warp)
      goes_on |= released(first, std::min(first + warp, m.threads.size()), State::at_warp);
    if (m.at_barriers > 0)
      for (std::size_t i = 0; i < m.threads.size(); ++i) goes_on |= met(i);
    goes_on = goes_on || released(0, m.threads.size(), State::at_block);
  }
  std::fprintf(stderr, "emulated card: threads wait at different barriers\n");
  std::abort();
}

}  // namespace

void launch(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t,
            const std::function<void()>& thread) {
  Machine& m = machine;
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  if (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      grid.y > 65535 || grid.z > 65535 || shared_bytes > m.most_shared_bytes) {
    std::fprintf(stderr, "emulated card: a card would refuse this launch\n");
    std::abort();
  }
  place.grid = grid;
  place.block = block;
  m.threads.resize(threads);
  m.kernel = &thread;
  m.backwards = !m.backwards;
  m.most_shared_bytes = ungranted_bytes;
  // Exactly the requested size, so that an address sanitizer detects accesses beyond it.
  m.shared = ::operator new(shared_bytes, std::align_val_t(64));
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        place.block_index = {x, y, z};
        std::memset(m.shared, 0xcd, shared_bytes);
        run_block();
      }
  ::operator delete(m.shared, std::align_val_t(64));
}

void allow_shared_memory(int bytes) {
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  if (bytes > most) {
    std::fprintf(stderr, "emulated card: a block of this card has no room for so much\n");
    std::abort();
  }
  machine.most_shared_bytes = std::max(ungranted_bytes, static_cast<std::size_t>(bytes));
}

void* shared_memory() { return machine.shared; }

void wait_for_block() { yield(State::at_block); }
void wait_for_warp() { yield(State::at_warp); }
void wait_for_threads(unsigned barrier, unsigned threads) {
  machine.thread().barrier = barrier;
  machine.thread().wanted = threads;
  ++machine.at_barriers;
  yield(State::at_barrier);
}
// One barrier is enough. A late reader still finds the word, because the next call uses the other
// place, and the one after that comes after another barrier.
std::uint32_t from_lane(std::uint32_t value, unsigned lane) {
  Machine& m = machine;
  const unsigned place = m.thread().exchanges++ % 2;
  m.thread().words[place] = value;
  yield(State::at_warp);
  const std::size_t first = m.current / 32 * 32;
  return m.threads.at(first + (m.backwards ? 31 - lane : lane)).words[place];
}
bool any_of_block(bool value) {
  machine.thread().vote = value;
  yield(State::at_block);
  machine.thread().vote = false;
  return machine.any;
}

void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
  machine.thread().copies.push_back({to, from, bytes, zeros});
}
void commit_copies() {
  Thread& thread = machine.thread();
  thread.committed.push_back(thread.copies.size());
}
void wait_for_copies(std::size_t all_but) {
  std::vector<Copy>& copies = machine.thread().copies;
  std::vector<std::size_t>& committed = machine.thread().committed;
  if (all_but == 0) {
    execute(copies);
    copies.clear();
    committed.clear();
  } else if (committed.size() > all_but) {
    const std::size_t count = committed[committed.size() - all_but - 1];
    execute({copies.data(), count});
    copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(count));
    committed.erase(committed.begin(), committed.end() - static_cast<std::ptrdiff_t>(all_but));
    for (std::size_t& end : committed) end -= count;
  }
}

}  // namespace emulated

// Fewer cases than on a card, which is much faster; the number can be set by a variable.
static const bool cases_are_few = [] {
  setenv("CUIMG_PARITY_CASES", "30", 0);
  setenv("CUIMG_CHAIN_CASES", "2000", 0);
  setenv("CUIMG_COMPARE_CASES", "40", 0);
  return true;
}();

// Libraries that were built without annotations cause false reports of container overflows.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_container_overflow=0:malloc_context_size=1";
}

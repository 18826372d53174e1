// SPDX-License-Identifier: Apache-2.0
// While pixels are computed, denormals are kept, rounding is to nearest and no operation traps,
// whatever settings the program or another library has made for the thread.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace cuimg {

/// Sets the thread's floating-point control to IEEE defaults and restores it when it leaves scope.
class FloatEnvironment {
 public:
  FloatEnvironment() : saved_(read()) { write((saved_ & ~changed) | set); }
  ~FloatEnvironment() { write(saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if defined(__x86_64__)
  using Control = std::uint32_t;
  // MXCSR: flush to zero (15), rounding (14, 13), denormals are zero (6); no exception traps (12 to
  // 7, set).
  static constexpr Control changed = 0x8000u | 0x6000u | 0x0040u, set = 0x1f80u;
  static Control read() { return _mm_getcsr(); }
  static void write(Control control) { _mm_setcsr(control); }
#elif defined(__aarch64__)
  using Control = std::uint64_t;
  // FPCR: flush to zero (24), rounding (23, 22), flush half to zero (19), flush inputs to zero (0);
  // exceptions trap (15, 12 to 8).
  static constexpr Control changed = 0x1c80001u | 0x9f00u, set = 0;
  // GCC and clang have different functions for this.
  static Control read() {
    Control control;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    return control;
  }
  static void write(Control control) { asm volatile("msr fpcr, %0" : : "r"(control) : "memory"); }
#else
  using Control = std::uint32_t;
  static constexpr Control changed = 0, set = 0;
  static Control read() { return 0; }
  static void write(Control) {}
#endif
  Control saved_;
};

}  // namespace cuimg

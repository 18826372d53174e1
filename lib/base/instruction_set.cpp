// SPDX-License-Identifier: Apache-2.0
// The only place that checks the processor's features and reads CUIMG_CPU.
#include "base/instruction_set.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <atomic>

#include "base/error.h"

namespace cuimg {
namespace {

constexpr int not_chosen = -1;
std::atomic<int> chosen = not_chosen;

#if defined(__x86_64__)
// Clang 14's __builtin_cpu_supports does not know F16C.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

}  // namespace

std::string_view name_of(InstructionSet set) {
#if defined(__x86_64__)
  return set == InstructionSet::avx2 ? "AVX2, FMA and F16C" : "SSE2 (baseline)";
#else
  (void)set;
  return "baseline";
#endif
}

InstructionSet native_instruction_set() {
#if defined(__x86_64__)
  // BMI is also required: Highway compiles its AVX2 functions with it.
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                               has_f16c() && __builtin_cpu_supports("bmi") &&
                               __builtin_cpu_supports("bmi2");
  if (has_avx2) return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

InstructionSet wanted_instruction_set(const Environment& environment) {
  const char* const name = "CUIMG_CPU";
  const std::string wanted = environment(name).value_or("native");
  if (wanted == "native") return native_instruction_set();
  if (wanted == "baseline") return InstructionSet::baseline;
  throw Error(name, "\"" + wanted + "\" is not known", "use native or baseline");
}

InstructionSet instruction_set() {
  int set = chosen.load(std::memory_order_relaxed);
  if (set == not_chosen) {
    set = static_cast<int>(wanted_instruction_set());
    chosen.store(set, std::memory_order_relaxed);
  }
  return static_cast<InstructionSet>(set);
}

void use_instruction_set(InstructionSet set) {
  if (set == InstructionSet::avx2 && native_instruction_set() != set)
    throw Error("instruction set", "this processor has no AVX2, FMA, F16C, BMI and BMI2",
                "use the baseline");
  chosen.store(static_cast<int>(set), std::memory_order_relaxed);
}

}  // namespace cuimg

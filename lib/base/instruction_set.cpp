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
  switch (set) {
    case InstructionSet::baseline:
      return "SSE2 (baseline)";
    case InstructionSet::avx2:
      return "AVX2, FMA and F16C";
    case InstructionSet::avx512:
      return "AVX-512 with VBMI";
  }
#else
  (void)set;
#endif
  return "baseline";
}

InstructionSet native_instruction_set() {
#if defined(__x86_64__)
  // BMI is also required: Highway compiles its AVX2 functions with it.
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                               has_f16c() && __builtin_cpu_supports("bmi") &&
                               __builtin_cpu_supports("bmi2");
  static const bool has_avx512 =
      has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi");
  if (has_avx512) return InstructionSet::avx512;
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
  if (set > native_instruction_set())
    throw Error("instruction set", "this processor has no " + std::string(name_of(set)),
                "use " + std::string(name_of(native_instruction_set())));
  chosen.store(static_cast<int>(set), std::memory_order_relaxed);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Converting a float to a half drops 13 bits of its significand, and rounds to the nearest half, or
// between two to the even one. This is written out in integers, and compared with the card's single
// instruction for all 2^32 floats, including NaNs.
#include <cuda_fp16.h>

#include <bit>
#include <cstdint>

#include "common/card.h"
#include "common/sample.h"
#include "execution/kinds_of_half.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr std::uint32_t infinity = 0x7f800000;  // NaNs are above it
// 65520, halfway to the value that would follow 65504
constexpr std::uint32_t to_infinity = 0x477ff000;
constexpr std::uint32_t least_normal = 0x38800000;  // 2^-14
constexpr std::uint32_t to_zero = 0x33000000;       // 2^-25, halfway to the smallest half, 2^-24

// Drops bits, rounding to nearest. After half a step minus one is added, values above the middle
// carry into the last kept bit. In the middle there is a carry if that bit is also added and is 1,
// that is if the value is odd.
__host__ __device__ constexpr std::uint32_t drop(std::uint32_t value, unsigned bits) {
  const std::uint32_t odd = value >> bits & 1;
  return (value + (1u << (bits - 1)) - 1 + odd) >> bits;
}

__host__ __device__ constexpr std::uint16_t to_half(std::uint32_t float_bits) {
  const std::uint32_t sign = float_bits >> 16 & 0x8000;
  const std::uint32_t magnitude = float_bits & 0x7fffffff;
  if (magnitude > infinity) return 0x7fff;  // the card's only NaN: no sign, nothing of its bits
  if (magnitude >= to_infinity) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (magnitude <= to_zero) return static_cast<std::uint16_t>(sign);
  // The exponent's bias goes from 127 to 15. A carry out of the significand adds one to it.
  if (magnitude >= least_normal)
    return static_cast<std::uint16_t>(sign | drop(magnitude - (112u << 23), 13));
  // Below that, a half is a multiple of 2^-24: the float's implicit leading bit is written out and
  // the significand is shifted there.
  const std::uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  return static_cast<std::uint16_t>(sign | drop(significand, 126 - (magnitude >> 23)));
}

struct ByHand {
  __device__ std::uint16_t operator()(std::uint32_t bits) const { return to_half(bits); }
};
struct ByInstruction {
  __device__ std::uint16_t operator()(std::uint32_t bits) const {
    return __half_as_ushort(__float2half_rn(__uint_as_float(bits)));
  }
};

constexpr unsigned threads = 1u << 18, block = 256;

// All floats, each thread every 2^18th. One value per thread keeps the compiler from removing
// unused results.
template <class Convert>
__global__ void convert_all(Convert convert, std::uint32_t* mixed) {
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t mix = 0;
#pragma unroll 8
  for (std::uint32_t i = 0; i < (1u << 14); ++i) mix = mix * 3 + convert(first + i * threads);
  mixed[first] = mix;
}

// The results of the instruction for all floats, and the number of them for which to_half differs.
struct Counts {
  unsigned long long of_kind[kinds], different, first_different;
};

__global__ void compare_all(Counts* counts) {
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t of_kind[kinds] = {};
  for (std::uint32_t i = 0; i < (1u << 14); ++i) {
    const std::uint32_t bits = first + i * threads;
    const std::uint32_t half = ByInstruction()(bits), magnitude = half & 0x7fff;
    of_kind[0] += magnitude == 0;
    of_kind[1] += magnitude > 0 && magnitude < 0x400;
    of_kind[2] += magnitude >= 0x400 && magnitude < 0x7c00;
    of_kind[3] += magnitude == 0x7c00;
    of_kind[4] += magnitude > 0x7c00;
    if (half != to_half(bits)) {
      atomicAdd(&counts->different, 1ull);
      atomicMin(&counts->first_different, static_cast<unsigned long long>(bits));
    }
  }
  for (int k = 0; k < kinds; ++k)
    atomicAdd(&counts->of_kind[k], static_cast<unsigned long long>(of_kind[k]));
}

__global__ void convert_some(const std::uint32_t* bits, std::uint32_t* halves) {
  halves[threadIdx.x] = ByInstruction()(bits[threadIdx.x]);
}

int main(int argc, char** argv) {
  Sample program("execution/float_to_half", "float to half by hand: nearest, and between two even");
  return program.run(argc, argv, [](Report& report) {
    std::vector<std::uint32_t> some;
    for (const FloatOfNote& one : floats_of_note) some.push_back(one.bits);
    const DeviceArray<std::uint32_t> on_card(some), halves_on_card(some.size());
    convert_some<<<1, static_cast<unsigned>(some.size())>>>(on_card.get(), halves_on_card.get());
    check_launch("convert_some");
    const auto halves = halves_on_card.to_host();
    Table table{"", {"float", "bits", "half", "by hand", ""}};
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto value = std::bit_cast<float>(some[i]);
      table.row({Cell(value, text("%.8g", value)), hex(some[i]), text("0x%04x", halves[i]),
                 text("0x%04x", to_half(some[i])), floats_of_note[i].what});
    }
    report.show(table);

    const DeviceArray<Counts> counts(std::vector<Counts>{{{}, 0, 1ull << 32}});
    compare_all<<<threads / block, block>>>(counts.get());
    check_launch("compare_all");
    const Counts found = counts.to_host()[0];
    Table by_kind{"what the instruction makes of all floats", {"half", "floats", "expected"}};
    bool as_expected = true;
    for (int k = 0; k < kinds; ++k) {
      as_expected = as_expected && found.of_kind[k] == floats_of_kind(k);
      by_kind.row({kind_names[k], found.of_kind[k], floats_of_kind(k)});
    }
    report.show(by_kind);
    report.check(as_expected, "each kind of half comes from as many floats as its bounds say");
    report.check(found.different == 0,
                 found.different == 0 ? "of 2^32 floats none differs from the instruction's half"
                                      : text("%llu floats differ, the first 0x%08llx",
                                             found.different, found.first_different));

    const DeviceArray<std::uint32_t> by_hand(threads), by_instruction(threads);
    const double hand_ms = best_ms(3, [&] {
      convert_all<<<threads / block, block>>>(ByHand(), by_hand.get());
      check_launch("convert_all");
    });
    const double instruction_ms = best_ms(3, [&] {
      convert_all<<<threads / block, block>>>(ByInstruction(), by_instruction.get());
      check_launch("convert_all");
    });
    report.check(by_hand.to_host() == by_instruction.to_host(),
                 "nor do the two that are timed make different halves");
    report.say(
        text("All floats in %.2f ms by hand, in %.2f ms by the instruction. The book's halves "
             "were for storage alone; cards add and multiply them since compute capability 5.3.",
             hand_ms, instruction_ms));
    report.headline(text("%llu of 2^32 floats differ; %.2f ms by hand, %.2f ms by the instruction",
                         found.different, hand_ms, instruction_ms));
  });
}

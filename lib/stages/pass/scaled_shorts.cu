// SPDX-License-Identifier: Apache-2.0
// The table is in shared memory, in blocks that stay for the whole picture; each thread processes
// sixteen bytes, two pixels, at a time.
#include "stages/pass/scaled_shorts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_queue.h"
#include "stages/pass/row_turns.cuh"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {
namespace {

using Steps = ScaledShorts::Steps;

constexpr int codes = 65536;
constexpr std::size_t table_bytes = codes * sizeof(std::uint16_t);
constexpr int threads = 1024;  // the only block of a multiprocessor
constexpr int words_at_once = 2;
/// In the table: every step must be computed. This also applies to codes whose result is this
/// value.
constexpr std::uint32_t asks = 0xfffeu;

__device__ float light_of_form(const TexelForm& form, std::uint32_t code) {
  return form.is_srgb ? srgb16_to_linear(*form.short16, code)
                      : detail::code_to_float<codes - 1>(static_cast<int>(code));
}
__device__ std::uint32_t code_of(const TexelForm& form, float light) {
  return form.is_srgb ? linear_to_srgb16(*form.short16, form.tables.srgb16->thresholds, light)
                      : float_to_unorm16(light);
}
// The pass's result for a code, by its definition.
__device__ std::uint32_t scaled(const TexelForm& form, const Steps& steps, std::uint32_t code,
                                std::uint32_t alpha_code) {
  const float alpha = detail::code_to_float<codes - 1>(static_cast<int>(alpha_code));
  float v = light_of_form(form, code);
  if (form.is_straight) v = premultiply(v, alpha);
  for (int i = 0; i < steps.count; ++i) v *= steps.factor[i];
  return code_of(form, form.is_straight ? unpremultiply(v, alpha) : v);
}

// The floats nearest to a number above or below it.
__device__ float least_from(double x) {
  const auto near = static_cast<float>(x);
  if (static_cast<double>(near) >= x) return near;
  return float_from_bits(bits_of(near) + (x > 0 ? 1u : ~0u));
}
__device__ float most_to(double x) { return -least_from(-x); }

// The product with alpha, those with factors other than powers of 2, and the quotient are rounded
// by at most a part in 2^24, and no intermediate value is too small for that: if both ends of that
// range have the same code, so does everything in between.
__global__ void make_table_kernel(TexelForm form, Steps steps, std::uint16_t* table) {
  const std::uint32_t code = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t made;
  if (form.is_straight) {
    double product = static_cast<double>(light_of_form(form, code));
    for (int i = 0; i < steps.count; ++i) product *= static_cast<double>(steps.factor[i]);
    int rounded = 2;
    for (int i = 0; i < steps.count; ++i)
      rounded += (bits_of(steps.factor[i]) & 0x7fffffu) != 0 ? 1 : 0;
    const double range = rounded * 0x1.00001p-24;
    const double ends[2] = {product * (1 - range), product * (1 + range)};
    const std::uint32_t low = code_of(form, least_from(ends[product < 0]));
    const std::uint32_t high = code_of(form, most_to(ends[product >= 0]));
    made = low == high ? low : asks;
  } else {
    made = scaled(form, steps, code, 0);
  }
  table[code] = static_cast<std::uint16_t>(made);
}

struct WordRows {
  const char* source;
  char* target;
  std::size_t source_pitch, target_pitch;
  std::uint32_t words, rows;  ///< Words of a row.
};

__device__ uint2 scaled_texel(const std::uint16_t* table, const TexelForm& form, const Steps& steps,
                              const uint2& texel) {
  const std::uint32_t from[3] = {texel.x & 0xffffu, texel.x >> 16, texel.y & 0xffffu};
  // Pixels with alpha 0 have no light to scale.
  const std::uint32_t seen = (texel.y >> 16) != 0 ? ~0u : ~form.straight_mask;
  std::uint32_t made[3];
  bool some_ask = false;
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    made[c] = table[from[c]] & seen;
    some_ask |= made[c] == asks;
  }
  std::uint32_t last = made[2];
  std::uint32_t first_two = made[0] | made[1] << 16;
  if (some_ask) {
    // One copy of the steps: the colours are rotated.
    std::uint64_t in = std::uint64_t{texel.y & 0xffffu} << 32 | texel.x;
    std::uint64_t out = std::uint64_t{last} << 32 | first_two;
#pragma unroll 1
    for (int c = 0; c < 3; ++c) {
      auto code = static_cast<std::uint32_t>(out) & 0xffffu;
      if (code == asks)
        code = scaled(form, steps, static_cast<std::uint32_t>(in) & 0xffffu, texel.y >> 16);
      out = out >> 16 | std::uint64_t{code} << 32;
      in >>= 16;
    }
    first_two = static_cast<std::uint32_t>(out);
    last = static_cast<std::uint32_t>(out >> 32);
  }
  return {first_two, last | (texel.y & 0xffff0000u)};
}

__global__ void __launch_bounds__(threads, 1)
    scale_shorts_kernel(const std::uint16_t* table, const __grid_constant__ TexelForm form,
                        const __grid_constant__ Steps steps, WordRows rows) {
  extern __shared__ double shared_memory[];
  auto* const copy = reinterpret_cast<uint4*>(shared_memory);
  for (std::uint32_t i = threadIdx.x; i < table_bytes / sizeof(uint4); i += threads)
    copy[i] = __ldg(reinterpret_cast<const uint4*>(table) + i);
  __syncthreads();
  const auto* const made = reinterpret_cast<const std::uint16_t*>(shared_memory);
  TurnInRows turn(blockIdx.x * threads + threadIdx.x, gridDim.x * threads, rows.words);
  while (turn.row < rows.rows) {
    uint4 word[words_at_once] = {};
    std::uint32_t column[words_at_once], row[words_at_once];
#pragma unroll
    for (int i = 0; i < words_at_once; ++i) {
      column[i] = turn.piece, row[i] = turn.row;
      if (turn.row < rows.rows)
        word[i] = __ldcs(reinterpret_cast<const uint4*>(rows.source + turn.row * rows.source_pitch +
                                                        turn.piece * sizeof(uint4)));
      turn.advance();
    }
#pragma unroll
    for (int i = 0; i < words_at_once; ++i) {
      if (row[i] >= rows.rows) continue;
      const uint2 left = scaled_texel(made, form, steps, {word[i].x, word[i].y});
      const uint2 right = scaled_texel(made, form, steps, {word[i].z, word[i].w});
      __stcs(reinterpret_cast<uint4*>(rows.target + row[i] * rows.target_pitch +
                                      column[i] * sizeof(uint4)),
             uint4{left.x, left.y, right.x, right.y});
    }
  }
}

// Nothing if the pass contains anything else than factors that all colours share, or if one may
// produce numbers that are rounded differently.
std::optional<Steps> steps_of(const PixelPass& pass) {
  Steps steps;
  float product = 1;
  for (const PixelOp& any : pass.ops) {
    bool does = false;
    any.visit([&](const auto& op) {
      if constexpr (std::is_same_v<std::decay_t<decltype(op)>, Scale>) {
        const float factor = op.factor[0];
        product *= factor;
        const float size = std::fabs(product);
        does = steps.count < Steps::most && op.factor[1] == factor && op.factor[2] == factor &&
               !op.scales_alpha && size >= 0x1p-40f && size <= 0x1p40f;
        if (does) steps.factor[steps.count++] = factor;
      }
    });
    if (!does) return std::nullopt;
  }
  if (steps.count == 0) return std::nullopt;
  return steps;
}

bool same_form(const PixelForm& a, const PixelForm& b) {
  return a.type == b.type && a.shape.channels == b.shape.channels &&
         a.encoding.transfer == b.encoding.transfer &&
         a.encoding.alpha_index == b.encoding.alpha_index &&
         a.encoding.straight_alpha == b.encoding.straight_alpha;
}

// The form that decodes the pass's pixels, with its tables.
std::shared_ptr<const StoredForm> form_of_shorts(const PixelPass& pass) {
  const PixelForm& form = pass.from;
  if (static_cast<PixelType>(form.type) != PixelType::u16 || form.shape.channels < 3 ||
      form.shape.colors != 3 || pass.moves_only || !same_form(form, pass.to))
    return nullptr;
  auto decoding = std::make_shared<PixelPass>();
  decoding->from = decoding->to = form;
  decoding->to.type = static_cast<decltype(form.type)>(PixelType::f32);
  decoding->to.encoding = {};
  return StoredForm::decoded_by(std::move(decoding));
}

}  // namespace

struct ScaledShorts::OnCard {
  Steps steps;
  std::shared_ptr<const StoredForm> form;
  DeviceTable<std::uint16_t> table;
};

std::unique_ptr<const ScaledShorts> ScaledShorts::of(CudaQueue& card, const PixelPass& pass) {
  const auto steps = steps_of(pass);
  if (!steps) return nullptr;
  const auto form = form_of_shorts(pass);
  if (form == nullptr || shared_bytes_of_block(card) < table_bytes) return nullptr;
  auto on_card = std::make_unique<OnCard>(
      OnCard{*steps, form, DeviceTable<std::uint16_t>(card, std::size_t{codes})});
  constexpr int of_block = 256;
  make_table_kernel<<<codes / of_block, of_block, 0, card.stream()>>>(form->on(card), *steps,
                                                                      on_card->table.data());
  check_launch("scaled_shorts_table");
  return std::unique_ptr<const ScaledShorts>(new ScaledShorts(std::move(on_card)));
}

ScaledShorts::ScaledShorts(std::unique_ptr<const OnCard> on_card) : on_card_(std::move(on_card)) {}
ScaledShorts::~ScaledShorts() = default;

// Rows of pitched frames have room for whole words at their ends.
bool ScaledShorts::apply(CudaQueue& card, const Frame& source, const Frame& target) const {
  const Rect& r = target.region();
  constexpr std::size_t texel_bytes = sizeof(uint2);
  const std::size_t distance = static_cast<std::size_t>(r.x - source.region().x) * texel_bytes;
  if (target.card().is_array() || distance % sizeof(uint4) != 0) return false;
  check(cudaFuncSetAttribute(scale_shorts_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(table_bytes)),
        "cudaFuncSetAttribute");
  const auto row = static_cast<std::size_t>(r.y - source.region().y);
  const std::size_t row_bytes = static_cast<std::size_t>(r.width) * texel_bytes;
  const WordRows rows{
      static_cast<const char*>(source.card().data()) + row * source.card().pitch_bytes() + distance,
      static_cast<char*>(target.card().data()),
      source.card().pitch_bytes(),
      target.card().pitch_bytes(),
      static_cast<std::uint32_t>((row_bytes + sizeof(uint4) - 1) / sizeof(uint4)),
      static_cast<std::uint32_t>(r.height)};
  // A block processes at least as many words as it copies of the table.
  const std::size_t all = std::size_t{rows.words} * rows.rows;
  constexpr std::size_t of_block = table_bytes / sizeof(uint4);
  const std::size_t blocks =
      std::min(static_cast<std::size_t>(card.multiprocessors()), (all + of_block - 1) / of_block);
  scale_shorts_kernel<<<static_cast<unsigned>(blocks), threads, table_bytes, card.stream()>>>(
      on_card_->table.data(), on_card_->form->on(card), on_card_->steps, rows);
  check_launch("scaled_shorts");
  return true;
}

}  // namespace cuimg

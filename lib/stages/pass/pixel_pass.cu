// SPDX-License-Identifier: Apache-2.0
// The launches of passes over pixels. Types and operations are chosen inside one kernel: memory,
// not the choice, takes its time.
#include <memory>

#include "stages/pass/pass_on_card.cuh"

namespace cuimg {
namespace {

constexpr int pass_threads = 256;
constexpr unsigned blocks_at_once = 8;  // of a multiprocessor

/// Threads enough to wait for memory; most operations ask for fewer registers.
template <class Source>
constexpr int blocks_with_room = Source::is_typed ? 4 : 1;

/// Blocks along rows; of an array 16 columns wide, for its sectors are two rows high.
template <class Target>
constexpr dim3 pass_block = Target::is_array ? dim3(16, pass_threads / 16) : dim3(pass_threads);

// What texels of 8 bits need, in shared memory.
__device__ inline void copy_codes(const SharedCodes* from, int thread, SharedCodes& to) {
  if (from == nullptr) return;
  constexpr int words = sizeof(SharedCodes) / sizeof(std::uint32_t);
  const auto* const source = reinterpret_cast<const std::uint32_t*>(from);
  auto* const target = reinterpret_cast<std::uint32_t*>(&to);
  for (int i = thread; i < words; i += pass_threads) target[i] = __ldg(source + i);
}

/// Rows of typed texels are taken in turns, gridDim.y times the block's height apart: a block reads
/// its tables once.
/// @tparam pixels that one thread takes, so that enough loads are in flight and an operation is
/// chosen once for all of them.
template <PassTables tables, int pixels, class Source, class Target>
__global__ void __launch_bounds__(pass_threads, blocks_with_room<Source>)
    pass_kernel(const __grid_constant__ OpList ops, PixelShape shape, const SharedCodes* codes,
                Source source, Target target, Rect region) {
  __shared__ float table[tables == PassTables::small ? most_small_floats : 1];
  __shared__ std::conditional_t<Source::is_typed, SharedCodes, NoCodes> shared_codes;
  constexpr dim3 block = pass_block<Target>;
  constexpr int step = block.x;
  const auto thread =
      static_cast<int>(block.y == 1 ? threadIdx.x : threadIdx.y * block.x + threadIdx.x);
  const int first = region.x + static_cast<int>(blockIdx.x * block.x * pixels + threadIdx.x);
  int y =
      region.y + static_cast<int>(block.y == 1 ? blockIdx.y : blockIdx.y * block.y + threadIdx.y);
  if constexpr (Source::is_typed) {
    copy_codes(codes, thread, shared_codes);
    if constexpr (tables == PassTables::small)
      for (int i = thread; i < ops.small_floats; i += pass_threads)
        table[i] = __ldg(ops.small_tables + i);
    __syncthreads();
    for (; y < region.y + region.height; y += static_cast<int>(gridDim.y * block.y)) {
      float v[pixels][4] = {};
      source.row(y).template load<pixels>(first, step, shared_codes, v);
      ops.run<tables, pixels>(v, shape, table);
      target.row(y, region).template store<pixels>(first, step, shared_codes, v);
    }
  } else {
    float v[pixels][4] = {};
    source.row(y).template load<pixels>(first, step, shared_codes, v);
    if constexpr (tables == PassTables::small) {
      for (int i = thread; i < ops.small_floats; i += pass_threads)
        table[i] = __ldg(ops.small_tables + i);
      __syncthreads();
    }
    ops.run<tables, pixels>(v, shape, table);
    target.row(y, region).template store<pixels>(first, step, shared_codes, v);
  }
}

// Texels of the same form, zero where the source has none.
struct MovePixel {
  Rect covered;
  ByteRows source;

  __device__ TexelWords operator()(int x, int y) const {
    return contains(covered, x, y) ? source.words(x, y) : TexelWords{};
  }
};

template <PassTables tables, int pixels, class Source, class Target>
void launch_kind(CudaQueue& card, const PassOnCard& pass, PixelShape shape, const Source& source,
                 const Target& target, const Rect& region) {
  constexpr dim3 block = pass_block<Target>;
  for_parts(region, block, pixels, [&](const Rect& part, dim3 blocks) {
    if constexpr (Source::is_typed) {
      const auto at_once = static_cast<unsigned>(card.multiprocessors()) * blocks_at_once;
      blocks.y = std::min(blocks.y, (at_once + blocks.x - 1) / blocks.x);
    }
    pass_kernel<tables, pixels>
        <<<blocks, block, 0, card.stream()>>>(pass.ops, shape, pass.codes(), source, target, part);
    check_launch("pixel_pass");
  });
}

template <int pixels, class Source, class Target>
void launch(CudaQueue& card, const PassOnCard& pass, PixelShape shape, const Source& source,
            const Target& target, const Rect& region) {
  if (region.empty()) return;
  switch (pass.ops.tables) {
    case PassTables::none:
      return launch_kind<PassTables::none, pixels>(card, pass, shape, source, target, region);
    case PassTables::small:
      return launch_kind<PassTables::small, pixels>(card, pass, shape, source, target, region);
    case PassTables::any: {
      constexpr int fewer = Source::is_typed ? 2 : pixels;  // tables want registers
      return launch_kind<PassTables::any, fewer>(card, pass, shape, source, target, region);
    }
  }
}

bool is_floats(const PixelForm& form) {
  return static_cast<PixelType>(form.type) == PixelType::f32;
}

}  // namespace

void run_pass_on_cuda(const Queue& queue, const PixelPass& pass, const Frame& source,
                      const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect covered = intersection(source.region(), target.region());
  if (pass.moves_only)
    return make_texels(card, "move_pixels", MovePixel{covered, ByteRows(source)}, target);
  const auto on_card = pass.on_cards->of(card, [&] {
    return std::make_shared<const PassOnCard>(card, pass, target.region().pixels());
  });
  const auto run = [&]<int pixels>(const auto& loads, const auto& stores,
                                   std::integral_constant<int, pixels>) {
    launch<pixels>(card, *on_card, pass.from.shape, loads, stores, target.region());
  };
  const ByteRows rows(source);
  // Narrow texels want more of them under way.
  constexpr std::integral_constant<int, 2> two;
  constexpr std::integral_constant<int, 4> four;
  if (is_floats(pass.from) && is_floats(pass.to)) {
    if (target.card().is_array()) {
      const FloatArray array{ArrayMemory{target.card().surface()}, target.region(),
                             target.format().stored_channels()};
      if (rows.texel_bytes == 16) return run(FloatTexels<4>{covered, rows}, array, two);
      return run(FloatTexels<0>{covered, rows}, array, four);
    }
    const ByteRows made(target);
    if (rows.texel_bytes == 16 && made.texel_bytes == 16)
      return run(FloatTexels<4>{covered, rows}, FloatTexels<4>{target.region(), made}, two);
    return run(FloatTexels<0>{covered, rows}, FloatTexels<0>{target.region(), made}, four);
  }
  target.card().with_memory([&](const auto& memory) {
    run(TypedTexels{on_card->from, covered, rows},
        TypedTarget<std::decay_t<decltype(memory)>>{on_card->to, {target, memory}}, four);
  });
}

}  // namespace cuimg

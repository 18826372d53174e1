// SPDX-License-Identifier: Apache-2.0
// The launches of passes over pixels. Types and operations are selected inside one kernel: the time
// is spent on memory, not on the selection.
#include <memory>
#include <stdexcept>

#include "stages/pass/float_texels.cuh"
#include "stages/pass/pass_on_card.cuh"

namespace cuimg {
namespace {

constexpr int pass_threads = 256;
// Blocks per multiprocessor. Few if each block copies tables; otherwise many, since blocks end at
// different times and small ones balance this.
constexpr unsigned blocks_with_tables = 8, blocks_at_once = 64;

template <PassTables tables>
__device__ void copy_small_tables(const OpList& ops, int thread, float* table) {
  if constexpr (tables == PassTables::small)
    for (int i = thread; i < ops.small_floats; i += pass_threads)
      table[i] = __ldg(ops.small_tables + i);
}
template <PassTables tables>
constexpr int small_floats = tables == PassTables::small ? most_small_floats : 1;

/// A thread's first pixel, in blocks along rows; in narrow blocks for an array, whose sectors are
/// two rows high.
struct PassPlace {
  int thread, x, y;
  __device__ PassPlace(const Rect& region, int pixels, const dim3& block)
      : thread(static_cast<int>(block.y == 1 ? threadIdx.x : threadIdx.y * block.x + threadIdx.x)),
        x(region.x + static_cast<int>(blockIdx.x * block.x) * pixels +
          static_cast<int>(threadIdx.x)),
        y(region.y +
          static_cast<int>(block.y == 1 ? blockIdx.y : blockIdx.y * block.y + threadIdx.y)) {}
};
constexpr dim3 pass_block(bool is_array, unsigned columns = 16) {
  return is_array ? dim3(columns, pass_threads / columns) : dim3(pass_threads);
}
template <class Source>
constexpr bool is_typed = false;
template <TexelKind known>
constexpr bool is_typed<TypedTexels<known>> = true;

// The narrower the block, the sooner an array's lines are complete; but a warp should read 64 bytes
// of a row, which few threads do if a texel is large, and large tables are read best by neighbours.
// card_chains, an H200, 2026-12-01, by 4, 8 and 16 columns: exposure of bytes 0.200, 0.247 and
// 0.234 ms, gamma of floats 0.342, 0.332 and 0.326; a table of colours by 8 and 16 0.626 and 0.650.
template <PassTables tables, class Source>
constexpr unsigned array_columns = is_typed<Source>            ? 4
                                   : tables == PassTables::any ? 8
                                                               : 16;

template <class Target>
constexpr bool is_typed_target = false;
template <TexelKind known>
constexpr bool is_typed_target<TypedTarget<known>> = true;

// Whether it is a form of known kind; then only for passes without tables.
template <class Source>
constexpr bool is_known = false;
template <TexelKind known>
constexpr bool is_known<TypedTexels<known>> = known != TexelKind::any;

// Whether a thread with this first pixel may end because it makes nothing. If operations read
// tables of any size, the threads of a warp load entries for each other, so they stay.
template <PassTables tables>
__device__ bool is_past_row(int x, const Rect& region) {
  return tables != PassTables::any && x >= region.right();
}

template <class Source>
constexpr bool is_four_floats = std::is_same_v<Source, FloatTexels<4>>;

// Blocks on a multiprocessor at a time; 0 leaves it to the compiler. Six hide more of the waiting
// between a power's steps than the few registers that they cost.
template <PassTables tables, class Source, class Target>
constexpr int blocks_wanted =
    is_four_floats<Source> && !Target::is_array && tables == PassTables::none ? 6 : 0;

/// Floats to floats.
/// @tparam pixels per thread, so that enough loads are in flight and an operation is selected once
/// for all of them.
template <PassTables tables, int pixels, class Source, class Target>
__global__ void __launch_bounds__(pass_threads, blocks_wanted<tables, Source, Target>)
    pass_kernel(const __grid_constant__ OpList ops, PixelShape shape, Source source, Target target,
                Rect region) {
  __shared__ float table[small_floats<tables>];
  constexpr dim3 block = pass_block(Target::is_array, array_columns<tables, Source>);
  PassPlace place(region, pixels, block);
  int step = static_cast<int>(block.x);
  if constexpr (std::is_same_v<Source, FloatTexels<0>> && !Target::is_array)
    if (source.in_fours) {
      place.x += static_cast<int>(threadIdx.x) * (pixels - 1);
      step = 1;
    }
  float v[pixels][4] = {};
  source.row(place.y).template load<pixels>(place.x, step, v);
  if constexpr (tables == PassTables::small) {
    copy_small_tables<tables>(ops, place.thread, table);
    __syncthreads();
  }
  if (is_past_row<tables>(place.x, region)) return;
  ops.run<tables, pixels, is_four_floats<Source>>(v, shape, table);
  target.row(place.y, region).template store<pixels>(place.x, step, v);
}

/// Texels of any type to texels of any type, in any memory. Rows are processed in turns, gridDim.y
/// times the block's height apart, so that a block copies its tables once; having enough threads to
/// hide memory's latency matters more than registers.
template <PassTables tables, int pixels, class Source, class Target>
__global__ void __launch_bounds__(pass_threads, 4)
    typed_pass_kernel(const __grid_constant__ OpList ops, PixelShape shape, SharedTables shared,
                      Source source, Target target, Rect region) {
  __shared__ float table[small_floats<tables>];
  extern __shared__ double shared_memory[];
  PassPlace place(region, pixels, blockDim);
  auto step = static_cast<int>(blockDim.x);
  if constexpr (is_known<Source>)
    if (source.in_pairs) {
      // Neighbouring threads process neighbouring pairs, so that a warp still reads adjacent words.
      place.x += static_cast<int>(threadIdx.x);
      step *= 2;
    }
  const TexelTables texel_tables =
      shared.copied_to(reinterpret_cast<std::uint32_t*>(shared_memory), place.thread, pass_threads);
  copy_small_tables<tables>(ops, place.thread, table);
  if (tables == PassTables::small || shared.count > 0) __syncthreads();
  if (is_past_row<tables>(place.x, region)) return;
  const int rows_in_turn = static_cast<int>(gridDim.y * blockDim.y), bottom = region.bottom();
  // If the kind is known, the next row's texels are loaded while this row's are processed.
  typename Source::Word words[pixels];
  if constexpr (is_known<Source>) source.row(place.y).fetch(place.x, step, words);
  for (int y = place.y; y < bottom; y += rows_in_turn) {
    float v[pixels][4] = {};
    if constexpr (is_known<Source>) {
      source.row(y).template decode<Source::kind>(words, texel_tables, v);
      if (y + rows_in_turn < bottom) source.row(y + rows_in_turn).fetch(place.x, step, words);
    } else {
      source.row(y).template load<pixels>(place.x, step, texel_tables, v);
    }
    ops.run<tables, pixels>(v, shape, table);
    target.row(y, region).template store<pixels>(place.x, step, texel_tables, v);
  }
}

bool ends_in_array(const FloatArray&) { return true; }
template <int width>
bool ends_in_array(const FloatTexels<width>&) {
  return false;
}
template <TexelKind known>
bool ends_in_array(const TypedTarget<known>& target) {
  return target.target.memory.is_array();
}

// Copies texels of the same form; zero where the source has none.
struct MovePixel {
  Rect covered;
  ByteRows source;

  __device__ TexelWords operator()(int x, int y) const {
    return contains(covered, x, y) ? source.words(x, y) : TexelWords{};
  }
};

template <PassTables tables, int pixels, class Source, class Target>
void launch_kind(CudaQueue& card, const PassOnCard& pass, const OpList& ops, PixelShape shape,
                 const Source& source, const Target& target, const Rect& region) {
  // Long operations hide the cost of incomplete lines, but not that of narrow reads: AgX of bytes
  // takes 0.432 ms by 4 columns and 0.413 by 16 (card_chains, an H200, 2026-12-01).
  const unsigned columns = is_typed<Source> && pass.is_long ? 16 : array_columns<tables, Source>;
  const dim3 block = pass_block(ends_in_array(target), columns);
  for_parts(region, block, pixels, [&](const Rect& part, dim3 blocks) {
    if constexpr (is_typed<Source>) {
      const unsigned blocks_down = blocks.y;
      const bool copies = pass.shared.count > 0 || ops.small_floats > 0;
      const auto at_once = static_cast<unsigned>(card.multiprocessors()) *
                           (copies && !pass.is_long ? blocks_with_tables : blocks_at_once);
      blocks.y = std::min(blocks.y, (at_once + blocks.x - 1) / blocks.x);
      // A block processes at least as many pixels as it copies words of tables.
      const unsigned turns =
          1 + static_cast<unsigned>(pass.shared.count) / (pass_threads * unsigned{pixels});
      blocks.y = std::min(blocks.y, (blocks_down + turns - 1) / turns);
      const std::size_t bytes = static_cast<std::size_t>(pass.shared.count) * sizeof(std::uint32_t);
      typed_pass_kernel<tables, pixels>
          <<<blocks, block, bytes, card.stream()>>>(ops, shape, pass.shared, source, target, part);
    } else {
      pass_kernel<tables, pixels>
          <<<blocks, block, 0, card.stream()>>>(ops, shape, source, target, part);
    }
    check_launch("pixel_pass");
  });
}

// Rare combinations for passes with tables use the kernel of all types and memories, since each
// separate kernel would contain every operation.
template <class Source, class Target>
constexpr PassTables most_tables = is_known<Source>                         ? PassTables::none
                                   : std::is_same_v<Source, FloatTexels<0>> ? PassTables::small
                                   : is_typed<Source> && !is_typed_target<Target> ? PassTables::none
                                                                                  : PassTables::any;

// The kernel of all types and memories has room for small tables, whether or not a pass has any.
template <class Source, class Target>
constexpr PassTables least_tables =
    is_typed<Source> && !is_known<Source> && is_typed_target<Target> ? PassTables::small
                                                                     : PassTables::none;

template <int pixels, class Source, class Target>
void launch(CudaQueue& card, const PassOnCard& pass, const OpList& ops, PixelShape shape,
            const Source& source, const Target& target, const Rect& region) {
  if (region.empty()) return;
  constexpr PassTables most = most_tables<Source, Target>;
  constexpr PassTables least = least_tables<Source, Target>;
  const PassTables tables = is_four_floats<Source> ? ops.tables_of_four_floats : ops.tables;
  if (tables <= least)
    return launch_kind<least, pixels>(card, pass, ops, shape, source, target, region);
  if constexpr (most != PassTables::none && least != PassTables::small)
    if (tables == PassTables::small)
      return launch_kind<PassTables::small, pixels>(card, pass, ops, shape, source, target, region);
  if constexpr (is_four_floats<Source>)
    if (tables == PassTables::many_numbers)
      return launch_kind<PassTables::many_numbers, pixels>(card, pass, ops, shape, source, target,
                                                           region);
  if constexpr (most == PassTables::any) {
    constexpr int fewer = is_typed<Source> ? 2 : pixels;  // tables need registers
    return launch_kind<PassTables::any, fewer>(card, pass, ops, shape, source, target, region);
  }
  throw std::logic_error("pixel_pass: no kernel for these tables");
}

// Whether each row consists of whole, aligned words of four floats.
bool hold_fours(const ByteRows& rows, int width) {
  return width % 4 == 0 && rows.pitch_bytes % sizeof(float4) == 0 &&
         reinterpret_cast<std::uintptr_t>(rows.data) % sizeof(float4) == 0;
}

// Whether texels x and x + 1 of every row, and each following pair, form an aligned word.
bool hold_pairs(const ByteRows& rows, int x) {
  const auto bytes = static_cast<std::size_t>(rows.texel_bytes);
  const auto first =
      reinterpret_cast<std::uintptr_t>(rows.data) + static_cast<std::size_t>(x - rows.left) * bytes;
  return (first | rows.pitch_bytes) % (2 * bytes) == 0;
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
  if (on_card->scaled != nullptr && source.region().contains(target.region()) &&
      on_card->scaled->apply(card, source, target))
    return;
  const auto run = [&]<int pixels>(const auto& loads, const auto& stores,
                                   std::integral_constant<int, pixels>) {
    launch<pixels>(card, *on_card, on_card->ops, pass.from.shape, loads, stores, target.region());
  };
  const ByteRows rows(source);
  const bool in_array = target.card().is_array();
  const PassTables tables = on_card->ops.tables;
  // With narrow texels, more of them must be in flight.
  constexpr std::integral_constant<int, 2> two;
  constexpr std::integral_constant<int, 4> four;
  const bool is_from_fours = is_floats(pass.from) && rows.texel_bytes == 16;
  // Four pixels of one channel as a texel, if the rows of both frames consist of whole ones.
  const Rect fours{0, covered.y, covered.width / 4, covered.height};
  const bool in_fours = on_card->fours && is_floats(pass.from) && is_floats(pass.to) &&
                        source.region() == target.region() && hold_fours(rows, covered.width);
  const auto run_fours = [&](const auto& stores) {
    launch<2>(card, *on_card, *on_card->fours, grey_fours,
              FloatTexels<4>{fours, rows.as_texels_of(sizeof(float4))}, stores, fours);
  };
  if (is_floats(pass.to) && in_array) {
    if (in_fours) return run_fours(FloatArray{ArrayMemory{target.card().surface()}, fours, 4});
    const FloatArray array{ArrayMemory{target.card().surface()}, target.region(),
                           target.format().stored_channels()};
    if (is_from_fours) return run(FloatTexels<4>{covered, rows}, array, two);
    if (is_floats(pass.from) && tables <= PassTables::small)
      return run(FloatTexels<0>{covered, rows}, array, four);
    if (!is_floats(pass.from) && tables == PassTables::none)
      return run(TypedTexels<>{on_card->from, covered, rows}, array, four);
  }
  if (is_floats(pass.from) && is_floats(pass.to) && !in_array) {
    const ByteRows made(target);
    if (is_from_fours && made.texel_bytes == 16)
      return run(FloatTexels<4>{covered, rows}, FloatTexels<4>{target.region(), made}, two);
    if (in_fours && hold_fours(made, covered.width))
      return run_fours(FloatTexels<4>{fours, made.as_texels_of(sizeof(float4))});
    // Other widths and operations of one channel: words of four floats if they are aligned.
    const bool one_float = rows.texel_bytes == 4 && made.texel_bytes == 4;
    if (tables <= PassTables::small)
      return run(FloatTexels<0>{covered, rows, one_float},
                 FloatTexels<0>{target.region(), made, one_float}, four);
  }
  // For the most common types of pictures, if the type is kept, there are kernels without type
  // checks. Long operations on many pixels at a time have more instructions than a multiprocessor's
  // cache holds, which costs more than having fewer loads in flight if pixels are bytes.
  const auto run_known = [&]<TexelKind known>(std::integral_constant<TexelKind, known>) {
    const bool pairs = known != TexelKind::any && !in_array &&
                       (target.region().x - covered.x) % 2 == 0 && hold_pairs(rows, covered.x) &&
                       hold_pairs(ByteRows(target), target.region().x);
    const TypedTexels<known> texels{on_card->from, covered, rows, pairs};
    const TypedTarget<known> made{on_card->to, {target, target.card().any_memory()}, pairs};
    if constexpr (known == TexelKind::bytes)
      if (on_card->is_long) return run(texels, made, two);
    run(texels, made, four);
  };
  const bool is_kept = on_card->from.kind == on_card->to.kind && tables == PassTables::none;
  switch (is_kept ? on_card->from.kind : TexelKind::any) {
    case TexelKind::bytes:
      return run_known(std::integral_constant<TexelKind, TexelKind::bytes>());
    case TexelKind::shorts:
      return run_known(std::integral_constant<TexelKind, TexelKind::shorts>());
    case TexelKind::halves:
      return run_known(std::integral_constant<TexelKind, TexelKind::halves>());
    default:
      return run_known(std::integral_constant<TexelKind, TexelKind::any>());
  }
}

}  // namespace cuimg

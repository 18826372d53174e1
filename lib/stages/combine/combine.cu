// SPDX-License-Identifier: Apache-2.0
// The kernel launches of operations on two images.
#include <algorithm>
#include <initializer_list>

#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "stages/combine/combine.h"
#include "stages/pass/row_turns.cuh"
#include "stages/pass/stored_pixels.cuh"

namespace cuimg {
namespace {

// Pixels of rows, zero where the frame has no pixels.
template <class Rows>
struct Zeroed {
  Rows rows;
  Rect covered;

  __device__ FetchedTexel<Rows> fetch(int x, int y) const {
    return contains(covered, x, y) ? cuimg::fetch(rows, x, y) : FetchedTexel<Rows>{};
  }
  /// A row of a stored form, in which checking a column costs one comparison.
  struct Row {
    const Rows& rows;
    const char* first;  ///< Of the columns from `left` on:
    int left;
    unsigned columns;
    __device__ FetchedTexel<Rows> fetch(int x) const {
      const auto column = static_cast<unsigned>(x - left);
      if (column >= columns) return {};
      return rows.fetch(first + column * static_cast<unsigned>(rows.texel_bytes()));
    }
  };
  __device__ Row row(int y) const {
    const bool inside = y >= covered.y && y < covered.y + covered.height;
    return {rows, rows.texel(covered.x, y), covered.x,
            inside ? static_cast<unsigned>(covered.width) : 0u};
  }
};

struct Windows {
  Rect one, other;
};

bool is_stored_as(const Frame& frame, std::initializer_list<PixelType> types) {
  return frame.stored_form() && std::ranges::count(types, frame.as_stored().format().type) > 0;
}

// PorterDuff for b over a if b's last value is its alpha, in fewer steps: the same bits except for
// the payloads of NaNs. Narrow targets have only one NaN, and integers none.
struct OverByLast {
  /// @param channels of b.
  static bool does(const PorterDuff& op, int channels, const Frame& a, const Frame& b,
                   const Frame& target) {
    using enum PixelType;
    return op.second == Share::all && op.first == Share::outside &&
           op.second_alpha == channels - 1 &&
           (is_stored_as(target, {u8, u16, half}) ||
            (is_stored_as(a, {u8, u16}) && is_stored_as(b, {u8, u16})));
  }
  template <int N, int M>
  __device__ void operator()(const float* a, const float* b, float* out) const {
    static_assert(N == M);
    const float of_first = 1 - b[N - 1];
    for (int c = 0; c < N; ++c) out[c] = b[c] + share_of(a[c], of_first);
  }
};

/// Each operation with its rule, which is selected at run time.
template <class... Rules>
struct EachOf {
  int rule, alpha;

  template <class Rule>
  explicit EachOf(const Each<Rule>& op) : rule(0), alpha(op.alpha) {
    static_assert((std::is_same_v<Rule, Rules> || ...), "add the rule to AnyEach");
    (void)((std::is_same_v<Rule, Rules> || (++rule, false)) || ...);
  }
  template <int N, int M>
  __device__ void operator()(const float* a, const float* b, float* out) const {
    int i = 0;
    ((i++ == rule && (Each<Rules>{alpha}.template operator()<N, M>(a, b, out), true)) || ...);
  }
};
using AnyEach = EachOf<Sum, Difference, Product, Quotient, Smaller, Larger, Distance>;

/// The kernel for all stored forms is long, so all arithmetic shares one.
template <class Op>
const Op& for_any_form(const Op& op) {
  return op;
}
template <class Rule>
AnyEach for_any_form(const Each<Rule>& op) {
  return AnyEach(op);
}

constexpr int combine_threads = 256;
constexpr int floats_at_once = 2;  // pixels per thread, so that enough loads are in flight

// NaN payloads are preserved.
template <int M>
__device__ Pixel<M> exact(const Pixel<M>& texel) {
  return texel;
}
__device__ inline Pixel<4> exact(const RawTexel<2>& texel) {
  Pixel<4> pixel;
  detail::four_floats(texel.word[0], texel.word[1], pixel.v);
  return pixel;
}

/// For floats; the second image's pixels may be halves.
template <class Op, class First, class Second, class Target>
__global__ void __launch_bounds__(combine_threads)
    combine_kernel(Op op, Zeroed<First> first, Zeroed<Second> second, Target target, Rect region,
                   Windows within) {
  constexpr int N = TexelsOf<First>::channels, M = TexelsOf<Second>::channels;
  const int step = static_cast<int>(blockDim.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int left =
      region.x + static_cast<int>(blockIdx.x * blockDim.x * floats_at_once + threadIdx.x);
  Pixel<N> one[floats_at_once];
  FetchedTexel<Second> other[floats_at_once];
#pragma unroll
  for (int i = 0; i < floats_at_once; ++i) {
    one[i] = first.fetch(left + i * step, y);
    other[i] = second.fetch(left + i * step, y);
  }
#pragma unroll
  for (int i = 0; i < floats_at_once; ++i) {
    const int x = left + i * step;
    if (!contains(region, x, y)) continue;
    Pixel<N> made = one[i];
    if (contains(within.one, x, y) || contains(within.other, x, y))
      op.template operator()<N, M>(one[i].v, exact(other[i]).v, made.v);
    target.store_streaming(x, y, made);
  }
}

constexpr int forms_at_once = 4;
constexpr int forms_blocks = 3;  // per multiprocessor, as registers allow
constexpr int forms_warps = combine_threads / 32;

/// The pixels that a warp processes at a time, `forms_at_once` for each thread: a piece of a row,
/// or of two rows for an array, whose sectors are two rows high.
struct WarpPiece {
  int columns, rows;  ///< The arrangement of the threads.
  CUIMG_HD explicit WarpPiece(bool of_array) : columns(of_array ? 16 : 32), rows(32 / columns) {}
  CUIMG_HD int width() const { return columns * forms_at_once; }
  CUIMG_HD int across(const Rect& region) const { return (region.width + width() - 1) / width(); }
  CUIMG_HD int down(const Rect& region) const { return (region.height + rows - 1) / rows; }
};

/// For any stored forms. Warps take pieces of rows in turn, so that a block copies its tables only
/// once.
template <class Op, class First, class Second, class Target>
__global__ void __launch_bounds__(combine_threads, forms_blocks)
    combine_forms_kernel(Op op, Zeroed<First> first, Zeroed<Second> second, Target target,
                         Rect region, Windows within, bool is_all_within) {
  constexpr int N = TexelsOf<First>::channels, M = TexelsOf<Second>::channels;
  __shared__ float light[2][light_of_codes];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  const auto thread = static_cast<int>(threadIdx.x);
  ready_loads(first.rows, light[0], thread, combine_threads);
  ready_loads(second.rows, light[1], thread, combine_threads);
  ready_stores(target, codes, thread, combine_threads);
  __syncthreads();
  const unsigned warp = blockIdx.x * forms_warps + threadIdx.x / 32;
  const WarpPiece piece(target.memory.is_array());
  const int lane = thread % 32, step = piece.columns;
  for (TurnInRows turn(warp, gridDim.x * forms_warps, static_cast<unsigned>(piece.across(region)));
       turn.row < static_cast<unsigned>(piece.down(region)); turn.advance()) {
    const int y = region.y + static_cast<int>(turn.row) * piece.rows + lane / step;
    const int left = region.x + static_cast<int>(turn.piece) * piece.width() + lane % step;
    if (y >= region.y + region.height) continue;
    const auto row_of_first = first.row(y);
    const auto row_of_second = second.row(y);
    FetchedTexel<First> one[forms_at_once];
    FetchedTexel<Second> other[forms_at_once];
#pragma unroll
    for (int i = 0; i < forms_at_once; ++i) {
      one[i] = row_of_first.fetch(left + i * step);
      other[i] = row_of_second.fetch(left + i * step);
    }
    Pixel<N> a[forms_at_once];
    Pixel<M> b[forms_at_once];
    decode_all(first.rows, one, a);
    decode_all(second.rows, other, b);
    Pixel<N> made[forms_at_once];
#pragma unroll
    for (int i = 0; i < forms_at_once; ++i) {
      const int x = left + i * step;
      made[i] = a[i];
      if (is_all_within || contains(within.one, x, y) || contains(within.other, x, y))
        op.template operator()<N, M>(a[i].v, b[i].v, made[i].v);
    }
    typename EncodedFor<Target>::type texels[forms_at_once];
    encode_all(target, made, texels);
    const auto place = target.place(left, y);
#pragma unroll
    for (int i = 0; i < forms_at_once; ++i)
      if (left + i * step < region.x + region.width) place.store_streaming(i * step, texels[i]);
  }
}

template <int N>
CudaRows<float, N> float_rows(const Frame& frame) {
  if (frame.empty()) return {};
  return {static_cast<char*>(frame.card().data()),
          frame.card().pitch_bytes(),
          frame.region().x,
          frame.region().y,
          frame.region().width,
          frame.region().height};
}

template <class Rows>
Zeroed<Rows> zeroed(const Rows& rows, const Frame& frame, const Rect& region) {
  return {rows, intersection(frame.region(), region)};
}

template <int N, class Op, class Second>
void launch_floats(CudaQueue& card, const Op& op, const Windows& within, const Frame& first,
                   const Zeroed<Second>& other, const Frame& target) {
  const Rect& region = target.region();
  const dim3 block = row_block<combine_threads>(target);
  for_parts(region, block, floats_at_once, [&](const Rect& part, dim3 blocks) {
    combine_kernel<<<blocks, block, 0, card.stream()>>>(
        op, zeroed(float_rows<N>(first), first, region), other, target.card().pixel_target<N>(),
        part, within);
    check_launch("combine");
  });
}

/// @tparam kind the picture's and the target's form. @tparam of_second the second image's.
template <int N, int M, FormKind kind, FormKind of_second, class Op>
void launch_forms(CudaQueue& card, const Op& op, const Windows& within, bool is_all_within,
                  const Frame& first, const Frame& second, const Frame& target) {
  const Rect& region = target.region();
  const WarpPiece piece(target.card().is_array());
  const std::int64_t pieces = std::int64_t{piece.across(region)} * piece.down(region);
  // A warp processes at least this many pieces for its share of the tables.
  constexpr int least_pieces = 4;
  const std::int64_t useful =
      (pieces + least_pieces * forms_warps - 1) / (least_pieces * forms_warps);
  // With fewer blocks, tables are copied less often. Halves have no tables, and storing into an
  // array takes longer than copying them. A few rounds of blocks balance warps that take different
  // times.
  constexpr bool has_tables = kind != FormKind::half || of_second != FormKind::half;
  constexpr int rounds = 6;
  const std::int64_t few = std::int64_t{card.multiprocessors()} * forms_blocks * rounds;
  const std::int64_t blocks =
      has_tables && !target.card().is_array() ? std::min(useful, few) : useful;
  const auto run = [&](const auto& pixels) {
    combine_forms_kernel<<<static_cast<unsigned>(blocks), combine_threads, 0, card.stream()>>>(
        op, zeroed(form_rows<N, kind>(card, first), first, region),
        zeroed(form_rows<M, of_second>(card, second), second, region), pixels, region, within,
        is_all_within);
    check_launch("combine");
  };
  if constexpr (N == 4 && kind == FormKind::any && std::is_same_v<Op, OverByLast>)
    if (target.stored_form() == nullptr) return run(target.card().pixel_target<N>());
  run(form_target<N, kind>(card, target));
}

template <int N, int M, class Op>
void launch(CudaQueue& card, const Op& op, const Combination& what, const Frame& first,
            const Frame& second, const Frame& target) {
  const Rect& region = target.region();
  if (region.empty()) return;
  const auto [one, other] = what.only_within.value_or(std::array{region, region});
  const Windows within{one, other};
  if (!first.stored_form() && !target.stored_form()) {
    if (!second.stored_form())
      return launch_floats<N>(card, op, within, first,
                              zeroed(float_rows<M>(second), second, region), target);
    if constexpr (std::is_same_v<Op, PorterDuff> && N == 4 && M == 4)
      if (kind_of(second) == FormKind::half)
        return launch_floats<N>(card, op, within, first,
                                zeroed(form_rows<M, FormKind::half>(card, second), second, region),
                                target);
  }
  if constexpr (std::is_same_v<Op, PorterDuff> && N == M) {
    if (OverByLast::does(op, M, first, second, target)) {
      const FormKind kind = kind_of(first);
      return with_kind<N>(kind == kind_of(target) ? kind : FormKind::any, [&](auto same) {
        const auto run = [&](auto of_second) {
          launch_forms<N, M, same(), of_second()>(card, OverByLast{}, within, !what.only_within,
                                                  first, second, target);
        };
        if (kind_of(second) == same()) return run(same);
        // Pictures of codes are often combined with rendered ones. If the kernel selects the form
        // at run time, 8 bits take 0.192 ms instead of 0.159 (card_chains, an H200, 2026-12-01).
        if constexpr (N == 4 && same() != FormKind::any)
          if (kind_of(second) == FormKind::half)
            return run(std::integral_constant<FormKind, FormKind::half>());
        run(std::integral_constant<FormKind, FormKind::any>());
      });
    }
  }
  launch_forms<N, M, FormKind::any, FormKind::any>(card, for_any_form(op), within,
                                                   !what.only_within, first, second, target);
}

// N and M are stored floats: three are stored as four.
template <int N>
struct Run {
  CudaQueue& card;
  const Combination& what;
  const Frame &first, &second, &target;

  void operator()(const PorterDuff& op) const {
    if constexpr (N < 4)
      if (op.second_alpha >= N)
        return launch < N, N == 1 ? 2 : 4 > (card, op, what, first, second, target);
    launch<N, N>(card, op, what, first, second, target);
  }
  void operator()(const MaskBy& op) const { launch<N, 1>(card, op, what, first, second, target); }
  template <class Op>
  void operator()(const Op& op) const {
    launch<N, N>(card, op, what, first, second, target);
  }
};

}  // namespace

void combine_on_cuda(const Queue& queue, const Combination& what, const Frame& first,
                     const Frame& second, const Frame& target) {
  CudaQueue& card = queue.card();
  with_stored_channels(target.format().stored_channels(), [&](auto n) {
    std::visit(Run<n()>{card, what, first, second, target}, what.op);
  });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Small separable kernels in one pass. A block moves down a strip of columns. Half of its warps
// add: a thread reads each pixel of its column once and adds it to all the sums that use it, which
// are kept in registers. The other half mixes the finished sums along their rows, from shared
// memory, a few rows behind: so arithmetic, shared memory and the card's memory are busy all the
// time, and neither half holds the other's registers. The source is read about 1.2 times and the
// target is written once.
#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstdint>

#include "device/cuda/cuda_instructions.cuh"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_queue.h"
#include "kernels/math/dispatch.h"
#include "stages/filter/convolution_cuda.cuh"
#include "stages/filter/strip_launch.cuh"
#include "stages/pass/stored_pixels.cuh"

namespace cuimg {
namespace {

constexpr int columns_of_strip = 128;  // of the source, one for each adding thread
constexpr int strip_threads = 2 * columns_of_strip;
constexpr int outputs_each = 4;  // neighbouring pixels of a row that a thread makes
constexpr int chunk = 4;         // rows from one barrier to the next: one for each mixing warp
// chunks, an even number: after them the registers of sums are exchanged
constexpr int unrolled = 2;

// Chunks of the source in shared memory: one is being added, and the next is being loaded, because
// memory is slow. Finish needs pixels that were added at the middle of their sum: up to two chunks
// before the one that is mixed, which itself is one before the one that is added.
template <bool finishes>
constexpr int ring_chunks = finishes ? 5 : 2;

// The position of a pixel in its row of sums. With four channels, groups of eight threads access
// all banks: for eight adjacent pixels from a multiple of eight on, and for every fourth pixel from
// any multiple of four on.
template <int N>
__host__ __device__ constexpr int slot(int i) {
  static_assert(outputs_each == 4);
  return N == 4 ? i + i / 8 + i / 32 * 4 : i + i / 4;
}

// Blocks per multiprocessor, as registers and shared memory allow.
template <int N, int T, bool finishes>
constexpr int strips_at_once = [] {
  if (N < 4) return 4;
  if (T > 13) return 2;
  return finishes || T > 7 ? 3 : 4;
}();

/// @tparam codes 32-bit words that are kept for the target's stores.
template <class Source, int T, bool finishes, int codes>
struct StripMemory {
  static constexpr int N = TexelsOf<Source>::channels;
  FetchedTexel<Source> source[ring_chunks<finishes>][chunk][columns_of_strip];
  /// Sums down the columns, which are then replaced by their results.
  Pixel<N> sums[2][chunk][slot<N>(columns_of_strip + outputs_each)];
  unsigned row_at[most_strip_rows + T + unrolled * chunk];  ///< place_rows()'.
  float light[shared_for_loads<Source>];
  std::uint32_t codes8[codes];
};

// Copies a texel to shared memory, asynchronously if the hardware supports it.
template <int N>
__device__ void copy_texel(Pixel<N>& to, const char* from, const CudaRows<float, N>&) {
  __pipeline_memcpy_async(&to, from, sizeof to);
}
template <int N, FormKind kind>
__device__ void copy_texel(typename FormRows<N, kind>::Raw& to, const char* from,
                           const FormRows<N, kind>& source) {
  if (kind != FormKind::any || source.form_bytes == 4 * N)
    __pipeline_memcpy_async(&to, from, sizeof to);
  else if (source.form_bytes == 2 * N)
    __pipeline_memcpy_async(&to, from, 2 * N);
  else if (N > 2)
    __pipeline_memcpy_async(&to, from, 4);
  else
    to = source.fetch(from);
}
template <int N>
__device__ int bytes_of_texel(const CudaRows<float, N>&) {
  return sizeof(Pixel<N>);
}
template <int N, FormKind kind>
__device__ int bytes_of_texel(const FormRows<N, kind>& source) {
  return source.texel_bytes();
}

template <class Source, int T, bool finishes, int codes>
__device__ void add_columns(const Source& source, const BorderAxis& columns,
                            const StripKernel<T>& kernel, const Strip& strip,
                            StripMemory<Source, T, finishes, codes>& memory) {
  constexpr int N = TexelsOf<Source>::channels;
  constexpr int ring = ring_chunks<finishes>;
  const int thread = static_cast<int>(threadIdx.x);
  const int column = columns(strip.left + kernel.low_x + thread);
  const bool has_column = column != BorderAxis::nothing;
  const char* const first_texel =
      source.data +
      static_cast<std::ptrdiff_t>(bytes_of_texel(source)) * (has_column ? column - source.left : 0);
  const auto fetch_chunk = [&](int c, int place) {
    if (c < strip.chunks) {
#pragma unroll
      for (int i = 0; i < chunk; ++i) {
        const unsigned row = memory.row_at[c * chunk + i];
        auto& to = memory.source[place][i][thread];
        if (has_column && row != no_row)
          copy_texel(to, first_texel + std::uint64_t{row} * 16, source);
        else
          to = {};
      }
    }
    __pipeline_commit();
  };
  fetch_chunk(0, 0);

  // The form is selected once for this many texels.
  constexpr int at_a_time = is_decoded<Source> ? 2 : 1;
  constexpr int step = unrolled * chunk;
  TapSum<N> sums[T - 1 + step];  // the sum whose last tap is input row i is sums[i]
  int place = 0;                 // in the ring, of the chunk that is being added
  for (int first = 0; first < strip.chunks; first += unrolled) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
      const int next = place + 1 == ring ? 0 : place + 1;
      fetch_chunk(first + u + 1, next);
      __pipeline_wait_prior(1);
      Pixel<N> texels[at_a_time];
#pragma unroll
      for (int r = 0; r < chunk; ++r) {
        const int i = u * chunk + r;
        if (r % at_a_time == 0) {
          FetchedTexel<Source> fetched[at_a_time];
#pragma unroll
          for (int j = 0; j < at_a_time; ++j) fetched[j] = memory.source[place][r + j][thread];
          decode_all(source, fetched, texels);
        }
        const Pixel<N> texel = texels[r % at_a_time];
        sums[i + T - 1] = {};
#pragma unroll
        for (int k = 0; k < T; ++k) sums[i + T - 1 - k].add(kernel.vertical[k], texel);
        // A NaN remains NaN in the next pass, which makes it canonical.
        memory.sums[u % 2][r][slot<N>(thread)] = sums[i].sum;
      }
      place = next;
      meet<strip_threads>();
    }
#pragma unroll
    for (int i = 0; i < T - 1; ++i) sums[i] = sums[step + i];
  }
}

/// Stores the results of Finish for sums with non-canonical NaNs. @param store calls its argument
/// with a sum and its index, and stores the result. @param original of the pixel with an index.
template <int N, class Store, class Original>
__device__ void store_finished(const Finish& finish, const Store& store, const Original& original) {
  if (!finish.sharpens) {
    store([&](Pixel<N> sum, int j) {
      for (int c = 0; c < N; ++c) sum.v[c] = canonical_nan(sum.v[c]);
      return finish(sum, original(j));
    });
  } else if (finish.threshold > 0.0f) {
    store([&](const Pixel<N>& sum, int j) { return finish(sum, original(j)); });
  } else {
    // With no threshold, a third of the steps is enough.
    store([&](const Pixel<N>& sum, int j) {
      const Pixel<N> texel = original(j);
      Pixel<N> result;
      for (int c = 0; c < N; ++c)
        result.v[c] = canonical_nan(finish.sharpened(sum.v[c], texel.v[c]));
      return result;
    });
  }
}

template <class Source, class Target, int T, bool finishes, int codes>
__device__ void mix_rows(const Source& source, const Target& target, const StripKernel<T>& kernel,
                         const Finish& finish, const Strip& strip,
                         StripMemory<Source, T, finishes, codes>& memory) {
  constexpr int N = TexelsOf<Source>::channels;
  constexpr int halo = T - 1;
  constexpr int groups = (columns_of_strip - halo + outputs_each - 1) / outputs_each;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int line = (static_cast<int>(threadIdx.x) - columns_of_strip) / 32;
  // For an array two warps store their two rows together, half of each, so that sectors are filled.
  const bool pairs = target.memory.is_array();
  const int store_line = pairs ? (line & ~1) + lane / 16 : line;
  const int store_lane = pairs ? (line & 1) * 16 + lane % 16 : lane;
  constexpr int fours = (halo + 2 * outputs_each - 1) / outputs_each;  // of inputs
  int from[fours];
#pragma unroll
  for (int i = 0; i < fours; ++i) from[i] = slot<N>((lane + i) * outputs_each);
  for (int c = 0; c < strip.chunks; ++c) {
    meet<strip_threads>();
    Pixel<N>* const row = memory.sums[c % 2][line];
    TapSum<N> across[outputs_each];
    if (lane < groups) {
#pragma unroll
      for (int i = 0; i < halo + outputs_each; ++i) {
        const Pixel<N> texel = row[from[i / outputs_each] + i % outputs_each];
#pragma unroll
        for (int j = 0; j < outputs_each; ++j)
          if (i - j >= 0 && i - j < T) across[j].add(kernel.horizontal[i - j], texel);
      }
    }
    __syncwarp();
    if (lane < groups) {
#pragma unroll
      for (int j = 0; j < outputs_each; ++j)
        row[from[0] + j] = finishes ? across[j].sum : across[j].result();
    }
    if (pairs)
      meet<strip_threads / 2, 2>();
    else
      __syncwarp();
    // Stored by other threads, so that neighbouring pixels are stored together.
    const int y = c * chunk + store_line - halo;
    if (y < 0 || y >= strip.height) continue;
    const auto place = target.place(strip.left + store_lane, strip.top + y);
    const Pixel<N>* const made = memory.sums[c % 2][store_line] + slot<N>(store_lane);
    const auto store = [&](const auto& finished) {
#pragma unroll
      for (int j = 0; j < outputs_each; ++j) {
        if (j * 32 + store_lane < strip.width)
          place.store_streaming(j * 32, finished(made[j * slot<N>(32)], j));
      }
    };
    if constexpr (finishes) {
      // The source's row at the position of the row being made.
      const int at = y - kernel.low_y;
      const auto* const texels = memory.source[at / chunk % ring_chunks<finishes>][at % chunk] +
                                 (store_lane - kernel.low_x);
      const bool is_row = finish.needs_original() && strip.top + y >= source.top &&
                          strip.top + y < source.top + source.height;
      const int low = source.left - strip.left - store_lane,
                high = is_row ? low + source.width : low;
      store_finished<N>(finish, store, [&](int j) {
        return j * 32 >= low && j * 32 < high ? decoded(source, texels[j * 32]) : Pixel<N>{};
      });
    } else {
      store([](const Pixel<N>& sum, int) { return sum; });
    }
  }
}

template <class Source, class Target, int T, bool finishes>
using MemoryOf = StripMemory<Source, T, finishes, shared_for_stores<Target>>;

/// @tparam finishes whether Finish may be more than nothing. @param cuts down the strips.
template <class Source, class Target, int T, bool finishes>
__global__ void __launch_bounds__(strip_threads,
                                  strips_at_once<TexelsOf<Source>::channels, T, finishes>)
    convolve_strip(Source source, Target target, BorderAxis columns, BorderAxis rows,
                   const __grid_constant__ StripKernel<T> kernel, Finish finish, StripCuts cuts) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<MemoryOf<Source, Target, T, finishes>*>(shared);
  ready_loads(source, memory.light, static_cast<int>(threadIdx.x), strip_threads);
  ready_stores(target, memory.codes8, static_cast<int>(threadIdx.x), strip_threads);
  const Strip strip =
      strip_of_block<T>(target, columns_of_strip - (T - 1), cuts, unrolled * chunk, chunk);
  place_rows(source, rows, kernel, strip, strip.chunks * chunk, memory.row_at);
  __syncthreads();
  if (threadIdx.x < columns_of_strip)
    add_columns(source, columns, kernel, strip, memory);
  else
    mix_rows(source, target, kernel, finish, strip, memory);
}

template <int N, int T, bool finishes>
void run_strips(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
                const Finish& finish, const Frame& source, const Frame& target) {
  const StripKernel<T> weights = strip_kernel<T>(kernel);
  const auto run = [&]<class Source, class Target>(const Source& texels, const Target& pixels) {
    constexpr std::size_t bytes = sizeof(MemoryOf<Source, Target, T, finishes>);
    launch_strips<T>(
        card, target, bytes, columns_of_strip - (T - 1), strips_at_once<N, T, finishes>, chunk,
        convolve_strip<Source, Target, T, finishes>, [&](dim3 grid, const StripCuts& cuts) {
          convolve_strip<Source, Target, T, finishes>
              <<<grid, strip_threads, bytes, card.stream()>>>(texels, pixels, borders.columns,
                                                              borders.rows, weights, finish, cuts);
        });
  };
  const auto run_form = [&]<FormKind kind>(const FormRows<N, kind>& texels,
                                           const FormTarget<N, kind>& pixels) {
    if constexpr (kind == FormKind::any) {
      run(texels, pixels);
    } else if (sizeof(narrow_strips::Memory<kind, T>) > shared_bytes_of_block(card)) {
      // Named through the kind, so that only used code is compiled.
      constexpr FormKind any = kind == FormKind::any ? kind : FormKind::any;
      run(form_rows<N, any>(card, source), form_target<N, any>(card, target));
    } else {
      const auto& to = pixels.memory;
      const narrow_strips::Stores stores{
          (reinterpret_cast<std::uintptr_t>(to.data) | to.pitch_bytes) % sizeof(uint4) == 0,
          pixels.form.is_straight && is_plain_mean(weights)};
      constexpr std::size_t bytes = sizeof(narrow_strips::Memory<kind, T>);
      launch_strips<T>(card, target, bytes, narrow_strips::width<T>, narrow_strips::at_once,
                       narrow_strips::chunk, narrow_strips::convolve<kind, T>,
                       [&](dim3 grid, const StripCuts& cuts) {
                         narrow_strips::convolve<kind, T>
                             <<<grid, narrow_strips::threads, bytes, card.stream()>>>(
                                 texels, pixels, borders.columns, borders.rows, weights, cuts,
                                 stores);
                       });
    }
  };
  if (source.stored_form() == nullptr && target.stored_form() == nullptr)
    run(source.card().rows_view<float, N>(), target.card().pixel_target<N>());
  else if constexpr (!finishes) {
    if (N == 4 && target.stored_form() == nullptr)
      run(form_rows<N>(card, source), target.card().pixel_target<N>());
    else
      with_forms<N>(card, source, target, run_form);
  }
}

template <int T>
void run_taps(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
              const Finish& finish, const Frame& source, const Frame& target) {
  const int taps = kernel.vertical.taps();
  if constexpr (T < most_strip_taps)
    if (taps > T) return run_taps<T + 2>(card, kernel, borders, finish, source, target);
  with_stored_channels(source.format().stored_channels(), [&](auto n) {
    if constexpr (n() > 1) {
      if (finish.is_nothing())
        run_strips<n(), T, false>(card, kernel, borders, finish, source, target);
      else
        run_strips<n(), T, true>(card, kernel, borders, finish, source, target);
    }
  });
}

}  // namespace

bool convolve_in_strips(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
                        const Finish& finish, const Frame& source, const Frame& target) {
  const int taps = kernel.vertical.taps();
  const bool is_centred = kernel.is_separable() && kernel.rows.front().low == -taps / 2 &&
                          kernel.vertical.low == -taps / 2;
  if (!kernel.is_separable() || kernel.rows.front().taps != taps || taps % 2 == 0 || taps < 3 ||
      taps > most_strip_taps || (finish.needs_original() && !is_centred))
    return false;
  if (source.format().stored_channels() == 1)
    convolve_grey_in_strips(card, kernel, borders, finish, source, target);
  else
    run_taps<3>(card, kernel, borders, finish, source, target);
  return true;
}

}  // namespace cuimg

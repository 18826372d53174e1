// SPDX-License-Identifier: Apache-2.0
// Small separable kernels for pixels with one channel: launches of stages/window/grey_strips.cuh.
#include "stages/filter/convolution_cuda.cuh"
#include "stages/filter/strip_launch.cuh"
#include "stages/window/grey_strips.cuh"

namespace cuimg {
namespace {

// Shared memory of a block.
template <int T>
std::size_t grey_bytes(int tables_bytes, int pixel_bytes, int ring) {
  return offsetof(grey_strips::Memory<T>, tables) +
         static_cast<std::size_t>(tables_bytes +
                                  ring * grey_strips::chunk * grey_strips::columns * pixel_bytes);
}

template <int T>
void run_grey(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
              const Finish& finish, const Frame& source, const Frame& target) {
  if constexpr (T < most_strip_taps)
    if (kernel.vertical.taps() > T)
      return run_grey<T + 2>(card, kernel, borders, finish, source, target);
  const GreyRows texels = grey_rows(card, source);
  const GreyTarget pixels = grey_target(card, target);
  const int tables_bytes = bytes_of_tables(texels, pixels);
  const int ring = grey_strips::ring_chunks(finish);
  const std::size_t bytes = grey_bytes<T>(tables_bytes, texels.pixel_bytes, ring);
  const StripKernel<T> weights = strip_kernel<T>(kernel);
  // Where the original is read too, high parts gain nothing (an H200, 2026-11-30).
  const StripHeights heights = {finish.needs_original() ? 0 : grey_strips::most_rows,
                                grey_strips::most_rows};
  const bool floats = texels.form.type == PixelType::f32 && pixels.form.type == PixelType::f32;
  const auto kernel_of_type =
      floats ? grey_strips::convolve<T, true> : grey_strips::convolve<T, false>;
  launch_strips<T>(
      card, target, bytes, grey_strips::width<T>, grey_strips::at_once<T>, grey_strips::chunk,
      kernel_of_type,
      [&](dim3 grid, const StripCuts& cuts) {
        kernel_of_type<<<grid, grey_strips::threads, bytes, card.stream()>>>(
            texels, pixels, borders.columns, borders.rows, weights, finish, cuts, tables_bytes,
            ring);
      },
      heights);
}

}  // namespace

bool converts_in_strips(CudaQueue& card, const Finish& finish, const Frame& source,
                        const Frame& target) {
  if (source.stored_form() == nullptr && target.stored_form() == nullptr) return true;
  if (source.format().stored_channels() != 1) return finish.is_nothing();
  if (!share_tables(source, target)) return false;
  const GreyRows texels = grey_rows(card, source);
  return grey_bytes<most_strip_taps>(bytes_of_tables(texels, grey_target(card, target)),
                                     texels.pixel_bytes, grey_strips::ring_chunks(finish)) <=
         shared_bytes_of_block(card);
}

void convolve_grey_in_strips(CudaQueue& card, const Convolution& kernel,
                             const BorderSampler& borders, const Finish& finish,
                             const Frame& source, const Frame& target) {
  run_grey<3>(card, kernel, borders, finish, source, target);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Small separable kernels for pixels with one channel: launches of stages/window/grey_strips.cuh.
#include "stages/filter/convolution_cuda.cuh"
#include "stages/filter/strip_launch.cuh"
#include "stages/window/grey_strips.cuh"

namespace cuimg {
namespace {

// Shared memory of a block.
template <int T>
std::size_t grey_bytes(int tables_bytes, int pixel_bytes) {
  return offsetof(grey_strips::Memory<T>, tables) +
         static_cast<std::size_t>(tables_bytes +
                                  2 * grey_strips::chunk * grey_strips::columns * pixel_bytes);
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
  const std::size_t bytes = grey_bytes<T>(tables_bytes, texels.pixel_bytes);
  const StripKernel<T> weights = strip_kernel<T>(kernel);
  launch_strips<T, grey_strips::most_rows>(
      card, target, bytes, grey_strips::width<T>, grey_strips::at_once<T>, grey_strips::chunk,
      grey_strips::convolve<T>, [&](dim3 grid, int rows) {
        grey_strips::convolve<T><<<grid, grey_strips::threads, bytes, card.stream()>>>(
            texels, pixels, borders.columns, borders.rows, weights, finish, rows, tables_bytes);
      });
}

}  // namespace

bool converts_in_strips(CudaQueue& card, const Finish& finish, const Frame& source,
                        const Frame& target) {
  if (source.stored_form() == nullptr && target.stored_form() == nullptr) return true;
  if (source.format().stored_channels() != 1) return finish.is_nothing();
  return share_tables(source, target) &&
         grey_bytes<most_strip_taps>(
             bytes_of_tables(grey_rows(card, source), grey_target(card, target)), sizeof(float)) <=
             shared_bytes_of_block(card);
}

void convolve_grey_in_strips(CudaQueue& card, const Convolution& kernel,
                             const BorderSampler& borders, const Finish& finish,
                             const Frame& source, const Frame& target) {
  run_grey<3>(card, kernel, borders, finish, source, target);
}

}  // namespace cuimg

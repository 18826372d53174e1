// SPDX-License-Identifier: Apache-2.0
// A thread computes a block of a component; then a thread computes a pixel from its components'
// samples. Encoding does the same in reverse.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "device/cuda/cuda_copies.h"
#include "device/cuda/cuda_dct.h"
#include "device/cuda/cuda_map_pixels.cuh"
#include "device/cuda/cuda_pinned.h"
#include "kernels/dct/forward_dct.h"
#include "kernels/dct/inverse_dct.h"
#include "kernels/dct/sampling.h"
#include "kernels/dct/ycc.h"

namespace cuimg {
namespace {

constexpr unsigned threads_of_blocks = 128;
const dim3 block_shape(32, 8);
constexpr std::size_t block_bytes = 64 * sizeof(std::int16_t);

// A component on the card.
struct Blocks {
  std::int16_t* coefficients;
  std::uint8_t* samples;  // in rows, as wide as the stored blocks
  int width, height;      // blocks that contain samples of the picture
  int stored_width;
  std::uint16_t steps[64];
};

__device__ inline std::int16_t* coefficients_of(const Blocks& blocks, int x, int y) {
  return blocks.coefficients + (static_cast<std::size_t>(y) * blocks.stored_width + x) * 64;
}
__device__ inline std::uint8_t* samples_of(const Blocks& blocks, int x, int y, int row) {
  return blocks.samples + (static_cast<std::size_t>(8 * y + row) * blocks.stored_width + x) * 8;
}

__global__ void inverse_kernel(const Blocks blocks, unsigned* disagreements) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  if (x >= blocks.width) return;
  std::int16_t coefficients[64];
  const auto* const from = reinterpret_cast<const int4*>(coefficients_of(blocks, x, y));
  for (int i = 0; i < 8; ++i) {
    const int4 eight = __ldg(from + i);
    const int pairs[4] = {eight.x, eight.y, eight.z, eight.w};
    for (int k = 0; k < 4; ++k) {
      coefficients[8 * i + 2 * k] = static_cast<std::int16_t>(pairs[k] & 0xffff);
      coefficients[8 * i + 2 * k + 1] = static_cast<std::int16_t>(pairs[k] >> 16);
    }
  }
  std::uint8_t samples[64];
  if (!inverse_dct(coefficients, blocks.steps, samples)) *disagreements = 1;
  for (int row = 0; row < 8; ++row) {
    unsigned fours[2] = {};
    for (int i = 0; i < 8; ++i)
      fours[i / 4] |= static_cast<unsigned>(samples[8 * row + i]) << (8 * (i % 4));
    *reinterpret_cast<uint2*>(samples_of(blocks, x, y, row)) = make_uint2(fours[0], fours[1]);
  }
}

__global__ void forward_kernel(const Blocks blocks) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  if (x >= blocks.width) return;
  std::uint8_t samples[64];
  for (int row = 0; row < 8; ++row) {
    const uint2 eight = *reinterpret_cast<const uint2*>(samples_of(blocks, x, y, row));
    for (int i = 0; i < 8; ++i)
      samples[8 * row + i] =
          static_cast<std::uint8_t>(((i < 4 ? eight.x : eight.y) >> (8 * (i % 4))) & 0xff);
  }
  std::int16_t coefficients[64];
  forward_dct(samples, blocks.steps, coefficients);
  auto* const to = reinterpret_cast<int4*>(coefficients_of(blocks, x, y));
  for (int i = 0; i < 8; ++i) {
    int pairs[4];
    for (int k = 0; k < 4; ++k)
      pairs[k] = (coefficients[8 * i + 2 * k] & 0xffff) |
                 static_cast<int>(static_cast<unsigned>(coefficients[8 * i + 2 * k + 1]) << 16);
    to[i] = make_int4(pairs[0], pairs[1], pairs[2], pairs[3]);
  }
}

struct Planes {
  SamplePlane plane[3];
};

template <int N, class Target>
__global__ void pixels_kernel(const Planes planes, Target target, bool is_ycc, PixelTurn turn,
                              Rect region) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= region.width || row >= region.height) return;
  const int across = turn.mirrors_columns ? region.width - 1 - column : column;
  const int down = turn.mirrors_rows ? region.height - 1 - row : row;
  const int x = turn.transposes ? down : across, y = turn.transposes ? across : down;
  PackedTexel<std::uint8_t, N> texel = {};
  if constexpr (N == 1) {
    texel.v[0] = static_cast<std::uint8_t>(upsampled(planes.plane[0], x, y));
  } else {
    Triple8 values;
    for (int c = 0; c < 3; ++c)
      values.v[c] = static_cast<std::uint8_t>(upsampled(planes.plane[c], x, y));
    if (is_ycc) values = rgb_of_ycc(values.v[0], values.v[1], values.v[2]);
    for (int c = 0; c < 3; ++c) texel.v[c] = values.v[c];
  }
  target.store(region.x + column, region.y + row, texel);
}

template <int N, class Source>
__global__ void samples_kernel(Source source, std::uint8_t* samples, const SamplePlane plane,
                               int height, int component, Rect region) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= plane.pitch || y >= height) return;
  const auto value = [&](int column, int row) -> int {
    const PackedTexel<std::uint8_t, N> texel = source.texel(region.x + column, region.y + row);
    if constexpr (N == 1)
      return texel.v[0];
    else
      return ycc_of_rgb(texel.v[0], texel.v[1], texel.v[2]).v[component];
  };
  samples[static_cast<std::size_t>(y) * plane.pitch + x] = static_cast<std::uint8_t>(
      downsampled(value, region.width, region.height, x, y, plane.h_factor, plane.v_factor));
}

// Device memory for a picture's blocks and their samples.
class PictureOnCard {
 public:
  PictureOnCard(CudaQueue& queue, const DctLayout& layout)
      : layout_(layout),
        memory_(queue.pool().memory(layout.blocks() * (block_bytes + 64) + sizeof(unsigned))) {
    auto* coefficients = reinterpret_cast<std::int16_t*>(memory_->memory.get());
    auto* samples = static_cast<std::uint8_t*>(memory_->memory.get()) + layout.bytes();
    for (const DctComponent& from : layout.components) {
      Blocks to = {coefficients,
                   samples,
                   from.width_blocks,
                   from.height_blocks,
                   from.stored_width_blocks,
                   {}};
      std::copy(from.steps.begin(), from.steps.end(), to.steps);
      components_.push_back(to);
      coefficients += from.stored_blocks() * 64;
      samples += from.stored_blocks() * 64;
    }
    disagreements_ = reinterpret_cast<unsigned*>(samples);
  }

  void* coefficients() const { return memory_->memory.get(); }
  unsigned* disagreements() const { return disagreements_; }
  const std::vector<Blocks>& components() const { return components_; }
  SamplePlane plane(std::size_t i) const {
    const DctComponent& component = layout_.components[i];
    return {components_[i].samples,
            8 * component.stored_width_blocks,
            layout_.width_samples(component),
            layout_.height_samples(component),
            layout_.h_samples() / component.h_samples,
            layout_.v_samples() / component.v_samples};
  }

 private:
  const DctLayout& layout_;
  std::shared_ptr<CudaBlock> memory_;
  std::vector<Blocks> components_;
  unsigned* disagreements_;
};

dim3 grid_for(const Blocks& blocks) {
  return blocks_for(blocks.width, blocks.height, dim3(threads_of_blocks));
}

// Calls `use` with the frame's 8-bit texels: four channels, or one.
template <class Use>
void with_texels(CudaPixels& pixels, const Use& use) {
  const auto with_view = [&](auto count) {
    constexpr int n = decltype(count)::value;
    if (pixels.is_array())
      use(count, pixels.surface_view<std::uint8_t, n>());
    else
      use(count, pixels.rows_view<std::uint8_t, n>());
  };
  if (pixels.format().channels == 1)
    with_view(std::integral_constant<int, 1>());
  else
    with_view(std::integral_constant<int, 4>());
}

void check_fit(const FrameFormat& format, const DctLayout& layout) {
  const bool is_grey = layout.colors == DctLayout::Colors::grey;
  const bool is_across = layout.turn.transposes;
  if (format.type != PixelType::u8 || format.channels != (is_grey ? 1 : 3) ||
      format.region.width != (is_across ? layout.height : layout.width) ||
      format.region.height != (is_across ? layout.width : layout.height))
    throw Error("blocks", "the frame does not fit them");
}

}  // namespace

std::optional<Frame> upload_blocks(CudaQueue& queue, const DctImage& blocks, const Rect& region,
                                   Storage storage) {
  const DctLayout& layout = blocks.layout();
  const bool is_grey = layout.colors == DctLayout::Colors::grey;
  const FrameFormat format = {region, PixelType::u8, is_grey ? 1 : 3,
                              storage == Storage::host ? Storage::pitched : storage};
  check_fit(format, layout);
  const std::shared_ptr<CudaPixels> pixels = queue.allocate(format);
  const PictureOnCard picture(queue, layout);
  const cudaStream_t stream = queue.stream();
  CopiesUnderWay copies(stream);
  checked("cudaMemsetAsync",
          [&] { return cudaMemsetAsync(picture.disagreements(), 0, sizeof(unsigned), stream); });
  if (is_pinned(blocks.memory(), queue.device()))
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(picture.coefficients(), blocks.memory().get(), layout.bytes(),
                             cudaMemcpyHostToDevice, stream);
    });
  else
    queue.copy_to_card(picture.coefficients(), blocks.memory().get(), layout.bytes());
  Planes planes = {};
  for (std::size_t i = 0; i < picture.components().size(); ++i) {
    const Blocks& component = picture.components()[i];
    inverse_kernel<<<grid_for(component), threads_of_blocks, 0, stream>>>(component,
                                                                          picture.disagreements());
    check_launch("inverse DCT");
    planes.plane[i] = picture.plane(i);
  }
  const bool is_ycc = layout.colors == DctLayout::Colors::ycc;
  with_texels(*pixels, [&](auto count, auto view) {
    constexpr int n = decltype(count)::value;
    pixels_kernel<n>
        <<<blocks_for(region.width, region.height, block_shape), block_shape, 0, stream>>>(
            planes, view, is_ycc, layout.turn, region);
  });
  check_launch("pixels of samples");
  PinnedRing::Lease flag = queue.ring().acquire();
  checked("cudaMemcpyAsync", [&] {
    return cudaMemcpyAsync(flag.data(), picture.disagreements(), sizeof(unsigned),
                           cudaMemcpyDeviceToHost, stream);
  });
  copies.wait();
  unsigned disagreements = 0;
  std::memcpy(&disagreements, flag.data(), sizeof disagreements);
  if (disagreements != 0) return std::nullopt;
  return Frame::on_card(format, pixels);
}

void download_blocks(const Frame& frame, DctImage& blocks) {
  const DctLayout& layout = blocks.layout();
  check_fit(frame.format(), layout);
  CudaPixels& pixels = frame.card();
  CudaQueue& queue = pixels.queue();
  const PictureOnCard picture(queue, layout);
  const cudaStream_t stream = queue.stream();
  const Rect region = pixels.format().region;
  for (std::size_t i = 0; i < picture.components().size(); ++i) {
    const Blocks& component = picture.components()[i];
    const SamplePlane plane = picture.plane(i);
    const int height = 8 * component.height;
    with_texels(pixels, [&](auto count, auto view) {
      constexpr int n = decltype(count)::value;
      samples_kernel<n><<<blocks_for(plane.pitch, height, block_shape), block_shape, 0, stream>>>(
          view, component.samples, plane, height, static_cast<int>(i), region);
    });
    check_launch("samples of pixels");
    forward_kernel<<<grid_for(component), threads_of_blocks, 0, stream>>>(component);
    check_launch("forward DCT");
  }
  if (!is_pinned(blocks.memory(), queue.device()))
    return queue.copy_to_host(blocks.memory().get(), picture.coefficients(), layout.bytes());
  CopiesUnderWay copies(stream);
  checked("cudaMemcpyAsync", [&] {
    return cudaMemcpyAsync(blocks.memory().get(), picture.coefficients(), layout.bytes(),
                           cudaMemcpyDeviceToHost, stream);
  });
  copies.wait();
}

}  // namespace cuimg

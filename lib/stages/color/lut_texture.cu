// SPDX-License-Identifier: Apache-2.0
// The grid's launches: cells by the unit's rule in whole numbers where it is exact, elsewhere the
// texture unit if it reads this table exactly like the software unit, otherwise the software unit
// over the same texels.
#include <optional>

#include "device/cuda/cuda_volume.h"
#include "device/cuda/cuda_words.cuh"
#include "kernels/texture/software_volume.h"
#include "stages/color/exact_cells.cuh"
#include "stages/color/lut_texture.h"

namespace cuimg {
namespace {

constexpr int probes = 1 << 14, probe_threads = 128;

// Counts points of the table that the two units read differently.
__global__ void compare_volumes_kernel(CudaTexture3D texture, SoftwareVolume software, int size,
                                       unsigned* differing) {
  const unsigned i = blockIdx.x * probe_threads + threadIdx.x;
  // Any hash is suitable; positions are finer than the unit's 1/256 texel.
  unsigned hash = i * 2654435761u + 12345u;
  float at[3];
  for (float& v : at) {
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash ^= hash >> 13;
    v = 0.5f + static_cast<float>(hash >> 8) * 0x1p-24f * static_cast<float>(size - 1);
  }
  const Pixel<4> a = texture(at[0], at[1], at[2]), b = software(at[0], at[1], at[2]);
  bool same = true;
  for (int c = 0; c < 4; ++c) same = same && bits_of(a.v[c]) == bits_of(b.v[c]);
  if (!same) atomicAdd(differing, 1u);
}

}  // namespace

struct CardGrid {
  CardGrid(CudaQueue& card, const GridVolume& grid)
      : volume(std::in_place, card, grid.texels->data(), grid.size), texels(card, *grid.texels) {
    const unsigned none = 0;
    const DeviceTable<unsigned> differing(card, std::span(&none, 1));
    compare_volumes_kernel<<<probes / probe_threads, probe_threads, 0, card.stream()>>>(
        {volume->texture()}, SoftwareVolume(texels.data(), grid.size), grid.size, differing.data());
    check_launch("compare_volumes");
    if (differing.to_host().front() != 0) volume.reset();
    make_cells(card, grid);
  }
  std::optional<CudaVolume> volume;
  DeviceTable<float> texels;
  std::optional<DeviceTable<ExactChannel>> channels;
  ExactCells cells = {};

 private:
  // For tables of up to 64 MB whose largest entry leaves room for a result's unit.
  void make_cells(CudaQueue& card, const GridVolume& grid) {
    constexpr std::size_t most_bytes = 64 << 20, threads = 128;
    constexpr int least_exponent = 64;
    const auto side = static_cast<std::size_t>(grid.size);
    const std::size_t count = side * side * side, made = 3 * count;
    if (count * ExactCells::words * sizeof(uint4) > most_bytes) return;
    float largest = 0;
    for (const float v : *grid.texels) largest = std::max(largest, v);
    const auto exponent = static_cast<int>(bits_of(largest) >> 23);
    if (exponent < least_exponent || exponent > 254) return;
    try {
      channels.emplace(card, count * ExactCells::channels);
    } catch (const DeviceError& error) {
      if (!error.lacks_room()) throw;
      return;  // the volume gives the same values, more slowly
    }
    cells = {reinterpret_cast<const uint4*>(channels->data()), grid.size, exponent};
    make_exact_cells_kernel<<<static_cast<unsigned>((made + threads - 1) / threads), threads, 0,
                              card.stream()>>>(reinterpret_cast<const float4*>(texels.data()),
                                               cells, channels->data());
    check_launch("make_exact_cells");
  }
};

namespace {

// A multiprocessor runs more of these than of larger blocks: 0.496 ms; with blocks of 256 threads
// 0.520 (card_chains, an H200, 2026-12-01).
constexpr int grid_threads = 128, grid_blocks = 13;
dim3 grid_block(const Frame& target) {
  return target.card().is_array() ? dim3(8, grid_threads / 8) : dim3(64, grid_threads / 64);
}

/// @tparam exact whether there are cells; what they do not hold is read from the volume.
template <bool exact, class Volume, class Memory>
__global__ void __launch_bounds__(grid_threads, grid_blocks)
    lut_texture_kernel(GridTexture grid, ExactCells cells, Volume volume, ByteRows source,
                       TexelTarget<Memory> target, Rect region) {
  const int x = region.x + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const bool inside = contains(region, x, y);
  const TexelWords words = inside ? source.words(x, y) : TexelWords{};
  float in[4], out[4];
  for (int c = 0; c < 4; ++c) in[c] = float_from_bits(words.word[c]);
  const GridTexture::Place at = grid.place(in);
  Pixel<4> texel = {};
  if (!exact || !cells.read(cells.weights(at), texel)) texel = volume(at.x, at.y, at.z);
  if (!inside) return;
  grid.store(texel, at, in, out);
  TexelWords made;
  for (int c = 0; c < 4; ++c) made.word[c] = bits_of(out[c]);
  target.store(x, y, made);
}

}  // namespace

void lut_texture_on_cuda(const Queue& queue, const GridTexture& grid, const GridVolume& volume,
                         const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  const std::shared_ptr<const CardGrid> kept =
      volume.on_card.of(card, [&] { return std::make_shared<const CardGrid>(card, volume); });
  GridTexture placed = grid;
  std::optional<DeviceTable<float>> curves;
  if (grid.curves.table != nullptr) {
    curves.emplace(card,
                   std::span(grid.curves.table, static_cast<std::size_t>(grid.curves.table_size)));
    placed.curves.table = curves->data();
  }
  const Rect& r = target.region();
  if (r.empty()) return;
  const dim3 block = grid_block(target), blocks = blocks_for(r.width, r.height, block);
  const auto launch = [&](const char* name, const auto& view) {
    target.card().with_memory([&](const auto& memory) {
      const auto with_cells = [&](auto exact) {
        lut_texture_kernel<exact()><<<blocks, block, 0, card.stream()>>>(
            placed, kept->cells, view, ByteRows(source), TexelTarget(target, memory), r);
      };
      if (kept->channels)
        with_cells(std::true_type());
      else
        with_cells(std::false_type());
    });
    check_launch(name);
  };
  if (kept->volume)
    launch("lut_texture", CudaTexture3D{kept->volume->texture()});
  else
    launch("lut_texture_software", SoftwareVolume(kept->texels.data(), volume.size));
}

}  // namespace cuimg

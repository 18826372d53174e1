// SPDX-License-Identifier: Apache-2.0
// The grid's launches: the texture unit if it reads this table exactly like the software unit,
// otherwise the software unit over the same texels.
#include <optional>

#include "device/cuda/cuda_volume.h"
#include "device/cuda/cuda_words.cuh"
#include "kernels/texture/software_volume.h"
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
  }
  std::optional<CudaVolume> volume;
  DeviceTable<float> texels;
};

namespace {

template <class Volume>
struct ReadGrid {
  GridTexture grid;
  Volume volume;
  ByteRows source;

  __device__ TexelWords operator()(int x, int y) const {
    const TexelWords texel = source.words(x, y);
    float in[4], out[4];
    for (int c = 0; c < 4; ++c) in[c] = float_from_bits(texel.word[c]);
    grid(volume, in, out);
    TexelWords made;
    for (int c = 0; c < 4; ++c) made.word[c] = bits_of(out[c]);
    return made;
  }
};

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
  const auto launch = [&](const char* name, const auto& view) {
    make_texels(card, name, ReadGrid<std::decay_t<decltype(view)>>{placed, view, ByteRows(source)},
                target);
  };
  if (kept->volume)
    launch("lut_texture", CudaTexture3D{kept->volume->texture()});
  else
    launch("lut_texture_software", SoftwareVolume(kept->texels.data(), volume.size));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Layered textures are pictures of the same size, selected by an integer. A filter works within a
// layer and never between two. There may be more layers than slices of a 3D texture, and they may
// be larger.
#include <algorithm>

#include "common/sample.h"
#include "kernels/texture/texture_unit.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

constexpr int width = 8, height = 4, layers = 5;

struct Read {
  float x, y;
  int layer;
};

// The value of a texel: layer, row y and column x as hundreds, tens and ones.
float texel(int x, int y, int layer) { return static_cast<float>(100 * layer + 10 * y + x); }

// @param rows 0 for one-dimensional layers.
std::vector<float> texels(int rows) {
  std::vector<float> all;
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < std::max(rows, 1); ++y)
      for (int x = 0; x < width; ++x) all.push_back(texel(x, y, layer));
  return all;
}

// An index beyond the last layer reads the last layer. So does -1, because the instruction takes an
// unsigned index (PTX ISA, tex), in which -1 is large.
int stored_layer(int layer) { return layer < 0 || layer >= layers ? layers - 1 : layer; }

// The software unit treats layers as separate textures.
std::vector<float> read_on_cpu(int rows, const std::vector<Read>& reads) {
  const auto all = texels(rows);
  std::vector<float> values;
  for (const auto& [x, y, layer] : reads) {
    const float* first = all.data() + stored_layer(layer) * std::max(rows, 1) * width;
    values.push_back(
        rows == 0 ? sample(Texture1D<float, 1>{first, width}, {}, x).v[0]
                  : sample(Texture2D<float, 1>{first, width * sizeof(float), width, rows}, {}, x, y)
                        .v[0]);
  }
  return values;
}

std::vector<float> read_on_card(int rows, const std::vector<Read>& reads);
Table limits_of_card();

#ifdef __CUDACC__
__global__ void read_layers(cudaTextureObject_t texture, int rows, const Read* reads, int count,
                            float* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const auto [x, y, layer] = reads[i];
  values[i] = rows == 0 ? tex1DLayered<float>(texture, x, layer)
                        : tex2DLayered<float>(texture, x, y, layer);
}

std::vector<float> read_on_card(int rows, const std::vector<Read>& reads) {
  std::vector<float> all = texels(rows);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t memory = nullptr;
  // The depth is the number of layers; a height of 0 makes them one-dimensional.
  const cudaExtent extent = make_cudaExtent(width, static_cast<std::size_t>(rows), layers);
  checked("cudaMalloc3DArray",
          [&] { return cudaMalloc3DArray(&memory, &format, extent, cudaArrayLayered); });
  const ArrayHandle array(memory);
  const auto stored_rows = static_cast<std::size_t>(std::max(rows, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(all.data(), width * sizeof(float), width, stored_rows);
  copy.dstArray = array.get();
  copy.extent = make_cudaExtent(width, stored_rows, layers);
  copy.kind = cudaMemcpyHostToDevice;
  checked("cudaMemcpy3D", [&] { return cudaMemcpy3D(&copy); });
  const TextureHandle texture = new_texture(in_array(array), Sampler{});
  const DeviceArray<Read> where(reads);
  const DeviceArray<float> values(reads.size());
  const auto count = static_cast<unsigned>(reads.size());
  read_layers<<<(count + 127) / 128, 128>>>(texture.get(), rows, where.get(),
                                            static_cast<int>(count), values.get());
  check_launch("read_layers");
  return values.to_host();
}

Table limits_of_card() {
  const cudaDeviceProp card = card_properties();
  Table table{"limits of this card", {"texture", "width", "height", "layers or depth"}};
  const Cell none = Cell::none("-");
  table.row({"1D layered", card.maxTexture1DLayered[0], none, card.maxTexture1DLayered[1]});
  table.row({"2D layered", card.maxTexture2DLayered[0], card.maxTexture2DLayered[1],
             card.maxTexture2DLayered[2]});
  table.row({"3D", card.maxTexture3D[0], card.maxTexture3D[1], card.maxTexture3D[2]});
  return table;
}
#endif

std::vector<float> read(bool on_card, int rows, const std::vector<Read>& reads) {
  if constexpr (build::has_cuda)
    if (on_card) return read_on_card(rows, reads);
  return read_on_cpu(rows, reads);
}

int main(int argc, char** argv) {
  Sample program("texture/tex_layered", "1D and 2D layers, selected by index",
                 Runs::on_card_or_cpu);
  return program.run(argc, argv, [&](Report& report) {
    int all_reads = 0, all_mixed = 0;
    std::string beyond;  // the layers that indices -1 and `layers` read
    for (int rows : {0, height}) {
      std::vector<Read> reads;
      for (int layer = -1; layer <= layers; ++layer)
        for (float x : {2.5f, 2.75f}) reads.push_back({x, rows == 0 ? 0.0f : 1.75f, layer});
      const auto values = read(report.on_card(), rows, reads);
      const auto emulated = read_on_cpu(rows, reads);
      Table table{rows == 0 ? "1D layers" : "2D layers", {"layer", "x", "y", "read"}};
      bool as_emulated = true;
      int mixed = 0;
      for (std::size_t i = 0; i < reads.size(); ++i) {
        const auto [x, y, layer] = reads[i];
        table.row({layer, Cell(x), rows == 0 ? Cell::none("-") : Cell(y), Cell(values[i])});
        as_emulated = as_emulated && values[i] == emulated[i];
        // At quarters of a texel the results are exact, without any share of the layers before and
        // behind.
        const float expected =
            texel(0, 0, stored_layer(layer)) + (x - 0.5f) + (rows == 0 ? 0 : 10 * (y - 0.5f));
        mixed += values[i] != expected;
      }
      report.show(table);
      const std::string kind = rows == 0 ? "1D: " : "2D: ";
      report.check_on_card(as_emulated,
                           kind + "every read equals the software unit's in that layer");
      report.check(mixed == 0, kind + "no read holds anything of other layers");
      all_reads += static_cast<int>(reads.size());
      all_mixed += mixed;
      beyond = text("index -1 reads %d and %d reads %d", static_cast<int>(values.front()) / 100,
                    layers, static_cast<int>(values.back()) / 100);
    }
    if constexpr (build::has_cuda)
      if (report.on_card()) report.show(limits_of_card());
    report.headline(
        text("%d of %d reads mix layers; of %d layers, ", all_mixed, all_reads, layers) + beyond);
  });
}

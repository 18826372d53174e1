// SPDX-License-Identifier: Apache-2.0
// A 3D texture: a linear filter weighs eight texels, so slices between the stored ones need no
// additional reads in the program. The volume is filled through a surface, which was not possible
// when the book was written, and its slices are drawn as a PNG.
#include <algorithm>
#include <cmath>

#include "common/picture.h"
#include "common/sample.h"
#include "kernels/texture/texture_unit.h"
#include "texture/volume.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

std::vector<float> read_on_cpu(int size, const std::vector<Place>& places) {
  const auto texels = volume(size);
  const std::size_t row_bytes = static_cast<std::size_t>(size) * sizeof(float);
  const Texture3D<float, 1> texture{
      texels.data(), row_bytes, row_bytes * static_cast<std::size_t>(size), size, size, size};
  std::vector<float> values;
  for (const auto& [x, y, z] : places) values.push_back(sample(texture, {}, x, y, z).v[0]);
  return values;
}

std::vector<float> read_on_card(Report& report, int size, const std::vector<Place>& places);

#ifdef __CUDACC__
__global__ void fill(cudaSurfaceObject_t surface, int size) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y), z = static_cast<int>(blockIdx.z);
  if (x < size)
    surf3Dwrite(shells(x, y, z, size), surface, x * static_cast<int>(sizeof(float)), y, z);
}

__global__ void read_places(cudaTextureObject_t texture, const Place* places, int count,
                            float* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = tex3D<float>(texture, places[i].x, places[i].y, places[i].z);
}

std::vector<float> read_on_card(Report& report, int size, const std::vector<Place>& places) {
  const cudaDeviceProp card = card_properties();
  report.say(text("3D textures have up to %dx%dx%d texels (2048x2048x2048 in the book)",
                  card.maxTexture3D[0], card.maxTexture3D[1], card.maxTexture3D[2]));
  const auto n = static_cast<std::size_t>(size);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t memory = nullptr;
  checked("cudaMalloc3DArray", [&] {
    return cudaMalloc3DArray(&memory, &format, make_cudaExtent(n, n, n), cudaArraySurfaceLoadStore);
  });
  const ArrayHandle array(memory);
  const SurfaceHandle surface = new_surface(array);
  const auto blocks = static_cast<unsigned>(size);
  fill<<<dim3((blocks + 31) / 32, blocks, blocks), 32>>>(surface.get(), size);
  check_launch("fill");
  const TextureHandle texture = new_texture(in_array(array), Sampler{});
  const DeviceArray<Place> where(places);
  const DeviceArray<float> values(places.size());
  const auto count = static_cast<unsigned>(places.size());
  read_places<<<(count + 255) / 256, 256>>>(texture.get(), where.get(), static_cast<int>(count),
                                            values.get());
  check_launch("read_places");
  return values.to_host();
}
#endif

std::vector<float> read(Report& report, int size, const std::vector<Place>& places) {
  if constexpr (build::has_cuda)
    if (report.on_card()) return read_on_card(report, size, places);
  return read_on_cpu(size, places);
}

// The maximum difference between a read of texels from 0 to 1 and interpolated(). The unit's
// weights of the eight texels are whole 256ths. It divides each of two slices in x, and both halves
// in y. Each of these six divisions can give one side half a 256th too much. 2^-20 allows for
// rounding to float.
constexpr double bound = 6 * 0.5 / 256 + 0x1p-20;

int main(int argc, char** argv) {
  int size = 32, slices = 8, pixels = 160;
  std::string out = "tex3d.png";
  Sample program("texture/tex3d", "trilinear slices of a volume, filled through a surface",
                 Runs::on_card_or_cpu);
  program.option("size", size, "texels along each side", 2, 256)
      .option("slices", slices, "to draw, evenly from front to back", 1, 64)
      .option("pixels", pixels, "along a slice's side", 16, 1024)
      .option("out", out, "the picture");
  return program.run(argc, argv, [&](Report& report) {
    const float step = static_cast<float>(size) / static_cast<float>(pixels);
    std::vector<Place> places;
    for (int slice = 0; slice < slices; ++slice)
      for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x)
          places.push_back({(static_cast<float>(x) + 0.5f) * step,
                            (static_cast<float>(y) + 0.5f) * step,
                            (static_cast<float>(slice) + 0.5f) * static_cast<float>(size) /
                                static_cast<float>(slices)});
    const auto values = read(report, size, places);
    const auto emulated = read_on_cpu(size, places);
    int differ = 0;
    double most = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      differ += values[i] != emulated[i];
      most = std::max(most, std::fabs(values[i] - interpolated(size, places[i])));
    }
    Sheet sheet(4, pixels, pixels);
    for (int slice = 0; slice < slices; ++slice)
      sheet.add(values.data() + static_cast<std::ptrdiff_t>(slice) * pixels * pixels);
    sheet.write(out);
    report.wrote(out, "slices of the volume, front to back");
    report.say(text("%zu reads; trilinear interpolation with weights of 8 bits is met within %.2g",
                    values.size(), most));
    report.check_on_card(differ == 0, "every read equals the software unit's");
    report.check(
        most <= bound,
        text("every read is within %.4f of the trilinear mean: six roundings of weights", bound));
    report.headline(
        text("within %.2g of the textbook's mean: the product of three weights has 8 "
             "bits too",
             most));
  });
}

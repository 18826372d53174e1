// SPDX-License-Identifier: Apache-2.0
// The same texels in a CUDA array, whose order the card chooses, and as rows in plain device
// memory, `pitch` bytes apart. The same coordinates must read the same texels from both. Each texel
// contains its own column and row.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/sample.h"
#include "kernels/texture/texture_unit.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

struct Point {
  float x, y;
  bool operator==(const Point&) const = default;
};

// The texels, row after row, and the coordinates to read.
struct Scene {
  int width, height;
  Sampler sampler;
  std::vector<Point> texels, where;
};

// A software texture has a pitch as well.
std::vector<Point> read_on_cpu(const Scene& scene, bool pitched) {
  const std::size_t row_bytes = static_cast<std::size_t>(scene.width) * sizeof(Point);
  const std::size_t pitch = pitched ? (row_bytes + 511) / 512 * 512 : row_bytes;
  std::vector<char> memory(pitch * static_cast<std::size_t>(scene.height));
  for (int y = 0; y < scene.height; ++y)
    std::memcpy(memory.data() + static_cast<std::size_t>(y) * pitch,
                scene.texels.data() + y * scene.width, row_bytes);
  const Texture2D<float, 2> texture{memory.data(), pitch, scene.width, scene.height};
  std::vector<Point> values;
  for (const auto& [x, y] : scene.where) {
    const Pixel<2> pixel = sample(texture, scene.sampler, x, y);
    values.push_back({pixel.v[0], pixel.v[1]});
  }
  return values;
}

std::vector<Point> read_on_card(Report& report, const Scene& scene, bool pitched);

#ifdef __CUDACC__
__global__ void read_points(cudaTextureObject_t texture, const Point* where, int count,
                            Point* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float2 texel = tex2D<float2>(texture, where[i].x, where[i].y);
  values[i] = {texel.x, texel.y};
}

std::vector<Point> read_on_card(Report& report, const Scene& scene, bool pitched) {
  const std::size_t row_bytes = static_cast<std::size_t>(scene.width) * sizeof(float2);
  const auto height = static_cast<std::size_t>(scene.height);
  std::vector<float2> texels;
  for (const auto& [x, y] : scene.texels) texels.push_back({x, y});
  ArrayHandle array;
  DeviceMemoryHandle rows;
  cudaResourceDesc resource;
  if (pitched) {
    void* memory = nullptr;
    std::size_t pitch = 0;
    // The driver chooses a pitch that this card's texture unit can read.
    checked("cudaMallocPitch", [&] { return cudaMallocPitch(&memory, &pitch, row_bytes, height); });
    rows = DeviceMemoryHandle(memory);
    checked("cudaMemcpy2D", [&] {
      return cudaMemcpy2D(memory, pitch, texels.data(), row_bytes, row_bytes, height,
                          cudaMemcpyHostToDevice);
    });
    resource = in_rows(static_cast<float2*>(memory), pitch, scene.width, scene.height);
    report.say(text("rows of %zu bytes lie %zu apart; the card wants a multiple of %d", row_bytes,
                    pitch, card_attribute(cudaDevAttrTexturePitchAlignment)));
  } else {
    array = array_of(texels, scene.width, scene.height);
    resource = in_array(array);
  }
  const TextureHandle texture = new_texture(resource, scene.sampler);
  const DeviceArray<Point> where(scene.where), values(where.size());
  const auto count = static_cast<unsigned>(where.size());
  read_points<<<(count + 255) / 256, 256>>>(texture.get(), where.get(), static_cast<int>(count),
                                            values.get());
  check_launch("read_points");
  return values.to_host();
}
#endif

std::vector<Point> read(Report& report, const Scene& scene, bool pitched) {
  if constexpr (build::has_cuda)
    if (report.on_card()) return read_on_card(report, scene, pitched);
  return read_on_cpu(scene, pitched);
}

// Texels contain their coordinates, so a read returns its own place, minus half a texel with a
// linear filter. Coordinates in steps of a quarter have exact weights.
float expected(const Sampler& sampler, int size, float x) {
  const float place = sampler.filter == Filter::linear ? x - 0.5f : std::floor(x);
  return std::clamp(place, 0.0f, static_cast<float>(size - 1));
}

int main(int argc, char** argv) {
  int width = 16, height = 8, count = 7;
  std::string memory = "both", filter = "linear";
  Sample program("texture/tex2d_addressing", "2D reads from an array and from rows in memory",
                 Runs::on_card_or_cpu);
  program.option("memory", memory, "whose reads to print", {"array", "pitched", "both"})
      .option("filter", filter, "of the texture", {"point", "linear"})
      .option("width", width, "in texels", 1, 4096)
      .option("height", height, "in texels", 1, 4096)
      .option("count", count, "reads, from (-0.5, -0.5) on");
  return program.run(argc, argv, [&](Report& report) {
    Scene scene{width, height, {}, {}, {}};
    scene.sampler.filter = filter == "linear" ? Filter::linear : Filter::point;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        scene.texels.push_back({static_cast<float>(x), static_cast<float>(y)});
    for (int i = 0; i < count; ++i) {
      const auto step = static_cast<float>(i);
      scene.where.push_back({step * 0.75f - 0.5f, step * 0.5f - 0.5f});
    }
    const auto from_array = read(report, scene, false), from_rows = read(report, scene, true);
    const auto emulated = read_on_cpu(scene, false);
    Table table{"", {"memory", "x", "y", "column", "row"}};
    int differ = 0;
    bool as_expected = true;
    for (std::size_t i = 0; i < emulated.size(); ++i) {
      const auto [x, y] = scene.where[i];
      const Point place = {expected(scene.sampler, width, x), expected(scene.sampler, height, y)};
      as_expected = as_expected && from_array[i] == place && from_rows[i] == place;
      differ += from_array[i] != from_rows[i];
    }
    for (const auto& [kind, values] : {std::pair("array", from_array), {"pitched", from_rows}})
      for (std::size_t i = 0; i < values.size() && (memory == kind || memory == "both"); ++i)
        table.row({kind, Cell(scene.where[i].x), Cell(scene.where[i].y), Cell(values[i].x, 4),
                   Cell(values[i].y, 4)});
    report.show(table);
    report.check(differ == 0, "an array and rows in memory return the same");
    report.check_on_card(from_array == emulated && from_rows == emulated,
                         "every read equals the software unit's, wherever the texels lie");
    report.check(as_expected, "every texel is that of the place that was read");
    report.headline(text("of %zu reads %d differ between an array and rows in memory",
                         emulated.size(), differ));
  });
}

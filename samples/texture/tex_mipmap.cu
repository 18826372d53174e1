// SPDX-License-Identifier: Apache-2.0
// A chain of pictures of decreasing size, read between texels and between levels: what the card
// returns for any size, edge and level, and whether the software unit returns the same.
#include "common/sample.h"
#include "texture/mip_chain.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

// How the texture object limits and shifts the level of detail.
struct LevelRange {
  float least = 0, most = 64, bias = 0;
};

template <class T>
std::vector<Pixel<4>> read_on_card(const Chain<T>& chain, const Sampler& sampler,
                                   const LevelRange& range, const std::vector<Place>& where);
int longest_side_on_card();

#ifdef __CUDACC__
using MipmapHandle = Handle<cudaMipmappedArray_t, cudaFreeMipmappedArray>;

__global__ void read_levels(cudaTextureObject_t texture, const Place* where, int count,
                            Pixel<4>* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float4 texel = tex2DLod<float4>(texture, where[i].x, where[i].y, where[i].level);
  values[i] = {{texel.x, texel.y, texel.z, texel.w}};
}

template <class T>
MipmapHandle mipmap_of(const Chain<T>& chain) {
  constexpr int bits = 8 * sizeof(T);
  const auto format = cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKindFloat);
  const auto [width, height, first] = chain.levels.front();
  const cudaExtent extent =
      make_cudaExtent(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 0);
  cudaMipmappedArray_t memory = nullptr;
  checked("cudaMallocMipmappedArray", [&] {
    return cudaMallocMipmappedArray(&memory, &format, extent,
                                    static_cast<unsigned>(chain.levels.size()), cudaArrayDefault);
  });
  MipmapHandle mipmap(memory);
  for (std::size_t l = 0; l < chain.levels.size(); ++l) {
    const auto& level = chain.levels[l];
    const std::size_t row_bytes = static_cast<std::size_t>(level.width) * 4 * sizeof(T);
    cudaArray_t array = nullptr;  // owned by the mipmapped array
    checked("cudaGetMipmappedArrayLevel",
            [&] { return cudaGetMipmappedArrayLevel(&array, memory, static_cast<unsigned>(l)); });
    checked("cudaMemcpy2DToArray", [&] {
      return cudaMemcpy2DToArray(array, 0, 0, chain.texels.data() + level.first, row_bytes,
                                 row_bytes, static_cast<std::size_t>(level.height),
                                 cudaMemcpyHostToDevice);
    });
  }
  return mipmap;
}

template <class T>
std::vector<Pixel<4>> read_on_card(const Chain<T>& chain, const Sampler& sampler,
                                   const LevelRange& range, const std::vector<Place>& where) {
  const MipmapHandle mipmap = mipmap_of(chain);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap.get();
  cudaTextureDesc reading = as_cuda(sampler, cudaReadModeElementType);
  reading.mipmapFilterMode = cudaFilterModeLinear;
  reading.minMipmapLevelClamp = range.least;
  reading.maxMipmapLevelClamp = range.most;
  reading.mipmapLevelBias = range.bias;
  cudaTextureObject_t object = 0;
  checked("cudaCreateTextureObject",
          [&] { return cudaCreateTextureObject(&object, &resource, &reading, nullptr); });
  const TextureHandle texture(object);
  const DeviceArray<Place> places(where);
  const DeviceArray<Pixel<4>> values(where.size());
  const auto count = static_cast<unsigned>(where.size());
  read_levels<<<(count + 255) / 256, 256>>>(texture.get(), places.get(), static_cast<int>(count),
                                            values.get());
  check_launch("read_levels");
  return values.to_host();
}

int longest_side_on_card() {
  const cudaDeviceProp card = card_properties();
  return std::min(card.maxTexture2DMipmap[0], card.maxTexture2DMipmap[1]);
}
#endif

// Reads on the card, or with the software unit.
template <class T>
std::vector<Pixel<4>> read(bool on_card, const Chain<T>& chain, const Sampler& sampler,
                           const LevelRange& range, const std::vector<Place>& where) {
  if constexpr (build::has_cuda)
    if (on_card) return read_on_card(chain, sampler, range, where);
  std::vector<Pixel<4>> values;
  for (const Place& place : where) values.push_back(chain.read(sampler, place));
  return values;
}

// What is read, and how.
struct Scene {
  int width, height;
  Address across, down;
  Contents contents = Contents::even;
};

constexpr Address wrap = Address::wrap, clamped = Address::clamp, mirror = Address::mirror,
                  border = Address::border;

// Every addressing mode at an odd size, every kind of content, and sides around 8192 and 16384,
// where coordinates have one bit more.
const std::vector<Scene> scenes = {
    {64, 64, clamped, clamped},
    {61, 47, clamped, clamped},
    {61, 47, wrap, border},
    {61, 47, mirror, wrap},
    {61, 47, border, mirror},
    {1, 1, wrap, border},
    {5, 1, mirror, clamped},
    {1, 7, border, wrap},
    {1000, 777, clamped, clamped},
    {61, 47, clamped, wrap, Contents::uneven},
    {64, 64, border, mirror, Contents::uneven},
    {61, 47, clamped, clamped, Contents::special},
    {61, 47, border, wrap, Contents::special},
    {8192, 3, clamped, wrap},
    {8193, 5, wrap, clamped},
    {2, 16384, wrap, mirror},
    {16384, 9, border, border},
    {16385, 3, mirror, clamped},
    {7, 24000, clamped, wrap},
    {32767, 2, wrap, wrap},
    {16, 32768, clamped, border},
    {32768, 33, mirror, wrap},
};

std::string name_of(Address address) {
  return address == wrap      ? "wrap"
         : address == clamped ? "clamp"
         : address == mirror  ? "mirror"
                              : "border";
}
std::string name_of(Contents contents) {
  return contents == Contents::even ? "even" : contents == Contents::uneven ? "uneven" : "special";
}

// Reads whose result differs from the software unit's. All are counted, the first few are printed.
struct Differences {
  Table table{"", {"texels", "size", "across", "down", "values", "reads", "differ"}};
  Table reads{"the first reads that differ",
              {"x", "y", "level", "channel", "card", "software unit"}};
  int show, count = 0, all = 0;

  template <class T>
  void compare(Report& report, const Scene& scene, int reads_of_scene) {
    const auto& [width, height, across, down, contents] = scene;
    const auto seed = static_cast<std::uint64_t>(width) << 20 | static_cast<unsigned>(height);
    const Chain<T> chain(width, height, contents, seed);
    const auto where =
        places(width, height, static_cast<int>(chain.levels.size()), reads_of_scene, seed + 1);
    Sampler sampler;
    sampler.normalized = true;
    sampler.address[0] = across, sampler.address[1] = down;
    constexpr float colour[4] = {0.25f, -0.7f, 100.0f, 3.0f};
    std::copy(colour, colour + 4, sampler.border);
    const auto values = read(report.on_card(), chain, sampler, {}, where);
    int differ = 0;
    for (std::size_t i = 0; i < where.size(); ++i) {
      const Pixel<4> expected = chain.read(sampler, where[i]);
      if (same_bits(values[i], expected)) continue;
      ++differ;
      for (int c = 0; c < 4 && static_cast<int>(reads.rows.size()) < show; ++c)
        reads.row({hex(where[i].x), hex(where[i].y), hex(where[i].level), c, hex(values[i].v[c]),
                   hex(expected.v[c])});
    }
    table.row({sizeof(T) == 2 ? "half" : "float", text("%dx%d", width, height), name_of(across),
               name_of(down), name_of(contents), static_cast<int>(where.size()), differ});
    count += differ;
    all += static_cast<int>(where.size());
  }
};

// Every texel contains its level's number, so a read returns the level of detail that the unit
// used. That is a multiple of 1/256: the requested level and the bias are each truncated toward
// zero, then added. The result is limited; the lower limit has precedence.
int wrong_levels(bool on_card, const LevelRange& range) {
  Chain<float> chain(64, 64, Contents::even, 1);
  const int last = static_cast<int>(chain.levels.size()) - 1;
  for (std::size_t l = 0; l < chain.levels.size(); ++l)
    for (std::size_t i = chain.levels[l].first; i < chain.texels.size(); ++i)
      std::fill_n(chain.texels[i].v, 4, static_cast<float>(l));
  std::vector<Place> where;
  for (int i = -2048; i < 9 * 1024; ++i)
    where.push_back({0.5f, 0.5f, static_cast<float>(i) / 1024});
  Sampler sampler;
  sampler.normalized = true;
  const auto values = read(on_card, chain, sampler, range, where);
  const auto parts = [](float level) { return static_cast<int>(level * 256); };
  int wrong = 0;
  for (std::size_t i = 0; i < where.size(); ++i) {
    const int biased = parts(where[i].level) + parts(range.bias);
    const int limited = std::max(std::min(biased, parts(range.most)), parts(range.least));
    const int level = std::clamp(limited, 0, last * 256);
    wrong += values[i].v[0] != static_cast<float>(level) / 256;
  }
  return wrong;
}

int main(int argc, char** argv) {
  int count = 4000, show = 8;
  Sample program("texture/tex_mipmap", "a chain of levels, read between texels and levels",
                 Runs::on_card_or_cpu);
  program.option("count", count, "reads of each texture", 1, 1 << 20)
      .option("show", show, "how many reads that differ to print", 1, 1000);
  return program.run(argc, argv, [&](Report& report) {
    if constexpr (build::has_cuda)
      if (report.on_card())
        report.say(
            text("mipmapped textures have sides of up to %d texels", longest_side_on_card()));
    Differences differences{.show = show};
    for (const Scene& scene : scenes) {
      differences.compare<float>(report, scene, count);
      differences.compare<Half>(report, scene, count);
    }
    report.show(differences.table);
    if (differences.count > 0) report.show(differences.reads);
    report.check_on_card(differences.count == 0, "every read equals the software unit's");
    report.check(wrong_levels(report.on_card(), {}) == 0,
                 "a level of detail is cut to 1/256 and to the levels there are");
    if (report.on_card()) {
      int wrong = 0;
      for (const LevelRange& range : {LevelRange{0, 64, 0.3f},
                                      {0, 64, -0.7013f},
                                      {0, 64, 20},
                                      {0.3f, 64, 0},
                                      {0, 2.71f, 0},
                                      {2, 1, 0},
                                      {0.123f, 4.567f, 0.789f},
                                      {1.0f / 512, 3.0f + 1.5f / 256, 1.0f / 512}})
        wrong += wrong_levels(true, range);
      report.check(wrong == 0, "limits and a bias are cut to 1/256 as well");
    }
    report.headline(
        text("%d of %d reads differ from the software unit's", differences.count, differences.all));
  });
}

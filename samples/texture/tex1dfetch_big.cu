// SPDX-License-Identifier: Apache-2.0
// tex1Dfetch takes an integer index, and a texture over device memory has a maximum size: 2^27
// elements when the book was written, now whatever the card reports. Wider elements cover more
// memory: the same words are read as elements of one, two and four. Larger memory needs several
// textures. The book needed an `if` for each of them; texture objects are numbers, so an array of
// them is enough.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/sample.h"
#include "texture/objects.h"
#include "texture/random_words.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int most_textures = 8;

struct Textures {
  cudaTextureObject_t part[most_textures];
  std::size_t part_size;  // elements of each texture except the last
};

__device__ std::uint32_t sum(std::uint32_t v) { return v; }
__device__ std::uint32_t sum(uint2 v) { return v.x + v.y; }
__device__ std::uint32_t sum(uint4 v) { return v.x + v.y + v.z + v.w; }

// Each thread stores the sum of its reads; the host adds these sums.
template <class Element>
__global__ void add(Textures textures, std::size_t count, std::uint32_t* sums) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::uint32_t total = 0;
  for (std::size_t i = thread; i < count; i += step) {
    const cudaTextureObject_t texture = textures.part[i / textures.part_size];
    total += sum(tex1Dfetch<Element>(texture, static_cast<int>(i % textures.part_size)));
  }
  sums[thread] = total;
}

// The maximum number of elements of a texture. @param most at most 2^30, since the index is an int.
template <class Element>
std::size_t limit_of(std::size_t most) {
  return std::min(texture_limit<Element>(), most);
}

// The sum of all words, read through several textures; none if the textures do not cover all words.
// @param gb_per_s the read speed, the best of three runs.
template <class Element>
Cell checksum(std::uint32_t* words, std::size_t bytes, std::size_t limit, std::size_t textures,
              double& gb_per_s) {
  const std::size_t count = bytes / sizeof(Element);
  if (count > limit * textures) return Cell::none("not performed");
  std::vector<TextureHandle> handles;
  Textures parts = {{}, limit};
  for (std::size_t first = 0; first < count; first += limit) {
    handles.push_back(new_texture(
        in_memory(reinterpret_cast<Element*>(words) + first, std::min(limit, count - first)),
        Sampler{.filter = Filter::point}));
    parts.part[handles.size() - 1] = handles.back().get();
  }
  const DeviceArray<std::uint32_t> sums(std::size_t{1024} * 256);
  const double ms = best_ms(3, [&] {
    add<Element><<<1024, 256>>>(parts, count, sums.get());
    check_launch("add");
  });
  gb_per_s = static_cast<double>(bytes) / ms / 1e6;
  const auto host = sums.to_host();
  return hex(std::accumulate(host.begin(), host.end(), std::uint32_t{0}));
}

int main(int argc, char** argv) {
  int megabytes = 0, limit_log2 = 30;
  bool on_host = false;
  Sample program("texture/tex1dfetch_big",
                 "how far 1D fetches reach, by width and number of textures");
  program.option("megabytes", megabytes, "to add up; 0: sizes like the book's", 0, 1 << 20)
      .option("limit", limit_log2, "log2 of a texture's elements, if the card allows as many", 10,
              30)
      .option("host", on_host, "the host's memory, mapped, as if the card had refused");
  return program.run(argc, argv, [&](Report& report) {
    const std::size_t most = std::size_t{1} << limit_log2;
    const std::size_t limits[] = {limit_of<std::uint32_t>(most), limit_of<uint2>(most),
                                  limit_of<uint4>(most)};
    const auto log2_of = [](std::size_t limit) { return std::log2(static_cast<double>(limit)); };
    report.say(
        text("A texture over device memory has at most 2^%.2f elements of one word, 2^%.2f of two "
             "and 2^%.2f of four (the book: 2^27 of any). A sum is not performed where the "
             "textures have fewer elements than the memory.",
             log2_of(limits[0]), log2_of(limits[1]), log2_of(limits[2])));
    struct Size {
      int megabytes;
      bool on_host;
    };
    std::vector<Size> sizes;
    if (megabytes > 0) {
      sizes.push_back({megabytes, on_host});
    } else {
      // The book's 512 for a limit of 2^27 elements.
      const int unit = std::max(2, static_cast<int>(limits[2] >> 18));
      for (int halves : {2, 3, 5, 32}) sizes.push_back({halves * unit / 2, on_host});
      sizes.push_back({unit / 2, true});
    }
    Table table{"sums by one texture of elements of 1, 2 and 4 words, and by 8 of 4 words",
                {"MB", "memory", "on the host", "1 word", "2 words", "4 words", "8 textures",
                 "GB/s of the last"}};
    int performed = 0, equal = 0;
    for (const auto [size, from_host] : sizes) {
      const std::size_t bytes = static_cast<std::size_t>(size) << 20;
      double gb_per_s = 0;
      void* memory = nullptr;
      DeviceMemoryHandle on_card;
      std::vector<MappedArray<std::uint32_t>> mapped;
      if (!from_host && cudaMalloc(&memory, bytes) == cudaSuccess) {
        on_card = DeviceMemoryHandle(memory);
      } else {
        static_cast<void>(cudaGetLastError());  // an error is a valid answer
        mapped.emplace_back(bytes / 4);
        memory = mapped.back().device();
      }
      auto* words = static_cast<std::uint32_t*>(memory);
      fill<<<1024, 256>>>(words, bytes / 4);
      check_launch("fill");
      const std::string expected = hex(sum_on_host(bytes / 4)).shown;
      table.row({size, on_card ? "device" : "mapped host", expected,
                 checksum<std::uint32_t>(words, bytes, limits[0], 1, gb_per_s),
                 checksum<uint2>(words, bytes, limits[1], 1, gb_per_s),
                 checksum<uint4>(words, bytes, limits[2], 1, gb_per_s),
                 checksum<uint4>(words, bytes, limits[2], most_textures, gb_per_s)});
      auto& row = table.rows.back();
      for (std::size_t i = 3; i < 7; ++i) {
        performed += row[i].kind != Cell::Kind::nothing;
        equal += row[i].shown == expected;
      }
      row.push_back(row[6].kind == Cell::Kind::nothing ? Cell::none("-") : Cell(gb_per_s, 1));
    }
    report.show(table);
    report.check(performed > 0 && equal == performed, "every sum performed equals the host's");
    report.headline(text("2^%.0f elements a texture (the book: 2^27)", log2_of(limits[2])));
  });
}

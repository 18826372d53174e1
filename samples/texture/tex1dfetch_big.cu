// SPDX-License-Identifier: Apache-2.0
// tex1Dfetch takes a whole number, and a texture over device memory has a largest one: 2^27
// elements when the book was written, what the card says now. Wider elements reach further; past
// them it takes several textures. The book needed an if for each: texture objects are numbers, so
// an array will do.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <thread>

#include "common/sample.h"
#include "texture/objects.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int most_textures = 8;

struct Textures {
  cudaTextureObject_t part[most_textures];
  std::size_t part_size;  // elements of each but the last
};

// Random numbers that can be made anywhere: word i.
__host__ __device__ std::uint32_t random_word(std::uint32_t i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i * (i >> 11);
}

__global__ void fill(std::uint32_t* words, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    words[i] = random_word(static_cast<std::uint32_t>(i));
}

__device__ std::uint32_t sum(std::uint32_t v) { return v; }
__device__ std::uint32_t sum(uint2 v) { return v.x + v.y; }
__device__ std::uint32_t sum(uint4 v) { return v.x + v.y + v.z + v.w; }

// Each thread leaves the sum of what it read; the host adds those.
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

// @param limit elements that one texture reaches. @param textures how many may be used.
// @param gb_per_s how fast they were read.
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
  Stopwatch watch;
  watch.start();
  add<Element><<<1024, 256>>>(parts, count, sums.get());
  check_launch("add");
  gb_per_s = static_cast<double>(bytes) / watch.stop_ms() / 1e6;
  const auto host = sums.to_host();
  return hex(std::accumulate(host.begin(), host.end(), std::uint32_t{0}));
}

// The sum by all of the host's cores.
std::uint32_t expected_sum(std::size_t count) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::uint32_t> sums(workers);
  std::vector<std::jthread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      std::uint32_t total = 0;
      for (std::size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i)
        total += random_word(static_cast<std::uint32_t>(i));
      sums[worker] = total;
    });
  threads.clear();  // joins them
  return std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
}

int main(int argc, char** argv) {
  int megabytes = 0, limit_log2 = 0;
  bool on_host = false;
  Sample program("texture/tex1dfetch_big",
                 "how far 1D fetches reach, by width and number of textures");
  program.option("megabytes", megabytes, "to add up; 0: sizes like the book's", 0, 1 << 20)
      .option("limit", limit_log2, "log2 of a texture's elements; 0: the card's limit", 0, 30)
      .option("host", on_host, "the host's memory, mapped, as if the card had refused");
  return program.run(argc, argv, [&](Report& report) {
    int device = 0;
    std::size_t limit = 0;
    checked("cudaGetDevice", [&] { return cudaGetDevice(&device); });
    checked("cudaDeviceGetTexture1DLinearMaxWidth", [&] {
      const cudaChannelFormatDesc format = cudaCreateChannelDesc<uint4>();
      return cudaDeviceGetTexture1DLinearMaxWidth(&limit, &format, device);
    });
    report.say(text("a texture over device memory reaches 2^%.2f elements here, 2^27 in the book",
                    std::log2(static_cast<double>(limit))));
    if (limit_log2 > 0) limit = std::min(limit, std::size_t{1} << limit_log2);
    struct Size {
      int megabytes;
      bool on_host;
    };
    std::vector<Size> sizes;
    if (megabytes > 0) {
      sizes.push_back({megabytes, on_host});
    } else {
      const int unit = std::max(2, static_cast<int>(limit >> 18));  // the book's 512 for 2^27
      for (int halves : {2, 3, 5, 32}) sizes.push_back({halves * unit / 2, on_host});
      sizes.push_back({unit / 2, true});
    }
    Table table{"", {"MB", "memory", "expected", "tex1", "tex2", "tex4", "tex4, several", "GB/s"}};
    bool all_equal = true;
    for (const auto [size, from_host] : sizes) {
      const std::size_t bytes = static_cast<std::size_t>(size) << 20;
      double gb_per_s = 0;
      void* memory = nullptr;
      DeviceMemoryHandle on_card;
      std::vector<MappedArray<std::uint32_t>> mapped;
      if (!from_host && cudaMalloc(&memory, bytes) == cudaSuccess) {
        on_card = DeviceMemoryHandle(memory);
      } else {
        static_cast<void>(cudaGetLastError());  // a refusal is no failure
        mapped.emplace_back(bytes / 4);
        memory = mapped.back().device();
      }
      auto* words = static_cast<std::uint32_t*>(memory);
      fill<<<1024, 256>>>(words, bytes / 4);
      check_launch("fill");
      const Cell expected = hex(expected_sum(bytes / 4));
      std::vector<Cell> row = {size,
                               on_card ? "device" : "mapped host",
                               expected,
                               checksum<std::uint32_t>(words, bytes, limit, 1, gb_per_s),
                               checksum<uint2>(words, bytes, limit, 1, gb_per_s),
                               checksum<uint4>(words, bytes, limit, 1, gb_per_s),
                               checksum<uint4>(words, bytes, limit, most_textures, gb_per_s)};
      for (std::size_t i = 3; i < 7; ++i)
        all_equal =
            all_equal && (row[i].kind == Cell::Kind::nothing || row[i].shown == expected.shown);
      row.push_back(Cell(gb_per_s, 1));
      table.row(std::move(row));
    }
    report.show(table);
    report.check(all_equal, "every checksum equals the host's");
    report.headline(
        text("2^%.0f elements a texture (the book: 2^27)", std::log2(static_cast<double>(limit))));
  });
}

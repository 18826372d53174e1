// SPDX-License-Identifier: Apache-2.0
// The number of texture reads that one core makes in a second: rows as read by an enlargement, and
// scattered coordinates as read by a remap.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "device/cpu/texture_rows.h"

namespace {

using namespace cuimg;

constexpr int width = 1920, height = 1080, row = 3840;

std::size_t bytes_of(TexelType type) {
  if (type == TexelType::f32) return 4;
  return type == TexelType::u8 || type == TexelType::s8 || type == TexelType::srgb8 ? 1 : 2;
}

// Random values: floats and halves over a few binades, which is slower than a picture.
std::vector<char> random_texels(TexelType type, int channels) {
  std::mt19937 random(1);
  const std::size_t count = static_cast<std::size_t>(width) * height * channels;
  std::vector<char> texels(count * bytes_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = random();
    const float value = static_cast<float>(bits >> 8) * 0x1p-22f;
    const auto half = static_cast<std::uint16_t>(0x3000 + bits % 0xc00);
    if (type == TexelType::f32)
      std::memcpy(&texels[4 * i], &value, 4);
    else if (type == TexelType::half)
      std::memcpy(&texels[2 * i], &half, 2);
    else
      std::memcpy(&texels[bytes_of(type) * i], &bits, bytes_of(type));
  }
  return texels;
}

enum class Pattern { enlarge, rotate, scatter };

void coordinates(Pattern pattern, int line, std::vector<float>& x, std::vector<float>& y) {
  static std::mt19937 random(2);
  static const std::vector<float> scattered = [] {
    std::vector<float> values(1 << 16);
    for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-24f;
    return values;
  }();
  for (int i = 0; i < row; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto u = static_cast<float>(i), v = static_cast<float>(line);
    if (pattern == Pattern::enlarge) {
      x[at] = (u + 0.5f) * 0.5f;
      y[at] = (v + 0.5f) * 0.5f;
    } else if (pattern == Pattern::rotate) {
      x[at] = 400 + u * 0.3f - v * 0.2f;
      y[at] = 100 + u * 0.2f + v * 0.3f;
    } else {
      const std::size_t from = static_cast<std::size_t>(line * 7919 + i);
      x[at] = scattered[from % scattered.size()] * width;
      y[at] = scattered[(from * 31 + 7) % scattered.size()] * height;
    }
  }
}

void reads(benchmark::State& state, TexelType type, int channels, Pattern pattern) {
  const std::vector<char> texels = random_texels(type, channels);
  const TextureView2D view{
      texels.data(), static_cast<std::size_t>(width * channels) * bytes_of(type),
      width,         height,
      type,          channels};
  constexpr int lines = 16;
  std::vector<std::vector<float>> x(lines, std::vector<float>(row)), y = x;
  for (int line = 0; line < lines; ++line)
    coordinates(pattern, line * 100, x[static_cast<std::size_t>(line)],
                y[static_cast<std::size_t>(line)]);
  std::vector<float> out(static_cast<std::size_t>(row * channels));
  std::size_t line = 0;
  for (auto _ : state) {
    sample_row(view, Sampler{}, x[line].data(), y[line].data(), row, out.data());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    line = (line + 1) % lines;
  }
  state.SetItemsProcessed(state.iterations() * row);  // one item is one read
}

const bool registered = [] {
  const std::pair<const char*, TexelType> types[] = {{"u8", TexelType::u8},
                                                     {"u16", TexelType::u16},
                                                     {"half", TexelType::half},
                                                     {"float", TexelType::f32}};
  const std::pair<const char*, Pattern> patterns[] = {
      {"enlarge", Pattern::enlarge}, {"rotate", Pattern::rotate}, {"scatter", Pattern::scatter}};
  for (const auto& [type_name, type] : types)
    for (const int channels : {4, 3, 1})
      for (const auto& [pattern_name, pattern] : patterns)
        benchmark::RegisterBenchmark((std::string("linear/") + type_name + "x" +
                                      std::to_string(channels) + "/" + pattern_name)
                                         .c_str(),
                                     reads, type, channels, pattern);
  return true;
}();

}  // namespace

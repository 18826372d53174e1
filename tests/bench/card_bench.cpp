// SPDX-License-Identifier: Apache-2.0
// Kernels alone on a card, 7680x4320 RGBA float: medians between CUDA events, and the share of the
// time that memory alone would need. scripts/bench-card runs it next to other programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/exact_math.h"
#include "card_timing.h"
#include "device/queue.h"
#include "stages/description.h"
#include "stages/registry.h"
#include "stages/warp/remap.h"

namespace cuimg {
namespace {

constexpr int width = 7680, height = 4320;

Spec rgba(int w, int h) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, w, h};
  spec.layers = {{"", {"R", "G", "B", "A"}, PixelType::f32}};
  return spec;
}

Image noise(const Spec& spec) {
  Image image(spec);
  std::uint32_t state = 1;
  for (int y = 0; y < spec.data_window.height; ++y) {
    auto* row = reinterpret_cast<float*>(image.row(0, y));
    for (std::size_t i = 0; i < image.row_bytes(0) / sizeof(float); ++i) {
      state = state * 1664525u + 1013904223u;
      row[i] = static_cast<float>(state >> 8) * 0x1p-24f;
    }
  }
  return image;
}

Frame upload(const Queue& queue, const Image& image, Storage storage) {
  RowProgress ready;
  ready.finish();
  return queue.upload(image, 0, ready, storage);
}

// @param array_ms the time of the same work with its result in an array.
void print(const std::string& what, double ms, double array_ms, double bytes, double goal_ms) {
  const double least = bytes / bytes_per_ms;
  fmt::print("{:32} {:8.3f} ms  least {:.3f}  share {:3.0f} %  array {:8.3f} x{:.2f}{}\n", what, ms,
             least, 100 * least / ms, array_ms, array_ms / ms,
             goal_ms > 0
                 ? fmt::format("  goal {:.2f} {}", goal_ms, ms <= goal_ms ? "met" : "MISSED")
                 : "");
  std::fflush(stdout);
}

struct ResizeCase {
  const char* name;
  std::vector<std::pair<const char*, const char*>> options;
  double scale, goal_ms;
};

void bench_resize(Queue& queue, const Image& image, const ResizeCase& c) {
  const StageDescription& stage = *find_stage("resize");
  const std::shared_ptr<void> values = stage.make();
  for (const auto& [option, text] : c.options) stage.find(option)->set(values.get(), text, "bench");
  StageContext raw;
  raw.raw = true;
  const auto operation = stage.prepare(values.get(), image.spec(), raw);
  const Frame source = upload(queue, image, operation->plan().layer(0).storage);
  const Rect out = operation->output().data_window;
  const auto time = [&](Storage storage) {
    const Frame target = queue.allocate({out, PixelType::f32, 4, storage});
    return median_ms(queue, [&] { operation->run(queue, 0, {&source, 1}, target); });
  };
  print(fmt::format("resize x{} {}", c.scale, c.name), time(Storage::pitched), time(Storage::array),
        16.0 * static_cast<double>(image.spec().data_window.pixels() + out.pixels()), c.goal_ms);
}

// @param scale the number of the picture's pixels per pixel of the map, along one side.
void bench_remap(Queue& queue, const Image& image, ReadFilter filter, const char* name,
                 double goal_ms, double scale = 1) {
  Spec spec = rgba(width, height);
  spec.layers = {{"", {"x", "y"}, PixelType::f32}};
  Image map(spec);
  const double half_turns = 17.0 / 180;
  const double c = exact::cos_pi(half_turns), s = exact::sin_pi(half_turns);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      auto* xy = reinterpret_cast<float*>(map.row(0, y)) + 2 * x;
      const double dx = scale * (x + 0.5 - width / 2.0), dy = scale * (y + 0.5 - height / 2.0);
      xy[0] = static_cast<float>(c * dx + s * dy + width / 2.0);
      xy[1] = static_cast<float>(c * dy - s * dx + height / 2.0);
    }
  const Border border = scale == 1 ? Border::border : Border::mirror;
  const TextureLookup read = TextureLookup::make(Coordinates::pixel, filter, border, {});
  const bool has_levels = filter == ReadFilter::trilinear;
  const bool in_rows = filter == ReadFilter::cubic || has_levels;
  const Frame source = upload(queue, image, in_rows ? Storage::pitched : Storage::array);
  const Frame coordinates = upload(queue, map, Storage::pitched);
  const auto time = [&](Storage storage) {
    const Frame target = queue.allocate({spec.data_window, PixelType::f32, 4, storage});
    return median_ms(queue, [&] {
      (has_levels ? read_levels_on_cuda : read_texture_on_cuda)(queue, read, source, coordinates,
                                                                target);
    });
  };
  print(fmt::format("remap rotated 17{} {}", scale == 1 ? "" : " to half the size", name),
        time(Storage::pitched), time(Storage::array), double{width} * height * (16 + 16 + 8),
        goal_ms);
}

int run() {
  Queue queue = Queue::cuda(0);
  fmt::print("{}\n", queue.name());
  const Image image = noise(rgba(width, height));
  const std::vector<ResizeCase> cases = {
      {"point", {{"filter", "point"}}, 0.5, 0},
      {"box", {{"filter", "box"}}, 0.5, 0.19},
      {"triangle", {{"filter", "triangle"}}, 0.5, 0.20},
      {"cubic", {{"filter", "cubic"}}, 0.5, 0},
      {"cubic no antialias", {{"filter", "cubic"}, {"antialias", "false"}}, 0.5, 0},
      {"lanczos3", {{"filter", "lanczos3"}}, 0.5, 0.18},
      {"lanczos3 no antialias", {{"filter", "lanczos3"}, {"antialias", "false"}}, 0.5, 0},
      {"lanczos3 clamped", {{"filter", "lanczos3"}, {"clamp-ringing", "true"}}, 0.5, 0.22},
      {"linear", {{"filter", "linear"}, {"size", "200%"}}, 2, 0.72},
      {"triangle", {{"filter", "triangle"}, {"size", "200%"}}, 2, 0},
      {"cubic", {{"filter", "cubic"}, {"size", "200%"}}, 2, 0},
      {"lanczos3", {{"filter", "lanczos3"}, {"size", "200%"}}, 2, 0.80},
  };
  for (const ResizeCase& c : cases) bench_resize(queue, image, c);
  bench_remap(queue, image, ReadFilter::point, "point", 0);
  bench_remap(queue, image, ReadFilter::linear, "linear", 0.45);
  bench_remap(queue, image, ReadFilter::cubic, "cubic", 0);
  for (const double scale : {1.0, 2.0})
    bench_remap(queue, image, ReadFilter::trilinear, "trilinear", 0, scale);
  bench_remap(queue, image, ReadFilter::linear, "linear", 0, 2);
  return 0;
}

}  // namespace
}  // namespace cuimg

int main() { return cuimg::run_on_card("card_bench", cuimg::run); }

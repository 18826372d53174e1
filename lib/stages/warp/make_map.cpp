// SPDX-License-Identifier: Apache-2.0
// The operation that makes images of coordinates, and its rows on the CPU.
#include "stages/warp/make_map.h"

#include <cstring>

#include "base/instruction_set.h"
#include "device/on_device.h"

namespace cuimg {

std::unique_ptr<Operation> make_map(const Spec& input, const Rect& window, const WarpMap& map,
                                    Coordinates coords) {
  const Rect& source = input.display_window;
  const double width = source.width, height = source.height;
  // Pixels that see nothing get coordinates one picture's size before the corner.
  const WarpCoordinates coordinates =
      coords == Coordinates::pixel
          ? WarpCoordinates{1, 1, -width, -height, false}
          : WarpCoordinates{width, height, -1, -1, coords == Coordinates::stmap};
  OperationPlan plan;
  plan.output = input;
  plan.output.data_window = plan.output.display_window = window;
  plan.output.color = {};
  plan.output.color.curve = Curve::raw;
  plan.output.layers = {{"", {"R", "G"}, PixelType::f32}};
  plan.layers.resize(1);
  plan.cost_ns = 30;
  if (coords == Coordinates::pixel)
    plan.needs_floats = "the map's coordinates in pixels (--make-map normalized gives 0 to 1)";
  return make_operation(
      std::move(plan), [](const Rect&) { return Rect{}; },
      [map, coordinates](const Queue& queue, int, Frames, const Frame& target) {
        on_device<make_map_on_cpu, make_map_on_cuda>(queue, map, coordinates, target);
      });
}

void make_map_on_cpu(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                     const Frame& target) {
  const Rect& r = target.region();
  map.visit([&](const auto& m) {
    queue.for_rows(r, 16, [&](int top, int bottom) {
      with_best_instructions([&] {
        for (int y = top; y < bottom; ++y) {
          auto* out = target.pixel_as<float>(r.x, y);
          for (int x = r.x; x < r.right(); ++x, out += 2) {
            const Pixel<2> pixel = coordinates.at(m, x, y);
            std::memcpy(out, pixel.v, sizeof pixel.v);
          }
        }
      });
    });
  });
}

}  // namespace cuimg

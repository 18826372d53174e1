// SPDX-License-Identifier: Apache-2.0
#include "stages/color/fixnan.h"

#include <cstring>

#include "base/error.h"
#include "device/on_device.h"
#include "kernels/math/half.h"
#include "kernels/stencil/finite_mean.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

enum class FixMode : std::uint8_t { black, box3, error };
std::span<const Choice<FixMode>> choices_of(FixMode) {
  static constexpr Choice<FixMode> choices[] = {
      {FixMode::black, "black", "0"},
      {FixMode::box3, "box3",
       "the mean of the finite values in the 3x3 around it, or 0 without any"},
      {FixMode::error, "error", "an error (exit status 2) that names the first such value"}};
  return choices;
}

struct FixNan {
  FixMode mode = FixMode::black;
};

// Tests whether any value of a row is not finite, eight at a time, for half and float.
template <class Bits>
bool has_bad_value(const Bits* values, std::size_t count, Bits exponent) {
  Bits bad = 0;
  for (std::size_t i = 0; i < count; ++i)
    bad = static_cast<Bits>(bad | ((values[i] & exponent) == exponent ? 1 : 0));
  return bad != 0;
}

bool row_is_finite(const Frame& frame, int x, int y, int width) {
  const auto count =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(frame.format().channels);
  if (frame.format().type == PixelType::half)
    return !has_bad_value<std::uint16_t>(frame.pixel_as<std::uint16_t>(x, y), count, 0x7c00);
  return !has_bad_value<std::uint32_t>(frame.pixel_as<std::uint32_t>(x, y), count, 0x7f800000);
}

float value_of(const Frame& frame, int x, int y, int channel) {
  if (frame.format().type == PixelType::half)
    return half_to_float(frame.pixel_as<Half>(x, y)[channel]);
  return frame.pixel_as<float>(x, y)[channel];
}

void set_value(const Frame& frame, int x, int y, int channel, float value) {
  if (frame.format().type == PixelType::half)
    frame.pixel_as<Half>(x, y)[channel] = float_to_half(value);
  else
    frame.pixel_as<float>(x, y)[channel] = value;
}

float mean_around(const Frame& source, const Rect& window, int x, int y, int channel) {
  FiniteMean mean;
  for (int j = y - 1; j <= y + 1; ++j)
    for (int i = x - 1; i <= x + 1; ++i)
      if (i >= window.x && i < window.right() && j >= window.y && j < window.bottom())
        mean.add(value_of(source, i, j, channel));
  return mean.mean();
}

// Copies, and calls on_bad(x, y, channel) for each value that is not finite, row by row.
template <class OnBad>
void copy_and_look(const Frame& source, const Frame& target, const OnBad& on_bad) {
  const Rect& t = target.region();
  const std::size_t bytes = target.format().pixel_bytes() * static_cast<std::size_t>(t.width);
  for (int y = t.y; y < t.bottom(); ++y) {
    std::memcpy(target.pixel(t.x, y), source.pixel(t.x, y), bytes);
    if (row_is_finite(source, t.x, y, t.width)) continue;
    for (int x = t.x; x < t.right(); ++x)
      for (int c = 0; c < target.format().channels; ++c)
        if (!is_finite(value_of(source, x, y, c))) on_bad(x, y, c);
  }
}

std::optional<BadValueAt> find_bad_value_on_cpu(const Frame& source, const Frame& target) {
  std::optional<BadValueAt> first;
  copy_and_look(source, target, [&](int x, int y, int c) {
    if (!first) first = {x, y, c};
  });
  return first;
}

void fix_by_neighbours_on_cpu(const Rect& window, const Frame& source, const Frame& target) {
  copy_and_look(source, target, [&](int x, int y, int c) {
    set_value(target, x, y, c, mean_around(source, window, x, y, c));
  });
}

void refuse(const std::optional<BadValueAt>& bad, const LayerSpec& layer) {
  if (!bad) return;
  throw Error("fixnan",
              "pixel " + std::to_string(bad->x) + "," + std::to_string(bad->y) + ": its " +
                  layer.full_name(bad->channel) + " is not finite",
              "replace such values with --mode black or --mode box3");
}

// Works on layers as stored in the file; layers of integers pass unchanged.
std::unique_ptr<Operation> by_neighbours(const Spec& before, const StageContext& context,
                                         bool refuses) {
  const std::vector<Values> values = layers_in_file(before, context);
  const Spec input = working_spec(before, values, context);
  OperationPlan plan(input);
  for (std::size_t i = 0; i < values.size(); ++i) plan.layers[i].values = values[i];
  plan.runs_whole = refuses;  // the first bad value of the whole image, not of a band
  plan.cost_ns = 1;
  return make_operation(
      std::move(plan),
      [window = input.data_window, refuses](const Rect& r) {
        return refuses ? r : intersection(grown(r, 1, 1), window);
      },
      [input, refuses](const Queue& queue, int layer, Frames sources, const Frame& target) {
        const Frame& source = sources.front();
        if (target.empty()) return;
        const LayerSpec& spec = input.layer(layer);
        if (spec.holds_ids() || !is_floating(spec.type))
          return run_pass(queue, moving_pass(spec), source, target);
        if (refuses)
          return refuse(
              on_device<find_bad_value_on_cpu, find_bad_value_on_cuda>(queue, source, target),
              spec);
        on_device<fix_by_neighbours_on_cpu, fix_by_neighbours_on_cuda>(queue, input.data_window,
                                                                       source, target);
      });
}

std::unique_ptr<Operation> blackening(const Spec& input) {
  OperationPlan plan(input);
  plan.cost_ns = 1;
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const LayerSpec& layer = input.layers[i];
    PixelPass pass = moving_pass(layer);
    if (is_floating(layer.type) && !layer.holds_ids()) {
      pass.moves_only = false;
      pass.ops.emplace_back(
          FiniteOrZero{static_cast<std::uint8_t>((1 << layer.channel_count()) - 1)});
    }
    plan.layers[i].pixel_pass = std::make_shared<const PixelPass>(std::move(pass));
  }
  return make_pixel_operation(std::move(plan), input.data_window);
}

}  // namespace

StageDescription fixnan_stage() {
  return describe<FixNan>("fixnan", "replace NaN and infinities", Kind::filter)
      .param("mode", &FixNan::mode, "what replaces them")
      .details(
          "Works on each channel of each layer separately, alpha and depth included, on values as "
          "the input's file holds them. Integer layers hold neither NaN nor infinities, and ids "
          "are left alone. As in oiiotool's --fixnan, infinities are replaced too.")
      .example("cuimg fixnan --mode box3 in.exr out.exr")
      .prepare([](const FixNan& p, const Spec& input, const StageContext& context) {
        return p.mode == FixMode::black ? blackening(input)
                                        : by_neighbours(input, context, p.mode == FixMode::error);
      });
}

}  // namespace cuimg

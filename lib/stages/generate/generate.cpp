// SPDX-License-Identifier: Apache-2.0
// Runs a generator over a region, and chooses the layers and channels that it fills.
#include "stages/generate/generate.h"

#include "base/error.h"
#include "base/instruction_set.h"
#include "device/on_device.h"
#include "options/parameter.h"

namespace cuimg {
namespace {

struct FillRows {
  const Frame& target;
  template <class Function>
  void operator()(const Function& function) const {
    const Rect& r = target.region();
    const int channels = target.format().channels;
    with_best_instructions([&] {
      for (int y = r.y; y < r.bottom(); ++y) {
        float* row = target.pixel_as<float>(r.x, y);
        for (int x = r.x; x < r.right(); ++x, row += channels) {
          float v[4];
          function(x, y, v);
          for (int c = 0; c < channels; ++c) row[c] = v[c];
        }
      }
    });
  }
};

bool has_color(ChannelSet channels) {
  return channels == ChannelSet::rgb || channels == ChannelSet::rgba;
}
bool has_alpha(ChannelSet channels) {
  return channels == ChannelSet::ya || channels == ChannelSet::rgba;
}

}  // namespace

std::span<const Choice<ChannelSet>> choices_of(ChannelSet) {
  static constexpr Choice<ChannelSet> choices[] = {{ChannelSet::y, "Y", "grey", "y grey gray"},
                                                   {ChannelSet::ya, "YA", "grey and alpha", "ya"},
                                                   {ChannelSet::rgb, "RGB", "colours", "rgb"},
                                                   {ChannelSet::rgba, "RGBA", "and alpha", "rgba"}};
  return choices;
}

Spec generated_spec(const std::string& place, const Size& size, ChannelSet channels) {
  for (const Size::Side& side : {size.width, size.height})
    if (side.percent || side.amount < 1)
      throw Error(place, "--size " + format_value(size) + " leaves a side open",
                  "there is no INPUT to follow: use WxH, such as 640x480");
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, static_cast<int>(size.width.amount),
                                            static_cast<int>(size.height.amount)};
  LayerSpec layer;
  layer.channels = {"Y"};
  if (has_color(channels)) layer.channels = {"R", "G", "B"};
  if (has_alpha(channels)) layer.channels.emplace_back("A");
  spec.layers = {layer};
  return spec;
}

ChannelSet channels_for(std::span<const Paint> colors) {
  bool color = false, alpha = false;
  for (const Paint& paint : colors) {
    color = color || paint.count >= 3;
    alpha = alpha || paint.count % 2 == 0;
  }
  if (color) return alpha ? ChannelSet::rgba : ChannelSet::rgb;
  return alpha ? ChannelSet::ya : ChannelSet::y;
}

void lay_out(const Paint& color, ChannelSet channels, float (&values)[4]) {
  const int colors = has_color(channels) ? 3 : 1;
  for (int c = 0; c < colors; ++c)
    values[c] = color.values[static_cast<std::size_t>(color.count >= 3 ? c : 0)];
  for (int c = colors; c < 4; ++c) values[c] = 1;
  if (color.count % 2 == 0)
    values[colors] = color.values[static_cast<std::size_t>(color.count - 1)];
}

std::unique_ptr<Operation> make_source(Spec spec, const Generator& generator, double cost_ns) {
  OperationPlan plan(std::move(spec));
  plan.layers.front().sources.clear();
  plan.cost_ns = cost_ns;
  return make_operation(
      std::move(plan), [](const Rect&) { return Rect{}; },
      [generator](const Queue& queue, int, Frames, const Frame& target) {
        on_device(
            queue, [&] { generator.visit(FillRows{target}); },
            [&] { generate_on_cuda(queue, generator, target); });
      });
}

}  // namespace cuimg

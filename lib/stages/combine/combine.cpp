// SPDX-License-Identifier: Apache-2.0
// Determines which pixels and channels of two images are combined, and the result's windows.
#include "stages/combine/combine.h"

#include "base/error.h"
#include "device/on_device.h"
#include "options/parameter.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

// The output's layer: grey combined with colour becomes colour.
LayerSpec combined_layer(const LayerSpec& first, const LayerSpec& second,
                         const CombineRules& rules) {
  LayerSpec layer = first;
  layer.type = PixelType::f32;
  if (!layer.is_color() || rules.channels == SecondChannels::one) return layer;
  const bool is_grey = layer.channels.front() == "Y" && layer.channel_count() <= 2;
  if (is_grey && second.channel_index("R") >= 0) {
    layer.channels = {"R", "G", "B"};
    if (first.alpha_index() >= 0) layer.channels.push_back("A");
  }
  const bool adds_alpha =
      rules.adds_alpha == AlphaAdded::always ||
      (rules.adds_alpha == AlphaAdded::where_second_has_one && second.alpha_index() >= 0);
  if (adds_alpha && layer.alpha_index() < 0 && layer.channel_count() < 4)
    layer.channels.push_back("A");
  return layer;
}

LayerSpec second_layer(const LayerSpec& layer, SecondChannels channels) {
  LayerSpec wanted = layer;
  if (channels == SecondChannels::one) wanted = {"", {"Y"}, PixelType::f32};
  if (channels == SecondChannels::with_alpha && layer.is_color() && layer.alpha_index() < 0 &&
      layer.channel_count() < 4)
    wanted.channels.push_back("A");
  return wanted;
}

class CombineOperation final : public Operation {
 public:
  CombineOperation(const std::string& place, const Spec& input, const StageContext& context,
                   const SecondImage& second, bool raw, const CombineRules& rules)
      : Operation(OperationPlan(input)),
        input_window_(input.data_window),
        shift_x_(rules.shift_x),
        shift_y_(rules.shift_y) {
    if (!rules.is_placed) check_place(place, input.display_window, second.spec());
    Spec& made = plan_.output;
    const Values values = rules.compares_channels && !context.home.premultiplied && !context.raw
                              ? Values::straight
                              : Values::linear;
    made.color = working_color(input, values, context);
    if (rules.compares_channels) made.color.alpha_covers = false;
    const Rect second_data = moved(second.spec().data_window, rules.shift_x, rules.shift_y);
    const Rect second_display = moved(second.spec().display_window, rules.shift_x, rules.shift_y);
    // Beyond the picture's frame, only the picture's own overscan is combined.
    const Rect frame = bounding(input.display_window, input.data_window);
    if (rules.grows) made.data_window = bounding(input_window_, intersection(second_data, frame));
    plan_.cost_ns = 6.0 * static_cast<double>(made.layers.size());
    std::vector<LayerSpec> second_layers;
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
      LayerSpec& layer = made.layers[i];
      const LayerSpec first = layer;
      const bool is_id = layer.holds_ids();
      Way way;
      if (!is_id) {
        plan_.layers[i].values = values;
        const LayerSpec* const other = second.counterpart(
            rules.channels == SecondChannels::one ? second.spec().layers.front() : layer);
        if (other == nullptr)
          throw Error(place, "--with has no layer to put next to " + layer.full_name(0),
                      "--layers chooses the layers to combine");
        layer = combined_layer(layer, *other, rules);
      }
      second_layers.push_back(second_layer(layer, rules.channels));
      if (!is_id) {
        way.what.op = rules.op(layer, second_layers.back());
        if (rules.leaves_outside) way.what.only_within = {second_display, second_data};
        way.widens = layer.channels != first.channels;
        plan_.layers[i].loads_stored_forms = !way.widens;
        plan_.layers[i].stores_stored_forms = true;
      }
      ways_.push_back(std::move(way));
    }
    ColorEncoding compared = made.color;
    compared.alpha_covers = input.color.alpha_covers;
    view_ = second.view(second_layers, compared, raw);
    Spec widened = made;
    widened.color = compared;
    widening_ = make_widening(input, widened, context.raw);
  }

  Rect needed(const Rect& region) const override { return intersection(region, input_window_); }

  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const LayerSpec& spec = output().layer(layer);
    if (spec.holds_ids()) return run_pass(queue, moving_pass(spec), sources.front(), target);
    const Way& way = ways_[static_cast<std::size_t>(layer)];
    const Rect& region = target.region();
    Frame first = sources.front();
    if (way.widens && !intersection(first.region(), region).empty()) {
      first = queue.allocate(
          target.format().between_passes().over(intersection(first.region(), region)));
      widening_->run(queue, layer, sources, first);
    }
    // Floats combined with floats are read faster without conversion; for halves, only half as much
    // is read.
    const bool converts =
        first.stored_form() != nullptr || target.stored_form() != nullptr ||
        (std::holds_alternative<PorterDuff>(way.what.op) && view_->is_in_halves(layer));
    const Rect in_second = moved(region, -shift_x_, -shift_y_);
    Frame second = converts ? view_->frame_of_light(queue, layer, in_second)
                            : view_->frame(queue, layer, in_second);
    second = second.moved_to(second.region().x + shift_x_, second.region().y + shift_y_);
    on_device<combine_on_cpu, combine_on_cuda>(queue, way.what, first, second, target);
  }

 private:
  struct Way {
    Combination what;
    bool widens = false;  ///< Whether the output has channels that the picture lacks.
  };

  Rect input_window_;
  int shift_x_, shift_y_;
  std::vector<Way> ways_;
  std::optional<SecondImage::View> view_;
  std::unique_ptr<Operation> widening_;
};

}  // namespace

// A second image of another size is placed by its windows, if they say anything: it is part of a
// larger frame, or its frame does not begin at the picture's corner.
void check_place(const std::string& place, const Rect& frame, const Spec& second) {
  const Rect& other = second.display_window;
  if (other.width == frame.width && other.height == frame.height) return;
  if (other != second.data_window || other.x != frame.x || other.y != frame.y) return;
  throw Error(place,
              "the second image is " + size_text(other) + " and the picture " + size_text(frame),
              "say where it lies with --at X,Y or --gravity, or resize one of them");
}

PorterDuff porter_duff(Share share_of_second, Share share_of_first, const LayerSpec& layer,
                       const LayerSpec& second) {
  PorterDuff made{share_of_second, share_of_first};
  if (layer.is_color()) {
    made.first_alpha = layer.alpha_index();
    made.second_alpha = second.alpha_index();
  }
  return made;
}

std::unique_ptr<Operation> make_combine_operation(const std::string& place, const Spec& input,
                                                  const StageContext& context,
                                                  const SecondImage& second, bool raw,
                                                  const CombineRules& rules) {
  return std::make_unique<CombineOperation>(place, input, context, second, raw, rules);
}

}  // namespace cuimg

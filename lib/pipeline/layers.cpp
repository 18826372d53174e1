// SPDX-License-Identifier: Apache-2.0
// A stage gets only the layers that it changes; the others bypass it.
#include "pipeline/layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/contains.h"
#include "base/error.h"
#include "options/layer_names.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"
#include "stages/registry.h"

namespace cuimg {
namespace {

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string> labels_of(const Spec& spec) {
  std::vector<std::string> labels;
  for (const LayerSpec& layer : spec.layers) {
    const std::string label = layer.label();
    if (!contains(labels, label)) labels.push_back(label);
  }
  return labels;
}

[[noreturn]] void unknown_layer(const Spec& spec, const std::string& name) {
  for (const LayerSpec& layer : spec.layers)
    for (int c = 0; c < layer.channel_count(); ++c)
      if (name == layer.full_name(c))
        throw UnknownLayer(name, "it is a channel of " + layer.label(),
                           "stages change whole layers");
  const std::vector<std::string> labels = labels_of(spec);
  const auto near = nearest(name, labels);
  throw UnknownLayer(name, "the image has no such layer",
                     (near ? "did you mean " + *near + "? It has " : "it has ") + listed(labels));
}

bool is_id(const LayerSpec& layer) { return layer.holds_ids(); }

// Such a stage would leave ids unchanged, and the user would not notice.
bool leaves_ids_alone(const StageDescription& stage) {
  return stage.touches_color || family_of(stage) == "Filter";
}

[[noreturn]] void only_ids(const std::string& stage, const Spec& ids, const Spec& input) {
  Spec light = input;
  std::erase_if(light.layers, is_id);
  const bool mattes = std::ranges::any_of(ids.layers, &LayerSpec::is_matte);
  throw Error(stage,
              "--layers " + listed(labels_of(ids)) + ": " +
                  (mattes ? "Cryptomatte's ids and coverages" : "u32 numbers") +
                  " identify objects and are not light",
              light.layers.empty() ? "stages that move pixels take them"
                                   : "name layers of light: " + listed(labels_of(light)));
}

// For layers such as left.Z and left.RGBA: --layers left means the colours.
bool shares_label_with_colors(const Spec& spec, std::size_t layer) {
  return std::ranges::any_of(spec.layers, [&](const LayerSpec& other) {
    return other.is_color() && other.label() == spec.layers[layer].label();
  });
}

// Copies the pixels that the source has in the target's region; the rest is zero.
void copy_pixels(const Queue& queue, const Frame& source, const Frame& target) {
  PixelPass pass;
  pass.from.type = static_cast<std::uint8_t>(target.format().type);
  pass.from.shape.channels = static_cast<std::int8_t>(target.format().channels);
  pass.to = pass.from;
  pass.moves_only = true;
  run_pass(queue, pass, source, target);
}

// A stage whose input and output data windows also contain `kept`: all layers share one window, and
// those that the stage does not touch must not lose pixels. It reads and makes the same pixels; the
// rest of its output is zero.
class InLargerWindow final : public Operation {
 public:
  InLargerWindow(std::unique_ptr<Operation> stage, const Rect& kept)
      : Operation(stage->plan()), stage_(std::move(stage)) {
    plan_.output.data_window = bounding(stage_window(), kept);
    // Otherwise the data window of its input is what it reads, and contains the kept pixels.
    if (plan_.window) plan_.window = bounding(*plan_.window, kept);
    for (LayerPlan& layer : plan_.layers) {
      layer.pixel_pass = nullptr;
      layer.encodes = layer.decodes = nullptr;
      layer.loads_stored_forms = layer.stores_stored_forms = layer.maps_srgb8_codes = false;
      layer.takes_stored_rows = false;
      // a storage from which a card can cut parts
      if (cuts_sources()) layer.storage = Storage::pitched;
    }
  }

  Rect needed(const Rect& region) const override {
    const Rect own = intersection(region, stage_window());
    return own.empty() ? Rect{} : needed_by_stage(own);
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const Rect& region = target.region();
    const Rect own = intersection(region, stage_window());
    if (own == region) return run_stage(queue, layer, sources, target);
    // Kernels need at least one pixel. A pixel outside of the target is not copied to it.
    const Rect made = own.empty() ? Rect{region.x - 1, region.y, 1, 1} : own;
    const Frame part = queue.allocate(target.format().over(made).between_passes());
    if (!own.empty()) run_stage(queue, layer, sources, part);
    copy_pixels(queue, part, target);
  }

 private:
  const Rect& stage_window() const { return stage_->output().data_window; }
  bool cuts_sources() const { return stage_->plan().window != plan_.window; }

  // The part of its input that the stage needs, at least one pixel, as on cards.
  Rect needed_by_stage(const Rect& own) const {
    const Rect needed = stage_->needed(own);
    const std::optional<Rect>& all = stage_->plan().window;
    if (!needed.empty() || !all || all->empty()) return needed;
    return {std::clamp(needed.x, all->x, all->right() - 1),
            std::clamp(needed.y, all->y, all->bottom() - 1), 1, 1};
  }

  void run_stage(const Queue& queue, int layer, Frames sources, const Frame& target) const {
    if (!cuts_sources()) return stage_->run(queue, layer, sources, target);
    const Rect needed = needed_by_stage(target.region());
    std::vector<Frame> cut;
    for (const Frame& source : sources)
      cut.push_back(queue.is_cuda() ? cut_on_card(queue, layer, source, needed)
                                    : source.cropped(needed));
    stage_->run(queue, layer, cut, target);
  }

  Frame cut_on_card(const Queue& queue, int layer, const Frame& source, const Rect& part) const {
    FrameFormat format = source.format().over(part);
    format.storage = stage_->plan().layer(layer).storage;
    Frame cut = queue.allocate(format);
    copy_pixels(queue, source, cut);
    return cut;
  }

  std::unique_ptr<Operation> stage_;
};

std::unique_ptr<Operation> in_window_that_holds(std::unique_ptr<Operation> stage,
                                                const Rect& kept) {
  const OperationPlan& plan = stage->plan();
  if (plan.output.data_window.contains(kept) && (!plan.window || plan.window->contains(kept)))
    return stage;
  return std::make_unique<InLargerWindow>(std::move(stage), kept);
}

class OnSomeLayers final : public Operation {
 public:
  OnSomeLayers(std::unique_ptr<Operation> stage, const Spec& input,
               const std::vector<bool>& touched, const StageContext& context)
      : Operation(stage->plan()), stage_(std::move(stage)) {
    data_window_ = plan_.window.value_or(input.data_window);
    std::vector<int> touched_layers;
    for (int i = 0; i < static_cast<int>(touched.size()); ++i)
      if (touched[static_cast<std::size_t>(i)]) touched_layers.push_back(i);
    std::vector<Way> ways;
    for (int i = 0; i < static_cast<int>(plan_.layers.size()); ++i) {
      Way way{i, output().layer(i), plan_.layer(i)};
      for (int& source : way.plan.sources)
        source = touched_layers[static_cast<std::size_t>(source)];
      ways.push_back(std::move(way));
    }
    // A stage that changes no colour must not change the colours' encoding either.
    if (!output().has_color()) plan_.output.color = input.color;
    const bool stays = output().display_window == input.display_window;
    const Values color_values = color_values_wanted();
    const ColorEncoding working = working_color(input, color_values, context);
    std::vector<std::string> kept, converted, dropped;
    for (int i = 0; i < static_cast<int>(touched.size()); ++i) {
      if (touched[static_cast<std::size_t>(i)]) continue;
      const LayerSpec& layer = input.layer(i);
      if (!stays) {
        dropped.push_back(layer.label());
        continue;
      }
      ways.push_back(way_around(input, i, color_values, working, context.raw));
      (ways.back().plan.pixel_pass->moves_only ? kept : converted).push_back(layer.label());
    }
    keeps_layers_ = !kept.empty() || !converted.empty();
    std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
      return first_of(a.plan.sources) < first_of(b.plan.sources);
    });
    plan_.output.layers.clear();
    plan_.layers.clear();
    for (Way& way : ways) {
      of_stage_.push_back(way.of_stage);
      plan_.output.layers.push_back(std::move(way.layer));
      plan_.layers.push_back(std::move(way.plan));
    }
    if (!kept.empty()) plan_.explanation.push_back("leaves alone " + listed(kept));
    if (!converted.empty())
      plan_.explanation.push_back("converts " + listed(converted) +
                                  " likewise, since a file has one encoding");
    if (!dropped.empty())
      plan_.explanation.push_back("drops " + listed(dropped) +
                                  ", which would stay in the old frame");
  }

  Rect needed(const Rect& region) const override {
    const Rect by_stage = stage_->needed(region);
    return keeps_layers_ ? bounding(by_stage, intersection(region, data_window_)) : by_stage;
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const int of_stage = of_stage_[static_cast<std::size_t>(layer)];
    if (of_stage >= 0) return stage_->run(queue, of_stage, sources, target);
    run_pass(queue, *plan_.layer(layer).pixel_pass, sources.front(), target);
  }

 private:
  // How one of the output's layers is made.
  struct Way {
    int of_stage;  // the stage's output layer, or `around`
    LayerSpec layer;
    LayerPlan plan;
  };
  static constexpr int around = -1;

  static int first_of(const std::vector<int>& sources) {
    return sources.empty() ? 0 : sources.front();
  }

  // All colours of an image have the same encoding: the one that the stage needs.
  Values color_values_wanted() const {
    for (std::size_t i = 0; i < plan_.layers.size(); ++i)
      if (output().layers[i].is_color() && plan_.layers[i].values != Values::stored)
        return plan_.layers[i].values;
    return Values::stored;
  }

  // Whether a layer's values mean the same before, for and after the stage. Values that a stage has
  // encoded count as light.
  bool stays_light(const Spec& input, const LayerSpec& layer, const ColorEncoding& working) const {
    const auto has_curve = [](const ColorEncoding& color) {
      return color.curve != Curve::linear && color.curve != Curve::raw;
    };
    return is_light_as_stored(input, layer, false) && !has_curve(working) &&
           !has_curve(output().color) &&
           output().color.primaries.value_or(Chromaticities{}) ==
               input.color.primaries.value_or(Chromaticities{});
  }

  Way way_around(const Spec& input, int index, Values wanted, const ColorEncoding& working,
                 bool raw) const {
    const LayerSpec& layer = input.layer(index);
    const bool as_stored = raw || !layer.is_color() ||
                           (working == input.color && output().color == input.color) ||
                           stays_light(input, layer, working);
    Spec from = input, to = output();
    from.data_window = data_window_;
    from.layers = {layer};
    from.color = as_stored ? to.color : working;
    if (!as_stored && wanted != Values::stored) from.layers.front().type = PixelType::f32;
    if (as_stored) keep_premultiplied(input, to, from.layers.front());
    to.layers = from.layers;
    LayerPlan plan = make_conversion(from, to, {0}, {}, raw)->plan().layer(0);
    plan.sources = {index};
    plan.values = as_stored ? Values::stored : wanted;
    return {around, to.layers.front(), std::move(plan)};
  }

  std::unique_ptr<Operation> stage_;
  Rect data_window_;           ///< The window of the input's pixels in run().
  std::vector<int> of_stage_;  ///< The stage's layer for each of the output's, or `around`.
  bool keeps_layers_ = false;  ///< Whether some bypass the stage.
};

}  // namespace

NoLayer::NoLayer(const BoundStage& without, const std::string& layers)
    : Error(without.description->name, "the image has no layer for it",
            "it has " + layers + "; --layers chooses among them"),
      stage(without),
      layers(layers) {}

std::vector<bool> layers_named(const Spec& spec, const std::vector<std::string>& wanted) {
  std::vector<bool> chosen(spec.layers.size(), wanted.empty());
  for (const std::string& name : wanted) {
    bool found = false;
    for (std::size_t i = 0; i < spec.layers.size(); ++i)
      if (names_layer(name, spec.layers[i].label())) chosen[i] = found = true;
    if (!found) unknown_layer(spec, name);
  }
  return chosen;
}

void check_keeps_other_layers(const Spec& input, const std::vector<std::string>& named,
                              const Spec& written, const std::string& source) {
  if (named.empty()) return;
  const std::vector<std::string> kept = labels_of(written);
  std::vector<std::string> lost = labels_of(input);
  std::erase_if(lost, [&](const std::string& label) {
    const bool is_named = std::ranges::any_of(
        named, [&](const std::string& name) { return names_layer(name, label); });
    return is_named || contains(kept, label);
  });
  if (!lost.empty())
    throw Error(source, "--in-place with --layers would delete " + listed(lost),
                "leave out --layers to change all layers, or write to another file");
}

std::vector<bool> touched_layers(const BoundStage& stage, const Spec& input,
                                 const std::vector<bool>& chosen, const StageContext& context) {
  std::vector<bool> touched = chosen;
  if (stage.description->touches_color)
    for (std::size_t i = 0; i < touched.size(); ++i)
      touched[i] = touched[i] && (input.layers[i].is_color() ||
                                  (!context.layers.empty() && !shares_label_with_colors(input, i)));
  return touched;
}

std::unique_ptr<Operation> prepare_on_layers(const BoundStage& stage, const Spec& input,
                                             const std::vector<bool>& chosen,
                                             const StageContext& context) {
  const std::vector<bool> touched = touched_layers(stage, input, chosen, context);
  Spec part = input;
  part.layers.clear();
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i]) part.layers.push_back(input.layers[i]);
  if (!context.layers.empty() && !part.layers.empty() && std::ranges::all_of(part.layers, is_id) &&
      leaves_ids_alone(*stage.description))
    only_ids(stage.description->name, part, input);
  if (part.layers.size() == input.layers.size()) return stage.prepare(input, context);
  if (part.layers.empty()) throw NoLayer(stage, listed(labels_of(input)));
  std::unique_ptr<Operation> operation = stage.prepare(part, context);
  // If the picture's frame changes, the other layers are dropped.
  if (operation->output().display_window == input.display_window)
    operation = in_window_that_holds(std::move(operation), input.data_window);
  return std::make_unique<OnSomeLayers>(std::move(operation), input, touched, context);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A stage sees the layers it touches and no others; the rest goes around it.
#include "pipeline/layers.h"

#include <algorithm>

#include "base/error.h"
#include "stages/combine/channel_list.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> labels_of(const Spec& spec) {
  std::vector<std::string> labels;
  for (const LayerSpec& layer : spec.layers) {
    const std::string label = layer_label(layer);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  return labels;
}

[[noreturn]] void unknown_layer(const Spec& spec, const std::string& name) {
  for (const LayerSpec& layer : spec.layers)
    for (int c = 0; c < layer.channel_count(); ++c)
      if (name == layer.full_name(c))
        throw Error("--layers " + name, "it is a channel of " + layer_label(layer),
                    "stages touch whole layers");
  const std::vector<std::string> labels = labels_of(spec);
  const auto near = nearest(name, labels);
  throw Error("--layers " + (name.empty() ? "''" : name), "the image has no such layer",
              (near ? "did you mean " + *near + "? It has " : "it has ") + listed(labels));
}

bool is_id(const LayerSpec& layer) { return layer.type == PixelType::u32; }

// Ids would come through a stage of colour as they are, and nobody would notice.
[[noreturn]] void only_ids(const std::string& stage, const Spec& ids, const Spec& input) {
  Spec light = input;
  std::erase_if(light.layers, is_id);
  throw Error(stage,
              "--layers " + listed(labels_of(ids)) + ": u32 numbers are names of things, not light",
              light.layers.empty() ? "stages that move pixels take them"
                                   : "name layers of light: " + listed(labels_of(light)));
}

class OnSomeLayers final : public Operation {
 public:
  OnSomeLayers(std::unique_ptr<Operation> stage, const Spec& input,
               const std::vector<bool>& touched, const StageContext& context)
      : stage_(std::move(stage)), output_(stage_->output()) {
    data_window_ = stage_->wants_display_window() ? input.display_window : input.data_window;
    std::vector<int> touched_layers;
    for (int i = 0; i < static_cast<int>(touched.size()); ++i)
      if (touched[static_cast<std::size_t>(i)]) touched_layers.push_back(i);
    for (int i = 0; i < static_cast<int>(output_.layers.size()); ++i) {
      std::vector<int> sources = stage_->source_layers(i);
      for (int& source : sources) source = touched_layers[static_cast<std::size_t>(source)];
      ways_.push_back({sources, i, output_.layers[static_cast<std::size_t>(i)], nullptr});
    }
    const bool stays = output_.display_window == input.display_window;
    const Values color_values = color_values_wanted();
    const ColorEncoding working = working_color(input, color_values, context);
    for (int i = 0; i < static_cast<int>(touched.size()); ++i) {
      if (touched[static_cast<std::size_t>(i)]) continue;
      const LayerSpec& layer = input.layers[static_cast<std::size_t>(i)];
      (stays ? kept_ : dropped_).push_back(layer_label(layer));
      if (stays) ways_.push_back(way_around(input, i, color_values, working, context.raw));
    }
    std::stable_sort(ways_.begin(), ways_.end(), [](const Way& a, const Way& b) {
      return first_of(a.sources) < first_of(b.sources);
    });
    output_.layers.clear();
    for (const Way& way : ways_) output_.layers.push_back(way.layer);
  }

  const Spec& output() const override { return output_; }
  Rect needed(const Rect& region) const override {
    const Rect by_stage = stage_->needed(region);
    return kept_.empty() ? by_stage : bounding(by_stage, intersection(region, data_window_));
  }
  Values values(int layer) const override {
    const Way& way = of(layer);
    return way.around == nullptr ? stage_->values(way.of_stage) : way.around_values;
  }
  std::vector<int> source_layers(int layer) const override { return of(layer).sources; }
  bool reads_scattered() const override { return stage_->reads_scattered(); }
  bool runs_whole() const override { return stage_->runs_whole(); }
  bool wants_display_window() const override { return stage_->wants_display_window(); }
  double cost_ns() const override { return stage_->cost_ns(); }
  Storage storage(int layer) const override {
    const Way& way = of(layer);
    return way.around == nullptr ? stage_->storage(way.of_stage) : Storage::pitched;
  }
  const PixelPass* pixel_pass(int layer) const override {
    const Way& way = of(layer);
    return way.around == nullptr ? stage_->pixel_pass(way.of_stage) : way.around->pixel_pass(0);
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const Way& way = of(layer);
    if (way.around == nullptr) return stage_->run(queue, way.of_stage, sources, target);
    way.around->run(queue, 0, sources, target);
  }
  std::vector<std::string> explanation() const override {
    std::vector<std::string> lines = stage_->explanation();
    if (!kept_.empty()) lines.push_back("leaves alone " + listed(kept_));
    if (!dropped_.empty()) lines.push_back("drops " + listed(dropped_) + ", left in the old frame");
    return lines;
  }

 private:
  // How one of the output's layers is made: by the stage, or around it.
  struct Way {
    std::vector<int> sources;  ///< The input's layers.
    int of_stage;              ///< The stage's output layer.
    LayerSpec layer;
    std::unique_ptr<Operation> around;
    Values around_values = Values::stored;
  };

  const Way& of(int layer) const { return ways_[static_cast<std::size_t>(layer)]; }

  static int first_of(const std::vector<int>& sources) {
    return sources.empty() ? 0 : sources.front();
  }

  // All of an image's colour lies in one encoding: the one that the stage wants.
  Values color_values_wanted() const {
    for (int i = 0; i < static_cast<int>(output_.layers.size()); ++i)
      if (output_.layers[static_cast<std::size_t>(i)].is_color() &&
          stage_->values(i) != Values::stored)
        return stage_->values(i);
    return Values::stored;
  }

  Way way_around(const Spec& input, int index, Values wanted, const ColorEncoding& working,
                 bool raw) const {
    const LayerSpec& layer = input.layers[static_cast<std::size_t>(index)];
    const bool as_stored = raw || !layer.is_color() ||
                           (working == input.color && output_.color == input.color) ||
                           (is_light_as_stored(input, layer, raw) && layer.alpha_index() < 0);
    Spec from = input, to = output_;
    from.data_window = data_window_;
    from.layers = {layer};
    from.color = as_stored ? output_.color : working;
    if (!as_stored) from.layers.front().type = PixelType::f32;
    to.layers = from.layers;
    return {{index},
            -1,
            to.layers.front(),
            make_conversion(from, to, {0}, {}, raw),
            as_stored ? Values::stored : wanted};
  }

  std::unique_ptr<Operation> stage_;
  Spec output_;
  Rect data_window_;  ///< Where the input's pixels lie when run() sees them.
  std::vector<Way> ways_;
  std::vector<std::string> kept_, dropped_;
};

}  // namespace

std::vector<bool> layers_named(const Spec& spec, const std::vector<std::string>& wanted) {
  std::vector<bool> chosen(spec.layers.size(), wanted.empty());
  for (const std::string& name : wanted) {
    bool found = false;
    for (std::size_t i = 0; i < spec.layers.size(); ++i)
      if (layer_label(spec.layers[i]) == name) chosen[i] = found = true;
    if (!found) unknown_layer(spec, name);
  }
  return chosen;
}

std::unique_ptr<Operation> prepare_on_layers(const BoundStage& stage, const Spec& input,
                                             const std::vector<bool>& chosen,
                                             const StageContext& context) {
  std::vector<bool> touched = chosen;
  if (stage.description->touches_color && context.layers.empty())
    for (std::size_t i = 0; i < touched.size(); ++i)
      touched[i] = touched[i] && input.layers[i].is_color();
  Spec part = input;
  part.layers.clear();
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i]) part.layers.push_back(input.layers[i]);
  if (stage.description->touches_color && !context.layers.empty() && !part.layers.empty() &&
      std::all_of(part.layers.begin(), part.layers.end(), is_id))
    only_ids(stage.description->name, part, input);
  if (part.layers.size() == input.layers.size()) return stage.prepare(input, context);
  if (part.layers.empty())
    throw Error(stage.description->name, "the image has no layer for it",
                "it has " + listed(labels_of(input)) + "; --layers chooses among them");
  return std::make_unique<OnSomeLayers>(stage.prepare(part, context), input, touched, context);
}

}  // namespace cuimg

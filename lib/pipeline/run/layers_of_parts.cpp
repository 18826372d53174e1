// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/layers_of_parts.h"

#include <algorithm>

#include "base/contains.h"
#include "base/message_text.h"
#include "options/layer_names.h"
#include "pipeline/layers.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

bool has_layer(const Spec& spec, const std::string& name) {
  return std::ranges::any_of(
      spec.layers, [&](const LayerSpec& layer) { return names_layer(name, layer.label()); });
}

// The labels of the parts' layers, without duplicates.
std::string labels_listed(const std::vector<Spec>& parts) {
  std::vector<std::string> labels;
  std::string listed;
  for (const Spec& part : parts)
    for (const LayerSpec& layer : part.layers)
      if (const std::string label = layer.label(); !contains(labels, label))
        add_item(listed, labels.emplace_back(label));
  return listed;
}

}  // namespace

LayersOfParts::LayersOfParts(ImageFile& file, const CommonOptions& common) {
  const int count = file.part_count();
  if (common.layers.empty() || common.part.kind == PartChoice::Kind::one || count == 1) return;
  std::vector<Spec> specs;
  for (int part = 0; part < count; ++part)
    specs.push_back(file.summary(part).refused.empty() ? file.open(part)->spec() : Spec{});
  parts_.resize(specs.size());
  for (const std::string& name : common.layers) {
    bool found = false;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (!has_layer(specs[i], name)) continue;
      parts_[i].push_back(name);
      found = true;
    }
    if (found) continue;
    const UnknownLayer error(name, "no part has such a layer", "they have " + labels_listed(specs));
    refuse_parts_as_layers(error, file);
    throw error;
  }
}

std::vector<int> LayersOfParts::parts_with_any() const {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].empty()) numbers.push_back(static_cast<int>(i));
  return numbers;
}

}  // namespace cuimg

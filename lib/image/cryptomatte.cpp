// SPDX-License-Identifier: Apache-2.0
#include "image/cryptomatte.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace cuimg {
namespace {

constexpr std::string_view prefix = "cryptomatte/", suffix = "/name";

// The values of "cryptomatte/ID/name".
std::vector<std::string> matte_names(const Metadata& metadata) {
  std::vector<std::string> names;
  for (const auto& [key, value] : metadata) {
    const bool is_name = key.size() > prefix.size() + suffix.size() && key.starts_with(prefix) &&
                         key.ends_with(suffix);
    const auto* const name = is_name ? std::get_if<std::string>(&value) : nullptr;
    if (name != nullptr && !name->empty()) names.push_back(*name);
  }
  return names;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether the layer is NAME00, NAME01..., alone, with a view before it ("left.NAME00"), or with a
// view after it as in OpenEXR's convention ("NAME00.left"). A name may contain dots and end in
// digits.
bool is_numbered(std::string_view layer, std::string_view name) {
  constexpr std::size_t nowhere = std::string_view::npos;
  for (std::size_t at = layer.find(name); at != nowhere; at = layer.find(name, at + 1)) {
    const std::string_view behind = layer.substr(at + name.size());
    const bool begins_component = at == 0 || layer[at - 1] == '.';
    if (begins_component && is_number(behind.substr(0, behind.find('.')))) return true;
  }
  return false;
}

}  // namespace

void mark_mattes(const Metadata& metadata, std::vector<LayerSpec>& layers,
                 const std::string& part) {
  const std::vector<std::string> names = matte_names(metadata);
  for (LayerSpec& layer : layers) {
    const std::string& called = layer.name.empty() ? part : layer.name;
    layer.is_matte = layer.type == PixelType::f32 &&
                     std::ranges::any_of(
                         names, [&](const std::string& name) { return is_numbered(called, name); });
  }
}

std::vector<std::string> matte_layer_names(const Spec& spec) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : spec.layers)
    names.push_back(layer.name.empty() ? spec.part_name : layer.name);
  return names;
}

bool leave_out_unused_mattes(Metadata& metadata, const std::vector<std::string>& layers) {
  std::set<std::string> used;  // "cryptomatte/ID"
  for (const auto& [key, value] : metadata) {
    const auto* const name = std::get_if<std::string>(&value);
    const bool is_name = key.starts_with(prefix) && key.ends_with(suffix);
    if (is_name && name != nullptr && !name->empty() &&
        std::ranges::any_of(layers, [&](const auto& layer) { return is_numbered(layer, *name); }))
      used.insert(key.substr(0, key.size() - suffix.size()));
  }
  return std::erase_if(metadata, [&](const auto& entry) {
           const std::string& key = entry.first;
           return key.starts_with(prefix) &&
                  !used.contains(key.substr(0, key.find('/', prefix.size())));
         }) > 0;
}

}  // namespace cuimg

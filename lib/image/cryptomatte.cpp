// SPDX-License-Identifier: Apache-2.0
#include "image/cryptomatte.h"

#include <algorithm>
#include <string_view>

namespace cuimg {
namespace {

// The values of "cryptomatte/ID/name".
std::vector<std::string> matte_names(const Metadata& metadata) {
  constexpr std::string_view prefix = "cryptomatte/", suffix = "/name";
  std::vector<std::string> names;
  for (const auto& [key, value] : metadata) {
    const bool is_name = key.size() > prefix.size() + suffix.size() && key.starts_with(prefix) &&
                         key.ends_with(suffix);
    const auto* const name = is_name ? std::get_if<std::string>(&value) : nullptr;
    if (name != nullptr && !name->empty()) names.push_back(*name);
  }
  return names;
}

// Whether the layer is NAME00, NAME01..., perhaps of one view: "left.NAME00".
bool is_numbered(std::string_view layer, std::string_view name) {
  const std::size_t digits = layer.find_last_not_of("0123456789") + 1;
  if (digits == layer.size()) return false;
  const std::string_view stem = layer.substr(0, digits);
  return stem.ends_with(name) &&
         (stem.size() == name.size() || stem[stem.size() - name.size() - 1] == '.');
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

}  // namespace cuimg

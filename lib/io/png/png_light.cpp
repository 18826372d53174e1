// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_light.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/codec.h"

namespace cuimg {
namespace {

struct Field {
  std::size_t bytes;
  double units;  // in 1
};
constexpr Field chromaticity = {2, 50000}, luminance = {4, 10000};

using Fields = std::vector<Field>;

Fields fields_of(std::string_view name) {
  if (name == content_light_key) return {2, luminance};
  if (name != mastering_display_key) return {};
  Fields fields(8, chromaticity);
  fields.insert(fields.end(), 2, luminance);
  return fields;
}

}  // namespace

bool is_png_light(std::string_view name) { return !fields_of(name).empty(); }

std::optional<MetadataValue> png_light_value(std::string_view name, std::string_view data) {
  std::vector<double> numbers;
  std::size_t at = 0;
  const auto bytes = std::as_bytes(std::span(data));
  for (const Field& field : fields_of(name)) {
    if (bytes.size() - at < field.bytes) return std::nullopt;
    numbers.push_back(static_cast<double>(number_at(bytes, at, field.bytes, true)) / field.units);
    at += field.bytes;
  }
  if (at != bytes.size()) return std::nullopt;
  return numbers;
}

Blob png_light_data(std::string_view name, const MetadataValue& value) {
  const Fields fields = fields_of(name);
  const auto* const numbers = std::get_if<std::vector<double>>(&value);
  if (fields.empty() || numbers == nullptr || numbers->size() != fields.size()) return {};
  Blob data;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const double stored = std::round((*numbers)[i] * fields[i].units);
    // PNG's integers of four bytes have 31 bits.
    const double most = fields[i].bytes == 2 ? 0xffff : 0x7fffffff;
    if (!(stored >= 0 && stored <= most)) return {};
    append_number(data, static_cast<std::uint64_t>(stored), fields[i].bytes, true);
  }
  return data;
}

}  // namespace cuimg

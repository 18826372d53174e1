// SPDX-License-Identifier: Apache-2.0
#include "pipeline/standard_entries.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/split_text.h"

namespace cuimg {
namespace {

using Words = std::vector<std::string_view>;
using List = std::vector<double>;
using Read = std::optional<MetadataValue>;

// As a float, which is the type of these attributes.
std::optional<double> float_of(std::string_view text) {
  const auto number = number_of<float>(text);
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

Read number(const std::string& text) {
  const auto value = float_of(text);
  return value ? Read(*value) : std::nullopt;
}

Read positive(const std::string& text) {
  const auto value = float_of(text);
  return value && *value > 0 && std::isfinite(*value) ? Read(*value) : std::nullopt;
}

template <class Number>
std::optional<std::vector<Number>> listed_numbers(std::string_view text,
                                                  std::string_view separator) {
  std::vector<Number> numbers;
  for (const std::string_view part : split_at(text, separator)) {
    const auto value = number_of<Number>(part);
    if (!value) return std::nullopt;
    numbers.push_back(*value);
  }
  return numbers;
}

template <std::size_t count>
Read floats(const std::string& text) {
  const auto list = listed_numbers<float>(text, ",");
  return list && list->size() == count ? Read(List(list->begin(), list->end())) : std::nullopt;
}

Read rational(const std::string& text) {
  const std::string_view separator = text.find("/") != std::string::npos ? "/" : ",";
  const auto numbers = listed_numbers<std::int64_t>(text, separator);
  if (!numbers || numbers->size() > 2) return std::nullopt;
  const std::int64_t above = numbers->front(), below = numbers->size() == 2 ? numbers->back() : 1;
  const bool fits = std::in_range<std::int32_t>(above) && std::in_range<std::uint32_t>(below);
  if (!fits || below == 0) return std::nullopt;
  return List{static_cast<double>(above), static_cast<double>(below)};
}

// SMPTE 12M as packed by OpenEXR for 60-field television: decimal digits of hours, minutes, seconds
// and frames, one byte each, and a bit for ";" before the frames, which means that some are
// dropped. Bits without a digit are flags.
constexpr std::uint32_t drops_frames = 1 << 6, time_flags = 0xc0808080;

std::optional<std::uint32_t> packed_time(std::string text) {
  std::uint32_t packed = 0;
  if (const std::size_t mark = text.rfind(';'); mark != std::string::npos) {
    text[mark] = ':';
    packed = drops_frames;
  }
  const auto fields = listed_numbers<std::uint32_t>(text, ":");
  constexpr std::array<std::uint32_t, 4> most = {23, 59, 59, 29};
  if (!fields || fields->size() != most.size()) return std::nullopt;
  for (std::size_t i = 0; i < most.size(); ++i) {
    const std::uint32_t field = (*fields)[i];
    if (field > most[i]) return std::nullopt;
    packed |= (field / 10 << 4 | field % 10) << 8 * (most.size() - 1 - i);
  }
  return packed;
}

Read time_code(const std::string& text) {
  if (const auto time = packed_time(text)) return List{static_cast<double>(*time), 0};
  const auto stored = listed_numbers<std::uint32_t>(text, ",");
  if (!stored || stored->size() != 2) return std::nullopt;
  return List(stored->begin(), stored->end());
}

// The numbers of a list if all are integers in range.
template <class Number>
std::vector<Number> whole_numbers_of(const MetadataValue& value) {
  std::vector<Number> numbers;
  const auto* list = std::get_if<List>(&value);
  if (list == nullptr) return {};
  for (const double v : *list) {
    const bool fits = v >= static_cast<double>(std::numeric_limits<Number>::min()) &&
                      v < static_cast<double>(std::numeric_limits<Number>::max()) + 1;
    if (!fits || v != std::trunc(v)) return {};
    numbers.push_back(static_cast<Number>(v));
  }
  return numbers;
}

std::string rational_text(const MetadataValue& value) {
  const auto numbers = whole_numbers_of<std::int64_t>(value);
  return numbers.size() == 2 ? fmt::format("{}/{}", numbers[0], numbers[1]) : "";
}

std::string time_text(const MetadataValue& value) {
  const auto stored = whole_numbers_of<std::uint32_t>(value);
  if (stored.size() != 2) return "";
  const std::uint32_t flags = stored[0] & time_flags, digits = stored[0] & ~time_flags;
  std::string time = fmt::format("{:02x}:{:02x}:{:02x}{}{:02x}", digits >> 24, digits >> 16 & 0xff,
                                 digits >> 8 & 0xff, (digits & drops_frames) != 0 ? ';' : ':',
                                 digits & ~drops_frames & 0xff);
  const std::string numbers = fmt::format("{},{}", stored[0], stored[1]);
  if (packed_time(time) != digits) return numbers;
  return flags == 0 && stored[1] == 0 ? time : fmt::format("{} ({})", numbers, time);
}

Read key_code(const std::string& text) {
  struct Limits {
    int least, most;
  };
  constexpr std::array<Limits, 7> limits = {
      {{0, 99}, {0, 99}, {0, 999999}, {0, 9999}, {0, 119}, {1, 15}, {20, 120}}};
  const auto numbers = listed_numbers<int>(text, ",");
  if (!numbers || numbers->size() != limits.size()) return std::nullopt;
  for (std::size_t i = 0; i < limits.size(); ++i)
    if ((*numbers)[i] < limits[i].least || (*numbers)[i] > limits[i].most) return std::nullopt;
  return List(numbers->begin(), numbers->end());
}

Read words(const std::string& text) {
  const Words parts = split_at(text, ",");
  return std::vector<std::string>(parts.begin(), parts.end());
}

Read environment(const std::string& text) {
  return text == "latlong" || text == "cube" ? Read(text) : std::nullopt;
}

Read line_order(const std::string& text) {
  return text == "increasing" || text == "decreasing" || text == "random" ? Read(text)
                                                                          : std::nullopt;
}

Read any_text(const std::string& text) { return text; }

struct Type {
  Read (*read)(const std::string& text);
  const char* form;  // the form of its text, for an error
};

constexpr Type a_number = {number, "the entry is a number"};
constexpr Type a_text = {any_text, ""};
constexpr Type a_pair = {floats<2>, "the entry is two numbers, such as 0.3127,0.329"};
constexpr Type a_matrix = {floats<16>, "the entry is a matrix: 16 numbers, separated by commas"};
constexpr Type a_rational = {rational,
                             "the entry is a fraction of whole numbers, such as 24 or 24000/1001"};

struct Entry {
  std::string_view name;
  Type type;
};

constexpr Entry standard[] = {
    {"adoptedNeutral", a_pair},
    {"altitude", a_number},
    {"aperture", a_number},
    {"envmap", {environment, "the entry is latlong or cube"}},
    {"expTime", a_number},
    {"focus", a_number},
    {"framesPerSecond", a_rational},
    {"isoSpeed", a_number},
    {"keyCode",
     {key_code,
      "the entry is seven whole numbers: the film's maker 0 to 99, its type 0 to 99, prefix 0 to "
      "999999, count 0 to 9999, offset 0 to 119, perforations a frame 1 to 15 and a count 20 to "
      "120"}},
    {"latitude", a_number},
    {"lineOrder", {line_order, "the entry is increasing, decreasing or, for tiles, random"}},
    {"longitude", a_number},
    {"lookModTransform", a_text},
    {"multiView", {words, ""}},
    {"renderingTransform", a_text},
    {"screenWindowCenter", a_pair},
    {"screenWindowWidth", {positive, "the entry is a number above 0"}},
    {"timeCode",
     {time_code, "the entry is a time such as 01:02:03:04, of at most 30 frames a second"}},
    {"utcOffset", a_number},
    {"whiteLuminance", a_number},
    {"worldToCamera", a_matrix},
    {"worldToNDC", a_matrix},
    {"wrapmodes", a_text},
    {"xDensity", {positive, "the entry is a number above 0"}},
};

}  // namespace

std::optional<StandardValue> standard_value(const std::string& name, const std::string& text) {
  for (const Entry& entry : standard)
    if (name == entry.name) return StandardValue{entry.type.read(text), entry.type.form};
  return std::nullopt;
}

std::string standard_text(const std::string& name, const MetadataValue& value) {
  if (name == "framesPerSecond") return rational_text(value);
  return name == "timeCode" ? time_text(value) : "";
}

std::string sets_instead(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"channels", "channels --pick chooses them"},
      {"chromaticities", "primaries --to converts to others"},
      {"compression", "use --compression"},
      {"dwaCompressionLevel", "use --quality with --compression dwaa or dwab"},
      {"dataWindow", "crop changes it"},
      {"displayWindow", "cut and pad change it"},
      {"name", "a part keeps its name"},
      {"preview", "it is made from the picture"},
      {"tiles", "mip writes tiles"},
  };
  for (const auto& [other, instead] : others)
    if (name == other) return std::string(instead);
  return "";
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The table of output formats in help and the man page, made from the codecs' descriptions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <span>

#include "base/message_text.h"
#include "pipeline/derive/program.h"
#include "pipeline/output_spec.h"

namespace cuimg {
namespace {

// The types that --type accepts.
constexpr std::array types = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32};

std::string names_of(const Codec& codec) {
  std::string names(codec.name);
  for (const std::string_view extension : codec.extensions)
    if (extension != codec.name && codec_named(extension)->is_written()) add_item(names, extension);
  return names;
}

// "u16, half and float become"
std::string becoming(const std::vector<std::string_view>& from) {
  if (from.size() == 1) return fmt::format("{} becomes", from.front());
  const std::span<const std::string_view> others(from.data(), from.size() - 1);
  return fmt::format("{} and {} become", fmt::join(others, ", "), from.back());
}

std::string types_of(const Codec& codec) {
  std::string kept;
  std::map<PixelType, std::vector<std::string_view>> others;  // keyed by the resulting type
  for (const PixelType type : types) {
    const PixelType stored = stored_type(type, codec).value_or(type);
    if (stored == type)
      add_item(kept, name_of(type));
    else
      others[stored].push_back(name_of(type));
  }
  std::string becomes;
  for (const auto& [stored, from] : others)
    add_item(becomes, becoming(from) + " " + std::string(name_of(stored)));
  return "--type " + kept + (becomes.empty() ? "" : " (" + becomes + ")");
}

std::string compressions_of(const Codec& codec) {
  if (codec.compressions.size() < 2) return "";
  return fmt::format("; --compression {}", fmt::join(codec.compressions, ", "));
}

}  // namespace

std::vector<FormatEntry> written_formats() {
  std::vector<FormatEntry> entries;
  for (const Codec& codec : codecs())
    if (codec.is_written())
      entries.push_back({names_of(codec), types_of(codec) + compressions_of(codec)});
  return entries;
}

}  // namespace cuimg

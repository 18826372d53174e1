// SPDX-License-Identifier: Apache-2.0
#include "io/simple/hdr_lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/contains.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::string_view prefix = "hdr:", lines_key = "hdr:lines";
// Radiance's programs write the first four, and pvalue and others LATLONG and OWNER.
constexpr std::string_view kept_variables[] = {"VIEW", "SOFTWARE", "CAPDATE",
                                               "GMT",  "LATLONG",  "OWNER"};

bool is_kept_variable(std::string_view name) { return contains(kept_variables, name); }

// "VIEW" for "VIEW= -vp 0 0 0"; empty for comments, and for commands, which may contain options
// such as a=1.
std::string_view variable_of(std::string_view line) {
  const std::string_view name = line.substr(0, std::min(line.find('='), line.size()));
  const bool is_name =
      name.size() < line.size() && !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
      });
  return is_name ? name : std::string_view();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool take_hdr_line(const std::string& line, Metadata& metadata) {
  const std::string_view variable = variable_of(line);
  if (!variable.empty() && !is_kept_variable(variable)) return false;
  std::string key(lines_key), text = line;
  if (!variable.empty()) {
    key = std::string(prefix) + std::string(variable);
    const std::size_t begin = line.find_first_not_of(" \t", variable.size() + 1);
    if (begin == std::string::npos) return true;  // no value
    text = line.substr(begin);
  }
  if (text.find('\0') != std::string::npos) return true;
  constexpr std::size_t most = std::size_t{1} << 20;  // of a malicious file
  const auto [place, is_new] = metadata.try_emplace(key, text);
  if (auto& all = std::get<std::string>(place->second); !is_new && all.size() < most)
    all += '\n' + text;
  return true;
}

bool hdr_keeps_lines(const std::string& key, const MetadataValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const bool is_lines = key == lines_key;
  if (text == nullptr ||
      !(is_lines || (key.starts_with(prefix) && is_kept_variable(key.substr(prefix.size())))))
    return false;
  // An empty line would end the header, and readers limit a line's length.
  constexpr std::size_t longest = 4000;
  return std::ranges::all_of(lines_of(*text), [&](std::string_view line) {
    return !line.empty() && line.size() <= longest &&
           line.find_first_of(std::string_view("\0\r", 2)) == std::string_view::npos &&
           (!is_lines || variable_of(line).empty());
  });
}

std::string hdr_lines(const Metadata& metadata) {
  std::string commands, variables;
  for (const auto& [key, value] : metadata) {
    if (!hdr_keeps_lines(key, value)) continue;
    for (const std::string_view line : lines_of(std::get<std::string>(value)))
      if (key == lines_key)
        commands += std::string(line) + "\n";
      else
        variables += key.substr(prefix.size()) + "= " + std::string(line) + "\n";
  }
  return commands + variables;
}

}  // namespace cuimg

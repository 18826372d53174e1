// SPDX-License-Identifier: Apache-2.0
#include "checksum_list.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/error.h"
#include "base/utf8.h"
#include "io/codec.h"

namespace cuimg {
namespace {

constexpr std::string_view part_mark = ": part ";
constexpr std::size_t sum_digits = 64;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string escaped(const std::string& name) {
  return replaced(printable(replaced(name, "\\", "\\\\")), part_mark, "\\x3a part ");
}

int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Nothing if `text` is not a result of escaped().
std::optional<std::string> unescaped(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    if (text.front() != '\\') {
      name += text.front();
      text.remove_prefix(1);
      continue;
    }
    const char kind = text.size() > 1 ? text[1] : '\0';
    if (kind == 'x' && text.size() > 3 && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
      name += static_cast<char>(hex_digit(text[2]) * 16 + hex_digit(text[3]));
      text.remove_prefix(4);
      continue;
    }
    if (kind != '\\' && kind != 'n' && kind != 'r') return std::nullopt;
    name += kind == 'n' ? '\n' : kind == 'r' ? '\r' : '\\';
    text.remove_prefix(2);
  }
  return name;
}

std::optional<ListedSum> parse_line(std::string_view line) {
  const bool is_escaped = line.starts_with('\\');
  if (is_escaped) line.remove_prefix(1);
  ListedSum listed;
  listed.sum = in_lower_case(line.substr(0, sum_digits));
  line.remove_prefix(listed.sum.size());
  const bool is_sum = listed.sum.size() == sum_digits &&
                      std::ranges::all_of(listed.sum, [](char c) { return hex_digit(c) >= 0; });
  // sha256sum marks files that it reads in binary mode with a star.
  if (!is_sum || !(line.starts_with("  ") || line.starts_with(" *"))) return std::nullopt;
  line.remove_prefix(2);
  const std::size_t mark = line.find(part_mark);
  if (mark != std::string_view::npos) {
    const std::string_view number = line.substr(mark + part_mark.size());
    int part = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), part);
    const bool is_whole = end == number.data() + number.size() || *end == ' ';
    if (error == std::errc() && is_whole && part >= 0) {
      listed.part = part;
      line = line.substr(0, mark);
    }
  }
  const std::optional<std::string> file = is_escaped ? unescaped(line) : std::string(line);
  if (!file || file->empty()) return std::nullopt;
  listed.file = *file;
  return listed;
}

}  // namespace

std::string sum_line(const ListedSum& listed, const std::string& part_name) {
  const std::string name = escaped(listed.file);
  std::string line = (name == listed.file ? "" : "\\") + listed.sum + "  " + name;
  if (listed.part) line += std::string(part_mark) + printable(part_text(*listed.part, part_name));
  return line + "\n";
}

std::string name_of(const ListedSum& listed) {
  return printable(listed.file) +
         (listed.part ? std::string(part_mark) + std::to_string(*listed.part) : "");
}

std::vector<ListedSum> parse_sums(std::string_view text, const std::string& place) {
  std::vector<ListedSum> sums;
  std::istringstream lines{std::string(without_byte_order_mark(text))};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    std::optional<ListedSum> listed = parse_line(line);
    if (!listed)
      throw Error(place + ":" + std::to_string(number), "it is no line of cuimg checksum",
                  "use SHA-256, two spaces and a file's name");
    sums.push_back(std::move(*listed));
  }
  if (sums.empty()) throw Error(place, "it lists no sums", "use what cuimg checksum prints");
  return sums;
}

}  // namespace cuimg

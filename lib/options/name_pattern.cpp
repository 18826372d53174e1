// SPDX-License-Identifier: Apache-2.0
#include "options/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// Text as it is, or a key with its braces.
struct Piece {
  std::string_view text;
  bool is_key;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  const auto take = [&](std::size_t count, bool is_key) {
    pieces.push_back({text.substr(0, count), is_key});
    text.remove_prefix(pieces.back().text.size());
  };
  while (!text.empty()) {
    if (text.starts_with("{{") || text.starts_with("}}")) {
      take(1, false);
      text.remove_prefix(1);
    } else if (text.starts_with('{')) {
      take(std::min(text.find('}'), text.size()) + 1, true);
    } else {
      take(text.find_first_of("{}", 1), false);
    }
  }
  return pieces;
}

// Where the closing brace is missing it is the text itself.
std::string_view key_of(std::string_view braced) {
  return braced.ends_with('}') ? braced.substr(1, braced.size() - 2) : braced;
}

// "5" of "{frame:05}": the least count of digits. Nothing where the text is no such format.
std::optional<int> digits_of(std::string_view format) {
  if (format.empty()) return 1;
  if (format.size() != 3 || !format.starts_with(":0") || format[2] < '1' || format[2] > '9')
    return std::nullopt;
  return format[2] - '0';
}

// Takes "-1000" off the beginning of "-1000:04". Nothing where a sign has no number behind it.
std::optional<std::int64_t> take_offset(std::string_view& format) {
  if (!format.starts_with('+') && !format.starts_with('-')) return 0;
  const char* const first = format.data() + 1;
  std::int64_t offset = 0;
  const auto [end, error] = std::from_chars(first, format.data() + format.size(), offset);
  if (error != std::errc{} || end - first > 9 || offset < 0) return std::nullopt;
  if (format.front() == '-') offset = -offset;
  format.remove_prefix(static_cast<std::size_t>(end - format.data()));
  return offset;
}

constexpr const char* ends_of_name = ":+-";  // of a number's key

// The count of digits in a wrong form, such as {frame:05d} or {frame:%04d}; else a usual one.
int digits_meant(std::string_view key) {
  key = key.substr(std::min(key.find(':'), key.size()));
  const std::size_t digit = key.find_first_of("123456789");
  const bool is_alone = digit != std::string_view::npos &&
                        key.find_first_of("0123456789", digit + 1) == std::string_view::npos;
  return is_alone ? key[digit] - '0' : 4;
}

}  // namespace

std::string fill_keys(std::string_view text,
                      const std::function<std::string(std::string_view key)>& value) {
  std::string result;
  for (const Piece& piece : pieces_of(text))
    result += piece.is_key ? value(key_of(piece.text)) : piece.text;
  return result;
}

bool has_key(std::string_view text, std::string_view key) {
  return std::ranges::any_of(pieces_of(text), [&](const Piece& piece) {
    const std::string_view named = piece.is_key ? key_of(piece.text) : "";
    return named.substr(0, named.find_first_of(ends_of_name)) == key;
  });
}

std::string file_name_of(const std::string& file) {
  return file == "-" ? "stdin" : fs::path(file).filename().string();
}

std::string stem_of(const std::string& file) {
  if (file == "-") return "stdin";
  const fs::path path = file;
  std::string stem = path.stem().string();
  // "...png" without its extension would be a way to the folder above.
  const bool is_dots = stem.find_first_not_of('.') == std::string::npos;
  return is_dots ? path.filename().string() : stem;
}

std::optional<std::string> value_of_number(std::string_view key, std::string_view name,
                                           std::int64_t value) {
  if (!key.starts_with(name)) return std::nullopt;
  std::string_view format = key.substr(name.size());
  const auto offset = take_offset(format);
  const auto digits = digits_of(format);
  if (!offset || !digits) return std::nullopt;
  return fmt::format("{:0{}}", value + *offset, *digits);
}

std::optional<std::string> value_of_name(std::string_view key, const ImageName& image,
                                         const std::string& place) {
  if (key == "stem") return stem_of(image.file);
  if (key == "name") return file_name_of(image.file);
  if (const auto frame = value_of_number(key, "frame", image.frame.value_or(0))) {
    if (!image.frame)
      throw Error(place, image.file + " is not a frame of a sequence",
                  "name the inputs as in.####.exr");
    return *frame;
  }
  return image.part ? value_of_number(key, "part", *image.part) : std::nullopt;
}

void throw_unknown_key(std::string_view key, const std::string& place,
                       std::initializer_list<std::string_view> numbers, std::string_view known) {
  const std::string braced = key.starts_with('{') ? std::string(key) : fmt::format("{{{}}}", key);
  for (const std::string_view name : numbers)
    if (key.find_first_of(ends_of_name) == name.size() && key.starts_with(name))
      throw Error(place, braced + " is not a number format",
                  fmt::format("use {{{0}:0{1}}} or {{{0}+1:0{1}}}; :01 to :09 pad with zeros", name,
                              digits_meant(key)));
  throw Error(place, braced + " is unknown", "use " + std::string(known));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/output_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// Text as it is, or a key with its braces.
struct Piece {
  std::string_view text;
  bool is_key;
};

std::vector<Piece> pieces_of(std::string_view pattern) {
  std::vector<Piece> pieces;
  const auto take = [&](std::size_t count, bool is_key) {
    pieces.push_back({pattern.substr(0, count), is_key});
    pattern.remove_prefix(pieces.back().text.size());
  };
  while (!pattern.empty()) {
    if (pattern.starts_with("{{") || pattern.starts_with("}}")) {
      take(1, false);
      pattern.remove_prefix(1);
    } else if (pattern.starts_with('{')) {
      take(std::min(pattern.find('}'), pattern.size()) + 1, true);
    } else {
      take(pattern.find_first_of("{}", 1), false);
    }
  }
  return pieces;
}

// Nothing where the closing brace is missing.
std::string_view key_of(std::string_view braced) {
  return braced.ends_with('}') ? braced.substr(1, braced.size() - 2) : "";
}

std::string stem(const std::string& name) {
  if (name == "-") return "stdin";
  const fs::path path = name;
  std::string stem = path.stem().string();
  // "...png" without its extension would be a way to the folder above.
  const bool is_dots = stem.find_first_not_of('.') == std::string::npos;
  return is_dots ? path.filename().string() : stem;
}

std::string output_extension(const PatternInput& input) {
  if (!input.format.empty())
    return std::string(codec_for_output("", input.format).extensions.front());
  if (input.name == "-") return std::string(pipe_format);
  const std::string dotted = fs::path(input.name).extension().string();
  return dotted.empty() ? dotted : dotted.substr(1);
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

// The value of a number's key, or nothing for another key.
std::optional<std::string> number(std::string_view key, std::string_view name, std::int64_t value) {
  if (!key.starts_with(name)) return std::nullopt;
  std::string_view format = key.substr(name.size());
  const auto offset = take_offset(format);
  const auto digits = digits_of(format);
  if (!offset || !digits) return std::nullopt;
  return fmt::format("{:0{}}", value + *offset, *digits);
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

// What replaces "{key}".
std::string value_of(std::string_view braced, const PatternInput& input,
                     const std::string& pattern) {
  const std::string_view key = key_of(braced);
  if (key == "stem") return stem(input.name);
  if (key == "ext") return output_extension(input);
  if (key == "name") return input.name == "-" ? "stdin" : fs::path(input.name).filename().string();
  if (key == "dir") return input.folder.empty() ? "." : input.folder;
  if (const auto index = number(key, "index", static_cast<std::int64_t>(input.index)))
    return *index;
  if (const auto frame = number(key, "frame", input.frame.value_or(0))) {
    if (!input.frame)
      throw Error("-o " + pattern, input.name + " is no frame of a sequence",
                  "name the inputs as in.####.exr");
    return *frame;
  }
  if (input.part)
    if (const auto part = number(key, "part", *input.part)) return *part;
  for (const std::string_view name : {"index", "frame", "part"})
    if (key.find_first_of(ends_of_name) == name.size() && key.starts_with(name))
      throw Error("-o " + pattern, std::string(braced) + " is no form of a number",
                  fmt::format("use {{{0}:0{1}}} or {{{0}+1:0{1}}}; :01 to :09 pad with zeros", name,
                              digits_meant(key)));
  throw Error("-o " + pattern, std::string(braced) + " is unknown",
              "use " + std::string(pattern_keys));
}

}  // namespace

std::string fill_pattern(const std::string& pattern, const PatternInput& input) {
  std::string result;
  for (const Piece& piece : pieces_of(pattern))
    result += piece.is_key ? value_of(piece.text, input, pattern) : piece.text;
  return result;
}

bool pattern_names(const std::string& pattern, std::string_view key) {
  return std::ranges::any_of(pieces_of(pattern), [&](const Piece& piece) {
    const std::string_view named = piece.is_key ? key_of(piece.text) : "";
    return named.substr(0, named.find_first_of(ends_of_name)) == key;
  });
}

std::string file_name_for(const PatternInput& input) {
  const std::string ending = output_extension(input);
  return ending.empty() ? stem(input.name) : stem(input.name) + "." + ending;
}

}  // namespace cuimg

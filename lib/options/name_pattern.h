// SPDX-License-Identifier: Apache-2.0
// Patterns for an image's name with keys in braces: `{stem}_small`, `{frame:05}` or, with an
// offset, `{frame-1000:04}`. `{{` is a brace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cuimg {

/// The parts of an image's name.
struct ImageName {
  std::string file;               ///< "-" for a pipe; empty: it comes from no file.
  std::optional<int> frame = {};  ///< Of a sequence.
  std::optional<int> part = {};   ///< Of the file.
  friend bool operator==(const ImageName&, const ImageName&) = default;
};

/// The keys that value_of_name() knows, for messages and help.
inline constexpr std::string_view image_name_keys = "{name}, {stem}, {frame}, {frame:04}, {part}";

/// The text with its keys replaced. @param value of a key, which is given without its braces; where
/// the closing brace is missing it is the rest with the open one, which no key is.
std::string fill_keys(std::string_view text,
                      const std::function<std::string(std::string_view key)>& value);

/// Whether a text has that key: "part" of {part}, {part:03} and {part+1}.
bool has_key(std::string_view text, std::string_view key);

/// A file's name without its folders, "stdin" for a pipe; and without its extension too.
std::string file_name_of(const std::string& file);
std::string stem_of(const std::string& file);

/// The value of a number's key: of "index", "index:03", with zeros in front, and "index+1". Nothing
/// for another key.
std::optional<std::string> value_of_number(std::string_view key, std::string_view name,
                                           std::int64_t value);

/// The value of a key that names the image: of those of image_name_keys. Nothing for another key,
/// and for what the image has not. @param place for errors. @throws Error for {frame} of an image
/// that is in no sequence.
std::optional<std::string> value_of_name(std::string_view key, const ImageName& image,
                                         const std::string& place);

/// @throws Error always: for a key that has no value. @param numbers keys that are numbers.
/// @param known all keys.
[[noreturn]] void throw_unknown_key(std::string_view key, const std::string& place,
                                    std::initializer_list<std::string_view> numbers,
                                    std::string_view known);

}  // namespace cuimg

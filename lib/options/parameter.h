// SPDX-License-Identifier: Apache-2.0
// A parameter: one member of a struct of options, with its name, range, unit and line of help.
// Parsing, printing, help, completion and the man page all go through it, so none can disagree.
// Every stage includes this: what depends on the struct is one pointer to the member, what depends
// on the member's type is compiled once for each type, and the rest is in parameter.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "image/pixel_type.h"
#include "options/values.h"

namespace cuimg {

/// Thrown by a value's parser; becomes an Error "PLACE: --name TEXT problem: advice".
struct BadValue {
  std::string problem;  ///< "is out of range"; may be empty when the advice says it all.
  std::string advice;   ///< "use 0.1 to 200"
};

/// Allowed numbers, both ends included. For lists it holds for every element.
struct Range {
  double lowest = std::numeric_limits<double>::lowest();
  double highest = std::numeric_limits<double>::max();
  bool single = false;  ///< Given in float: 0.1f prints as 0.1.
  /// "0.1 to 200", "at least 1", or empty.
  std::string text() const;
};
template <class A, class B>
constexpr Range range(A lowest, B highest) {
  return {static_cast<double>(lowest), static_cast<double>(highest),
          std::is_same_v<A, float> || std::is_same_v<B, float>};
}
constexpr Range at_least(double lowest) { return {lowest}; }

/// An attribute of a parameter: its line of help, a Range, or the result of one of the functions
/// below.
struct Attribute {
  enum class Kind : std::uint8_t {
    none,
    help,
    range,
    unit,
    short_name,
    placeholder,
    file,
    file_or_value,
    words
  };
  Kind kind = Kind::none;
  char letter = 0;
  std::string_view text = {};
  Range range = {};
  std::vector<std::string> (*words)() = nullptr;

  constexpr Attribute() = default;
  constexpr Attribute(Kind k, std::string_view word = {}) : kind(k), text(word) {}
  constexpr Attribute(const char* help) : kind(Kind::help), text(help) {}
  Attribute(const std::string& help) : kind(Kind::help), text(help) {}
  constexpr Attribute(Range allowed) : kind(Kind::range), range(allowed) {}
};

constexpr Attribute unit(std::string_view name) { return {Attribute::Kind::unit, name}; }
/// A second spelling of one letter: `-o`.
constexpr Attribute short_name(char letter) {
  Attribute attribute(Attribute::Kind::short_name);
  attribute.letter = letter;
  return attribute;
}
/// The word for the value in help: `--map FILE`.
constexpr Attribute placeholder(std::string_view word) {
  return {Attribute::Kind::placeholder, word};
}
/// A text that names an input file: it is completed as a file name.
constexpr Attribute file() { return Attribute::Kind::file; }
/// A text that names an input file, or is itself the content of such a file.
constexpr Attribute file_or_value() { return Attribute::Kind::file_or_value; }
/// Values that completion offers; others are allowed too.
constexpr Attribute suggestions(std::vector<std::string> (*words)()) {
  Attribute attribute(Attribute::Kind::words);
  attribute.words = words;
  return attribute;
}

/// A type's name in help and in `stages --json`, and its placeholder.
struct TypeName {
  std::string_view type, placeholder;
};

/// Of each type: reading a whole text strictly (@throws BadValue, also for anything left over), the
/// text that is read back as the same value (of FileNames a line each), and the type's name.
#define CUIMG_VALUE_TYPE(T, name, placeholder)                             \
  void parse_value(const std::string& text, const Range& range, T& value); \
  std::string format_value(const T& value);                                \
  inline TypeName type_name(const T&) { return {name, placeholder}; }
#include "options/value_types.inc"
#undef CUIMG_VALUE_TYPE

/// The types of --type; u32 ids are never converted to.
std::span<const Choice<PixelType>> choices_of(PixelType);

/// What all options of one type share, whatever struct they belong to.
struct ValueType {
  TypeName (*name)();
  bool is_flag, gathers;
  std::vector<Choice<int>> (*choices)();  ///< Of an enumeration; else null.
  /// @throws BadValue; the value is then as it was.
  void (*parse)(void* value, const std::string& text, const Range& allowed);
  std::string (*format)(const void* value);
  void (*copy)(const void* from, void* to);
};

struct Parameter {
  std::string name;  ///< Without the dashes.
  char short_name = 0;
  std::string help;  ///< One line, lower case, no full stop.
  std::string unit;
  std::string placeholder;
  std::string group;  ///< Its heading; empty: "Options".
  std::string type;   ///< As in TypeName, or "choice".
  std::optional<Range> range;
  std::vector<Choice<int>> choices;  ///< Of an enumeration; values are the enum's.
  std::vector<std::string> suggestions;
  bool is_flag = false;
  bool is_file = false;
  bool may_be_file = false;       ///< Also where the text may be something else.
  bool gathers = false;           ///< May be given several times; its text has a line for each.
  bool unset_by_default = false;  ///< The default means "not given": help states none.
  std::string default_text;       ///< Printed from the struct's default.

  /// A flag that is on by default is switched off with --no-NAME.
  bool negatable() const { return is_flag && default_text == "true"; }
  /// @param object the struct. @param place what an error names first.
  /// @throws Error with the option, its text and what is allowed.
  void set(void* object, const std::string& text, const std::string& place) const;
  /// The member's value as set() reads it; empty when unset.
  std::string text(const void* object) const { return value_type->format(member(object)); }
  bool is_default(const void* object) const { return text(object) == default_text; }
  /// Copies the value from one struct to another of the same type.
  void copy(const void* from, void* to) const {
    value_type->copy(member(from), static_cast<char*>(to) + offset);
  }
  /// The words that give this value on a command line: `--size 50%`, `--no-antialias`.
  std::string words(const void* object) const;

  const ValueType* value_type = nullptr;
  std::ptrdiff_t offset = 0;  ///< Of the member in the struct, in bytes.

 private:
  const void* member(const void* object) const { return static_cast<const char*>(object) + offset; }
};

/// @param defaults the struct with its defaults.
Parameter make_parameter(std::string_view name, const ValueType& type, const void* defaults,
                         std::ptrdiff_t offset, std::initializer_list<Attribute> attributes);

/// `text` in single quotes, for any shell.
std::string single_quoted(std::string_view text);
/// `text` as one word for a shell or a recipe: quoted if necessary.
std::string quoted(const std::string& text);

/// @returns the candidate that `word` is probably a misspelling of: few edits away, or begun by it.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);
/// "did you mean X?", or `otherwise` when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise);

namespace detail {

/// The value of that name or alias. @throws BadValue
int parse_choice(const std::string& text, std::span<const Choice<int>> choices);
std::string format_choice(int value, std::span<const Choice<int>> choices);

// How a type is named, read and printed; enumerations and optional values add to it.
template <class T>
struct Member {
  static TypeName name() { return type_name(T{}); }
  static constexpr std::vector<Choice<int>> (*choices)() = nullptr;
  static void parse(const std::string& text, const Range& allowed, T& value) {
    parse_value(text, allowed, value);
  }
  static std::string format(const T& value) { return format_value(value); }
};

template <class E>
requires std::is_enum_v<E>
struct Member<E> {
  static TypeName name() { return {"choice", "NAME"}; }
  static std::vector<Choice<int>> choices() {
    std::vector<Choice<int>> result;
    for (const Choice<E>& c : choices_of(E{}))
      result.push_back({static_cast<int>(c.value), c.name, c.help, c.aliases});
    return result;
  }
  static void parse(const std::string& text, const Range&, E& value) {
    value = static_cast<E>(parse_choice(text, choices()));
  }
  static std::string format(const E& value) {
    return format_choice(static_cast<int>(value), choices());
  }
};

template <class T>
struct Member<std::optional<T>> : Member<T> {
  static void parse(const std::string& text, const Range& allowed, std::optional<T>& value) {
    Member<T>::parse(text, allowed, value.emplace());
  }
  static std::string format(const std::optional<T>& value) {
    return value ? Member<T>::format(*value) : std::string();
  }
};

// If an option is given twice, the last value counts, unless the type collects all of them.
template <class T>
inline constexpr bool can_gather = requires(T& all) {
  all.gather(T{});
};

template <class T>
void parse_member(void* member, const std::string& text, const Range& allowed) {
  T value{};  // apart, so that a bad text leaves the member as it was
  Member<T>::parse(text, allowed, value);
  if constexpr (can_gather<T>)
    static_cast<T*>(member)->gather(std::move(value));
  else
    *static_cast<T*>(member) = std::move(value);
}

}  // namespace detail

template <class T>
const ValueType& value_type() {
  using detail::Member;
  static constexpr ValueType type = {
      Member<T>::name,
      std::is_same_v<T, bool>,
      detail::can_gather<T>,
      Member<T>::choices,
      detail::parse_member<T>,
      [](const void* member) { return Member<T>::format(*static_cast<const T*>(member)); },
      [](const void* from, void* to) { *static_cast<T*>(to) = *static_cast<const T*>(from); }};
  return type;
}

// Compiled in parameter.cpp alone.
#define CUIMG_VALUE_TYPE(T, name, placeholder) extern template const ValueType& value_type<T>();
#include "options/value_types.inc"
#undef CUIMG_VALUE_TYPE
extern template const ValueType& value_type<std::optional<int>>();
extern template const ValueType& value_type<std::optional<float>>();
extern template const ValueType& value_type<Border>();

}  // namespace cuimg

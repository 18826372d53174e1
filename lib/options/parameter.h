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

/// What a description says of a parameter besides its name: the line of help, a Range, or what one
/// of the functions below returns.
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
  constexpr Attribute(Kind k) : kind(k) {}
  constexpr Attribute(const char* help) : kind(Kind::help), text(help) {}
  Attribute(const std::string& help) : kind(Kind::help), text(help) {}
  constexpr Attribute(Range allowed) : kind(Kind::range), range(allowed) {}
};

constexpr Attribute unit(std::string_view name) {
  Attribute attribute(Attribute::Kind::unit);
  attribute.text = name;
  return attribute;
}
/// A second spelling of one letter: `-o`.
constexpr Attribute short_name(char letter) {
  Attribute attribute(Attribute::Kind::short_name);
  attribute.letter = letter;
  return attribute;
}
/// The word for the value in help: `--map FILE`.
constexpr Attribute placeholder(std::string_view word) {
  Attribute attribute(Attribute::Kind::placeholder);
  attribute.text = word;
  return attribute;
}
/// A text that names a file which is read: completed as one.
constexpr Attribute file() { return Attribute::Kind::file; }
/// A text that names such a file, or is what would stand in it.
constexpr Attribute file_or_value() { return Attribute::Kind::file_or_value; }
/// Values that completion offers; others are allowed too.
constexpr Attribute suggestions(std::vector<std::string> (*words)()) {
  Attribute attribute(Attribute::Kind::words);
  attribute.words = words;
  return attribute;
}

/// @name Reading a whole text strictly. @throws BadValue, also for anything left over.
/// @{
void parse_value(const std::string& text, const Range& range, int& value);
void parse_value(const std::string& text, const Range& range, std::uint64_t& value);
void parse_value(const std::string& text, const Range& range, float& value);
void parse_value(const std::string& text, const Range& range, double& value);
void parse_value(const std::string& text, const Range& range, bool& value);
void parse_value(const std::string& text, const Range& range, std::string& value);
void parse_value(const std::string& text, const Range& range, Size& value);
void parse_value(const std::string& text, const Range& range, Region& value);
void parse_value(const std::string& text, const Range& range, Point& value);
void parse_value(const std::string& text, const Range& range, Radius& value);
void parse_value(const std::string& text, const Range& range, Color& value);
void parse_value(const std::string& text, const Range& range, Paint& value);
void parse_value(const std::string& text, const Range& range, std::vector<Paint>& value);
void parse_value(const std::string& text, const Range& range, std::vector<float>& value);
void parse_value(const std::string& text, const Range& range, std::vector<double>& value);
void parse_value(const std::string& text, const Range& range, std::vector<Point>& value);
void parse_value(const std::string& text, const Range& range, std::vector<std::string>& value);
void parse_value(const std::string& text, const Range& range, FileNames& value);
/// @}

/// @name The text that parse_value reads back as the same value.
/// @{
std::string format_value(int value);
std::string format_value(std::uint64_t value);
std::string format_value(float value);
std::string format_value(double value);
std::string format_value(bool value);
std::string format_value(const std::string& value);
std::string format_value(const Size& value);
std::string format_value(const Region& value);
std::string format_value(const Point& value);
std::string format_value(const Radius& value);
std::string format_value(const Color& value);
std::string format_value(const Paint& value);
std::string format_value(const std::vector<Paint>& value);
std::string format_value(const std::vector<float>& value);
std::string format_value(const std::vector<double>& value);
std::string format_value(const std::vector<Point>& value);
std::string format_value(const std::vector<std::string>& value);
std::string format_value(const FileNames& value);  ///< A line each.
/// @}

/// What help and `stages --json` call a type, and its placeholder.
struct TypeName {
  std::string_view type, placeholder;
};
constexpr TypeName type_name(int) { return {"int", "N"}; }
constexpr TypeName type_name(std::uint64_t) { return {"int", "N"}; }
constexpr TypeName type_name(float) { return {"float", "X"}; }
constexpr TypeName type_name(double) { return {"float", "X"}; }
constexpr TypeName type_name(bool) { return {"flag", ""}; }
inline TypeName type_name(const std::string&) { return {"text", "TEXT"}; }
constexpr TypeName type_name(const Size&) { return {"size", "SIZE"}; }
constexpr TypeName type_name(const Region&) { return {"region", "WxH+X+Y"}; }
constexpr TypeName type_name(const Point&) { return {"point", "X,Y"}; }
constexpr TypeName type_name(const Radius&) { return {"radius", "N or X,Y"}; }
constexpr TypeName type_name(const Color&) { return {"color", "R,G,B,A"}; }
constexpr TypeName type_name(const Paint&) { return {"color", "R,G,B"}; }
inline TypeName type_name(const std::vector<Paint>&) { return {"colors", "'R,G,B R,G,B ...'"}; }
inline TypeName type_name(const std::vector<float>&) { return {"floats", "X,X,..."}; }
inline TypeName type_name(const std::vector<double>&) { return {"floats", "X,X,..."}; }
inline TypeName type_name(const std::vector<Point>&) { return {"points", "'X,Y X,Y ...'"}; }
inline TypeName type_name(const std::vector<std::string>&) { return {"names", "NAME,..."}; }
inline TypeName type_name(const FileNames&) { return {"files", "FILE"}; }

/// The types of --type; u32 ids are never converted to.
std::span<const Choice<PixelType>> choices_of(PixelType);

/// What the options of one type have in common, whatever struct they are members of.
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
  /// Gives one struct's value to another of the same type.
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
/// `text` as one word for a shell and for a recipe: quoted when it must be.
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

template <class T>
void parse_member(void* member, const std::string& text, const Range& allowed) {
  T value{};  // apart, so that a bad text leaves the member as it was
  Member<T>::parse(text, allowed, value);
  // Of an option given twice the last counts, unless the type gathers what it is given.
  if constexpr (requires(T & all) { all.gather(std::move(value)); })
    static_cast<T*>(member)->gather(std::move(value));
  else
    *static_cast<T*>(member) = std::move(value);
}

}  // namespace detail

template <class T>
const ValueType& value_type() {
  using detail::Member;
  static constexpr ValueType type = {Member<T>::name, std::is_same_v<T, bool>,
                                     requires(T & value){value.gather(T{});
}
, Member<T>::choices, detail::parse_member<T>,
    [](const void* member) { return Member<T>::format(*static_cast<const T*>(member)); },
    [](const void* from, void* to) { *static_cast<T*>(to) = *static_cast<const T*>(from); }
};  // namespace cuimg
return type;
}

// Compiled in parameter.cpp alone.
extern template const ValueType& value_type<int>();
extern template const ValueType& value_type<std::uint64_t>();
extern template const ValueType& value_type<float>();
extern template const ValueType& value_type<double>();
extern template const ValueType& value_type<bool>();
extern template const ValueType& value_type<std::string>();
extern template const ValueType& value_type<std::optional<int>>();
extern template const ValueType& value_type<std::optional<float>>();
extern template const ValueType& value_type<Border>();
extern template const ValueType& value_type<Size>();
extern template const ValueType& value_type<Region>();
extern template const ValueType& value_type<Point>();
extern template const ValueType& value_type<Radius>();
extern template const ValueType& value_type<Color>();
extern template const ValueType& value_type<Paint>();
extern template const ValueType& value_type<std::vector<Paint>>();
extern template const ValueType& value_type<std::vector<float>>();
extern template const ValueType& value_type<std::vector<double>>();
extern template const ValueType& value_type<std::vector<Point>>();
extern template const ValueType& value_type<std::vector<std::string>>();
extern template const ValueType& value_type<FileNames>();

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A parameter: one member of a struct of options, with its name, range, unit and line of help.
// Parsing, printing, help, completion and the man page all go through it, so none can disagree.
#pragma once

#include <cstdint>
#include <functional>
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

struct Unit {
  std::string_view name;
};
constexpr Unit unit(std::string_view name) { return {name}; }

struct ShortName {
  char letter;
};
constexpr ShortName short_name(char letter) { return {letter}; }

/// The word that stands for the value in help: `--map FILE`.
struct Placeholder {
  std::string_view word;
};
constexpr Placeholder placeholder(std::string_view word) { return {word}; }

/// A text that names a file: completed as one.
struct NamesFile {};
constexpr NamesFile file() { return {}; }

/// A text that is best one of these (they are completed), without forbidding others.
struct Suggestions {
  std::vector<std::string> words;
};

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

/// What help and `stages --json` call a type, and the placeholder it brings along.
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

struct Parameter {
  std::string name;  ///< Without the dashes.
  char short_name = 0;
  std::string help;  ///< One line, lower case, no full stop.
  std::string unit;
  std::string placeholder;
  std::string group;  ///< The heading it stands under; empty: "Options".
  std::string type;   ///< As in TypeName, or "choice".
  std::optional<Range> range;
  std::vector<Choice<int>> choices;  ///< Of an enumeration; values are the enum's.
  std::vector<std::string> suggestions;
  bool is_flag = false;
  bool is_file = false;
  bool gathers = false;           ///< May be given several times; its text has a line for each.
  bool unset_by_default = false;  ///< The default means "not given": help states none.
  std::string default_text;       ///< Printed from the struct's default.

  /// A flag that is on by default is switched off with --no-NAME.
  bool negatable() const { return is_flag && default_text == "true"; }
  /// @param object the struct. @param place what an error names first.
  /// @throws Error with the option, its text and what is allowed.
  void set(void* object, const std::string& text, const std::string& place) const;
  /// The member's value as set() reads it; empty when unset.
  std::string text(const void* object) const { return format(object); }
  bool is_default(const void* object) const { return format(object) == default_text; }
  /// The words that give this value on a command line: `--size 50%`, `--no-antialias`.
  std::string words(const void* object) const;

  std::function<void(void*, const std::string&, const Range&)> parse;  ///< @throws BadValue
  std::function<std::string(const void*)> format;
};

/// `text` in single quotes, for any shell.
std::string single_quoted(std::string_view text);
/// `text` as one word for a shell and for a recipe: quoted when it must be.
std::string quoted(const std::string& text);

/// @returns the candidate that `word` was probably meant to be: few edits away, or begun by it.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);
/// "did you mean X?", or `otherwise` when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise);

namespace detail {

template <class E>
concept Enumeration = std::is_enum_v<E>;

/// Index into the names of an enumeration. @throws BadValue
int parse_choice(const std::string& text, std::span<const Choice<int>> choices);

// What a member of type T needs: one overload set, so that optional<T> and enums add to it.
template <class T>
struct Member {
  static void describe(Parameter& p) {
    const TypeName name = type_name(T{});
    p.type = name.type;
    p.placeholder = name.placeholder;
    p.is_flag = std::is_same_v<T, bool>;
  }
  static void parse(const std::string& text, const Range& allowed, T& value) {
    parse_value(text, allowed, value);
  }
  static std::string format(const T& value) { return format_value(value); }
};

template <Enumeration E>
struct Member<E> {
  static std::vector<Choice<int>> names() {
    std::vector<Choice<int>> result;
    for (const Choice<E>& c : choices_of(E{}))
      result.push_back({static_cast<int>(c.value), c.name, c.help, c.aliases});
    return result;
  }
  static void describe(Parameter& p) {
    p.type = "choice";
    p.placeholder = "NAME";
    p.choices = names();
  }
  static void parse(const std::string& text, const Range&, E& value) {
    value = static_cast<E>(parse_choice(text, names()));
  }
  static std::string format(const E& value) {
    for (const Choice<E>& c : choices_of(E{}))
      if (c.value == value) return std::string(c.name);
    return "?";
  }
};

template <class T>
struct Member<std::optional<T>> {
  static void describe(Parameter& p) { Member<T>::describe(p); }
  static void parse(const std::string& text, const Range& allowed, std::optional<T>& value) {
    Member<T>::parse(text, allowed, value.emplace());
  }
  static std::string format(const std::optional<T>& value) {
    return value ? Member<T>::format(*value) : std::string();
  }
};

inline void apply(Parameter& p, Range r) { p.range = r; }
inline void apply(Parameter& p, Unit u) { p.unit = u.name; }
inline void apply(Parameter& p, ShortName s) { p.short_name = s.letter; }
inline void apply(Parameter& p, Placeholder w) { p.placeholder = w.word; }
inline void apply(Parameter& p, Suggestions s) { p.suggestions = std::move(s.words); }
inline void apply(Parameter& p, std::string_view help) { p.help = help; }
inline void apply(Parameter& p, NamesFile) {
  p.is_file = true;
  p.placeholder = "FILE";
}

template <class Struct, class T, class... Attributes>
Parameter make_parameter(std::string_view name, T Struct::*member, Attributes&&... attributes) {
  Parameter p;
  p.name = name;
  Member<T>::describe(p);
  (apply(p, std::forward<Attributes>(attributes)), ...);
  p.parse = [member](void* object, const std::string& text, const Range& allowed) {
    T value{};  // Parsed aside, so that a bad text leaves the struct as it was.
    Member<T>::parse(text, allowed, value);
    T& target = static_cast<Struct*>(object)->*member;
    // Given twice, the last counts, unless the type gathers what it is given.
    if constexpr (requires { target.gather(std::move(value)); })
      target.gather(std::move(value));
    else
      target = std::move(value);
  };
  p.format = [member](const void* object) {
    return Member<T>::format(static_cast<const Struct*>(object)->*member);
  };
  p.gathers = requires(T & value) { value.gather(T{}); };
  const Struct defaults{};
  p.default_text = p.format(&defaults);
  p.unset_by_default = p.default_text.empty();
  return p;
}

}  // namespace detail
}  // namespace cuimg

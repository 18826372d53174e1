// SPDX-License-Identifier: Apache-2.0
// The one description of a stage's or command's options, from which parsing, range errors, help,
// completion and the man page derive. Each member of a struct is named once, and its default is in
// the struct alone:
//
//   struct Greet {
//     std::string name = "world";
//     int times = 1;
//   };
//   const Description greet =
//       describe<Greet>("greet", "say hello")
//           .param("name", &Greet::name, "who is greeted")
//           .param("times", &Greet::times, range(1, 9), "how often")
//           .example("greet --name Ada");
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "options/parameter.h"

namespace cuimg {

/// Of a stage or command without options.
struct NoOptions {};

/// A named struct of options: a stage's, a command's, or the common ones.
struct Description {
  std::string name;
  std::string summary;  ///< One line, lower case, no full stop.
  std::string details;  ///< Paragraphs, separated by empty lines; wrapped when printed.
  std::vector<std::string> examples;  ///< Whole command lines, at most 76 columns.
  std::vector<Parameter> parameters;
  std::shared_ptr<void> (*make)() = nullptr;    ///< The struct with its defaults.
  const std::type_info* values_type = nullptr;  ///< The struct's type.

  template <class Struct>
  bool describes() const {
    return values_type != nullptr && *values_type == typeid(Struct);
  }

  /// By long name; null when there is none.
  const Parameter* find(std::string_view parameter) const;
  /// @param group its heading, or "".
  void add(Parameter parameter, std::string_view group);
  /// The words that give these values, those at their default left out unless `all`:
  /// "resize --size 640x480".
  std::string words(const void* values, bool all = false) const;
  /// For values that no text gave. @throws Error for one that its option would refuse.
  void check_values(const void* values) const;
};

/// The shared part of Describe and StageDescribe. @param Result the description.
/// @param Self the class derived from this one.
template <class Struct, class Result, class Self>
class DescribeOptions {
 public:
  /// An option for a member of the struct. Its attributes come in any order: a text is the line of
  /// help; the others are range(), unit(), short_name(), placeholder(), file(), suggestions().
  template <class T>
  Self& param(std::string_view name, T Struct::*member, Attribute a, Attribute b = {},
              Attribute c = {}, Attribute d = {}) {
    const auto offset = reinterpret_cast<const char*>(&(defaults_.*member)) -
                        reinterpret_cast<const char*>(&defaults_);
    result_.add(make_parameter(name, value_type<T>(), &defaults_, offset, {a, b, c, d}), group_);
    return self();
  }
  /// The heading of the parameters that follow.
  Self& group(std::string_view heading) {
    group_ = heading;
    return self();
  }
  Self& details(std::string_view text) {
    result_.details = text;
    return self();
  }
  Self& example(std::string_view command) {
    result_.examples.emplace_back(command);
    return self();
  }

  operator Result() const { return result_; }

 protected:
  DescribeOptions(std::string_view name, std::string_view summary) {
    result_.name = name;
    result_.summary = summary;
    result_.make = []() -> std::shared_ptr<void> { return std::make_shared<Struct>(); };
    result_.values_type = &typeid(Struct);
  }
  Self& self() { return static_cast<Self&>(*this); }

  Result result_;

 private:
  const Struct defaults_{};
  std::string_view group_;
};

/// Collects a description of options that are no stage's; see describe().
template <class Struct>
class Describe : public DescribeOptions<Struct, Description, Describe<Struct>> {
 public:
  Describe(std::string_view name, std::string_view summary)
      : DescribeOptions<Struct, Description, Describe>(name, summary) {}
};

/// Options that are no stage's: a command's, or the common ones.
template <class Struct>
Describe<Struct> describe(std::string_view name, std::string_view summary) {
  return {name, summary};
}

}  // namespace cuimg

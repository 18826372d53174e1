// SPDX-License-Identifier: Apache-2.0
// The one description of a stage, from which everything else derives: option parsing, range
// errors, help, `stages --json`, completion, the man page, the README's table. Each member of the
// parameters' struct is named once, and its default is in the struct alone:
//
//   struct Blur {
//     float sigma = 1.5f;
//     Border border = Border::clamp;
//   };
//   StageDescription blur_stage() {
//     return describe<Blur>("blur", "gaussian blur", Kind::filter)
//         .param("sigma", &Blur::sigma, range(0.1, 200), "standard deviation", unit("pixels"))
//         .param("border", &Blur::border, "what lies outside the image")
//         .example("cuimg blur --sigma 2 in.exr out.exr")
//         .prepare([](const Blur& blur, const Spec& input, const StageContext& context)
//                      -> std::unique_ptr<Operation> { ... });
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "options/parameter.h"
#include "stages/stage.h"

namespace cuimg {

/// What a stage takes and gives.
enum class Kind : std::uint8_t {
  source,   ///< no INPUT: checker, noise
  filter,   ///< one image in, one out
  sink,     ///< no OUTPUT: stats, histogram
  reducer,  ///< all inputs into one output: append, contact
};
std::string_view name_of(Kind kind);

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

/// What a report is about.
struct ReportSubject {
  std::string input;             ///< The file's name.
  std::optional<int> part = {};  ///< Its number where several of the file are reported on.
  bool alone = true;             ///< There are no other images.
};

/// What a sink gets besides the image.
struct ReportContext {
  std::string input;             ///< The file's name, for a heading.
  std::optional<int> part = {};  ///< Its number where several of the file are reported on.
  bool json = false;
  const Queue& queue;
  bool alone = true;              ///< There are no other images.
  bool no_clobber = false;        ///< Files that exist are not replaced.
  std::vector<bool> layers = {};  ///< Which of the image's are wanted; empty: all.

  bool wants(std::size_t layer) const { return layers.empty() || layers[layer]; }
  ReportSubject subject() const { return {input, part, alone}; }
};

/// What a measuring pass gets besides the image.
struct MeasureContext {
  const Queue& queue;             ///< The CPU's, so that every device goes on from the same values.
  std::vector<bool> layers = {};  ///< Which of the image's the stage touches; empty: all.

  bool wants(std::size_t layer) const { return layers.empty() || layers[layer]; }
};

struct StageDescription : Description {
  Kind kind = Kind::filter;
  /// Absent: always `kind`. For stages that take other files by the options they are given.
  std::function<Kind(const void*)> kind_given;
  /// The output is no picture of all directions, even where EXR's attribute envmap says so of the
  /// input.
  bool ends_environment = false;
  bool touches_color = false;  ///< Unless --layers says otherwise it sees colour layers alone.
  /// The stage is this turn of the whole picture and no more, as EXIF counts them: 2 to 8; else 0.
  int turn = 0;
  /// For stages that depend on what all pixels are: makes from the parameters those with which the
  /// stage is prepared, by a reduction whose result no order of rows or threads changes. Until then
  /// `prepare` is given parameters that know nothing of the pixels, as --dry-run does.
  std::function<std::shared_ptr<const void>(const void*, const Image&, const MeasureContext&)>
      measure;
  /// How `measure` wants the image's values; `stored`: as the input's file has them.
  Values measured_values = Values::stored;
  /// Throws Error for parameters that no image makes right; absent: there are none. Done before
  /// any image is opened.
  std::function<void(const void*)> check;
  /// All kinds but sinks. Sources and reducers are given a Spec without layers.
  std::function<std::unique_ptr<Operation>(const void*, const Spec&, const StageContext&)> prepare;
  /// Sinks: the text to print about an image, whose values are as the input's file has them.
  std::function<std::string(const void*, const Image&, const ReportContext&)> report;
  /// Sinks that write a file besides what they print: the option that names it, and which file it
  /// is for a subject; empty: none is written.
  std::string writes_option;
  std::function<std::string(const void*, const ReportSubject&)> writes;
};

/// Collects a description; see describe().
template <class Struct, class Result>
class Describe {
 public:
  explicit Describe(Result start) : result_(std::move(start)) {
    result_.make = []() -> std::shared_ptr<void> { return std::make_shared<Struct>(); };
    result_.values_type = &typeid(Struct);
  }

  /// The member of that name on the command line. Its attributes come in any order: the line of
  /// help, range(), unit(), short_name(), placeholder(), file(), suggestions().
  template <class T>
  Describe& param(std::string_view name, T Struct::*member, Attribute a, Attribute b = {},
                  Attribute c = {}, Attribute d = {}) {
    const auto offset = reinterpret_cast<const char*>(&(defaults_.*member)) -
                        reinterpret_cast<const char*>(&defaults_);
    result_.add(make_parameter(name, value_type<T>(), &defaults_, offset, {a, b, c, d}), group_);
    return *this;
  }
  /// The heading of the parameters that follow.
  Describe& group(std::string_view heading) {
    group_ = heading;
    return *this;
  }
  Describe& details(std::string_view text) {
    result_.details = text;
    return *this;
  }
  Describe& example(std::string_view command) {
    result_.examples.emplace_back(command);
    return *this;
  }
  /// For stages that change colours: of the input they see the layers that hold colour.
  Describe& on_color_layers() requires std::is_base_of_v<StageDescription, Result> {
    result_.touches_color = true;
    return *this;
  }
  /// For stages after which a picture of all directions is none any more.
  Describe& ends_environment() requires std::is_base_of_v<StageDescription, Result> {
    result_.ends_environment = true;
    return *this;
  }
  /// For stages that turn or mirror the picture. @param orientation as StageDescription::turn.
  Describe& turns(int orientation) requires std::is_base_of_v<StageDescription, Result> {
    result_.turn = orientation;
    return *this;
  }
  /// For stages whose kind depends on their options. @param choose (const Struct&) -> Kind.
  template <class Choose>
  requires std::is_base_of_v<StageDescription, Result> Describe& kind_by(Choose choose) {
    result_.kind_given = [choose = std::move(choose)](const void* values) {
      return choose(*static_cast<const Struct*>(values));
    };
    return *this;
  }
  /// @param look (const Struct&); throws Error.
  template <class Look>
  requires std::is_base_of_v<StageDescription, Result> Describe& check(Look look) {
    result_.check = [look = std::move(look)](const void* values) {
      look(*static_cast<const Struct*>(values));
    };
    return *this;
  }
  /// @param make (const Struct&, const Spec& input, const StageContext&), of which it may leave out
  /// the last or the last two, -> std::unique_ptr<Operation>; throws Error when the values and the
  /// input do not fit.
  template <class Make>
  requires std::is_base_of_v<StageDescription, Result> Describe& prepare(Make make) {
    result_.prepare = [make = std::move(make)](
                          const void* values, const Spec& input,
                          const StageContext& context) -> std::unique_ptr<Operation> {
      const auto& p = *static_cast<const Struct*>(values);
      if constexpr (std::is_invocable_v<Make, const Struct&>)
        return make(p);
      else if constexpr (std::is_invocable_v<Make, const Struct&, const Spec&>)
        return make(p, input);
      else
        return make(p, input, context);
    };
    return *this;
  }

  /// @param look (const Struct&, const Image&, const MeasureContext&) -> Struct; throws Error.
  template <class Look>
  requires std::is_base_of_v<StageDescription, Result> Describe& measure(Values values, Look look) {
    result_.measured_values = values;
    result_.measure = [look = std::move(look)](const void* given, const Image& image,
                                               const MeasureContext& context) {
      return std::make_shared<const Struct>(
          look(*static_cast<const Struct*>(given), image, context));
    };
    return *this;
  }

  /// @param print (const Struct&, const Image&, const ReportContext&) -> std::string; throws Error.
  template <class Print>
  requires std::is_base_of_v<StageDescription, Result> Describe& report(Print print) {
    result_.report = [print = std::move(print)](const void* values, const Image& image,
                                                const ReportContext& context) {
      return print(*static_cast<const Struct*>(values), image, context);
    };
    return *this;
  }

  /// @param option whose value names the file that report() writes. @param name (const Struct&,
  /// const ReportSubject&) -> std::string, empty where none is written; throws Error.
  template <class Name>
  requires std::is_base_of_v<StageDescription, Result> Describe& writes(std::string_view option,
                                                                        Name name) {
    result_.writes_option = option;
    result_.writes = [name = std::move(name)](const void* values, const ReportSubject& subject) {
      return name(*static_cast<const Struct*>(values), subject);
    };
    return *this;
  }

  operator Result() const { return result_; }

 private:
  Result result_;
  const Struct defaults_{};
  std::string_view group_;
};

template <class Struct>
Describe<Struct, StageDescription> describe(std::string_view name, std::string_view summary,
                                            Kind kind) {
  StageDescription start;
  start.name = name;
  start.summary = summary;
  start.kind = kind;
  return Describe<Struct, StageDescription>(std::move(start));
}

/// Options that are no stage's: a command's, or the common ones.
template <class Struct>
Describe<Struct, Description> describe(std::string_view name, std::string_view summary) {
  Description start;
  start.name = name;
  start.summary = summary;
  return Describe<Struct, Description>(std::move(start));
}

}  // namespace cuimg

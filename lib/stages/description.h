// SPDX-License-Identifier: Apache-2.0
// The one description of a stage, from which everything else derives: option parsing, range errors,
// help, `stages --json`, completion, the man page, the README's table. Each member of the
// parameters' struct is named once, and its default is stated only in the struct:
//
//   struct Emboss {
//     float depth = 1.5f;
//     Border border = Border::clamp;
//   };
//   StageDescription emboss_stage() {
//     return describe<Emboss>("emboss", "light from one side", Kind::filter)
//         .param("depth", &Emboss::depth, range(0.1, 200), "how deep the relief is")
//         .param("border", &Emboss::border, "what lies outside the image")
//         .example("cuimg emboss --depth 2 in.exr out.exr")
//         .prepare([](const Emboss& emboss, const Spec& input, const StageContext& context)
//                      -> std::unique_ptr<Operation> { ... });
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "options/description.h"
#include "stages/stage.h"

namespace cuimg {

/// A stage's inputs and outputs.
enum class Kind : std::uint8_t {
  source,   ///< no INPUT: checker, noise
  filter,   ///< one image in, one out
  sink,     ///< no OUTPUT: stats, histogram
  reducer,  ///< all inputs into one output: append, contact
};
std::string_view name_of(Kind kind);

/// The subject of a report.
struct ReportSubject {
  std::string input;             ///< The file's name, for a heading.
  std::optional<int> part = {};  ///< The part's number if several parts of the file are reported.
  bool alone = true;             ///< Whether there are no other images.
};

/// The layers of an image that a stage uses.
struct WantedLayers {
  std::vector<bool> chosen = {};  ///< For each layer; empty: all.

  bool contains(std::size_t layer) const { return chosen.empty() || chosen[layer]; }
};

/// What a sink receives in addition to the image.
struct ReportContext {
  ReportSubject subject;
  bool json = false;
  const Queue& queue;
  bool no_clobber = false;  ///< Whether existing files must not be replaced.
  WantedLayers layers = {};
};

/// What a measuring pass receives in addition to the image.
struct MeasureContext {
  const Queue& queue;  ///< The CPU's queue, so that every device continues from the same values.
  WantedLayers layers = {};
};

struct StageDescription : Description {
  Kind kind = Kind::filter;
  /// Absent: always `kind`. For stages whose options decide which files they take.
  std::function<Kind(const void*)> kind_given;
  /// Whether the output is not an environment map even if EXR's attribute envmap says that the
  /// input is one.
  bool ends_environment = false;
  /// Whether it processes only colour layers unless --layers says otherwise.
  bool touches_color = false;
  /// EXIF's number of the turn, 2 to 8, if the stage only turns the whole picture; otherwise 0.
  int turn = 0;
  /// For stages that depend on all pixels: turns the given parameters into those for `prepare`, by
  /// a reduction whose result does not depend on the order of rows or threads. Before that, as in
  /// --dry-run, `prepare` gets parameters without knowledge of the pixels.
  std::function<std::shared_ptr<const void>(const void*, const Image&, const MeasureContext&)>
      measure;
  /// The form in which `measure` needs the image's values; `stored`: as in the input's file.
  Values measured_values = Values::stored;
  /// Throws Error for parameters that are wrong for every image; absent: there are none. Called
  /// before any image is opened.
  std::function<void(const void*)> check;
  /// For all kinds except sinks. Sources and reducers are given a Spec without layers.
  std::function<std::unique_ptr<Operation>(const void*, const Spec&, const StageContext&)> prepare;
  /// Whether the picture shows the inputs' names or frame numbers. Absent: never.
  std::function<bool(const void*)> shows_names;
  /// For sinks: the text to print about an image, whose values are as in the input's file.
  std::function<std::string(const void*, const Image&, const ReportContext&)> report;
  /// For sinks that write a file in addition to their printed text: the option that names it, and
  /// the file for a subject; empty: none is written.
  std::string writes_option;
  std::function<std::string(const void*, const ReportSubject&)> writes;
};

/// Collects a stage's description; see describe().
template <class Struct>
class StageDescribe : public DescribeOptions<Struct, StageDescription, StageDescribe<Struct>> {
 public:
  StageDescribe(std::string_view name, std::string_view summary, Kind kind)
      : DescribeOptions<Struct, StageDescription, StageDescribe>(name, summary) {
    result_.kind = kind;
  }

  /// For stages that change colours: they only get the input's colour layers.
  StageDescribe& on_color_layers() {
    result_.touches_color = true;
    return *this;
  }
  /// For stages whose output is no longer an environment map.
  StageDescribe& ends_environment() {
    result_.ends_environment = true;
    return *this;
  }
  /// For stages that turn or mirror the picture. @param orientation as in StageDescription::turn.
  StageDescribe& turns(int orientation) {
    result_.turn = orientation;
    return *this;
  }
  /// For stages whose kind depends on their options. @param choose (const Struct&) -> Kind.
  template <class Choose>
  StageDescribe& kind_by(Choose choose) {
    result_.kind_given = [choose = std::move(choose)](const void* values) {
      return choose(*static_cast<const Struct*>(values));
    };
    return *this;
  }
  /// @param decide (const Struct&) -> bool, see StageDescription::shows_names.
  template <class Decide>
  StageDescribe& shows_names(Decide decide) {
    result_.shows_names = [decide = std::move(decide)](const void* values) {
      return decide(*static_cast<const Struct*>(values));
    };
    return *this;
  }
  /// @param look (const Struct&); throws Error.
  template <class Look>
  StageDescribe& check(Look look) {
    result_.check = [look = std::move(look)](const void* values) {
      look(*static_cast<const Struct*>(values));
    };
    return *this;
  }
  /// @param make (const Struct&, const Spec& input, const StageContext&) ->
  /// std::unique_ptr<Operation>, where the last or the last two parameters may be omitted; throws
  /// Error if the values and the input do not fit.
  template <class Make>
  StageDescribe& prepare(Make make) {
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
  StageDescribe& measure(Values values, Look look) {
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
  StageDescribe& report(Print print) {
    result_.report = [print = std::move(print)](const void* values, const Image& image,
                                                const ReportContext& context) {
      return print(*static_cast<const Struct*>(values), image, context);
    };
    return *this;
  }

  /// @param option whose value names the file that report() writes. @param name (const Struct&,
  /// const ReportSubject&) -> std::string, empty if none is written; throws Error.
  template <class Name>
  StageDescribe& writes(std::string_view option, Name name) {
    result_.writes_option = option;
    result_.writes = [name = std::move(name)](const void* values, const ReportSubject& subject) {
      return name(*static_cast<const Struct*>(values), subject);
    };
    return *this;
  }

 private:
  using Base = DescribeOptions<Struct, StageDescription, StageDescribe>;
  using Base::result_;
};

template <class Struct>
StageDescribe<Struct> describe(std::string_view name, std::string_view summary, Kind kind) {
  return {name, summary, kind};
}

}  // namespace cuimg

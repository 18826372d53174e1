// SPDX-License-Identifier: Apache-2.0
// Stages for tests of the command line: one parameter of every type, and one stage of every kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stages/registry.h"

namespace cuimg::test {

enum class Shape : std::uint8_t { round, square };
inline std::span<const Choice<Shape>> choices_of(Shape) {
  static constexpr Choice<Shape> table[] = {{Shape::round, "round", "a disc", "disc circle"},
                                            {Shape::square, "square", "a box", "box"}};
  return table;
}

struct Everything {
  int count = 3;
  float sigma = 1.5f;
  double angle = 0;
  bool antialias = true;
  bool clip = false;
  std::string map;
  Shape shape = Shape::square;
  Border border = Border::clamp;
  Size size = percent(50);
  Region region = {{1, 2, 30, 40}};
  Color color = {{0, 0, 0, 1}};
  std::vector<float> weights;
  std::vector<Point> points;
  std::optional<int> seed;
};

struct Nothing {};

inline const StageDescription& everything_stage() {
  using E = Everything;
  static const StageDescription description =
      describe<E>("everything", "one parameter of every type", Kind::filter)
          .param("count", &E::count, range(1, 9), "how many times it is done")
          .param("sigma", &E::sigma, range(0.1f, 200.0f), "standard deviation", unit("pixels"))
          .param("angle", &E::angle, "clockwise", unit("degrees"))
          .param("antialias", &E::antialias, "widen the filter where the image shrinks")
          .param("clip", &E::clip, "limit the result to what the taps hold")
          .param("map", &E::map, file(), "a second image")
          .param("shape", &E::shape, "of the brush")
          .group("Options of place")
          .param("border", &E::border, "what lies outside the image")
          .param("size", &E::size, "of the output")
          .param("region", &E::region, "of the input")
          .param("color", &E::color, "of the border")
          .param("weights", &E::weights, "of the taps")
          .param("points", &E::points, "of the outline")
          .param("seed", &E::seed, at_least(0), "of the noise")
          .details("A stage that does nothing, in as many ways as there are.")
          .example("cuimg everything --sigma 2 in.exr out.exr")
          .prepare([](const E&, const Spec&, const StageContext&) {
            return std::unique_ptr<Operation>();
          });
  return description;
}

inline const StageDescription& stage_of(Kind kind) {
  static const auto make = [](std::string_view name, Kind k) -> StageDescription {
    return describe<Nothing>(name, "a stage without options", k);
  };
  static const StageDescription source = make("noise", Kind::source),
                                filter = make("flip", Kind::filter),
                                sink = make("stats", Kind::sink),
                                reducer = make("append", Kind::reducer);
  switch (kind) {
    case Kind::source:
      return source;
    case Kind::sink:
      return sink;
    case Kind::reducer:
      return reducer;
    case Kind::filter:
      break;
  }
  return filter;
}

inline std::span<const StageDescription* const> test_stages() {
  static const std::vector<const StageDescription*> table = {
      &everything_stage(), &stage_of(Kind::source), &stage_of(Kind::filter), &stage_of(Kind::sink),
      &stage_of(Kind::reducer)};
  return table;
}

/// what() of the Error that `work` throws, or "no error".
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace cuimg::test

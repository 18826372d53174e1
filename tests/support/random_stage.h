// SPDX-License-Identifier: Apache-2.0
// Random parameters for a stage, drawn from its own description, for tests of all stages in the
// table.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/cubes.h"
#include "support/images.h"
#include "support/process.h"
#include "support/random_picture.h"

namespace cuimg::test {

// A map of any size with positions in the picture, near its edges and anywhere.
inline std::string write_random_map(Draw& draw, const TempDir& folder, const Rect& picture) {
  const Rect window = {draw.number(-9, 9), draw.number(-9, 9), draw.number(1, 60),
                       draw.number(1, 60)};
  Spec spec = spec_of(window, draw.one_in(3) ? PixelType::half : PixelType::f32, 1);
  spec.layers[0].channels = {"X", "Y"};
  const bool normalized = draw.one_in(2);
  const Image map = image_of(spec, [&](int, int, int, int c) -> float {
    if (draw.one_in(50)) return std::bit_cast<float>(draw.bits());
    const auto size = static_cast<float>(c == 0 ? picture.width : picture.height);
    return draw.real(-1, 2) * (normalized ? 1.0f : size);
  });
  const std::string path = folder / "map.exr";
  write_image(path, map, *codec_named("exr"));
  return path;
}

// Curves or a grid, some of them with another range than [0, 1].
inline std::string write_random_cube(Draw& draw, const TempDir& folder) {
  const auto entry = [&](const auto&) {
    return Rgb{draw.real(-0.2f, 1.5f), draw.real(0, 1), draw.one_in(9) ? 0 : draw.real(-9, 9)};
  };
  std::string text = draw.one_in(3) ? "DOMAIN_MIN -0.5 0 0.1\nDOMAIN_MAX 2 1 9\n" : "";
  text += draw.one_in(3) ? curves_text(draw.number(2, 200), entry)
                         : grid_text(draw.number(2, 9), entry);
  return folder.write("table.cube", text);
}

// A file for the parameter. Parameters with the same name take the same kind of file.
inline std::string write_random_file(const Parameter& p, Draw& draw, const TempDir& folder,
                                     const Rect& picture) {
  if (p.name == "map") return write_random_map(draw, folder, picture);
  if (p.name == "file") return write_random_cube(draw, folder);
  const std::string format = draw.one_in(2) ? "png" : "exr";
  const std::string path = folder / ("second." + format);
  const Image second = random_picture(draw);
  const ChainOptions options = {.format = format};
  const Image stored = run_plan(plan_of({}, second.spec(), options), second, options);
  write_image(path, stored, *codec_named(format));
  return path;
}

// A text that the parameter accepts, or nothing to keep its default.
inline std::optional<std::string> random_text(const Parameter& p, Draw& draw, const TempDir& folder,
                                              const Rect& picture) {
  const Range allowed = p.range.value_or(Range{});
  const auto clamped = [&](double low, double high) {
    return std::pair{static_cast<float>(std::max(low, allowed.lowest)),
                     static_cast<float>(std::min(high, allowed.highest))};
  };
  if (p.is_file) return write_random_file(p, draw, folder, picture);
  if (draw.one_in(4)) return std::nullopt;
  if (p.is_flag) return draw.one_in(2) ? "true" : "false";
  if (!p.choices.empty()) return std::string(draw.of(p.choices).name);
  if (p.type == "int" && p.name == "size")
    return std::to_string(2 * draw.number(1, 15) + 1);  // an odd number
  if (p.type == "int") {
    const auto [low, high] = clamped(-100, 100);
    return std::to_string(draw.number(static_cast<int>(low), static_cast<int>(high)));
  }
  if (p.type == "float") {
    const auto [low, high] = clamped(-100, 100);
    return format_value(draw.real(low, high));
  }
  if (p.type == "size") {
    if (draw.one_in(2)) return format_value(percent(std::exp2(draw.real(-4, 2)) * 100));
    return format_value(pixels(draw.number(1, 120), draw.number(0, 120)));
  }
  if (p.type == "aspect") return format_value(Aspect{draw.real(0.5f, 4), draw.real(0.5f, 4)});
  if (p.type == "region")
    return format_value(
        Region{{draw.number(-9, 9), draw.number(-9, 9), draw.number(1, 90), draw.number(1, 90)}});
  if (p.type == "floats") {
    const auto [low, high] = clamped(-3, 3);
    return format_value(std::vector<float>{draw.real(low, high)});
  }
  // The position of a second image, which must be whole pixels.
  if (p.name == "at")
    return format_value(
        Point{static_cast<float>(draw.number(-30, 60)), static_cast<float>(draw.number(-30, 60))});
  if (p.type == "radius") {
    const int longest = draw.one_in(6) ? 400 : draw.one_in(2) ? 40 : 9;
    return format_value(Radius{draw.number(0, longest), draw.number(0, longest)});
  }
  if (p.type == "point") return format_value(Point{draw.real(-9, 90), draw.real(-9, 90)});
  const auto random_paint = [&] {
    return Paint{{draw.real(-1, 2), draw.real(0, 1), draw.real(0, 9), draw.real(0, 1)},
                 draw.number(1, 4)};
  };
  if (p.type == "color") return format_value(random_paint());
  if (p.type == "colors") {
    std::vector<Paint> colors;
    for (int i = 0; i < (p.name == "corners" ? 4 : 2); ++i) colors.push_back(random_paint());
    return format_value(colors);
  }
  return std::nullopt;
}

// For options that exclude each other, the ones to leave out.
inline std::vector<std::string> left_out_of(const StageDescription& stage, Draw& draw) {
  // A value and a second image exclude each other, and one of them is required.
  if (stage.find("value") != nullptr && stage.find("with") != nullptr)
    return draw.one_in(3) ? std::vector<std::string>{"with", "gravity", "at"}
                          : std::vector<std::string>{"value"};
  const bool first = draw.one_in(2);
  if (stage.name == "pad") {
    std::vector<std::string> names =
        first ? std::vector<std::string>{"size", "aspect", "gravity"}
              : std::vector<std::string>{"left", "right", "top", "bottom"};
    if (!first) names.push_back(draw.one_in(2) ? "size" : "aspect");
    names.push_back(draw.one_in(2) ? "border" : "color");
    return names;
  }
  if (stage.name == "cut")
    return first ? std::vector<std::string>{"size", "aspect", "gravity"}
                 : std::vector<std::string>{"region", draw.one_in(2) ? "size" : "aspect"};
  if (stage.name == "rotate") return {first ? "expand" : "center"};
  if (stage.name == "cdl") return {"file", "id"};
  if (stage.name == "perspective") return {first ? "corners" : "matrix"};
  // Most curves have their own white.
  if (stage.name == "tonemap" && !draw.one_in(4)) return {"white"};
  return {};
}

inline std::vector<std::string> left_out(const StageDescription& stage, Draw& draw) {
  std::vector<std::string> names = left_out_of(stage, draw);
  // A map that is written instead of the picture has none of its pixels.
  if (!draw.one_in(8)) names.push_back("make-map");
  return names;
}

// Numbers near the given ones, so that pictures are bent but remain visible.
inline std::string numbers_near(const std::vector<float>& middle, float spread, Draw& draw) {
  std::vector<float> numbers;
  for (const float v : middle) numbers.push_back(v + draw.real(-spread, spread));
  return format_value(numbers);
}

// Weights of any sign, some of them 0; half of the time the product of a column and a row.
inline std::string random_kernel(Draw& draw) {
  const int longest = draw.one_in(8) ? 40 : 6;
  const int width = draw.number(1, longest), height = draw.number(1, longest);
  const bool is_product = draw.one_in(2);
  std::vector<int> column, row;
  for (int y = 0; y < height; ++y) column.push_back(draw.number(-3, 9));
  for (int x = 0; x < width; ++x) row.push_back(draw.number(-3, 9));
  std::string text = std::to_string(width) + "x" + std::to_string(height) + ":";
  for (const int c : column)
    for (const int r : row) {
      const int weight = is_product ? c * r : draw.one_in(3) ? 0 : draw.number(-9, 20);
      text += format_value(static_cast<float>(weight) / 8) + ",";
    }
  text.pop_back();
  return text;
}

// A text for parameters whose valid values depend on the stage. @param values the values drawn so
// far.
inline std::optional<std::string> random_text_for(const StageDescription& stage, const Parameter& p,
                                                  Draw& draw, const Rect& picture,
                                                  const void* values) {
  const auto number = [](int v) { return static_cast<float>(v); };
  const float left = number(picture.x), top = number(picture.y), right = number(picture.right()),
              bottom = number(picture.bottom());
  if (stage.name == "pad" && p.name == "size")
    return format_value(
        pixels(picture.width + draw.number(0, 50), picture.height + draw.number(0, 50)));
  if (stage.name == "cut" && p.name == "size")
    return format_value(pixels(draw.number(1, picture.width), draw.number(1, picture.height)));
  if (p.name == "kernel") return random_kernel(draw);
  if (p.name == "text") return draw.one_in(2) ? "{part}" : "{{Äg}}\\nframe 0123";
  if (stage.name == "channels" && p.name == "pick") {
    // Every picture has channel 0; a draw of other channels may be refused.
    std::string list = draw.one_in(2) ? "0" : "q.G=0.75,0,q.A=1";
    if (draw.one_in(3)) list += ",q.B=-2,q.R=0.25";
    if (draw.one_in(3)) list += draw.one_in(2) ? ",1" : ",2,1";
    if (draw.one_in(2))
      list += draw.one_in(2) ? ",c.R=with:0,c.G=0" : ",A=with:0,s=with:0,t.Y=with:R";
    return list;
  }
  // Large sigmas that use a coarse grid, along both axes or one.
  if ((stage.name == "blur" || stage.name == "unsharp") && p.name == "sigma" && draw.one_in(3)) {
    const auto sigma = [&] { return std::exp2(draw.real(draw.one_in(3) ? -2 : 4.7f, 7)); };
    return format_value(std::vector<float>{sigma(), sigma()});
  }
  // The time grows with the square of the radius.
  if (stage.name == "bilateral" && p.name == "radius") return format_value(draw.number(1, 9));
  if (stage.name == "envmap" && p.name == "from")
    return picture.width == picture.height && draw.one_in(2) ? "mirrorball" : "latlong";
  if (stage.name == "envmap" && p.name == "to") return std::string(draw.of(p.choices).name);
  // A mirrorball has no levels.
  if (stage.name == "envmap" && p.name == "filter" && picture.width == picture.height)
    return "linear";
  if (stage.name == "envmap" && p.name == "size" && stage.find("to")->text(values) == "view")
    return format_value(pixels(draw.number(1, 60), draw.number(1, 60)));
  if (stage.name == "envmap" && p.name == "rotate") {
    std::vector<float> angles;
    for (int i = draw.number(1, 3); i > 0; --i)
      angles.push_back(draw.one_in(3) ? 90.0f * number(draw.number(-5, 5)) : draw.real(-400, 400));
    return draw.one_in(2) ? std::optional(format_value(angles)) : std::nullopt;
  }
  if (stage.name == "envmap" && p.name == "fov") return format_value(draw.real(1, 178));
  if (stage.name == "envmap" && p.name == "size")
    return format_value(percent(std::exp2(draw.real(-3, 0.5)) * 100));
  // A source has no input from which to take a part. It makes a picture of the drawn size.
  if (stage.kind == Kind::source && p.name == "size")
    return format_value(pixels(std::min(picture.width, 50), std::min(picture.height, 50)));
  if (stage.name == "rotate" && p.name == "angle" && draw.one_in(3))
    return std::to_string(90 * draw.number(-5, 5));
  if (stage.name == "affine" && p.name == "matrix") {
    if (draw.one_in(4)) return numbers_near({0, 0, 0, 0, 9, 9}, 9, draw);
    return numbers_near({1, 0, 0, 1, 0, 0}, draw.one_in(4) ? 0 : 0.9f, draw);
  }
  if (stage.name == "perspective" && p.name == "corners") {
    const float spread = 0.3f * std::min(right - left, bottom - top);
    return numbers_near({left, top, right, top, right, bottom, left, bottom}, spread, draw);
  }
  if (stage.name == "perspective" && p.name == "matrix")
    return numbers_near({1, 0, 0, 0, 1, 0, 0, 0, 1}, 0.02f, draw);
  if (stage.name == "matrix" && p.name == "values") {
    if (draw.one_in(3))
      return numbers_near({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 0.5f, draw);
    if (draw.one_in(2)) return numbers_near({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 0.5f, draw);
    return numbers_near({1, 0, 0, 0, 1, 0, 0, 0, 1}, 0.5f, draw);
  }
  if (stage.name == "curve" && p.type == "points") {
    if (p.name != "points" && !draw.one_in(3)) return std::nullopt;
    std::vector<Point> points = {{draw.real(-1, 1), draw.real(-1, 1)}};
    for (int i = draw.number(1, 9); i > 0; --i)
      points.push_back({points.back().x + draw.real(0.01f, 0.5f), draw.real(-1, 2)});
    return format_value(points);
  }
  // The third mode refuses non-finite values, which these pictures contain.
  if (stage.name == "fixnan") return draw.one_in(2) ? "black" : "box3";
  // Must not be below --min.
  if (stage.name == "clamp" && p.name == "max") return format_value(draw.real(3, 9));
  if (stage.name == "noise" && p.name == "min") return format_value(draw.real(-9, 1));
  if (stage.name == "noise" && p.name == "max") return format_value(draw.real(1, 9));
  if (stage.name == "undistort" || stage.name == "distort") {
    if (p.name == "focal")
      return draw.one_in(2) ? numbers_near({150}, 140, draw) : numbers_near({90, 80}, 70, draw);
    if (p.name == "center") return numbers_near({10, 10}, 30, draw);
    if (p.name.size() == 2) return format_value(draw.real(-0.4f, 0.4f));
  }
  return std::nullopt;
}

// Whether a value would have an effect with the values drawn so far. A value without an effect is
// refused.
inline bool has_effect(const StageDescription& stage, const Parameter& p, const void* values) {
  const auto text = [&](const char* name) { return stage.find(name)->text(values); };
  const bool shows_color =
      stage.name == "remap" || stage.name == "rotate" || stage.name == "affine";
  if (shows_color && p.name == "border-color") return text("border") == "border";
  if (stage.name == "channels" && p.name != "pick")
    return text("pick").find("with:") != std::string::npos;
  if (stage.name == "noise" && (p.name == "min" || p.name == "max"))
    return text("distribution") == "uniform";
  if (stage.name == "noise" && (p.name == "mean" || p.name == "stddev"))
    return text("distribution") == "gaussian";
  if (stage.name == "envmap" && p.name == "fov")
    return text("to") == "view" || text("to").starts_with("equi");
  if (stage.name != "resize") return true;
  const bool keeps_aspect = text("size").ends_with('%') || text("size").ends_with("x0");
  if (p.name == "fit") return !keeps_aspect;
  if (p.name == "fill") return !keeps_aspect && text("fit") == "false";
  return p.name != "gravity" || text("fill") == "true";
}

/// A stage with random values; the files that it needs are made in `folder`.
inline BoundStage random_stage(const StageDescription& stage, Draw& draw, const TempDir& folder,
                               const Rect& picture) {
  const std::shared_ptr<void> values = stage.make();
  const std::vector<std::string> without = left_out(stage, draw);
  for (const Parameter& p : stage.parameters) {
    if (std::find(without.begin(), without.end(), p.name) != without.end()) continue;
    if (!has_effect(stage, p, values.get())) continue;
    std::optional<std::string> text = random_text_for(stage, p, draw, picture, values.get());
    if (!text) text = random_text(p, draw, folder, picture);
    if (text) p.set(values.get(), *text, stage.name);
  }
  return {&stage, values};
}

}  // namespace cuimg::test

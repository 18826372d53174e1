// SPDX-License-Identifier: Apache-2.0
// curve: maps values by a curve through points that the user gives.
#include <limits>
#include <optional>

#include "base/error.h"
#include "kernels/color/spline.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

enum class Between : std::uint8_t { cubic, linear };
std::span<const Choice<Between>> choices_of(Between) {
  static constexpr Choice<Between> choices[] = {
      {Between::cubic, "cubic", "smooth and monotone where the points are; never overshoots"},
      {Between::linear, "linear", "straight lines"}};
  return choices;
}

struct CurveThrough {
  std::vector<Point> points = {{0, 0}, {1, 1}};
  std::optional<std::vector<Point>> red, green, blue;
  Between interpolation = Between::cubic;
};

constexpr std::size_t most_points = 1024;

// The slope at an end, from the two nearest chords. It never has the opposite sign of the end's
// chord and is at most three times as steep (Moler, "Numerical Computing with MATLAB", 2004,
// section 3.6).
double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  const bool turns = d0 * d1 <= 0;
  const double most = 3 * d0;
  const bool too_steep = most > 0 ? slope > most : slope < most;
  return turns && too_steep ? most : slope;
}

// Slopes at the points: the harmonic mean of the chords on both sides, weighted by their lengths; 0
// where the chords change sign (Fritsch and Butland 1984, the form that MATLAB and SciPy call
// PCHIP).
std::vector<double> slopes_at(const std::vector<double>& h, const std::vector<double>& d) {
  const std::size_t chords = d.size();
  if (chords == 1) return {d[0], d[0]};
  std::vector<double> slopes = {end_slope(h[0], h[1], d[0], d[1])};
  for (std::size_t i = 1; i < chords; ++i) {
    const double a = 2 * h[i] + h[i - 1], b = h[i] + 2 * h[i - 1];
    slopes.push_back(d[i - 1] * d[i] <= 0 ? 0 : (a + b) / (a / d[i - 1] + b / d[i]));
  }
  slopes.push_back(end_slope(h[chords - 1], h[chords - 2], d[chords - 1], d[chords - 2]));
  return slopes;
}

struct Curve {
  std::shared_ptr<const std::vector<float>> table;
  Spline op;
};

// @param option the option's name, for errors.
Curve spline_of(const std::string& option, const std::vector<Point>& points, bool is_cubic) {
  const std::size_t count = points.size();
  if (count < 2 || count > most_points)
    throw Error("curve", option + " has " + std::to_string(count), "give 2 to 1024 points");
  std::vector<double> x, y, h, d;
  for (const Point& point : points) {
    x.push_back(static_cast<double>(point.x));
    y.push_back(static_cast<double>(point.y));
  }
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (!(x[i] < x[i + 1]))
      throw Error("curve", option + ": x does not rise from point to point", "sort them by x");
    h.push_back(x[i + 1] - x[i]);
    d.push_back((y[i + 1] - y[i]) / h.back());
  }
  std::vector<double> slopes(count);
  if (is_cubic) slopes = slopes_at(h, d);
  Curve made;
  made.op.first_step = 1;
  while (2 * made.op.first_step <= static_cast<int>(count)) made.op.first_step *= 2;
  std::vector<float> table;
  for (const double knot : x) table.push_back(static_cast<float>(knot));
  table.resize(static_cast<std::size_t>(2 * made.op.first_step - 1),
               std::numeric_limits<float>::quiet_NaN());
  const auto append = [&](double from, double value, double slope, double square, double cube) {
    for (const double v : {from, value, slope, square, cube})
      table.push_back(static_cast<float>(v));
  };
  append(x.front(), y.front(), is_cubic ? slopes.front() : d.front(), 0, 0);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (is_cubic)
      append(x[i], y[i], slopes[i], (3 * d[i] - 2 * slopes[i] - slopes[i + 1]) / h[i],
             (slopes[i] + slopes[i + 1] - 2 * d[i]) / (h[i] * h[i]));
    else
      append(x[i], y[i], d[i], 0, 0);
  }
  append(x.back(), y.back(), is_cubic ? slopes.back() : d.back(), 0, 0);
  made.table = std::make_shared<const std::vector<float>>(std::move(table));
  made.op.table = made.table->data();
  made.op.table_size = static_cast<int>(made.table->size());
  return made;
}

void check_curves(const CurveThrough& p) {
  const bool is_cubic = p.interpolation == Between::cubic;
  spline_of("--points", p.points, is_cubic);
  if (p.red) spline_of("--red", *p.red, is_cubic);
  if (p.green) spline_of("--green", *p.green, is_cubic);
  if (p.blue) spline_of("--blue", *p.blue, is_cubic);
}

// The curves of a layer, in the order in which they apply.
ColorChange curves_of(const CurveThrough& p, const LayerSpec& layer) {
  ColorChange change;
  const auto append = [&](const std::string& option, const std::vector<Point>& points,
                          std::uint8_t channels) {
    Curve curve = spline_of(option, points, p.interpolation == Between::cubic);
    curve.op.channels = channels;
    change.ops.emplace_back(curve.op);
    change.tables.push_back(std::move(curve.table));
  };
  const std::pair<const char*, const std::optional<std::vector<Point>>*> of_one[] = {
      {"red", &p.red}, {"green", &p.green}, {"blue", &p.blue}};
  const bool is_rgb = form_of(layer).shape.colors == 3;
  for (int c = 0; c < 3; ++c) {
    const auto& [name, points] = of_one[c];
    if (!*points) continue;
    const std::string option = std::string("--") + name;
    if (!is_rgb)
      throw Error("curve", option + " is given, and a layer has no red, green and blue",
                  "--points is for all layers; --layers chooses some");
    append(option, **points, static_cast<std::uint8_t>(1 << c));
  }
  if (change.ops.empty() || p.points != CurveThrough{}.points)
    append("--points", p.points, color_channels(layer));
  return change;
}

}  // namespace

StageDescription curve_stage() {
  return describe<CurveThrough>("curve", "bend values along a curve through points", Kind::filter)
      .param("points", &CurveThrough::points, "points x,y of the curve for all colours, x rising")
      .param("red", &CurveThrough::red, "a curve for red alone, applied before --points")
      .param("green", &CurveThrough::green, "a curve for green alone")
      .param("blue", &CurveThrough::blue, "a curve for blue alone")
      .param("interpolation", &CurveThrough::interpolation, "how the curve runs between points")
      .details(
          "Each colour goes through its own curve, if it has one, and then through the curve for "
          "all. Cubics are monotone (Fritsch and Butland 1984, like SciPy's PchipInterpolator). "
          "Beyond the first and the last point the curve continues as a straight line, so "
          "highlights are not cut off; to cut them off, end the curve with a level piece or use "
          "clamp. Works on values as the input's file encodes them (sRGB's in most formats, light "
          "in EXR), alpha divided out; with --raw on the stored values.")
      .example("cuimg curve --points '0,0 0.25,0.18 0.75,0.82 1,1' in.png out.png")
      .example("cuimg curve --red '0,0 0.5,0.56 1,1' --blue '0,0.06 1,0.92' in.png out.png")
      .on_color_layers()
      .check(check_curves)
      .prepare(each_layer(Values::encoded, curves_of));
}

}  // namespace cuimg

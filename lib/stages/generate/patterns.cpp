// SPDX-License-Identifier: Apache-2.0
// The sources that evaluate a formula: constant, checker, gradient, ramp, zoneplate.
#include "kernels/generate/pattern_generators.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stages/description.h"
#include "stages/generate/generate.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

struct ConstantSource {
  Size size = default_picture_size;
  Paint color;
};

struct CheckerSource {
  Size size = default_picture_size;
  int cell = 16;
  std::vector<Paint> colors = {{{0, 0, 0}, 3}, {{1, 1, 1}, 3}};
};

enum class Direction : std::uint8_t { horizontal, vertical, radial };
[[maybe_unused]] std::span<const Choice<Direction>> choices_of(Direction) {
  static constexpr Choice<Direction> choices[] = {
      {Direction::horizontal, "horizontal", "from left to right"},
      {Direction::vertical, "vertical", "from top to bottom"},
      {Direction::radial, "radial", "from the middle to the corners"}};
  return choices;
}

struct GradientSource {
  Size size = default_picture_size;
  Paint from = {{0, 0, 0}, 3};
  Paint to = {{1, 1, 1}, 3};
  Direction direction = Direction::horizontal;
  std::vector<Paint> corners;
};

struct RampSource {
  Size size = default_picture_size;
  float from = 0, to = 1;
  int steps = 0;
  ChannelSet channels = ChannelSet::y;
};

struct ZoneplateSource {
  Size size = default_picture_size;
  double frequency = 0.5;
  ChannelSet channels = ChannelSet::y;
};

// Interpolation multiplies the distance of two values, so the distance must also be a float.
void check_distance(const char* place, const std::string& what, float a, float b) {
  if (!std::isfinite(b - a))
    throw Error(place,
                what + ": " + format_value(a) + " and " + format_value(b) + " are too far apart",
                "let them differ by 3.4e38 at most");
}

std::unique_ptr<Operation> make_ramp(const RampSource& p) {
  check_distance("ramp", "--from and --to", p.from, p.to);
  const Spec spec = generated_spec("ramp", p.size, p.channels);
  const Rect& r = spec.data_window;
  // If there were more steps than columns, the last ones would not be visible.
  const int steps = std::min(p.steps, r.width);
  return make_source(
      spec, Ramp{r.width, r.height, steps, p.from, p.to, form_of(spec.layers[0]).shape}, 12);
}

std::unique_ptr<Operation> make_gradient(const GradientSource& p) {
  std::vector<Paint> colors = p.corners;
  if (!colors.empty() && colors.size() != 4)
    throw Error("gradient", "--corners holds " + std::to_string(colors.size()) + " colours",
                "give four: top left, top right, bottom left, bottom right");
  if (colors.empty()) {
    const bool down = p.direction == Direction::vertical;
    colors = {p.from, down ? p.from : p.to, down ? p.to : p.from, p.to};
  }
  const ChannelSet channels = channels_for(colors);
  const Spec spec = generated_spec("gradient", p.size, channels);
  Gradient gradient{spec.data_window.width,
                    spec.data_window.height,
                    p.corners.empty() && p.direction == Direction::radial,
                    {}};
  for (std::size_t i = 0; i < 4; ++i) lay_out(colors[i], channels, gradient.corners[i]);
  constexpr int neighbors[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
  for (const auto& [a, b] : neighbors)
    for (int c = 0; c < 4; ++c)
      check_distance("gradient", p.corners.empty() ? "--from and --to" : "--corners",
                     gradient.corners[a][c], gradient.corners[b][c]);
  return make_source(spec, gradient, 12);
}

std::unique_ptr<Operation> make_zoneplate(const ZoneplateSource& p) {
  const Spec spec = generated_spec("zoneplate", p.size, p.channels);
  const Rect& r = spec.data_window;
  // The phase f r^2 / side has the slope f at r = side / 2; since r is in half pixels, a quarter of
  // that.
  const double turns = p.frequency / (4.0 * std::max(r.width, r.height));
  const auto step = static_cast<std::uint64_t>(std::floor(std::ldexp(turns, 64) + 0.5));
  return make_source(spec, Zoneplate{r.width, r.height, step, form_of(spec.layers[0]).shape}, 8);
}

constexpr std::string_view colors_help =
    "A colour has one value for each channel of the picture: V, V,A, R,G,B or R,G,B,A. The values "
    "are linear and premultiplied; with --raw they are stored as they are.";

}  // namespace

StageDescription constant_stage() {
  return describe<ConstantSource>("constant", "one colour everywhere", Kind::source)
      .param("size", &ConstantSource::size, "size of the picture", placeholder("WxH"))
      .param("color", &ConstantSource::color, "the colour, one value for each channel")
      .details(colors_help)
      .example("cuimg constant --size 640x480 --color 0.18 grey.exr")
      .prepare([](const ConstantSource& p) {
        const ChannelSet channels = channels_for({&p.color, 1});
        Constant constant{};
        lay_out(p.color, channels, constant.color);
        return make_source(generated_spec("constant", p.size, channels), constant, 2);
      });
}

StageDescription checker_stage() {
  return describe<CheckerSource>("checker", "squares of two colours", Kind::source)
      .param("size", &CheckerSource::size, "size of the picture", placeholder("WxH"))
      .param("cell", &CheckerSource::cell, range(1, largest_side), "side of a square",
             unit("pixels"))
      .param("colors", &CheckerSource::colors, "the two colours; the first one is at the top left")
      .details(colors_help)
      .example("cuimg checker --size 512x512 --cell 32 --colors '0.1 0.9' checker.png")
      .prepare([](const CheckerSource& p) {
        if (p.colors.size() != 2)
          throw Error("checker", "--colors holds " + std::to_string(p.colors.size()), "give two");
        const ChannelSet channels = channels_for(p.colors);
        Checker checker{p.cell, {}};
        for (std::size_t i = 0; i < 2; ++i) lay_out(p.colors[i], channels, checker.colors[i]);
        return make_source(generated_spec("checker", p.size, channels), checker, 8);
      });
}

StageDescription gradient_stage() {
  using G = GradientSource;
  return describe<G>("gradient", "from one colour to another", Kind::source)
      .param("size", &G::size, "size of the picture", placeholder("WxH"))
      .param("from", &G::from, "colour of the first pixel; for a radial gradient, of the middle")
      .param("to", &G::to, "colour of the last pixel; for a radial gradient, of the corners")
      .param("direction", &G::direction, "direction of the gradient")
      .param("corners", &G::corners,
             "colours of the top left, top right, bottom left and bottom right corner, instead of "
             "the options above")
      .details(
          std::string(colors_help) +
          "\n\nValues change evenly in linear light and reach the given colours at the centres of "
          "the outermost pixels. A radial gradient begins in the picture's middle. If a side is "
          "even, the middle lies between pixels, and no pixel has exactly --from.")
      .example("cuimg gradient --from 0,0,0 --to 1,0.5,0 --direction vertical out.exr")
      .example("cuimg gradient --corners '1,0,0 0,1,0 0,0,1 1,1,1' out.png")
      .prepare(make_gradient);
}

StageDescription ramp_stage() {
  return describe<RampSource>("ramp", "values in even steps from left to right", Kind::source)
      .param("size", &RampSource::size, "size of the picture", placeholder("WxH"))
      .param("from", &RampSource::from, "value of the first column")
      .param("to", &RampSource::to, "value of the last column")
      .param("steps", &RampSource::steps, range(0, largest_side),
             "number of different values; 0: one for each column, which is the maximum")
      .param("channels", &RampSource::channels, "channels of the picture")
      .details(
          "With several colours there is one band for each colour, one for all of them and, if "
          "there is an alpha, one for alpha. Values are linear; with --raw they are stored as they "
          "are: ramp --raw --size 256x1 holds every 8-bit code once.")
      .example("cuimg ramp --size 1024x64 --steps 16 ramp.exr")
      .prepare(make_ramp);
}

StageDescription zoneplate_stage() {
  using Z = ZoneplateSource;
  return describe<Z>("zoneplate", "rings of rising frequency", Kind::source)
      .param("size", &Z::size, "size of the picture", placeholder("WxH"))
      .param("frequency", &Z::frequency, range(0.0, 2.0),
             "frequency at the ends of the longer side; 0.5 is Nyquist's", unit("cycles per pixel"))
      .param("channels", &Z::channels, "channels of the picture")
      .details(
          "Each value is (1 + cos(2 pi frequency r^2 / side)) / 2 in linear light, where r is the "
          "distance from the middle and side is the longer side, in pixels. The picture shows what "
          "a filter does to every frequency and direction. The phase is computed in integers, so "
          "it is exact at any size.")
      .example("cuimg zoneplate --size 512x512 rings.png")
      .example("cuimg zoneplate --size 512x512 + resize --size 50% aliases.png")
      .prepare(make_zoneplate);
}

}  // namespace cuimg

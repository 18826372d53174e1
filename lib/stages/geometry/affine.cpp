// SPDX-License-Identifier: Apache-2.0
// rotate and affine. Matrices are inverted once, in double; positions are sums of integers.
#include "stages/geometry/affine.h"

#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/exact_math.h"
#include "base/message_text.h"
#include "io/tags/exif.h"
#include "stages/description.h"
#include "stages/pass/border_color.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

// Maps target to source, in texels, both relative to their windows' corners: pixel (u, v) reads at
// (xx u + xy v + x0, yx u + yy v + y0), where 0 is the centre of the first texel.
struct Inverse {
  double xx, xy, x0, yx, yy, y0;
};

Inverse inverse_of(const AffineMatrix& m, const Rect& source, const Rect& target) {
  const double determinant = m.a * m.d - m.b * m.c;
  Inverse i{m.d / determinant, -m.c / determinant, 0, -m.b / determinant, m.a / determinant, 0};
  const double x = target.x + 0.5 - m.e, y = target.y + 0.5 - m.f;
  i.x0 = i.xx * x + i.xy * y - 0.5 - source.x;
  i.y0 = i.yx * x + i.yy * y - 0.5 - source.y;
  return i;
}

bool is_whole(double v) { return v == std::floor(v); }

// Whether the map only moves pixels to other places.
bool permutes(const Inverse& i) {
  const auto is_sign = [](double v) { return v == 1 || v == -1; };
  const bool straight = is_sign(i.xx) && i.xy == 0 && i.yx == 0 && is_sign(i.yy);
  const bool transposed = i.xx == 0 && is_sign(i.xy) && is_sign(i.yx) && i.yy == 0;
  return (straight || transposed) && is_whole(i.x0) && is_whole(i.y0);
}

std::unique_ptr<Operation> permuted(const WarpOptions& p, const Spec& input, const Rect& window,
                                    const Inverse& i, bool raw) {
  Spec whole = input;
  whole.data_window = whole.display_window;
  PixelMove move{whole, staying_map(BorderSampler(whole, p.border))};
  move.window = input.display_window;
  move.output.data_window = move.output.display_window = window;
  IndexMap& map = move.map;
  map.transposed = i.xx == 0;
  const auto axis = [](double sign, double start, int source, int target) {
    return IndexMap::Axis{static_cast<int>(sign),
                          static_cast<std::uint32_t>(static_cast<std::int64_t>(start) + source -
                                                     static_cast<std::int64_t>(sign) * target)};
  };
  const Rect& s = input.display_window;
  map.column = map.transposed ? axis(i.xy, i.x0, s.x, window.y) : axis(i.xx, i.x0, s.x, window.x);
  map.row = map.transposed ? axis(i.yx, i.y0, s.y, window.x) : axis(i.yy, i.y0, s.y, window.y);
  for (const LayerSpec& layer : input.layers)
    move.fill.push_back(stored_color(p.border_color, input, layer, raw));
  return make_move(std::move(move));
}

std::int64_t fixed(double v) { return static_cast<std::int64_t>(std::floor(v * 0x1p32 + 0.5)); }

struct Rotate : WarpOptions {
  double angle = 0;
  std::optional<Point> center;
  bool expand = false;
};

std::unique_ptr<Operation> rotated(const Rotate& p, const Spec& input,
                                   const StageContext& context) {
  const Rect& display = input.display_window;
  // fmod is exact, and sine and cosine are exact at right angles.
  const double half_turns = std::fmod(p.angle, 360.0) / 180;
  const double cosine = exact::cos_pi(half_turns), sine = exact::sin_pi(half_turns);
  Rect window = display;
  if (p.expand) {
    const auto side = [&](double a, double b) {
      // Slightly less, so that rounding does not add a pixel.
      const double length = std::ceil(std::fabs(cosine) * a + std::fabs(sine) * b - 1e-6);
      if (length > largest_side)
        throw Error("rotate", "--expand makes the picture too large",
                    "width and height may be at most " + std::to_string(largest_side));
      return std::max(1, static_cast<int>(length));
    };
    window.width = side(display.width, display.height);
    window.height = side(display.height, display.width);
  }
  const double x = p.center ? double{p.center->x} : display.x + display.width / 2.0;
  const double y = p.center ? double{p.center->y} : display.y + display.height / 2.0;
  const double to_x = p.center ? x : window.x + window.width / 2.0;
  const double to_y = p.center ? y : window.y + window.height / 2.0;
  // For a quarter turn, the pixels' shape turns with their grid.
  Spec turned = input;
  if (cosine == 0) {
    turn_pixel_shape(turned);
    turn_exif_density(turned.metadata);
  }
  return make_affine(
      {"rotate", "--angle"}, p, turned, window,
      {cosine, sine, -sine, cosine, to_x - (cosine * x - sine * y), to_y - (sine * x + cosine * y)},
      context.raw);
}

struct Affine : WarpOptions {
  std::vector<double> matrix = {1, 0, 0, 1, 0, 0};
};

}  // namespace

std::unique_ptr<Operation> make_affine(const MatrixSource& from, const WarpOptions& p,
                                       const Spec& input, const Rect& window,
                                       const AffineMatrix& matrix, bool raw) {
  const Inverse i = inverse_of(matrix, input.display_window, window);
  for (const double v : {i.xx, i.xy, i.x0, i.yx, i.yy, i.y0})
    if (!std::isfinite(v))
      throw Error(from.stage, from.option + " flattens the picture to a line",
                  "give a matrix with an inverse");
  constexpr double farthest = farthest_texel / 2;
  bool far = false;
  for (const double u : {0, window.width - 1})
    for (const double v : {0, window.height - 1})
      far = far || std::fabs(i.xx * u + i.xy * v + i.x0) > farthest ||
            std::fabs(i.yx * u + i.yy * v + i.y0) > farthest;
  for (const double v : {i.xx, i.xy, i.yx, i.yy}) far = far || std::fabs(v) > farthest;
  if (far)
    throw Error(from.stage, from.option + " moves the picture too far",
                "shrink or move the picture less");
  if (permutes(i) && !p.make_map) return permuted(p, input, window, i, raw);
  const WarpDerivative slope{static_cast<float>(i.xx), static_cast<float>(i.xy),
                             static_cast<float>(i.yx), static_cast<float>(i.yy)};
  const AffineMap map{fixed(i.xx), fixed(i.xy), fixed(i.x0), fixed(i.yx), fixed(i.yy),
                      fixed(i.y0), window.x,    window.y,    slope};
  return make_warp(p, input, window, map, raw);
}

StageDescription rotate_stage() {
  return describe_warp<Rotate>(describe<Rotate>("rotate", "turn by any angle", Kind::filter)
                                   .param("angle", &Rotate::angle, range(-1e6, 1e6),
                                          "angle, clockwise", unit("degrees"))
                                   .param("center", &Rotate::center,
                                          "point that stays where it is; default the middle",
                                          unit("pixels"))
                                   .param("expand", &Rotate::expand,
                                          "enlarge the display window to hold the whole picture"))
      .details(
          "Angles count clockwise, as in ImageMagick and EXIF. The pixel grid is turned whatever "
          "its aspect; quarter turns turn the pixel aspect too. Where pixels only change places, "
          "as with right angles and --expand, they are copied unchanged. " +
          std::string(warp_details))
      .example("cuimg rotate --angle 17 --expand in.exr out.exr")
      .check([](const Rotate& p) {
        if (p.expand && p.center)
          throw Error("rotate", "--expand and --center exclude each other", "give one");
        check_border_color("rotate", p.border, p.border_color);
      })
      .prepare(rotated);
}

StageDescription affine_stage() {
  return describe_warp<Affine>(
             describe<Affine>("affine", "move, scale, turn and shear", Kind::filter)
                 .param("matrix", &Affine::matrix, placeholder("A,B,C,D,E,F"),
                        "A,B,C,D,E,F: x, y go to A x + C y + E, B x + D y + F"))
      .details(
          "The matrix says where pixels go, in the order of SVG's matrix() and ImageMagick's "
          "-affine: A and D scale, B and C shear or turn, E and F move. Coordinates are "
          "absolute, y down, pixel centres at halves; the display window stays. " +
          std::string(warp_details))
      .example("cuimg affine --matrix 1.2,0,0.3,1.2,-40,-20 in.exr out.exr")
      .check([](const Affine& p) {
        if (p.matrix.size() != 6)
          throw Error("affine", "--matrix has " + counted(std::ssize(p.matrix), "number"),
                      "use six, A,B,C,D,E,F");
        check_border_color("affine", p.border, p.border_color);
      })
      .prepare([](const Affine& p, const Spec& input, const StageContext& context) {
        const std::vector<double>& m = p.matrix;
        return make_affine({"affine", "--matrix"}, p, input, input.display_window,
                           {m[0], m[1], m[2], m[3], m[4], m[5]}, context.raw);
      });
}

}  // namespace cuimg

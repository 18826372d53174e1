// SPDX-License-Identifier: Apache-2.0
// blur and unsharp, which use the same gaussian.
#include <utility>

#include "base/error.h"
#include "stages/description.h"
#include "stages/filter/coarse_gaussian.h"
#include "stages/filter/window_words.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct Blur {
  std::vector<float> sigma = {1.5f};
  Border border = Border::clamp;
};

struct Unsharp {
  std::vector<float> sigma = {1.5f};
  float amount = 1.0f;
  float threshold = 0.0f;
  Border border = Border::clamp;
};

std::unique_ptr<Operation> make_gaussian(const Spec& input, const std::vector<float>& sigma,
                                         Border border, const Finish& finish, bool raw,
                                         const char* place) {
  if (sigma.size() > 2)
    throw Error(place, "--sigma has " + std::to_string(sigma.size()) + " values",
                "give one, or one across and one down");
  const GaussianAxis columns = gaussian_axis(sigma.front()), rows = gaussian_axis(sigma.back());
  std::vector<Finish> finishes(input.layers.size(), finish);
  if (columns.is_coarse() || rows.is_coarse())
    return make_coarse_gaussian(input, border, columns, rows, std::move(finishes), raw);
  return make_convolution(input, border, Convolution::separable(columns.kernel, rows.kernel),
                          std::move(finishes), raw);
}

constexpr Range sigmas = range(0.1f, 1000.0f);
constexpr const char* sigma_help = "standard deviation, or one across and one down";

}  // namespace

StageDescription blur_stage() {
  return describe<Blur>("blur", "gaussian blur", Kind::filter)
      .param("sigma", &Blur::sigma, sigmas, sigma_help, unit("pixels"))
      .param("border", &Blur::border, "what lies beyond the picture's edge")
      .details(
          "Linear light is mixed, premultiplied by alpha. The weights are exp(-x^2 / (2 sigma^2)) "
          "at whole x up to 3 sigma, rounded up. They add up to exactly 1, so opaque pixels stay "
          "opaque. Columns are mixed first, then rows. " +
          std::string(data_window_grows) +
          " NaN and infinity spread as far as the weights reach.\n\nFrom a sigma of 26 on, an axis "
          "is blurred on a coarse grid. Its cells are D = sigma / 13 pixels wide, rounded down, at "
          "most 16, counted from the display window's corner. Quadratic B-splines reduce the axis "
          "to one texel a cell; a gaussian of variance (sigma / D)^2 - 1/2, cut off where the "
          "direct one is, mixes the texels; quadratic B-splines expand them again. The time then "
          "hardly depends on sigma. In any picture a pixel differs from the direct sum by less "
          "than 1/2048 of the range of the picture's values. NaN and infinity spread in whole "
          "cells.\n\noiiotool --blur WxH is a sigma of W / 4, cut off at 2 sigma; vips gaussblur "
          "cuts off at 1.8 sigma, ImageMagick at 3 to 4. All of them mix encoded values.")
      .example("cuimg blur --sigma 2 in.exr out.exr")
      .example("cuimg blur --sigma 12,0.1 --border mirror in.png out.png")
      .prepare([](const Blur& p, const Spec& input, const StageContext& context) {
        return make_gaussian(input, p.sigma, p.border, {}, context.raw, "blur");
      });
}

StageDescription unsharp_stage() {
  return describe<Unsharp>("unsharp", "sharpen by unsharp masking", Kind::filter)
      .param("sigma", &Unsharp::sigma, sigmas, sigma_help, unit("pixels"))
      .param("amount", &Unsharp::amount, range(0.0, 1000.0),
             "how much of the detail to add; 1 doubles it")
      .param("threshold", &Unsharp::threshold, at_least(0),
             "detail smaller than this stays as it is, in linear values")
      .param("border", &Unsharp::border, "what lies beyond the picture's edge")
      .details(
          "Computes pixel + amount * (pixel - blurred), blurred as by the stage blur. Linear light "
          "is mixed, premultiplied by alpha. Alpha is sharpened with the colours, so cut-outs get "
          "no fringe; opaque pixels stay opaque. Results may lie below 0 and above 1; integer "
          "formats cut them off. An amount of 0 leaves the picture as it is. " +
          std::string(data_window_grows))
      .example("cuimg unsharp --sigma 1.2 --amount 0.8 in.png out.png")
      .prepare([](const Unsharp& p, const Spec& input, const StageContext& context) {
        // Amount 0 adds nothing: a NaN in a neighbouring pixel must have no effect.
        if (p.amount == 0.0f)
          return make_move({input, staying_map(BorderSampler(input, Border::border))});
        Finish finish;
        finish.sharpens = true;
        finish.amount = p.amount;
        finish.threshold = p.threshold;
        return make_gaussian(input, p.sigma, p.border, finish, context.raw, "unsharp");
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The description of noise.
#include "kernels/generate/noise_generator.h"

#include <cmath>

#include "base/error.h"
#include "stages/description.h"
#include "stages/generate/generate.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

enum class Distribution : std::uint8_t { uniform, gaussian };
[[maybe_unused]] std::span<const Choice<Distribution>> choices_of(Distribution) {
  static constexpr Choice<Distribution> choices[] = {
      {Distribution::uniform, "uniform", "all values between --min and --max are equally likely"},
      {Distribution::gaussian, "gaussian", "a normal distribution with --mean and --stddev",
       "normal"}};
  return choices;
}

struct NoiseSource {
  Size size = default_picture_size;
  Distribution distribution = Distribution::uniform;
  std::uint64_t seed = 0;
  float min = 0, max = 1;
  float mean = 0.5f, stddev = 0.1f;
  ChannelSet channels = ChannelSet::rgb;
};

void check_noise(const NoiseSource& p) {
  const NoiseSource usual;
  const bool has_limits = p.min != usual.min || p.max != usual.max;
  const bool has_mean = p.mean != usual.mean || p.stddev != usual.stddev;
  if (p.distribution == Distribution::gaussian) {
    if (has_limits)
      throw Error("noise", "--min and --max are for uniform noise",
                  "give --mean and --stddev, or leave out --distribution gaussian");
    return;
  }
  if (has_mean)
    throw Error("noise", "--mean and --stddev are for gaussian noise",
                "give --distribution gaussian, or --min and --max");
  if (p.min > p.max)
    throw Error("noise", "--min " + format_value(p.min) + " is above --max " + format_value(p.max));
  if (!std::isfinite(p.max - p.min))
    throw Error(
        "noise",
        "--min " + format_value(p.min) + " and --max " + format_value(p.max) + " are too far apart",
        "let them differ by 3.4e38 at most");
}

}  // namespace

StageDescription noise_stage() {
  using N = NoiseSource;
  return describe<N>("noise", "random values, the same on every device", Kind::source)
      .param("size", &N::size, "size of the picture", placeholder("WxH"))
      .param("distribution", &N::distribution, "distribution of the values")
      .param("seed", &N::seed, at_least(0), "another seed gives another picture")
      .param("min", &N::min, "lowest value of uniform noise")
      .param("max", &N::max, "upper end of uniform noise")
      .param("mean", &N::mean, "mean of gaussian noise")
      .param("stddev", &N::stddev, at_least(0), "standard deviation of gaussian noise")
      .param("channels", &N::channels,
             "channels of the picture, independent of each other; alpha is 1")
      .details(
          "Philox4x32-10 (Salmon et al. 2011) with the pixel's column and row as its counter and "
          "the seed as its key. A pixel's values depend on nothing else, so a larger picture "
          "contains the smaller one. Uniform values are multiples of 2^-24 of the range; gaussian "
          "ones come from Box and Muller's transform (1958) and lie within 6.8 standard "
          "deviations. Values are linear; with --raw they are stored as they are.")
      .example("cuimg noise --size 640x480 --distribution gaussian --seed 7 noise.exr")
      .check(check_noise)
      .prepare([](const N& p) {
        const bool gaussian = p.distribution == Distribution::gaussian;
        const Spec spec = generated_spec("noise", p.size, p.channels);
        const Noise noise{
            {static_cast<std::uint32_t>(p.seed), static_cast<std::uint32_t>(p.seed >> 32)},
            gaussian,
            gaussian ? p.mean : p.min,
            gaussian ? p.stddev : p.max,
            form_of(spec.layers[0]).shape};
        return make_source(spec, noise, gaussian ? 80 : 20);
      });
}

}  // namespace cuimg

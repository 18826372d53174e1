// SPDX-License-Identifier: Apache-2.0
// convolve: weighted sums with any kernel.
#include "base/error.h"
#include "stages/description.h"
#include "stages/filter/kernel_text.h"
#include "stages/filter/window_words.h"
#include "stages/run_cache.h"

namespace cuimg {
namespace {

struct Convolve {
  std::string kernel;
  bool normalize = false;
  float bias = 0.0f;
  Border border = Border::clamp;
};

std::unique_ptr<Operation> make(const Convolve& p, const Spec& input, const StageContext& context) {
  const auto shared = once_a_run<KernelWeights>(context.run, p.kernel, p.kernel, [&] {
    return std::make_shared<KernelWeights>(read_kernel(p.kernel, "convolve"));
  });
  const KernelWeights& kernel = *shared;
  if (p.normalize && kernel.adds_up_to_zero())
    throw Error("convolve", "--normalize: the weights add up to 0", "leave it out");
  std::vector<Finish> finish;
  for (const LayerSpec& layer : input.layers) {
    Finish& made = finish.emplace_back();
    made.bias = p.bias;
    made.alpha = layer.alpha_index();
    made.keeps_alpha = kernel.adds_up_to_zero();
  }
  return make_convolution(input, p.border, convolution_of(kernel, p.normalize), std::move(finish),
                          context.raw);
}

}  // namespace

StageDescription convolve_stage() {
  return describe<Convolve>("convolve", "weighted sums with a kernel", Kind::filter)
      .param("kernel", &Convolve::kernel, file_or_value(), placeholder("FILE|LIST"),
             "the weights: 'WxH:v,v,...', rows 'v,v;v,v' or a file with rows")
      .param("normalize", &Convolve::normalize, "divide the weights by their sum")
      .param("bias", &Convolve::bias, "value added to colours afterwards")
      .param("border", &Convolve::border, "what lies beyond the picture's edge")
      .details(
          "Up to 255x255 weights. They are applied as they are written, as with oiiotool, vips and "
          "OpenCV; ImageMagick rotates them by 180 degrees. The centre is the weight at (width / "
          "2, height / 2), rounded down and counted from 0; of an even number of weights this is "
          "the one after the middle. A weight of 0 reads nothing. In files # begins a "
          "comment.\n\nLinear light is mixed, premultiplied by alpha. Alpha is mixed like the "
          "colours, except that a kernel whose weights add up to 0, as edge detectors' do, leaves "
          "alpha as it is. Normalized weights add up to exactly 1. A kernel that is exactly the "
          "product of a column and a row without zeros inside runs in two passes, the column's "
          "first. " +
          std::string(data_window_grows))
      .example("cuimg convolve --kernel '1,2,1;2,4,2;1,2,1' --normalize in.exr out.exr")
      .example("cuimg convolve --kernel 3x3:-2,-1,0,-1,1,1,0,1,2 in.png out.png")
      .check([](const Convolve& p) {
        if (p.kernel.empty())
          throw Error("convolve", "--kernel is missing",
                      "give weights such as '1,2,1;2,4,2;1,2,1'");
      })
      .prepare(make);
}

}  // namespace cuimg

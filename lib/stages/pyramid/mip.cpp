// SPDX-License-Identifier: Apache-2.0
// mip: writes a picture and all its half sizes to one file. This stage passes pixels through; the
// levels are made while the file is written (OutputRun::next_made_level in
// pipeline/run/output_run.cpp).
#include "stages/description.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

enum class MipFilter : std::uint8_t { box, triangle, kaiser };
std::span<const Choice<MipFilter>> choices_of(MipFilter) {
  static constexpr Choice<MipFilter> choices[] = {
      {MipFilter::box, "box", "average of the covered pixels"},
      {MipFilter::triangle, "triangle", "smoother"},
      {MipFilter::kaiser, "kaiser", "sharper; may ring a little"}};
  return choices;
}

struct Mip {
  MipFilter filter = MipFilter::box;
  Border border = Border::clamp;
  int tile = 64;
};

}  // namespace

StageDescription mip_stage() {
  return describe<Mip>("mip", "write a mipmapped, tiled EXR", Kind::filter)
      .param("filter", &Mip::filter, "filter that makes a level from the one before")
      .param("border", &Mip::border, "what lies beyond the edges; use wrap for textures that tile")
      .param("tile", &Mip::tile, range(16, 4096), "side of the file's tiles", unit("pixels"))
      .details(
          "The output, an EXR, holds the picture and all its halved sizes down to 1x1. Sides are "
          "halved and rounded down (OpenEXR's ROUND_DOWN), but are at least 1. Each level is made "
          "from the one before it as by resize, in linear light with premultiplied alpha; "
          "positions are exact, at odd sizes too. box is the mean of the texels whose centres a "
          "pixel covers (5 to 2: of two, and of three), triangle is 1 - |x|, kaiser is the sinc "
          "over [-3, 3] under a Kaiser window of alpha 4. For depth, triangle replaces kaiser; for "
          "ids, the nearest pixel is taken. The data window is what is halved.\n\nLevels are made "
          "from the result of the whole chain; --mip-level reads one of them back.")
      .example("cuimg mip --filter kaiser photo.png texture.exr")
      .prepare([](const Mip& p, const Spec& input) {
        Spec output = input;
        MipLevels levels;
        levels.filter = choice_name(p.filter);
        levels.border = choice_name(p.border);
        levels.tile = p.tile;
        output.mip = levels;
        OperationPlan plan(std::move(output));
        plan.cost_ns = 1;
        for (std::size_t i = 0; i < plan.layers.size(); ++i)
          plan.layers[i].pixel_pass =
              std::make_shared<const PixelPass>(moving_pass(input.layers[i]));
        return make_pixel_operation(std::move(plan), input.data_window);
      });
}

}  // namespace cuimg

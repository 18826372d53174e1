// SPDX-License-Identifier: Apache-2.0
// The test chart's colours and the positions of its areas.
#include "kernels/generate/chart_generator.h"

#include <algorithm>

#include "kernels/color/convert.h"
#include "kernels/color/luminance.h"
#include "kernels/color/transfer.h"
#include "stages/description.h"
#include "stages/generate/generate.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

struct ChartSource {
  Size size = default_picture_size;
  ChannelSet channels = ChannelSet::rgb;
};

struct Code {
  std::uint8_t r, g, b;
};

// The 24 patches of the ColorChecker Classic in 8-bit sRGB as X-Rite publishes them (the values of
// charts made before November 2014): dark skin, light skin, blue sky, foliage, blue flower, bluish
// green; orange, purplish blue, moderate red, purple, yellow green, orange yellow; blue, green,
// red, yellow, magenta, cyan; white, neutral 8, 6.5, 5, 3.5, black.
constexpr Code color_checker[24] = {
    {115, 82, 68},   {194, 150, 130}, {98, 122, 157}, {87, 108, 67},   {133, 128, 177},
    {103, 189, 170}, {214, 126, 44},  {80, 91, 166},  {193, 90, 99},   {94, 60, 108},
    {157, 188, 64},  {224, 163, 46},  {56, 61, 150},  {70, 148, 73},   {175, 54, 60},
    {231, 199, 31},  {187, 86, 149},  {8, 133, 161},  {243, 243, 242}, {200, 200, 200},
    {160, 160, 160}, {122, 122, 121}, {85, 85, 85},   {52, 52, 52}};

constexpr Code bars[8] = {{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0},
                          {255, 0, 255},   {255, 0, 0},   {0, 0, 255},   {0, 0, 0}};

constexpr int grey_steps = 17;

// The position of an area, in 48ths of the picture's sides.
struct ChartPlace {
  int left, top, right, bottom;
};

class ChartMaker {
 public:
  ChartMaker(int width, int height, ChannelSet channels) : width_(width), height_(height) {
    channels_ = channels;
    lay_out({{0.18f}, 1}, channels, chart_.background);
  }

  // @returns the area, which the caller completes.
  ChartArea& add(ChartArea::Kind kind, const ChartPlace& place) {
    const auto at = [](int part, int side) { return part * side / 48; };
    ChartArea& area = chart_.areas[chart_.area_count++];
    area.kind = kind;
    area.x = at(place.left, width_), area.y = at(place.top, height_);
    area.width = at(place.right, width_) - area.x, area.height = at(place.bottom, height_) - area.y;
    return area;
  }
  // @param gap around each patch, in 128ths of the shorter side.
  void add_patches(const ChartPlace& place, int columns, int rows, int gap,
                   std::span<const Code> codes) {
    ChartArea& area = add(ChartArea::Kind::patches, place);
    area.columns = columns, area.rows = rows;
    area.gap = gap * std::min(width_, height_) / 128;
    area.first = colors_;
    for (const Code& code : codes) add_color(code);
  }
  const Chart& chart() const { return chart_; }
  Chart& chart() { return chart_; }

 private:
  void add_color(const Code& code) {
    Paint paint{{}, 3};
    const std::uint8_t values[] = {code.r, code.g, code.b};
    for (std::size_t c = 0; c < 3; ++c)
      paint.values[c] = srgb_decode(static_cast<float>(values[c]) / 255.0f);
    const auto& [r, g, b, a] = paint.values;
    if (channels_ == ChannelSet::y || channels_ == ChannelSet::ya)
      paint = {{rec709_luminance(r, g, b)}, 1};
    lay_out(paint, channels_, chart_.colors[colors_++]);
  }

  int width_, height_;
  ChannelSet channels_;
  Chart chart_{};
  int colors_ = 0;
};

std::unique_ptr<Operation> make_chart(const ChartSource& p) {
  const Spec spec = generated_spec("chart", p.size, p.channels);
  ChartMaker maker(spec.data_window.width, spec.data_window.height, p.channels);
  maker.chart().shape = form_of(spec.layers[0]).shape;
  Code greys[grey_steps];
  for (int i = 0; i < grey_steps; ++i) {
    const auto code = static_cast<std::uint8_t>(std::min(255, 16 * i));
    greys[i] = {code, code, code};
  }
  maker.add_patches({0, 0, 48, 6}, grey_steps, 1, 0, greys);
  maker.add_patches({0, 6, 48, 10}, 8, 1, 0, bars);
  maker.add_patches({1, 11, 31, 31}, 6, 4, 1, color_checker);
  maker.add(ChartArea::Kind::wedge, {34, 11, 46, 47});
  ChartArea& lines = maker.add(ChartArea::Kind::lines, {1, 32, 31, 41});
  lines.columns = 6, lines.rows = 2, lines.gap = 1;
  maker.add(ChartArea::Kind::wedge, {1, 42, 31, 47}).turned = true;
  return make_source(spec, maker.chart(), 40);
}

}  // namespace

StageDescription chart_stage() {
  return describe<ChartSource>("chart", "a test chart of colours and lines", Kind::source)
      .param("size", &ChartSource::size, "size of the picture", placeholder("WxH"))
      .param("channels", &ChartSource::channels,
             "channels of the picture; grey is Rec.709 luminance")
      .details(
          "From top to bottom: 17 steps of grey, sRGB codes 0 to 255 by 16; bars of the full "
          "colours; the 24 patches of the ColorChecker Classic with X-Rite's published sRGB "
          "values; vertical and horizontal lines of 1 to 6 pixels; and two wedges of lines that "
          "converge from a pitch of 16 pixels to 2. The background is 18 % grey. Values are "
          "linear, with --raw too.")
      .example("cuimg chart --size 1920x1080 chart.png")
      .prepare(make_chart);
}

}  // namespace cuimg

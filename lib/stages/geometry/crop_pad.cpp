// SPDX-License-Identifier: Apache-2.0
// crop, cut, pad and offset change windows; pixels keep their neighbours.
#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/message_text.h"
#include "options/gravity.h"
#include "stages/description.h"
#include "stages/pass/border_color.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct Crop {
  std::optional<Region> region;
};

struct Cut {
  std::optional<Region> region;
  std::optional<Size> size;
  std::optional<Aspect> aspect;
  Gravity gravity = Gravity::center;
};

struct Pad {
  int left = 0, right = 0, top = 0, bottom = 0;
  std::optional<Size> size;
  std::optional<Aspect> aspect;
  Gravity gravity = Gravity::center;
  Border border = Border::border;
  Color color;
};

struct Offset {
  int x = 0, y = 0;
};

// A map whose target is the source shifted by this much.
IndexMap moved_map(const BorderSampler& borders, std::int64_t dx, std::int64_t dy) {
  IndexMap map = staying_map(borders);
  map.column.shift = static_cast<std::uint32_t>(-dx);
  map.row.shift = static_cast<std::uint32_t>(-dy);
  return map;
}

constexpr const char* region_advice = "use WxH+X+Y, such as 640x480+10-5";

void check_crop(const Crop& p) {
  if (!p.region) throw Error("crop", "--region is missing", region_advice);
}

void check_cut(const Cut& p) {
  if (!p.region && !p.size && !p.aspect)
    throw Error("cut", "--region is missing",
                region_advice + std::string(", or give --size or --aspect"));
  if (p.region && p.size) throw Error("cut", "--region excludes --size", "give one");
  if (p.aspect && (p.region || p.size))
    throw Error("cut", "--aspect excludes --region and --size", "give one");
  if (p.region && p.gravity != Gravity::center)
    throw Error("cut", "--gravity says where a --size or an --aspect lies",
                "give one or leave it out");
}

// @returns the region. @throws Error unless it contains some of the picture.
const Rect& check_seen(const Rect& region, const Spec& input, const std::string& place) {
  const bool seen = !intersection(region, input.data_window).empty() ||
                    !intersection(region, input.display_window).empty();
  if (!seen)
    throw Error(place, "--region " + window_text(region) + " lies outside the picture",
                "that is " + window_text(input.display_window));
  return region;
}

// The part of the display window that a size or an aspect and a gravity select.
Rect placed_region(const Cut& p, const Spec& input) {
  const Rect& display = input.display_window;
  const Rect size = p.aspect ? p.aspect->within(display, input.pixel_aspect)
                             : p.size->of(display.width, display.height);
  if (size.width > display.width || size.height > display.height)
    throw Error("cut", fmt::format("--size {} is larger than the picture", format_value(*p.size)),
                "use " + size_text(display) + " or less, or pad");
  return {display.x + placed_x(p.gravity, display.width, size.width),
          display.y + placed_y(p.gravity, display.height, size.height), size.width, size.height};
}

std::unique_ptr<Operation> cropped(const Crop& p, const Spec& input) {
  PixelMove move{input, staying_map(BorderSampler(input, Border::border))};
  move.output.data_window = check_seen(*p.region, input, "crop");
  return make_move(std::move(move));
}

std::unique_ptr<Operation> cut(const Cut& p, const Spec& input) {
  const Rect region = p.region ? check_seen(*p.region, input, "cut") : placed_region(p, input);
  PixelMove move{input, moved_map(BorderSampler(input, Border::border), -std::int64_t{region.x},
                                  -std::int64_t{region.y})};
  move.output.data_window = move.output.display_window = {0, 0, region.width, region.height};
  return make_move(std::move(move));
}

// The number of pixels added on each side.
struct Sides {
  std::int64_t left, right, top, bottom;
};

void check_padding(const Pad& p) {
  check_border_color("pad", p.border, p.color, "color");
  if (!p.size && !p.aspect && p.gravity != Gravity::center)
    throw Error("pad", "--gravity places the picture in a --size or an --aspect",
                "give one or leave it out");
  if (p.size && p.aspect) throw Error("pad", "--size excludes --aspect", "give one");
  if ((p.size || p.aspect) && (p.left != 0 || p.right != 0 || p.top != 0 || p.bottom != 0))
    throw Error("pad",
                std::string(p.size ? "--size" : "--aspect") +
                    " excludes --left, --right, --top and --bottom",
                "give one or others");
}

Sides padding_of(const Pad& p, const Spec& input) {
  if (!p.size && !p.aspect) return {p.left, p.right, p.top, p.bottom};
  const Rect& display = input.display_window;
  const Rect size = p.aspect ? p.aspect->around(display, input.pixel_aspect)
                             : p.size->of(display.width, display.height);
  if (size.width < display.width || size.height < display.height)
    throw Error("pad", fmt::format("--size {} is smaller than the picture", format_value(*p.size)),
                "use " + size_text(display) + " or more");
  const int left = placed_x(p.gravity, size.width, display.width);
  const int top = placed_y(p.gravity, size.height, display.height);
  return {left, size.width - display.width - left, top, size.height - display.height - top};
}

std::unique_ptr<Operation> padded(const Pad& p, const Spec& input, const StageContext& context) {
  const Rect& display = input.display_window;
  const Sides sides = padding_of(p, input);
  const std::int64_t width = display.width + sides.left + sides.right;
  const std::int64_t height = display.height + sides.top + sides.bottom;
  if (width > largest_side || height > largest_side)
    // The sides of an aspect are clamped, so they are not named.
    throw Error("pad",
                p.aspect ? "with --aspect " + format_value(*p.aspect) + " the picture is too large"
                         : size_text(width, height) + " is too large",
                fmt::format("width and height may be at most {}", largest_side));
  PixelMove move{input, moved_map(BorderSampler(input, p.border), sides.left, sides.top)};
  move.output.display_window = {display.x, display.y, static_cast<int>(width),
                                static_cast<int>(height)};
  Rect moved = input.data_window;
  moved.x += static_cast<int>(sides.left);
  moved.y += static_cast<int>(sides.top);
  move.output.data_window = bounding(moved, move.output.display_window);
  for (const LayerSpec& layer : input.layers)
    move.fill.push_back(stored_color(p.color, input, layer, context.raw));
  return make_move(std::move(move));
}

std::unique_ptr<Operation> shifted(const Offset& p, const Spec& input) {
  Spec whole = input;
  whole.data_window = whole.display_window;
  const Rect& display = input.display_window;
  PixelMove move{whole, moved_map(BorderSampler(whole, Border::wrap), p.x % display.width,
                                  p.y % display.height)};
  move.window = input.display_window;
  return make_move(std::move(move));
}

}  // namespace

StageDescription crop_stage() {
  return describe<Crop>("crop", "keep a region where it is", Kind::filter)
      .ends_environment()
      .param("region", &Crop::region, "region to keep, in the image's own coordinates",
             unit("pixels"))
      .details(
          "X and Y are coordinates like those of the windows, not relative to the display window's "
          "corner. The data window becomes the region and the display window stays, as with "
          "oiiotool --crop. The region is zero where the input has no pixels. If --layers names "
          "some layers, the shared data window still holds the others, and the named layers are "
          "zero outside the region. Formats without windows store the display window: to change a "
          "PNG's size use cut.")
      .example("cuimg crop --region 640x480+100+50 in.exr out.exr")
      .check(check_crop)
      .prepare(cropped);
}

StageDescription cut_stage() {
  return describe<Cut>("cut", "cut out a region and move it to the origin", Kind::filter)
      .ends_environment()
      .param("region", &Cut::region, "region to cut out, in the image's own coordinates",
             unit("pixels"))
      .param("size", &Cut::size,
             "instead of a region: WxH in pixels (0: keep the aspect) or percent; at most the "
             "picture's size")
      .param("aspect", &Cut::aspect, "or the largest part of that shape, such as 3:2 or 1.5")
      .param("gravity", &Cut::gravity, "which part of the picture --size or --aspect cuts out")
      .details(
          "Both windows become WxH at 0, 0, as with oiiotool --cut. The region is zero where the "
          "input has no pixels. resize --fill scales and cuts in one step.")
      .example("cuimg cut --region 640x480+100+50 in.png out.png")
      .example("cuimg cut --size 224x224 in.png middle.png")
      .example("cuimg cut --aspect 3:2 photos/*.jpg -o print/")
      .check(check_cut)
      .prepare(cut);
}

StageDescription pad_stage() {
  return describe<Pad>("pad", "add pixels around the picture", Kind::filter)
      .ends_environment()
      .group("By side")
      .param("left", &Pad::left, range(0, largest_side), "width added on the left", unit("pixels"))
      .param("right", &Pad::right, range(0, largest_side), "width added on the right",
             unit("pixels"))
      .param("top", &Pad::top, range(0, largest_side), "height added at the top", unit("pixels"))
      .param("bottom", &Pad::bottom, range(0, largest_side), "height added at the bottom",
             unit("pixels"))
      .group("To a size")
      .param("size", &Pad::size,
             "WxH in pixels (0: keep the aspect) or percent; at least the picture's size")
      .param("aspect", &Pad::aspect, "or the smallest size of that shape, such as 3:2 or 1.5")
      .param("gravity", &Pad::gravity, "where the picture lies in that size")
      .group("With")
      .param("border", &Pad::border, "what the added pixels show")
      .param("color", &Pad::color, border_color_help)
      .details(
          "The display window grows and keeps its corner, so the picture moves right and down by "
          "the pixels added on the left and at the top. Where the data window does not reach the "
          "display window's edge, clamp, wrap and mirror have nothing to continue, and the added "
          "pixels are zero. Where the picture has overscan (pixels beyond the display window), the "
          "added pixels show it.")
      .example("cuimg pad --size 1920x1080 --color 0.1,0.1,0.1 in.png out.png")
      .example("cuimg pad --aspect 1:1 --color 1,1,1 photo.jpg square.jpg")
      .check(check_padding)
      .prepare(padded);
}

StageDescription offset_stage() {
  return describe<Offset>("offset", "shift pixels, wrapping around the edges", Kind::filter)
      .param("x", &Offset::x, "shift to the right", unit("pixels"))
      .param("y", &Offset::y, "shift down", unit("pixels"))
      .details(
          "Pixels that leave the display window on one side come back on the other, as with "
          "oiiotool --cshift. Pixels outside the display window are dropped.")
      .example("cuimg offset --x 256 --y -32 tile.png out.png")
      .prepare(shifted);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The description and operation of envmap.
#include "stages/geometry/envmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/exact_math.h"
#include "base/message_text.h"
#include "device/on_device.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

const char* const attribute = "envmap";

// The name of a layout in OpenEXR's attribute; empty if it has none.
std::string attribute_of(EnvmapLayout layout) {
  if (layout == EnvmapLayout::latlong) return "latlong";
  return layout == EnvmapLayout::cube_faces ? "cube" : "";
}

std::string attribute_of(const Spec& spec) {
  const auto* const text = find_entry<std::string>(spec.metadata, attribute);
  return text == nullptr ? "" : *text;
}

EnvmapLayout source_layout(const Envmap& p, const Spec& input) {
  if (p.from) return *p.from;
  const std::string named = attribute_of(input);
  for (const EnvmapLayout layout : {EnvmapLayout::latlong, EnvmapLayout::cube_faces})
    if (!named.empty() && named == attribute_of(layout)) return layout;
  const int w = input.display_window.width, h = input.display_window.height;
  if (w == 2 * h) return EnvmapLayout::latlong;
  if (h == 6 * w) return EnvmapLayout::cube_faces;
  if (w % 3 == 0 && h % 4 == 0 && w / 3 == h / 4) return EnvmapLayout::cube_cross;
  if (w % 4 == 0 && h % 3 == 0 && w / 4 == h / 3) return EnvmapLayout::cube_cross;
  throw Error("envmap", "the layout of " + size_text(w, h) + " is not clear",
              w == h ? "say --from mirrorball or --from angular" : "say --from");
}

// Texels on a quarter of the horizon, a measure that all layouts share.
int quarter_of(const EnvLayout& layout) {
  if (layout.projection == EnvProjection::cube) return layout.width;
  return std::max(1, (layout.width + 2) / 4);
}

// The field of view, for a layout that shows a part.
double field_of_view(const Envmap& p) {
  return p.fov.value_or(*p.to == EnvmapLayout::view ? 90 : 180);
}

Rect natural_size(const Envmap& p, int quarter) {
  const EnvmapLayout layout = *p.to;
  if (layout == EnvmapLayout::latlong) return {0, 0, 4 * quarter, 2 * quarter};
  if (layout == EnvmapLayout::cube_cross) return {0, 0, 3 * quarter, 4 * quarter};
  if (layout == EnvmapLayout::cube_faces) return {0, 0, quarter, 6 * quarter};
  if (!is_part(layout))
    return {0, 0, 4 * quarter, 4 * quarter};  // the default for a ball or a disc
  const double side = std::floor(4.0 * quarter * field_of_view(p) / 360 + 0.5);
  return {0, 0, static_cast<int>(std::max(1.0, side)), static_cast<int>(std::max(1.0, side))};
}

bool is_cube(EnvmapLayout layout) {
  return layout == EnvmapLayout::cube_cross || layout == EnvmapLayout::cube_faces;
}

// A percentage applies to the source's texels on a quarter, so that the sides of faces are whole
// numbers. With 100% a picture that keeps its layout also keeps sides that are no multiples of 4.
Rect wanted_size(const Envmap& p, EnvmapLayout source, const EnvLayout& from) {
  int quarter = quarter_of(from);
  const Size::Side& w = p.size.width;
  const Size::Side& h = p.size.height;
  if (!w.percent && !h.percent) {
    const Rect natural = natural_size(p, quarter);
    return p.size.of(natural.width, natural.height);
  }
  if (w != h)
    throw Error("envmap", "--size " + format_value(p.size) + " changes the layout's proportions",
                "use WxH, or one percentage");
  if (source == *p.to && !is_cube(source) && w.amount == 100)
    return {0, 0, from.width, from.height};
  const double scaled = std::floor(quarter * w.amount / 100 + 0.5);
  quarter = static_cast<int>(std::clamp(scaled, 1.0, double{largest_side}));
  const Rect size = natural_size(p, std::min(quarter, largest_side / 6));
  if (quarter > largest_side / 6)
    throw Error("envmap", "--size " + format_value(p.size) + " is too large",
                "width and height may be at most " + std::to_string(largest_side));
  return size;
}

bool writes_edges(const Envmap& p, bool source_on_edges) {
  const bool has_edges = *p.to == EnvmapLayout::latlong || is_cube(*p.to);
  if (p.sampling == EnvmapSampling::edges && !has_edges)
    throw Error("envmap", "--sampling edges is for latlong and cubes", "leave it out");
  if (p.sampling != EnvmapSampling::automatic) return p.sampling == EnvmapSampling::edges;
  return source_on_edges && !attribute_of(*p.to).empty();
}

// Levels of a disc would mix its rim with pixels outside it.
void require_levels(EnvmapLayout from) {
  const bool is_ball = from == EnvmapLayout::mirrorball;
  if (!is_ball && from != EnvmapLayout::angular) return;
  throw Error("envmap",
              std::string("--filter trilinear cannot read ") +
                  (is_ball ? "a mirrorball" : "an angular map"),
              "use --filter linear, or envmap --to latlong before it");
}

// Other layouts check their sides. A latlong picture may be a crop, which is stretched.
void warn_of_partial_sphere(const Envmap& p, const Spec& input, const StageContext& context) {
  const Rect& picture = input.display_window;
  const bool is_whole = std::abs(picture.width - 2 * std::int64_t{picture.height}) <= 2;
  if (source_layout(p, input) == EnvmapLayout::latlong && !is_whole && context.decode.warn)
    context.decode.warn(fmt::format("envmap: {}x{} is not 2:1; it is taken for the whole sphere",
                                    picture.width, picture.height));
}

class EnvmapOperation final : public Operation {
 public:
  EnvmapOperation(const Envmap& p, const Spec& input, bool raw) : Operation(OperationPlan(input)) {
    const EnvmapLayout layout = source_layout(p, input);
    const std::string named = attribute_of(input);
    const bool on_edges = !named.empty() && named == attribute_of(layout);
    picture_ = input.display_window;
    envmap_.from = env_layout(layout, on_edges, picture_.width, picture_.height, "--from");
    const Rect size = wanted_size(p, layout, envmap_.from);
    const bool edges = writes_edges(p, on_edges);
    const double fov = field_of_view(p);
    envmap_.to =
        turned_output(env_layout(*p.to, edges, size.width, size.height, "--size", fov), p.rotate);
    const bool is_trilinear = p.filter == EnvmapFilter::trilinear;
    envmap_.antialias = p.antialias && !is_trilinear;
    if (is_trilinear) require_levels(layout);
    if (is_trilinear && p.antialias) plan_levels(envmap_, size);
    Spec& made = plan_.output;
    made.data_window = made.display_window = size;
    made.metadata.erase(attribute);
    if (edges && !attribute_of(*p.to).empty()) made.metadata[attribute] = attribute_of(*p.to);
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
      plan_.layers[i].takes_nearest_ids = made.layers[i].holds_ids();
      if (made.layers[i].holds_ids()) continue;
      made.layers[i].type = PixelType::f32;
      plan_.layers[i].values = Values::linear;
      plan_.layers[i].storage = Storage::pitched;
    }
    made.color = mixed_color(input, raw);
    plan_.reads_scattered = true;
    plan_.window = input.display_window;
    // An output's reads cover the visible part of the source only once or twice; the visible share
    // of all directions is about that of a cone.
    const double shown = is_part(*p.to) ? (1 - exact::cos_pi(fov / 360)) / 2 : 1;
    const double shrinks = shown * static_cast<double>(picture_.pixels()) /
                           static_cast<double>(std::max<std::int64_t>(1, size.pixels()));
    plan_.cost_ns = 100 + (envmap_.antialias ? 300 * shrinks : 0);
    plan_.explanation = {"from " + member_name(layout) + (on_edges ? ", texels on its edges" : ""),
                         "to " + member_name(*p.to) + (edges ? ", texels on its edges" : "") +
                             (is_part(*p.to) ? fmt::format(" of {} degrees", fov) : "")};
    if (envmap_.to.is_turned)
      plan_.explanation.push_back("turned by " + format_value(p.rotate) + " degrees");
    if (envmap_.last_level == 0) return;
    plan_.runs_whole = true;  // the levels are made once for all rows
    plan_.cost_ns = 200 + 10 * shrinks;
    plan_.explanation.push_back("reads through the texture unit's trilinear filter, of " +
                                std::to_string(envmap_.last_level + 1) + " levels" +
                                (envmap_.faces() > 1 ? " of each face" : ""));
  }

  Rect needed(const Rect&) const override { return picture_; }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const bool is_matte = output().layer(layer).is_matte;
    const Frame moved = sources.front().moved_to(0, 0);
    const Frame source = is_matte ? moved.as_words() : moved;
    const Frame made = is_matte ? target.as_words() : target;
    on_device<map_environment_on_cpu, map_environment_on_cuda>(queue, envmap_, source, made);
  }

 private:
  static std::string member_name(EnvmapLayout layout) {
    for (const Choice<EnvmapLayout>& choice : choices_of(layout))
      if (choice.value == layout) return std::string(choice.name);
    return "?";
  }

  Rect picture_;
  EnvmapPlan envmap_;
};

void check_options(const Envmap& p) {
  if (!p.to) throw Error("envmap", "--to is missing", "name the output's layout");
  if (p.from && is_part(*p.from))
    throw Error("envmap",
                fmt::format("--from {0} is not possible: {0} shows only some directions",
                            choice_name(*p.from)),
                "use it with --to");
  if (p.fov && !is_part(*p.to))
    throw Error("envmap", fmt::format("--fov does not go with --to {}", choice_name(*p.to)),
                "it is for view, equidistant and equisolid");
  constexpr double widest_view = 179;
  const bool is_view = *p.to == EnvmapLayout::view;
  if (is_view && p.fov.value_or(0) > widest_view)
    throw Error("envmap", "--fov " + format_value(*p.fov) + " is too wide for a view",
                fmt::format("use at most {}, or --to equidistant", widest_view));
  const bool has_sides = !p.size.width.percent && !p.size.height.percent &&
                         p.size.width.amount > 0 && p.size.height.amount > 0;
  if (is_view && !has_sides)
    throw Error("envmap", "the size of a view is missing", "say --size WxH, in pixels");
  if (p.rotate.size() > 3)
    throw Error("envmap", "--rotate has " + std::to_string(p.rotate.size()) + " numbers",
                "use YAW,PITCH,ROLL");
}

}  // namespace

std::span<const Choice<EnvmapLayout>> choices_of(EnvmapLayout) {
  using enum EnvmapLayout;
  static constexpr Choice<EnvmapLayout> choices[] = {
      {latlong, "latlong", "longitude and latitude, 2:1", "equirectangular"},
      {cube_cross, "cube-cross", "six faces unfolded, 3:4, or 4:3"},
      {cube_faces, "cube-faces", "six faces below each other, 1:6", "cube"},
      {mirrorball, "mirrorball", "a mirrored ball, photographed"},
      {angular, "angular", "a disc with the angle along its radius", "lightprobe"},
      {view, "view", "what a camera sees; for --to only", "rectilinear"},
      {equidistant, "equidistant", "a fisheye with the angle along its radius; for --to only",
       "fisheye"},
      {equisolid, "equisolid", "an equal-area fisheye; for --to only"}};
  return choices;
}

std::span<const Choice<EnvmapSampling>> choices_of(EnvmapSampling) {
  using enum EnvmapSampling;
  static constexpr Choice<EnvmapSampling> choices[] = {
      {automatic, "auto", "edges if the input has OpenEXR's envmap attribute"},
      {cells, "cells", "half a texel inside the edges"},
      {edges, "edges", "on the edges, as OpenEXR's envmap attribute means it"}};
  return choices;
}

std::span<const Choice<EnvmapFilter>> choices_of(EnvmapFilter) {
  static constexpr Choice<EnvmapFilter> choices[] = {
      {EnvmapFilter::linear, "linear", "the four texels around a position", "bilinear"},
      {EnvmapFilter::trilinear, "trilinear", "the texture unit's, between halved pictures"}};
  return choices;
}

StageDescription envmap_stage() {
  return describe<Envmap>("envmap", "convert an environment map to another layout", Kind::filter)
      .param("from", &Envmap::from,
             "the input's layout; default what its attribute or proportions say")
      .param("to", &Envmap::to, "the output's layout")
      .param("size", &Envmap::size,
             "size of the output; 100% keeps the input's resolution; a view needs WxH")
      .param("fov", &Envmap::fov, range(0.01, 360),
             "horizontal angle of a view (default 90, at most 179), or angle across a fisheye "
             "(default 180)",
             unit("degrees"))
      .param("rotate", &Envmap::rotate, range(-1e6, 1e6), placeholder("YAW,PITCH,ROLL"),
             "turn the camera: right, then up, then clockwise", unit("degrees"))
      .param("sampling", &Envmap::sampling, "where the outermost texels of the output lie")
      .param("filter", &Envmap::filter, "how texels are read")
      .param("antialias", &Envmap::antialias,
             "where the map shrinks, mix all texels that a pixel covers")
      .details(
          "Up is +y, and the picture's middle looks along +z with +x at the left, as in OpenEXR "
          "(ImfEnvmap.h). latlong runs from longitude +180 degrees (-z) to -180 and from latitude "
          "+90 to -90. cube-faces holds +X, -X, +Y, -Y, +Z, -Z from the top, oriented like "
          "OpenEXR's. A cross has +X, +Z, -X in a row, and +Y above and -Y below +Z. -Z lies "
          "upside down below -Y, or in a 4:3 picture to the right of -X. angular has +z in its "
          "middle and -z all around its rim. mirrorball is the photograph of a mirrored ball by a "
          "camera that looks along +z: its middle shows -z, its rim +z. The output is zero where a "
          "layout shows nothing.\n\nview, equidistant and equisolid are pictures by a camera that "
          "looks along +z, and show --fov degrees. In a view straight lines stay straight; "
          "equidistant (r = f a) and equisolid (r = 2 f sin(a/2)) are discs. --rotate turns the "
          "camera in the centre of the environment, for every layout: first by YAW to the right, "
          "around the y axis; then by PITCH up, around its own horizontal axis; then by ROLL "
          "clockwise, around its viewing direction. So with --rotate 90 the middle of a latlong "
          "shows what was a quarter of its width to the right, --rotate 0,90 looks at +y, and "
          "--rotate 0,0,90 has +y at the left. Numbers left out are 0. Right angles are exact: "
          "where texels only change places, they are copied.\n\nFilters read across seams: the "
          "faces' edges, the ends and poles of latlong, and the rims. Where texels are smaller "
          "than pixels, all texels around a pixel are mixed, weighted over its elliptical "
          "footprint, or near poles and seams under a tent two pixels wide. Ids are copied from "
          "the nearest texel. In a file with OpenEXR's envmap attribute the outermost texels lie "
          "on the edges; the attribute is written if the output's texels lie there "
          "too.\n\n--filter trilinear is for previews that shrink. It reads with the texture unit "
          "between two levels of a chain of halved pictures, of the latlong or of each cube face. "
          "It is less sharp: it takes one square of texels for each pixel, as wide as the larger "
          "of the angles across the pixel and down it. It does not read across a face's edges or "
          "the poles, so seams show a little where the map shrinks a lot. Where nothing shrinks it "
          "is linear. The sides of a face, or of latlong, may be up to 32768 pixels long. It "
          "cannot read mirrorball and angular.")
      .example("cuimg envmap --from latlong --to cube-cross sky.exr cross.exr")
      .example("cuimg envmap --from angular --to latlong --size 2048x1024 probe.exr sky.exr")
      .example("cuimg envmap --to view --rotate 30,-10 --size 1920x1080 sky.exr view.exr")
      .check(check_options)
      .prepare([](const Envmap& p, const Spec& input, const StageContext& context) {
        warn_of_partial_sphere(p, input, context);
        return std::make_unique<EnvmapOperation>(p, input, context.raw);
      });
}

}  // namespace cuimg

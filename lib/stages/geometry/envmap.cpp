// SPDX-License-Identifier: Apache-2.0
// Envmap's description and the operation.
#include "stages/geometry/envmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/message_text.h"
#include "device/on_device.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

const char* const attribute = "envmap";

// What OpenEXR's attribute calls a layout; empty when it has no word for it.
std::string attribute_of(EnvmapLayout layout) {
  if (layout == EnvmapLayout::latlong) return "latlong";
  return layout == EnvmapLayout::cube_faces ? "cube" : "";
}

std::string attribute_of(const Spec& spec) {
  const auto found = spec.metadata.find(attribute);
  const std::string* text =
      found == spec.metadata.end() ? nullptr : std::get_if<std::string>(&found->second);
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

// Texels on a quarter of the horizon: what layouts have in common.
int quarter_of(const EnvLayout& layout) {
  if (layout.projection == EnvProjection::cube) return layout.width;
  return std::max(1, (layout.width + 2) / 4);
}

Rect natural_size(EnvmapLayout layout, int quarter) {
  if (layout == EnvmapLayout::latlong) return {0, 0, 4 * quarter, 2 * quarter};
  if (layout == EnvmapLayout::cube_cross) return {0, 0, 3 * quarter, 4 * quarter};
  if (layout == EnvmapLayout::cube_faces) return {0, 0, quarter, 6 * quarter};
  return {0, 0, 4 * quarter, 4 * quarter};  // of a ball or a disc
}

// A percentage is one of the source's texels on a quarter, so that faces stay whole.
Rect wanted_size(const Envmap& p, const EnvLayout& from) {
  int quarter = quarter_of(from);
  const Size::Side& w = p.size.width;
  const Size::Side& h = p.size.height;
  if (!w.percent && !h.percent) {
    const Rect natural = natural_size(*p.to, quarter);
    return p.size.of(natural.width, natural.height);
  }
  if (w != h)
    throw Error("envmap", "--size " + format_value(p.size) + " changes the layout's proportions",
                "use WxH, or one percentage");
  const double scaled = std::floor(quarter * w.amount / 100 + 0.5);
  quarter = static_cast<int>(std::clamp(scaled, 1.0, double{largest_side}));
  const Rect size = natural_size(*p.to, std::min(quarter, largest_side / 6));
  if (quarter > largest_side / 6)
    throw Error("envmap", "--size " + format_value(p.size) + " is too large",
                "width and height may be at most " + std::to_string(largest_side));
  return size;
}

bool writes_edges(const Envmap& p, bool source_on_edges) {
  const bool is_disc = *p.to == EnvmapLayout::mirrorball || *p.to == EnvmapLayout::angular;
  if (p.sampling == EnvmapSampling::edges && is_disc)
    throw Error("envmap", "--sampling edges is for latlong and cubes", "leave it out");
  if (p.sampling != EnvmapSampling::automatic) return p.sampling == EnvmapSampling::edges;
  return source_on_edges && !attribute_of(*p.to).empty();
}

// Levels of a disc would mix what lies around it with its rim.
void require_levels(EnvmapLayout from) {
  const bool is_ball = from == EnvmapLayout::mirrorball;
  if (!is_ball && from != EnvmapLayout::angular) return;
  throw Error("envmap",
              std::string("--filter trilinear cannot read ") +
                  (is_ball ? "a mirrorball" : "an angular map"),
              "use --filter linear, or envmap --to latlong before it");
}

// Other layouts check their sides. A crop may be meant, and is then stretched.
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
    const Rect size = wanted_size(p, envmap_.from);
    const bool edges = writes_edges(p, on_edges);
    envmap_.to = env_layout(*p.to, edges, size.width, size.height, "--size");
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
    // An output pixel's reads cover all of the source but once or twice.
    const double shrinks = static_cast<double>(picture_.pixels()) /
                           static_cast<double>(std::max<std::int64_t>(1, size.pixels()));
    plan_.cost_ns = 100 + (envmap_.antialias ? 300 * shrinks : 0);
    plan_.explanation = {"from " + member_name(layout) + (on_edges ? ", texels on its edges" : ""),
                         "to " + member_name(*p.to) + (edges ? ", texels on its edges" : "")};
    if (envmap_.last_level == 0) return;
    plan_.runs_whole = true;  // levels are made once for all rows
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

}  // namespace

std::span<const Choice<EnvmapLayout>> choices_of(EnvmapLayout) {
  using enum EnvmapLayout;
  static constexpr Choice<EnvmapLayout> choices[] = {
      {latlong, "latlong", "longitude and latitude, 2:1", "equirectangular"},
      {cube_cross, "cube-cross", "six faces unfolded, 3:4, or 4:3"},
      {cube_faces, "cube-faces", "six faces below each other, 1:6", "cube"},
      {mirrorball, "mirrorball", "a mirrored ball, photographed"},
      {angular, "angular", "a disc, the angle along its radius", "lightprobe"}};
  return choices;
}

std::span<const Choice<EnvmapSampling>> choices_of(EnvmapSampling) {
  using enum EnvmapSampling;
  static constexpr Choice<EnvmapSampling> choices[] = {
      {automatic, "auto", "edges when the input says that it is OpenEXR's"},
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
  return describe<Envmap>("envmap", "an environment map in another layout", Kind::filter)
      .param("from", &Envmap::from, "the input's layout; else as its attribute or sides say")
      .param("to", &Envmap::to, "the output's layout")
      .param("size", &Envmap::size, "of the output; 100% keeps the input's resolution")
      .param("sampling", &Envmap::sampling, "where the output's outermost texels lie")
      .param("filter", &Envmap::filter, "how texels are read")
      .param("antialias", &Envmap::antialias, "where the map shrinks, mix all that a pixel covers")
      .details(
          "Up is +y, and the picture's middle looks along +z with +x at the left, as in OpenEXR "
          "(ImfEnvmap.h): latlong runs from longitude +180 degrees (-z) to -180, from latitude +90 "
          "to -90. cube-faces are +X, -X, +Y, -Y, +Z, -Z from the top, turned as OpenEXR's. A "
          "cross has +X, +Z, -X in a row, +Y above and -Y below +Z, and -Z below -Y, head down, or "
          "in a 4:3 picture right of -X. angular has +z in its middle, -z all around its rim. "
          "mirrorball is the photograph of a mirrored ball by a camera that looks along +z: its "
          "middle shows -z, its rim +z. Where a layout shows nothing the output is zero.\n\n"
          "Reads go across seams: the faces' edges, the ends of latlong, its poles, the rims. "
          "Where texels are smaller than pixels, as many are mixed as lie around a pixel, weighed "
          "over its elliptical footprint, or near poles and seams under a tent two pixels wide. "
          "Ids are copied from the nearest texel. Of a file that has OpenEXR's envmap attribute "
          "the outermost texels lie on the edges; the attribute is written where the output's "
          "do.\n\n"
          "--filter trilinear is for previews that shrink: the texture unit's read between two of "
          "a chain of halved pictures, of latlong or of each face of a cube. It is less sharp: it "
          "takes one square of texels for each pixel, as wide as the larger of the angles across "
          "the pixel and down it. Reads end at a face's edges and at the poles: seams show a "
          "little where much is shrunk. Where nothing shrinks it is linear. The sides of a face, "
          "or of latlong, may be up to 32768 pixels long. It cannot read mirrorball and angular.")
      .example("cuimg envmap --from latlong --to cube-cross sky.exr cross.exr")
      .example("cuimg envmap --from angular --to latlong --size 2048x1024 probe.exr sky.exr")
      .check([](const Envmap& p) {
        if (!p.to) throw Error("envmap", "--to is missing", "name the output's layout");
      })
      .prepare([](const Envmap& p, const Spec& input, const StageContext& context) {
        warn_of_partial_sphere(p, input, context);
        return std::make_unique<EnvmapOperation>(p, input, context.raw);
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Envmap's description, the operation, and the CPU's rows.
#include "stages/geometry/envmap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/instruction_set.h"
#include "base/mapped_pages.h"
#include "device/on_device.h"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_pixel.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"
#include "stages/pass/gather_texels.h"

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
  const std::string shown = std::to_string(w) + "x" + std::to_string(h);
  throw Error("envmap", "the layout of " + shown + " is not clear",
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

EnvLayout laid_out(EnvmapLayout layout, bool on_edges, int width, int height,
                   const std::string& option) {
  const auto refuse = [&](const char* name, const char* fit) {
    throw Error("envmap", std::to_string(width) + "x" + std::to_string(height) + " is no " + name,
                option + ": its sides must be " + fit);
  };
  EnvLayout result{EnvProjection::latlong, on_edges, width, height, {}};
  if (layout == EnvmapLayout::latlong) return result;
  if (layout == EnvmapLayout::mirrorball || layout == EnvmapLayout::angular) {
    const bool ball = layout == EnvmapLayout::mirrorball;
    if (width != height) refuse(ball ? "mirrorball" : "angular map", "equal");
    result.projection = ball ? EnvProjection::mirrorball : EnvProjection::angular;
    return result;
  }
  result.projection = EnvProjection::cube;
  const auto place = [&](int columns, int rows) {
    result.width = result.height = width / columns;
    return width % columns == 0 && height == rows * result.width;
  };
  const auto put = [&](int face, int column, int row) {
    result.faces[face].x = column * result.width, result.faces[face].y = row * result.width;
  };
  // What each face's picture has at its right and at its bottom, +X to -Z.
  if (layout == EnvmapLayout::cube_faces) {
    static constexpr EnvFace faces[6] = {
        {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, 0, 0},  {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}, 0, 0},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}, 0, 0},  {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, 0, 0},
        {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, 0, 0}, {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}, 0, 0}};
    std::copy(std::begin(faces), std::end(faces), result.faces);
    if (!place(1, 6)) refuse("strip of cube faces", "1:6");
    for (int face = 0; face < 6; ++face) put(face, 0, face);
    return result;
  }
  static constexpr EnvFace faces[6] = {
      {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}, 0, 0},  {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}, 0, 0},
      {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, 0, 0},  {{0, -1, 0}, {-1, 0, 0}, {0, 0, -1}, 0, 0},
      {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, 0, 0}, {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}, 0, 0}};
  std::copy(std::begin(faces), std::end(faces), result.faces);
  const bool upright = place(3, 4);
  if (!upright && !place(4, 3)) refuse("cube cross", "3:4 or 4:3, of whole faces");
  put(0, 0, 1), put(4, 1, 1), put(1, 2, 1), put(2, 1, 0), put(3, 1, 2);
  if (upright) {
    // The back hangs from the floor, head down.
    result.faces[5] = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}, 0, 0};
    put(5, 1, 3);
  } else {
    put(5, 3, 1);
  }
  return result;
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
    envmap_.antialias = p.antialias;
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
    plan_.reads_scattered = plan_.wants_display_window = true;
    // An output pixel's reads cover all of the source but once or twice.
    const double shrinks = static_cast<double>(picture_.pixels()) /
                           static_cast<double>(std::max<std::int64_t>(1, size.pixels()));
    plan_.cost_ns = 100 + (p.antialias ? 300 * shrinks : 0);
    plan_.explanation = {"from " + member_name(layout) + (on_edges ? ", texels on its edges" : ""),
                         "to " + member_name(*p.to) + (edges ? ", texels on its edges" : "")};
  }

  Rect needed(const Rect&) const override { return picture_; }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const bool is_matte = output().layers[static_cast<std::size_t>(layer)].is_matte;
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

// Where three rows of pixels and their neighbours are found, the last ones asked for.
class PlaceRows {
 public:
  PlaceRows(const EnvmapPlan& plan, const Rect& region) : plan_(plan), region_(region) {
    for (int y = region.y - 1; y <= region.y; ++y) fill(y);
  }
  // Pixels of a row and of the next one. Rows are asked for in their order.
  void reach(int y) { fill(y + 1); }
  const EnvPosition& operator()(int x, int y) const {
    return rows_[row_of(y)][static_cast<std::size_t>(x - region_.x + 1)];
  }

 private:
  std::size_t row_of(int y) const { return static_cast<std::size_t>(y - region_.y + 1) % 3; }
  // Compiled once, not into every loop over pixels.
  [[gnu::noinline]] void fill(int y) {
    std::vector<EnvPosition>& row = rows_[row_of(y)];
    row.resize(static_cast<std::size_t>(region_.width) + 2);
    with_best_instructions([&] {
      for (int x = region_.x - 1; x <= region_.right(); ++x)
        row[static_cast<std::size_t>(x - region_.x + 1)] =
            env_place(plan_.to, plan_.from, env_pixel_at(plan_.to, x, y));
    });
  }

  const EnvmapPlan& plan_;
  Rect region_;
  std::vector<EnvPosition> rows_[3];
};

template <int N>
void map_rows(const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  const Rect& r = target.region();
  const auto row_at = [&](int x, int y) {
    return [from = source.pixel(x, y)](int i) {
      Pixel<N> pixel;
      std::memcpy(pixel.v, from + std::ptrdiff_t{i} * std::ptrdiff_t{sizeof pixel}, sizeof pixel.v);
      return pixel;
    };
  };
  with_best_instructions([&] {
    PlaceRows places(plan, r);
    MappedPagesCheck pages;  // around a pole a row reads all over the picture
    for (int y = r.y; y < r.bottom(); ++y) {
      places.reach(y);
      for (int x = r.x; x < r.right(); ++x) {
        pages.next();
        const EnvPixel at = env_pixel_at(plan.to, x, y);
        const auto known = [&](int dx, int dy) { return places(x + dx, y + dy); };
        Pixel<N> pixel{};
        if (at.face >= 0 && !plan.antialias)
          pixel = env_pixel_in<N>(plan.from, places(x, y), row_at);
        else if (at.face >= 0 && !env_pixel_even<N>(plan.to, plan.from, at, known, row_at, pixel))
          pixel = env_pixel_uneven<N>(plan.to, plan.from, at, places(x, y), row_at);
        std::memcpy(target.pixel(x, y), pixel.v, sizeof pixel.v);
      }
    }
  });
}

void map_ids(const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  const Rect& r = target.region();
  MappedPagesCheck pages;
  for (int y = r.y; y < r.bottom(); ++y)
    gather_row(target, r.x, r.right(), y, [&](int x) -> const std::byte* {
      pages.next();
      EnvTexel texel;
      const bool found = env_nearest_pixel(plan.to, plan.from, x, y, texel);
      return found ? source.pixel(texel.x, texel.y) : zero_texel.data();
    });
}

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

EnvLayout env_layout(EnvmapLayout layout, bool on_edges, int width, int height,
                     const std::string& option) {
  EnvLayout result = laid_out(layout, on_edges, width, height, option);
  result.prepare();
  return result;
}

void map_environment_on_cpu(const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  if (target.format().type == PixelType::u32) return map_ids(plan, source, target);
  with_channels(target.format().channels, [&](auto n) { map_rows<n()>(plan, source, target); });
}

StageDescription envmap_stage() {
  return describe<Envmap>("envmap", "an environment map in another layout", Kind::filter)
      .param("from", &Envmap::from, "the input's layout; else as its attribute or sides say")
      .param("to", &Envmap::to, "the output's layout")
      .param("size", &Envmap::size, "of the output; 100% keeps the input's resolution")
      .param("sampling", &Envmap::sampling, "where the output's outermost texels lie")
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
          "the outermost texels lie on the edges; the attribute is written where the output's do.")
      .example("cuimg envmap --from latlong --to cube-cross sky.exr cross.exr")
      .example("cuimg envmap --from angular --to latlong --size 2048x1024 probe.exr sky.exr")
      .check([](const Envmap& p) {
        if (!p.to) throw Error("envmap", "--to is missing", "name the output's layout");
      })
      .prepare([](const Envmap& p, const Spec& input, const StageContext& context) {
        return std::make_unique<EnvmapOperation>(p, input, context.raw);
      });
}

}  // namespace cuimg

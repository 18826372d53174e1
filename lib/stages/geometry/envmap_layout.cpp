// SPDX-License-Identifier: Apache-2.0
// Where the parts of an environment map lie in a picture of given sides.
#include <algorithm>

#include "base/error.h"
#include "base/message_text.h"
#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

EnvLayout laid_out(EnvmapLayout layout, bool on_edges, int width, int height,
                   const std::string& option) {
  const auto refuse = [&](const char* name, const char* fit) {
    throw Error("envmap", size_text(width, height) + " is no " + name,
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

}  // namespace

EnvLayout env_layout(EnvmapLayout layout, bool on_edges, int width, int height,
                     const std::string& option) {
  EnvLayout result = laid_out(layout, on_edges, width, height, option);
  result.prepare();
  return result;
}

}  // namespace cuimg

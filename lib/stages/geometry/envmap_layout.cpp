// SPDX-License-Identifier: Apache-2.0
// The positions of an environment map's parts in a picture of given size, and its rotation.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/exact_math.h"
#include "base/message_text.h"
#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

EnvLayout laid_out(EnvmapLayout layout, bool on_edges, int width, int height,
                   const std::string& option, double fov) {
  const auto refuse = [&](const char* name, const char* fit) {
    throw Error("envmap", size_text(width, height) + " is no " + name,
                option + ": its sides must be " + fit);
  };
  EnvLayout result{EnvProjection::latlong, on_edges, width, height, {}};
  if (layout == EnvmapLayout::latlong) return result;
  if (layout == EnvmapLayout::view) {
    const double half_turns = fov / 360;  // for half the field of view
    const double half = exact::sin_pi(half_turns) / exact::cos_pi(half_turns);
    result.projection = EnvProjection::view;
    result.half_x = static_cast<float>(half);
    result.half_y = static_cast<float>(half * height / width);
    return result;
  }
  if (layout == EnvmapLayout::equidistant || layout == EnvmapLayout::equisolid) {
    if (width != height) refuse("fisheye", "equal");
    const bool is_equidistant = layout == EnvmapLayout::equidistant;
    result.projection = is_equidistant ? EnvProjection::angular : EnvProjection::equisolid;
    result.rim = static_cast<float>(fov / 360 * 0x1p31);
    result.half_x = static_cast<float>(exact::sin_pi(fov / 720));
    return result;
  }
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
  // The directions to the right and to the bottom of each face's picture, from +X to -Z.
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
    // The back face is attached below the floor, upside down.
    result.faces[5] = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}, 0, 0};
    put(5, 1, 3);
  } else {
    put(5, 3, 1);
  }
  return result;
}

}  // namespace

EnvLayout env_layout(EnvmapLayout layout, bool on_edges, int width, int height,
                     const std::string& option, double fov) {
  EnvLayout result = laid_out(layout, on_edges, width, height, option, fov);
  result.prepare();
  return result;
}

EnvOutput turned_output(const EnvLayout& layout, const std::vector<double>& rotate) {
  struct Turn {
    double cosine = 1, sine = 0;
  };
  Turn turns[3];
  for (std::size_t i = 0; i < rotate.size() && i < 3; ++i) {
    // fmod is exact, and sine and cosine are exact at right angles.
    const double half_turns = std::fmod(rotate[i], 360.0) / 180;
    turns[i] = {exact::cos_pi(half_turns), exact::sin_pi(half_turns)};
  }
  const auto& [yaw, pitch, roll] = turns;
  // Roll rotates (x, y), pitch then rotates (y, z) and yaw (x, z): +x is on the left.
  const double rolled[2][2] = {{roll.cosine, -roll.sine}, {roll.sine, roll.cosine}};
  double pitched[3][3];
  for (std::size_t i = 0; i < 2; ++i) {
    pitched[0][i] = rolled[0][i];
    pitched[1][i] = pitch.cosine * rolled[1][i];
    pitched[2][i] = -pitch.sine * rolled[1][i];
  }
  pitched[0][2] = 0, pitched[1][2] = pitch.sine, pitched[2][2] = pitch.cosine;
  double turn[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    turn[0][i] = yaw.cosine * pitched[0][i] - yaw.sine * pitched[2][i];
    turn[1][i] = pitched[1][i];
    turn[2][i] = yaw.sine * pitched[0][i] + yaw.cosine * pitched[2][i];
  }
  EnvOutput output{layout};
  for (std::size_t row = 0; row < 3; ++row) {
    output.turn[row] = {static_cast<float>(turn[row][0]), static_cast<float>(turn[row][1]),
                        static_cast<float>(turn[row][2])};
    for (std::size_t i = 0; i < 3; ++i)
      output.is_turned = output.is_turned || turn[row][i] != (row == i ? 1 : 0);
  }
  return output;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Converts environment maps from one layout to another.
#pragma once

#include <optional>
#include <vector>

#include "kernels/warp/env_output.h"
#include "options/values.h"
#include "stages/stage.h"

namespace cuimg {

/// The last three show only some directions, and are only for the output.
enum class EnvmapLayout : std::uint8_t {
  latlong,
  cube_cross,
  cube_faces,
  mirrorball,
  angular,
  view,
  equidistant,
  equisolid
};
std::span<const Choice<EnvmapLayout>> choices_of(EnvmapLayout);
inline bool is_part(EnvmapLayout layout) { return layout >= EnvmapLayout::view; }

/// The position of the outermost texels.
enum class EnvmapSampling : std::uint8_t { automatic, cells, edges };
std::span<const Choice<EnvmapSampling>> choices_of(EnvmapSampling);

/// How the input is read. Trilinear equals linear where nothing shrinks.
enum class EnvmapFilter : std::uint8_t { linear, trilinear };
std::span<const Choice<EnvmapFilter>> choices_of(EnvmapFilter);

struct Envmap {
  std::optional<EnvmapLayout> from, to;
  Size size = percent(100);
  std::optional<double> fov;   ///< Field of view, in degrees.
  std::vector<double> rotate;  ///< Yaw, pitch and roll in degrees; omitted ones are 0.
  EnvmapSampling sampling = EnvmapSampling::automatic;
  EnvmapFilter filter = EnvmapFilter::linear;
  bool antialias = true;
};

/// The layout of a picture of that size. @throws Error if its sides do not suit the layout.
/// @param option for the error, "--from" or "--size".
/// @param fov for layouts that show a part, in degrees.
EnvLayout env_layout(EnvmapLayout layout, bool on_edges, int width, int height,
                     const std::string& option, double fov = 0);

/// The output as if the camera at the centre had turned: by `rotate[0]` degrees to the right, then
/// by `rotate[1]` up, then clockwise by `rotate[2]` around its viewing direction.
EnvOutput turned_output(const EnvLayout& layout, const std::vector<double>& rotate);

/// Everything that a device needs for the conversion.
struct EnvmapPlan {
  EnvOutput to;
  EnvLayout from;
  bool antialias = true;
  int last_level = 0;   ///< Above 0: pixels interpolate between levels.
  int first_level = 0;  ///< 1: no pixel reads the full-size picture.

  int faces() const { return from.projection == EnvProjection::cube ? 6 : 1; }
  /// The texels of a face in the picture.
  Rect face(int index) const {
    const bool is_cube = from.projection == EnvProjection::cube;
    return {is_cube ? from.faces[index].x : 0, is_cube ? from.faces[index].y : 0, from.width,
            from.height};
  }
};

/// Makes a latlong or a cube use levels if it shrinks somewhere.
/// @param output its window, from (0, 0). @throws Error if sides are too long for this.
void plan_levels(EnvmapPlan& plan, const Rect& output);

/// @name Converts one layer. @param source covers the whole picture, float or u32.
/// @{
void map_environment_on_cpu(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                            const Frame& target);
void map_environment_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                             const Frame& target);
/// @}

/// @name The same for floats, if plan.last_level is above 0.
/// @{
void map_levels_on_cpu(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                       const Frame& target);
/// @throws DeviceError.
void map_levels_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                        const Frame& target);
/// @}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Pictures of everything around a point, from one layout to another.
#pragma once

#include <optional>

#include "kernels/warp/env_layout.h"
#include "options/values.h"
#include "stages/stage.h"

namespace cuimg {

enum class EnvmapLayout : std::uint8_t { latlong, cube_cross, cube_faces, mirrorball, angular };
std::span<const Choice<EnvmapLayout>> choices_of(EnvmapLayout);

/// Where the outermost texels lie.
enum class EnvmapSampling : std::uint8_t { automatic, cells, edges };
std::span<const Choice<EnvmapSampling>> choices_of(EnvmapSampling);

struct Envmap {
  std::optional<EnvmapLayout> from, to;
  Size size = percent(100);
  EnvmapSampling sampling = EnvmapSampling::automatic;
  bool antialias = true;
};

/// How a picture of that size is laid out. @throws Error when its sides do not fit.
/// @param option for the error, "--from" or "--size".
EnvLayout env_layout(EnvmapLayout layout, bool on_edges, int width, int height,
                     const std::string& option);

/// Everything that a device needs to know.
struct EnvmapPlan {
  EnvLayout to, from;
  bool antialias = true;
};

/// @name One layer. @param source covers the whole picture, float or u32.
/// @{
void map_environment_on_cpu(const EnvmapPlan& plan, const Frame& source, const Frame& target);
void map_environment_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                             const Frame& target);
/// @}

}  // namespace cuimg

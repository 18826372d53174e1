// SPDX-License-Identifier: Apache-2.0
// Reads environment maps between levels on the CPU, with the software texture unit.
#include <cstring>
#include <vector>

#include "base/instruction_set.h"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_level.h"
#include "stages/geometry/envmap.h"
#include "stages/warp/mip_levels.h"

namespace cuimg {
namespace {

// Compiled once instead of inlined into every loop over pixels.
void find_reads(const EnvLevelReads& reads, int left, int y, std::vector<EnvLevelRead>& row) {
  with_best_instructions([&] {
    for (int i = 0; i < static_cast<int>(row.size()); ++i)
      row[static_cast<std::size_t>(i)] = reads.at(left + i, y);
  });
}

template <int N>
void read_levels(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                 const Frame& target) {
  std::vector<std::vector<Frame>> frames;  // the levels of each face
  std::vector<LevelViews<N>> faces;
  for (int f = 0; f < plan.faces(); ++f)
    frames.push_back(make_levels_on_cpu(queue, source.cropped(plan.face(f)), plan.last_level));
  for (const std::vector<Frame>& levels : frames) faces.emplace_back(levels);
  const EnvLevelReads reads(plan.to, plan.from, plan.first_level);
  const Sampler sampler = reads.sampler();
  const Rect& t = target.region();
  queue.for_rows(t, 16, [&](int top, int bottom) {
    std::vector<EnvLevelRead> row(static_cast<std::size_t>(t.width));
    for (int y = top; y < bottom; ++y) {
      find_reads(reads, t.x, y, row);
      auto* out = target.pixel_as<float>(t.x, y);
      for (const EnvLevelRead& read : row) {
        Pixel<N> pixel = {};
        if (read.face >= 0)
          pixel = sample_level(faces[static_cast<std::size_t>(read.face)].texture(), sampler,
                               read.x, read.y, read.level);
        std::memcpy(out, pixel.v, sizeof pixel.v);
        out += N;
      }
    }
  });
}

}  // namespace

void map_levels_on_cpu(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                       const Frame& target) {
  with_channels(target.format().channels,
                [&](auto n) { read_levels<n()>(queue, plan, source, target); });
}

}  // namespace cuimg

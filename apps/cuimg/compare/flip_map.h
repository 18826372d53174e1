// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --flip-map`: FLIP's map of two files as a picture.
#pragma once

#include <string>
#include <vector>

#include "compare/limits.h"
#include "compare/measurer.h"
#include "compare/metrics/metric_options.h"
#include "pipeline/options.h"

namespace cuimg {

/// @throws Error that names --flip-map if its format is unknown or cannot store floats.
void check_flip_map(const std::string& path);

/// For the first compared colour layer. @param files golden and result.
/// @throws Error.
void write_flip_map(const std::string& path, const std::vector<std::string>& files,
                    const CommonOptions& common, const Limits& limits, const MetricOptions& metric,
                    Measurer& measurer);

}  // namespace cuimg

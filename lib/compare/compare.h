// SPDX-License-Identifier: Apache-2.0
// Compares a result with its golden picture in memory: `cuimg compare` as a function.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// Options of a comparison other than limits.
struct CompareOptions {
  MetricOptions metric = {};
  /// Metrics to measure, by name (those of `cuimg compare --metric`); empty: those of one pass.
  /// Those that limits need are measured too.
  std::vector<std::string> metrics = {};
  /// Pixels where it is 0 in all channels but alpha are ignored, also in metrics: means are over
  /// the other pixels. It covers the whole picture. Null: all pixels count. Limits::mask is the
  /// name of a file, which functions on images do not read.
  const Image* mask = nullptr;
  bool keeps_flip_maps = false;      ///< LayerComparison::flip_map is filled in.
  bool keeps_forgiven_maps = false;  ///< LayerComparison::forgiven is filled in.
  /// Another device, or null: pictures are compared there too, and a figure that is not the same in
  /// every bit is an Error.
  const Queue* also_on = nullptr;
  bool names_device = false;  ///< Comparison::device is filled in, by compare_files().
};

/// Compares two pictures, layer by layer. Symmetric in what it measures, except for HDR-FLIP's
/// exposures, which are the golden's.
/// @param limits without any, one differing pixel is a difference.
/// Its `layers` and `part` choose what of the pictures is compared.
/// @returns the verdict with its reasons and all figures; it never is Verdict::error.
/// @param queue where figures are measured; they are the same everywhere.
/// @throws Error for a mask that does not cover the picture, a metric that does not exist, layers
/// or a part that neither picture has, or a limit or option that `cuimg compare` would refuse;
/// DeviceError where a card fails or has no room.
Comparison compare(const Image& golden, const Image& result, const Limits& limits = {},
                   const CompareOptions& options = {}, const Queue& queue = Queue::cpu());

/// The same for the parts of two files, paired by name if all names are different, else by number.
/// @throws Error also if either side has no parts.
Comparison compare(const std::vector<Image>& golden, const std::vector<Image>& result,
                   const Limits& limits = {}, const CompareOptions& options = {},
                   const Queue& queue = Queue::cpu());

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Compares a result with its golden picture in memory: `cuimg compare` as a function.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "device/queue.h"
#include "image/image.h"
#include "io/decode_options.h"

namespace cuimg {

/// Options of a comparison other than limits.
struct CompareOptions {
  MetricOptions metric = {};
  /// Metrics to measure, by name as for `cuimg compare --metric`, or "all"; empty: the metrics that
  /// take one pass. Metrics that limits need are also measured.
  std::vector<std::string> metrics = {};
  /// Pixels where it is 0 in all channels but alpha are ignored, also in metrics: means are over
  /// the other pixels. It covers the whole picture. Null: all pixels count. Limits::mask is the
  /// name of a file, which functions on images do not read.
  const Image* mask = nullptr;
  bool keeps_flip_maps = false;      ///< Whether LayerComparison::flip_map is filled in.
  bool keeps_forgiven_maps = false;  ///< Whether LayerComparison::forgiven is filled in.
  /// Another device, or null: pictures are also compared there, and a figure that differs in any
  /// bit is an Error.
  const Queue* also_on = nullptr;
  bool names_device = false;  ///< Whether compare_files() fills in Comparison::device.
  /// Most pixels of the area that two different data windows cover together.
  std::uint64_t limit_pixels = DecodeOptions{}.limit_pixels;
};

/// Compares two pictures, layer by layer. Measurements are symmetric, except for those that use the
/// golden's values (HDR-FLIP's exposures, relmse) and the last digits of delta_e_2000.mean.
/// @param limits without any, one differing pixel is a difference.
/// Its `layers` and `part` choose what is compared.
/// @returns the verdict with its reasons and all figures; it is never Verdict::error.
/// @param queue the device that measures; figures are the same on every device.
/// @throws Error for a picture without memory, a mask that does not cover the picture, Limits::mask
/// without CompareOptions::mask, a metric that does not exist, layers or a part that neither
/// picture has, windows that together have more than `limit_pixels`, or a limit or option that
/// `cuimg compare` would refuse; DeviceError if a card fails or runs out of memory.
Comparison compare(const Image& golden, const Image& result, const Limits& limits = {},
                   const CompareOptions& options = {}, const Queue& queue = Queue::cpu());

/// The same for the parts of two files, paired by name if all names are different, else by number.
/// @throws Error also if either side has no parts.
Comparison compare(const std::vector<Image>& golden, const std::vector<Image>& result,
                   const Limits& limits = {}, const CompareOptions& options = {},
                   const Queue& queue = Queue::cpu());

}  // namespace cuimg

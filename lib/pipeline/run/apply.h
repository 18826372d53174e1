// SPDX-License-Identifier: Apache-2.0
// Applies stages to an image in memory, for programs that use the library.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/queue.h"
#include "image/image.h"
#include "io/codec.h"
#include "pipeline/bound_stage.h"
#include "stages/registry.h"

namespace cuimg {

/// Options for a chain, like those of the command line with the same names.
struct ApplyOptions {
  /// The format of the result: types, encoding, alpha and windows are converted to a form that its
  /// files can store. Null leaves the form after the last stage.
  const Codec* codec = nullptr;
  /// With a codec; absent: the input's type if the codec supports it.
  std::optional<PixelType> type = {};
  bool raw = false;                             ///< Values are used and mixed as stored.
  std::array<float, 3> background = {0, 0, 0};  ///< Linear, for a codec without alpha.
  std::vector<std::string> layers = {};         ///< Names of layers; empty: each stage decides.
  bool refuses_nearest_mattes = false;          ///< --cryptomatte refuse
  /// A stop that is requested while apply() runs ends it with Cancelled: on the CPU within a band
  /// of rows on each thread, on a card before the next stage. What stages such as normalize measure
  /// first is not interrupted.
  std::stop_token stop = {};
  /// Called with the number of the result's rows that are complete, counted from the top; the last
  /// time with all of them. One thread at a time calls it, not necessarily the one that called
  /// apply(). An exception from it ends apply().
  std::function<void(int complete, int rows)> progress = {};
  /// Receives the warnings that the program prints: a codec that holds one layer of several, or
  /// that cannot state the values' curve; what is lost in a file that a stage reads. Called on the
  /// thread that called apply(). May be empty.
  Notify warn = {};
};

/// Runs `stages` one after another and returns the complete result. A chain that begins with a
/// source (`noise`, `checker`) ignores the input, which may be Image().
/// @param stages made with bind() or parse_chain().
/// @param queue also decides how many threads measure and decode the files that stages read.
/// @throws Error if parameters and image do not fit, and for stages that give no image or take
/// several; Cancelled; DeviceError if a card fails.
Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const ApplyOptions& options);
Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const Codec* codec = nullptr, std::optional<PixelType> type = {});

}  // namespace cuimg

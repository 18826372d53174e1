// SPDX-License-Identifier: Apache-2.0
// How an image is converted so that a format can store it, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/codec.h"

namespace cuimg {

struct OutputChoice {
  Spec spec;
  /// For each of its layers, the layer from which it is made.
  std::vector<int> sources;
  std::vector<std::string> decisions;      ///< Messages for --explain.
  std::vector<std::string> warnings = {};  ///< Losses that no option requested.
  std::vector<std::string> notes =
      {};  ///< For -v: differences from the input that the format causes.
};

/// @param image after the last stage.
/// @param stored the types that its layers had before stages made them float.
/// @param home how the input file encodes colour if it stores integers; otherwise null.
/// @param type --type, or nothing for the stored type if the format has it.
/// @param chosen whether --layers allows each layer; empty: all. A format of one layer gets one of
/// these.
/// @throws Error if the format cannot store the wanted type.
OutputChoice choose_output(const Spec& image, const std::vector<PixelType>& stored,
                           const Codec& codec, std::optional<PixelType> type, bool raw,
                           const ColorEncoding* home = nullptr,
                           const std::vector<bool>& chosen = {});

/// The type in which the format stores values of that type if --type is not given; empty if it
/// cannot store them.
std::optional<PixelType> stored_type(PixelType type, const Codec& codec);

/// "R, G": a layer's channels that are half in the file and float in the image. Often empty.
std::string halves_of(const FileStorage& file, const LayerSpec& layer);

/// How a planned output is stored in its file: formats without windows begin at 0, 0.
/// @param type see choose_output(); if given, channels have no other type.
Spec file_spec(const Spec& planned, const Codec& codec, std::optional<PixelType> type);

}  // namespace cuimg

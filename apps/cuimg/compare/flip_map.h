// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --flip-map`: FLIP's map of two files as a picture.
#pragma once

#include <optional>
#include <string>

#include "compare/comparison.h"
#include "compare/decoded_pair.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// @throws Error that names --flip-map if its format is unknown or cannot store floats.
void check_flip_map(const std::string& path);

/// The map that the comparison measured for the first colour layer; nothing if there is none.
/// @param decoded from that comparison, if FLIP was measured.
std::optional<Image> measured_flip_map(const Comparison& comparison, const DecodedPair& decoded,
                                       const DecodeOptions& decode);

/// Writes it. After a comparison that failed there is nothing to write. @throws Error, also if
/// there is no map.
void write_flip_map(const std::string& path, const Comparison& comparison,
                    const std::optional<Image>& map, const Queue& queue);

}  // namespace cuimg

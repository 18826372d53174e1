// SPDX-License-Identifier: Apache-2.0
// Writes a script file with the pixels of one layer of a pair, which a page opened from disk can
// load.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compare/comparison.h"
#include "image/image.h"
#include "io/byte_sink.h"

namespace cuimg {

/// An error for each pixel of a window, row by row, 0 where nothing differs. It is stored in bytes:
/// 1 becomes 255, an error above 0 at least 1, and NaN 255. Empty: there is no map.
struct ErrorMap {
  Rect window;
  std::span<const float> values;
};

/// A byte for each pixel of a window, row by row: 0 if it counts, otherwise the reason for
/// forgiving it, as in ForgivenBy. Empty: all count.
struct ForgivenPixels {
  Rect window;  ///< As in ForgivenMap::window; empty: the compared area is not known.
  std::span<const std::uint8_t> values;
};

/// One layer on both sides; an image is null if that side lacks the layer.
struct LayerPixels {
  const Image* golden = nullptr;
  const Image* result = nullptr;
  int golden_layer = 0, result_layer = 0;
  ErrorMap difference, flip;
  ForgivenPixels forgiven = {};
  Shift moved = {};  ///< How far the result was moved to lie over the golden.
};

/// The stored bytes of both sides.
std::size_t stored_bytes(const LayerPixels& pixels);

/// Writes `cuimgPixels(file, name, {...});`. Pixels are stored values, little-endian, in blocks of
/// rows that are deflated (zlib) and encoded in base64. A result with the golden's form is XORed
/// with the golden, so that equal pixels take no space. It needs the memory of one block.
/// @param file the script's name without ".js". @param name the pair's name. @throws Error.
void write_layer_script(const std::string& file, const std::string& name, const LayerPixels& pixels,
                        ByteSink& sink);

}  // namespace cuimg

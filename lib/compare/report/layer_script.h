// SPDX-License-Identifier: Apache-2.0
// A script file with the pixels of one layer of a pair, which a page opened from disk can load.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "image/image.h"
#include "io/byte_sink.h"

namespace cuimg {

/// An error for each pixel of a window, row by row, 0 where nothing differs. It is kept in bytes:
/// 1 becomes 255, an error above 0 at least 1, and what is no number 255. Empty: there is no map.
struct ErrorMap {
  Rect window;
  std::span<const float> values;
};

/// A byte for each pixel of a window, row by row: 0 where it counts, else what forgave it, as
/// ForgivenBy has it. Empty: all count.
struct ForgivenPixels {
  Rect window;  ///< As ForgivenMap::window; empty: it is not known what was compared.
  std::span<const std::uint8_t> values;
};

/// One layer on both sides; an image is null where that side lacks the layer.
struct LayerPixels {
  const Image* golden = nullptr;
  const Image* result = nullptr;
  int golden_layer = 0, result_layer = 0;
  ErrorMap difference, flip;
  ForgivenPixels forgiven = {};
};

/// Bytes of both sides as stored.
std::size_t stored_bytes(const LayerPixels& pixels);

/// Writes `cuimgPixels(file, name, {...});`. Pixels are as stored, little-endian, in blocks of rows
/// that are deflated (zlib) and in base64; a result of the golden's form is XORed with that, so
/// that what is alike takes no room. Memory is that of a block.
/// @param file the script's name without ".js". @param name the pair's. @throws Error.
void write_layer_script(const std::string& file, const std::string& name, const LayerPixels& pixels,
                        ByteSink& sink);

}  // namespace cuimg

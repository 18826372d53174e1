// SPDX-License-Identifier: Apache-2.0
// The list of a GIF's frames, made in one pass through the file without decoding pixels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "image/rect.h"
#include "io/byte_source.h"
#include "io/decode_options.h"

namespace cuimg {

/// What happens to a frame's area before the next frame is drawn.
enum class GifDisposal : std::uint8_t { keep, clear, restore };

struct GifFrame {
  Rect place;  ///< On the canvas; may lie outside, in part or wholly.
  GifDisposal disposal = GifDisposal::keep;
  std::optional<int> transparent;  ///< The colour that is not drawn.
  int delay_ms = 0;
  bool interlaced = false;
};

struct GifFile {
  int width = 0, height = 0;  ///< Of the canvas.
  float pixel_aspect = 1.0f;
  std::vector<GifFrame> frames;
  /// What the canvas shows before the first frame; absent: nothing, it is transparent.
  std::optional<std::array<std::uint8_t, 3>> background;
  std::optional<int> loop;  ///< How many times it is repeated, 0: for ever. Absent: it is not.
  std::string comment;
  std::vector<std::byte> icc_profile, xmp;  ///< Empty: none.

  /// Whether a frame leaves nothing on the canvas of what was there before.
  bool covers(const GifFrame& frame) const;
  /// Whether every picture is opaque wherever one looks.
  bool is_opaque() const;
};

/// @throws Error for what is malformed or cut short, and for a canvas or a frame over the limits.
GifFile read_gif_file(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Lists a GIF's frames in one pass through the file, without decoding pixels.
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
  Rect place;  ///< On the canvas; may lie partly or completely outside it.
  GifDisposal disposal = GifDisposal::keep;
  std::optional<int> transparent;  ///< The colour that is not drawn.
  int delay_ms = 0;
  bool interlaced = false;
};

struct GifFile {
  int width = 0, height = 0;  ///< The size of the canvas.
  float pixel_aspect = 1.0f;
  std::vector<GifFrame> frames;
  /// The canvas before the first frame; absent: it is transparent.
  std::optional<std::array<std::uint8_t, 3>> background;
  /// The number of repetitions; 0: forever. Absent: the file does not repeat.
  std::optional<int> loop;
  std::string comment;
  std::vector<std::byte> icc_profile, xmp;  ///< Empty: none.

  /// Whether a frame leaves nothing of the previous canvas.
  bool covers(const GifFrame& frame) const;
  /// Whether every pixel of every picture is opaque.
  bool is_opaque() const;
};

/// @throws Error for malformed or truncated files, and for a canvas or a frame that exceeds the
/// limits.
GifFile read_gif_file(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);

}  // namespace cuimg

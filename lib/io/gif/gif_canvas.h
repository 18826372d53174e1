// SPDX-License-Identifier: Apache-2.0
// The appearance of a GIF's frames, each drawn over the result of the previous frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "image/image.h"
#include "io/gif/gif_file.h"
#include "io/gif/gif_reader.h"

namespace cuimg {

/// The canvas of one file, which the decoders of its frames share: if frames are requested in
/// order, each is decoded once. May be called from several threads.
class GifCanvas {
 public:
  GifCanvas(std::shared_ptr<const ByteSource> source, GifFile file)
      : source_(std::move(source)), file_(std::move(file)) {}
  const GifFile& file() const { return file_; }
  /// Keeps the latest frames as they appear, for threads that request them almost in order. @param
  /// most_bytes limit on all kept frames.
  void keep_latest(std::size_t most_bytes) { most_kept_bytes_ = most_bytes; }
  /// Fills an 8-bit RGB or RGBA image with the canvas after that frame has been drawn, over the
  /// file's background. Areas that a frame clears are transparent.
  /// @throws Error.
  void show(int frame, Image& image);

 private:
  using Pixels = std::vector<std::uint32_t>;  // RGBA

  const Pixels& shown(int frame);
  void keep();
  void start(int wanted);
  void next_frame();
  void dispose();
  void draw(const GifFrame& frame);
  void draw_row(const GifFrame& frame, const ColorMapObject& colors, int y);
  Rect visible(const GifFrame& frame) const;
  std::uint32_t* pixels(int x, int y) {
    return canvas_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(file_.width) +
           static_cast<std::size_t>(x);
  }

  std::mutex mutex_;
  std::shared_ptr<const ByteSource> source_;
  GifFile file_;
  std::optional<GifReader> reader_;
  int at_ = -1;                      // the last frame that the reader has passed
  const GifFrame* drawn_ = nullptr;  // the frame that next_frame() removes first
  Pixels canvas_, saved_;            // saved_: the area of a frame before it was drawn
  std::vector<std::uint8_t> row_;
  std::size_t most_kept_bytes_ = 0;
  std::map<int, Pixels> kept_;  // the latest frames
};

}  // namespace cuimg

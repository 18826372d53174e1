// SPDX-License-Identifier: Apache-2.0
// The appearance of a GIF's frames, each drawn over the result of the previous frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "image/pixel_memory.h"
#include "io/gif/gif_file.h"
#include "io/gif/gif_reader.h"

namespace cuimg {

/// RGBA pixels; in a file if memory is short.
class GifPixels {
 public:
  GifPixels() = default;
  explicit GifPixels(std::size_t count)
      : count_(count), memory_(allocate_pixels(bytes(), "the GIF's")) {}
  std::uint32_t* data() { return reinterpret_cast<std::uint32_t*>(memory_.get()); }
  const std::uint32_t* data() const {
    return reinterpret_cast<const std::uint32_t*>(memory_.get());
  }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(std::uint32_t); }

 private:
  std::size_t count_ = 0;
  PixelMemory memory_;
};

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
  /// Gives each row of the canvas after that frame has been drawn, over the file's background, as
  /// RGBA. Areas that a frame clears are transparent. @throws Error.
  using TakeRow = std::function<void(int y, const std::uint32_t* row)>;
  void show(int frame, const TakeRow& take);
  /// Whether show() gives the rows of a single frame from the top, while it decodes them.
  bool shows_rows_as_decoded() const;
  /// The memory of the canvas, of areas that are restored, and of kept frames. A single frame needs
  /// none.
  std::size_t held_bytes() const;

 private:
  void show_alone(const TakeRow& take) const;
  const GifPixels& shown(int frame);
  void keep();
  void start(int wanted);
  void next_frame();
  void dispose();
  void draw(const GifFrame& frame);
  std::uint32_t empty_pixel() const;
  std::size_t canvas_pixels() const;
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
  GifPixels canvas_, saved_;         // saved_: the area of a frame before it was drawn
  std::size_t most_kept_bytes_ = 0;
  std::map<int, GifPixels> kept_;  // the latest frames
};

}  // namespace cuimg

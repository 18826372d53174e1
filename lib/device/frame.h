// SPDX-License-Identifier: Apache-2.0
// A Frame is a rectangle of one layer's pixels in memory that a queue can use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "image/image.h"

namespace cuimg {

/// The kind of memory that holds a frame's pixels.
enum class Storage : std::uint8_t {
  host,     ///< rows in host memory: the CPU queue
  pitched,  ///< rows in device memory: for row passes and pixel by pixel work
  array,    ///< a CUDA array: for scattered 2D reads through a texture
};

struct FrameFormat {
  Rect region;  ///< The area that it covers, in the image's absolute coordinates.
  PixelType type = PixelType::f32;
  int channels = 4;  ///< 1 to 4, the meaningful ones.
  Storage storage = Storage::host;
  /// Channels in memory: on a card three channels are stored as four, the fourth unspecified.
  int stored_channels() const { return storage != Storage::host && channels == 3 ? 4 : channels; }
  /// The same for a frame that only kernels will read: rows on a card.
  FrameFormat between_passes() const {
    FrameFormat format = *this;
    if (storage == Storage::array) format.storage = Storage::pitched;
    return format;
  }
  /// The same over another region.
  FrameFormat over(const Rect& other) const {
    FrameFormat format = *this;
    format.region = other;
    return format;
  }
  std::size_t pixel_bytes() const {
    return static_cast<std::size_t>(stored_channels()) * bytes_of(type);
  }
};

/// A frame's data on a card; defined in device/cuda/cuda_frame.h.
class CudaPixels;
/// A conversion that kernels apply when they load or store; defined in stages/pass/stored_form.h.
class StoredForm;

/// A handle: copies share the pixels.
class Frame {
 public:
  Frame() = default;
  /// Rows that another object owns, such as a part of an Image.
  /// @param first the pixel at the region's top left. @param pitch bytes from row to row.
  static Frame over_host(const FrameFormat& format, std::byte* first, std::ptrdiff_t pitch);
  /// New host rows, tightly packed, 64-byte aligned, not cleared. @throws Error if there is no
  /// memory.
  static Frame new_host(const FrameFormat& format);
  /// A layer of an image. The image must outlive the frame; a const image must not be written.
  static Frame over_image(const Image& image, int layer);
  static Frame on_card(const FrameFormat& format, std::shared_ptr<CudaPixels> pixels);

  const FrameFormat& format() const { return format_; }
  const Rect& region() const { return format_.region; }
  bool empty() const { return format_.region.empty(); }

  /// Only for host frames. @param x, y absolute and inside the region.
  std::byte* pixel(int x, int y) const {
    return first_ + pitch_ * (y - format_.region.y) +
           static_cast<std::ptrdiff_t>(format_.pixel_bytes()) * (x - format_.region.x);
  }
  template <class T>
  T* pixel_as(int x, int y) const {
    return reinterpret_cast<T*>(pixel(x, y));
  }
  std::ptrdiff_t pitch() const { return pitch_; }
  /// The same pixels with the region's corner at x, y.
  Frame moved_to(int x, int y) const {
    Frame moved = *this;
    moved.format_.region.x = x;
    moved.format_.region.y = y;
    return moved;
  }
  /// The same bytes, with floats as u32 words: ids that are floats are moved like other ids.
  Frame as_words() const {
    Frame words = *this;
    if (words.format_.type == PixelType::f32) words.format_.type = PixelType::u32;
    return words;
  }
  /// Rows on a card whose format() says float although they store another type: kernels convert
  /// each pixel when they load or store it. Only for operations whose plan says that they support
  /// this.
  Frame seen_as_floats(std::shared_ptr<const StoredForm> form) const {
    Frame seen = *this;
    seen.stored_type_ = format_.type;
    seen.format_.type = PixelType::f32;
    seen.stored_form_ = std::move(form);
    return seen;
  }
  /// Null if the pixels are stored in the type of format().
  const StoredForm* stored_form() const { return stored_form_.get(); }
  /// The same frame in its stored type.
  Frame as_stored() const {
    Frame stored = *this;
    if (stored_form_) stored.format_.type = stored_type_;
    stored.stored_form_ = nullptr;
    return stored;
  }
  /// A view of a part of a host frame. @param part inside the region.
  Frame cropped(const Rect& part) const;

  /// Only for frames on a card.
  CudaPixels& card() const { return *card_; }

 private:
  FrameFormat format_;
  std::byte* first_ = nullptr;
  std::ptrdiff_t pitch_ = 0;
  std::shared_ptr<void> owner_;
  std::shared_ptr<CudaPixels> card_;
  PixelType stored_type_ = PixelType::f32;
  std::shared_ptr<const StoredForm> stored_form_;
};

/// Frees the memory of this thread's earlier host frames, which it keeps for later ones.
void free_spare_frames();

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Frames over host rows, and the handle to a card's pixels.
#include "device/frame.h"

#include <utility>
#include <vector>

#include "image/pixel_memory.h"

namespace cuimg {
namespace {

// Blocks that a thread no longer uses and will soon need again: a band's frames are as large as the
// previous band's, and memory from the system costs a page fault for each page every time.
class SpareBlocks {
 public:
  struct Block {
    PixelMemory memory;
    std::size_t bytes;
  };

  ~SpareBlocks() { is_gone = true; }

  Block take(std::size_t bytes) {
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
      if (block->bytes < bytes || block->bytes / 2 > bytes) continue;
      Block found = std::move(*block);
      blocks_.erase(block);
      kept_ -= found.bytes;
      return found;
    }
    return {allocate_pixels(bytes, "a frame's"), bytes};
  }

  void give_back(Block block) {
    constexpr std::size_t most = std::size_t{1} << 24;
    if (block.bytes > most) return;
    for (; kept_ + block.bytes > most; blocks_.erase(blocks_.begin()))
      kept_ -= blocks_.front().bytes;
    kept_ += block.bytes;
    blocks_.push_back(std::move(block));
  }

  void free_all() {
    blocks_.clear();
    kept_ = 0;
  }

  // A frame may outlive its thread's spare blocks.
  static thread_local bool is_gone;

 private:
  std::vector<Block> blocks_;  // from the oldest to the newest
  std::size_t kept_ = 0;
};

thread_local bool SpareBlocks::is_gone = false;
thread_local SpareBlocks spare_blocks;

std::shared_ptr<std::byte> take_block(std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  return allocate_pixels(bytes, "a frame's");
#else
  SpareBlocks::Block block = SpareBlocks::is_gone
                                 ? SpareBlocks::Block{allocate_pixels(bytes, "a frame's"), bytes}
                                 : spare_blocks.take(bytes);
  const std::size_t size = block.bytes;
  const FreePixels freeing = block.memory.get_deleter();
  return {block.memory.release(), [size, freeing](std::byte* memory) {
            PixelMemory owned(memory, freeing);
            if (!SpareBlocks::is_gone) spare_blocks.give_back({std::move(owned), size});
          }};
#endif
}

}  // namespace

void free_spare_frames() {
  if (!SpareBlocks::is_gone) spare_blocks.free_all();
}

Frame Frame::over_host(const FrameFormat& format, std::byte* first, std::ptrdiff_t pitch) {
  Frame frame;
  frame.format_ = format;
  frame.format_.storage = Storage::host;
  frame.first_ = first;
  frame.pitch_ = pitch;
  return frame;
}

Frame Frame::new_host(const FrameFormat& format) {
  FrameFormat host = format;
  host.storage = Storage::host;
  const std::size_t width = host.region.empty() ? 0 : static_cast<std::size_t>(host.region.width);
  const std::size_t height = host.region.empty() ? 0 : static_cast<std::size_t>(host.region.height);
  const std::size_t row_bytes = width * host.pixel_bytes();
  const std::size_t bytes = row_bytes * height;
  std::shared_ptr<std::byte> memory = take_block(bytes);
  Frame frame = over_host(host, memory.get(), static_cast<std::ptrdiff_t>(row_bytes));
  frame.owner_ = std::move(memory);
  return frame;
}

Frame Frame::over_image(const Image& image, int layer) {
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  const FrameFormat format = {image.spec().data_window, spec.type, spec.channel_count(),
                              Storage::host};
  const std::byte* first = format.region.empty() ? nullptr : image.row(layer, format.region.y);
  return over_host(format, const_cast<std::byte*>(first),
                   static_cast<std::ptrdiff_t>(image.row_bytes(layer)));
}

Frame Frame::on_card(const FrameFormat& format, std::shared_ptr<CudaPixels> pixels) {
  Frame frame;
  frame.format_ = format;
  frame.card_ = std::move(pixels);
  return frame;
}

Frame Frame::cropped(const Rect& part) const {
  Frame frame = *this;
  frame.format_.region = part;
  frame.first_ = part.empty() ? first_ : pixel(part.x, part.y);
  return frame;
}

}  // namespace cuimg

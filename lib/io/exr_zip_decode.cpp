// SPDX-License-Identifier: Apache-2.0
// The way back: chunks inflated, summed up and joined into the rows of an image.
#include <OpenEXR/ImfChannelList.h>
#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "image/error.h"
#include "io/block_pool.h"
#include "io/exr_support.h"
#include "io/exr_zip.h"

namespace cuimg {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are stored as they lie in memory");

// One channel of the file, in the order in which a row stores them.
struct Channel {
  int layer = -1;          ///< -1: not wanted.
  std::size_t offset = 0;  ///< In the image's pixel.
  std::size_t bytes = 0;   ///< Of a sample: 2 or 4.
  std::size_t stride = 0;  ///< From pixel to pixel.
};

// Nothing where a channel is stored otherwise than the image holds it.
std::vector<Channel> stored_channels(const Imf::Header& header, const ExrLayout& layout) {
  std::vector<Channel> channels;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) {
    if (i.channel().xSampling != 1 || i.channel().ySampling != 1) return {};
    Channel channel;
    channel.bytes = i.channel().type == Imf::HALF ? 2 : 4;
    const auto wanted = std::find_if(layout.channels.begin(), layout.channels.end(),
                                     [&](const ExrChannel& each) { return each.name == i.name(); });
    if (wanted != layout.channels.end()) {
      const LayerSpec& layer = layout.spec.layers[static_cast<std::size_t>(wanted->layer)];
      if (i.channel().type != exr_type(layer.type)) return {};
      channel.layer = wanted->layer;
      channel.offset = channel.bytes * static_cast<std::size_t>(wanted->index);
      channel.stride = layer.pixel_bytes();
    }
    channels.push_back(channel);
  }
  return channels;
}

struct Chunk {
  const char* data = nullptr;  ///< In the mapped file.
  std::size_t size = 0;
};

struct Block {
  int first = 0, rows = 0;  ///< From the top of the data window.
  std::vector<Chunk> chunks;
};

using Bytes16 __attribute__((vector_size(16))) = std::uint8_t;

// By N places towards the end, zeros before.
template <int N, int... i>
Bytes16 shifted(Bytes16 v, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(Bytes16{}, v, (16 + i - N)...);
}
template <int N>
Bytes16 shifted(Bytes16 v) {
  return shifted<N>(v, std::make_integer_sequence<int, 16>());
}

// Each byte becomes the sum of itself and all before it, less 128 for each of those.
void sum_differences(std::vector<std::uint8_t>& bytes) {
  std::size_t i = 0;
  std::uint8_t sum = 128;  // the first has none before it
  for (; i + 16 <= bytes.size(); i += 16) {
    Bytes16 v;
    std::memcpy(&v, &bytes[i], sizeof v);
    v -= 128;
    v += shifted<1>(v);
    v += shifted<2>(v);
    v += shifted<4>(v);
    v += shifted<8>(v);
    v += sum;
    std::memcpy(&bytes[i], &v, sizeof v);
    sum = bytes[i + 15];
  }
  for (; i < bytes.size(); ++i) bytes[i] = sum = static_cast<std::uint8_t>(sum + bytes[i] - 128);
}

// Inflates the chunks of one block at a time; each thread has its own.
class Worker {
 public:
  Worker(Image& image, const std::vector<Channel>& channels, int chunk_rows, RowProgress& progress)
      : image_(image),
        channels_(channels),
        progress_(progress),
        chunk_rows_(chunk_rows),
        width_(static_cast<std::size_t>(image.spec().data_window.width)),
        inflater_(libdeflate_alloc_decompressor()) {
    for (const Channel& channel : channels) row_bytes_ += channel.bytes * width_;
    if (inflater_ == nullptr) throw std::bad_alloc();
  }

  void run(const Block& block) {
    progress_.wait_for_room(block.first);
    try {
      for (std::size_t i = 0; i < block.chunks.size(); ++i) {
        const int row = static_cast<int>(i) * chunk_rows_;
        read_chunk(block.chunks[i], block.first + row, std::min(chunk_rows_, block.rows - row));
      }
    } catch (...) {
      progress_.abandon();  // others may wait for room, which rows after these would make
      throw;
    }
  }

 private:
  void read_chunk(const Chunk& chunk, int first, int rows) {
    const std::size_t raw = row_bytes_ * static_cast<std::size_t>(rows), half = raw / 2;
    split_.resize(raw);
    const int y = image_.spec().data_window.y + first;
    if (chunk.size > raw)
      throw std::runtime_error("the chunk of row " + std::to_string(y) + " is too large");
    if (chunk.size == raw) {
      for (std::size_t i = 0; i < half; ++i) {
        split_[i] = static_cast<std::uint8_t>(chunk.data[2 * i]);
        split_[half + i] = static_cast<std::uint8_t>(chunk.data[2 * i + 1]);
      }
    } else {
      if (libdeflate_zlib_decompress(inflater_.get(), chunk.data, chunk.size, split_.data(), raw,
                                     nullptr) != LIBDEFLATE_SUCCESS)
        throw std::runtime_error("the data of row " + std::to_string(y) + " are corrupt");
      sum_differences(split_);
    }
    const std::uint8_t* even = split_.data();
    const std::uint8_t* odd = split_.data() + half;
    for (int row = y; row < y + rows; ++row)
      for (const Channel& channel : channels_) {
        if (channel.layer >= 0) {
          std::byte* to = image_.row(channel.layer, row) + channel.offset;
          if (channel.bytes == 2)
            join_samples<std::uint16_t>(even, odd, to, channel.stride);
          else
            join_samples<std::uint32_t>(even, odd, to, channel.stride);
        }
        even += channel.bytes / 2 * width_;
        odd += channel.bytes / 2 * width_;
      }
  }

  template <class Sample>
  void join_samples(const std::uint8_t* even, const std::uint8_t* odd, std::byte* to,
                    std::size_t stride) const {
    for (std::size_t x = 0; x < width_; ++x, to += stride) {
      std::uint32_t sample = 0;
      for (std::size_t bit = 0; bit < 8 * sizeof(Sample); bit += 16)
        sample |= static_cast<std::uint32_t>(*even++) << bit | static_cast<std::uint32_t>(*odd++)
                                                                   << (bit + 8);
      const auto stored = static_cast<Sample>(sample);
      std::memcpy(to, &stored, sizeof stored);
    }
  }

  struct Free {
    void operator()(libdeflate_decompressor* inflater) const {
      libdeflate_free_decompressor(inflater);
    }
  };

  Image& image_;
  const std::vector<Channel>& channels_;
  RowProgress& progress_;
  int chunk_rows_;
  std::size_t width_, row_bytes_ = 0;
  std::unique_ptr<libdeflate_decompressor, Free> inflater_;
  std::vector<std::uint8_t> split_;
};

// OpenEXR finds each chunk, and checks that it is the one that it should be.
std::vector<Block> find_chunks(Imf::InputPart& part, const Rect& window, int chunk_rows) {
  const int block_rows = std::max(16, chunk_rows);
  std::vector<Block> blocks;
  for (int first = 0; first < window.height; first += block_rows) {
    Block block;
    block.first = first;
    block.rows = std::min(block_rows, window.height - first);
    for (int row = 0; row < block.rows; row += chunk_rows) {
      Chunk chunk;
      int size = 0;
      part.rawPixelData(window.y + first + row, chunk.data, size);
      if (size < 0) throw std::runtime_error("a chunk's size is negative");
      chunk.size = static_cast<std::size_t>(size);
      block.chunks.push_back(chunk);
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

bool read_exr_zip(Imf::InputPart& part, const ExrLayout& layout, int threads, Image& image,
                  RowProgress& progress) {
  const Imf::Header& header = part.header();
  const std::vector<Channel> channels =
      is_exr_zip(header) ? stored_channels(header, layout) : std::vector<Channel>{};
  if (channels.empty()) return false;
  const int chunk_rows = exr_chunk_rows(header.compression());
  std::vector<Block> blocks = find_chunks(part, layout.spec.data_window, chunk_rows);
  make_blocks(
      blocks, threads, [&] { return Worker(image, channels, chunk_rows, progress); },
      [&](const Block& block) { progress.advance(block.first + block.rows); });
  return true;
}

}  // namespace cuimg

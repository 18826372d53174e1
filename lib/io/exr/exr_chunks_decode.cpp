// SPDX-License-Identifier: Apache-2.0
// Decodes chunks: inflates compressed ones, adds up the differences, and assembles the rows of an
// image.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/OpenEXRConfig.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "io/block_pool.h"
#include "io/exr/exr_chunk_rows.h"
#include "io/exr/exr_chunks.h"
#include "io/exr/exr_support.h"

namespace cuimg {
namespace {

// Nothing if a channel is subsampled.
std::vector<ExrChunkChannel> stored_channels(const Imf::Header& header, const ExrLayout& layout) {
  std::vector<ExrChunkChannel> channels;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) {
    if (i.channel().xSampling != 1 || i.channel().ySampling != 1) return {};
    ExrChunkChannel channel;
    channel.bytes = i.channel().type == Imf::HALF ? 2 : 4;
    const auto wanted = std::ranges::find_if(
        layout.channels, [&](const ExrChannel& each) { return each.name == i.name(); });
    if (wanted != layout.channels.end()) {
      const LayerSpec& layer = layout.spec.layer(wanted->layer);
      channel.layer = wanted->layer;
      channel.index = wanted->index;
      channel.count = layer.channel_count();
      channel.sample_bytes = bytes_of(layer.type);
    }
    channels.push_back(channel);
  }
  return channels;
}

struct Block {
  int first = 0, rows = 0;  ///< Relative to the top of the data window.
};

// OpenEXR finds each chunk and checks that it is the expected one.
class Chunks {
 public:
  explicit Chunks(Imf::InputPart& part) : part_(part) {}

  // The chunk that begins with row y. It is in the mapped file or in `kept`.
  std::span<const char> at(int y, std::vector<char>& kept) const {
    const std::lock_guard lock(mutex_);
    const char* data = nullptr;
    int size = 0;
    part_.rawPixelData(y, data, size);
    if (size < 0) throw std::runtime_error("a chunk's size is negative");
    const std::span chunk(data, static_cast<std::size_t>(size));
    if constexpr (!are_reused) return chunk;
    kept.assign(chunk.begin(), chunk.end());
    return kept;
  }

 private:
  // OpenEXR 3.4 copies every chunk into the same buffer; 3.1 points into the mapped file.
  static constexpr bool are_reused = OPENEXR_VERSION_MAJOR > 3 ||
                                     (OPENEXR_VERSION_MAJOR == 3 && OPENEXR_VERSION_MINOR >= 3);
  Imf::InputPart& part_;
  mutable std::mutex mutex_;
};

using Bytes16 __attribute__((vector_size(16))) = std::uint8_t;

// Shifts bytes by N places towards the end, with zeros in front.
template <int N, int... i>
Bytes16 shifted(Bytes16 v, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(Bytes16{}, v, (16 + i - N)...);
}
template <int N>
Bytes16 shifted(Bytes16 v) {
  return shifted<N>(v, std::make_integer_sequence<int, 16>());
}

// Each byte becomes the sum of itself and all previous bytes, minus 128 for each of those.
void sum_differences(std::vector<std::uint8_t>& bytes) {
  std::size_t i = 0;
  std::uint8_t sum = 128;  // the first has no previous byte
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

// Interleaves the bytes of even places with those of odd places.
void join_bytes(const std::uint8_t* __restrict split, std::size_t half, std::byte* __restrict to) {
  for (std::size_t i = 0; i < half; ++i) {
    to[2 * i] = static_cast<std::byte>(split[i]);
    to[2 * i + 1] = static_cast<std::byte>(split[half + i]);
  }
}

// If work fails, others may be waiting for room that later rows would have made.
template <class Work>
auto or_abandon(RowProgress& progress, const Work& work) {
  try {
    return work();
  } catch (...) {
    progress.abandon();
    throw;
  }
}

// Reads the chunks of one block at a time; each thread has its own.
class Worker {
 public:
  Worker(const std::string& name, const Chunks& chunks, Image& image, const ExrChunkRows& layout,
         bool is_deflated, RowProgress& progress)
      : name_(name),
        chunks_(chunks),
        image_(image),
        layout_(layout),
        progress_(progress),
        inflater_(is_deflated ? libdeflate_alloc_decompressor() : nullptr) {
    if (is_deflated && inflater_ == nullptr) throw std::bad_alloc();
  }

  void run(const Block& block) {
    progress_.wait_for_room(block.first);
    or_abandon(progress_, [&] {
      for (int row = 0; row < block.rows; row += layout_.chunk_rows)
        read_chunk(block.first + row, std::min(layout_.chunk_rows, block.rows - row));
    });
  }

 private:
  void read_chunk(int first, int rows) {
    const std::size_t raw = layout_.row_bytes * static_cast<std::size_t>(rows);
    const int y = image_.spec().data_window.y + first;
    const std::span<const char> chunk = chunks_.at(y, kept_);
    if (chunk.size() > raw)
      throw Error(name_, "the chunk of row " + std::to_string(y) + " is too large");
    if (chunk.size() == raw) return read_rows(std::as_bytes(chunk).data(), y, rows);
    if (inflater_ == nullptr)
      throw Error(name_, "the chunk of row " + std::to_string(y) + " is too small");
    split_.resize(raw);
    if (libdeflate_zlib_decompress(inflater_.get(), chunk.data(), chunk.size(), split_.data(), raw,
                                   nullptr) != LIBDEFLATE_SUCCESS)
      throw Error(name_, "the data of row " + std::to_string(y) + " are corrupt");
    sum_differences(split_);
    joined_.resize(raw);
    join_bytes(split_.data(), raw / 2, joined_.data());
    read_rows(joined_.data(), y, rows);
  }

  void read_rows(const std::byte* from, int y, int rows) {
    for (int row = y; row < y + rows; ++row, from += layout_.row_bytes)
      layout_.read(from, image_, row);
  }

  struct Free {
    void operator()(libdeflate_decompressor* inflater) const {
      libdeflate_free_decompressor(inflater);
    }
  };

  const std::string& name_;
  const Chunks& chunks_;
  Image& image_;
  const ExrChunkRows& layout_;
  RowProgress& progress_;
  std::unique_ptr<libdeflate_decompressor, Free> inflater_;
  std::vector<char> kept_;
  std::vector<std::uint8_t> split_;
  std::vector<std::byte> joined_;
};

}  // namespace

bool read_exr_chunks(Imf::InputPart& part, const std::string& name, const ExrLayout& layout,
                     int threads, Image& image, RowProgress& progress) {
  const Imf::Header& header = part.header();
  if (!has_simple_exr_chunks(header)) return false;
  const std::vector<ExrChunkChannel> channels = stored_channels(header, layout);
  if (channels.empty()) return false;
  const Rect window = layout.spec.data_window;
  const ExrChunkRows rows(channels, window.width, exr_chunk_rows(header.compression()));
  const Chunks chunks(part);
  std::vector<Block> blocks = blocks_of_rows<Block>(window.height, rows.block_rows);
  make_blocks(
      blocks, threads,
      [&] {
        return or_abandon(progress, [&] {
          return Worker(name, chunks, image, rows, header.compression() != Imf::NO_COMPRESSION,
                        progress);
        });
      },
      [&](const Block& block) { progress.advance(block.first + block.rows); });
  return true;
}

}  // namespace cuimg

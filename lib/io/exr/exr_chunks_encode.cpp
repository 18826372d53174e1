// SPDX-License-Identifier: Apache-2.0
// Encodes rows as chunks with several threads; for compressed files the bytes are split, subtracted
// and deflated.
#include <OpenEXR/ImfOutputFile.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/block_pool.h"
#include "io/exr/exr_chunk_rows.h"
#include "io/exr/exr_chunks.h"
#include "io/exr/exr_names.h"
#include "io/exr/exr_support.h"
#include "io/spare_buffers.h"

namespace cuimg {
namespace {

std::vector<ExrChunkChannel> channels_by_name(const Imf::Header& header, const Spec& spec) {
  std::vector<std::pair<std::string, ExrChunkChannel>> named;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    for (int i = 0; i < layer.channel_count(); ++i) {
      const std::string name = exr_name_among(header.channels(), layer, i);
      const PixelType type = type_of_exr(header.channels()[name].type);
      named.push_back({name, {l, i, layer.channel_count(), bytes_of(type), bytes_of(layer.type)}});
    }
  }
  std::ranges::sort(named, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ExrChunkChannel> channels;
  for (const auto& [name, channel] : named) channels.push_back(channel);
  return channels;
}

// Puts bytes of even places before those of odd places.
void split_bytes(const std::byte* __restrict from, std::size_t half, std::uint8_t* __restrict to) {
  for (std::size_t i = 0; i < half; ++i) {
    to[i] = static_cast<std::uint8_t>(from[2 * i]);
    to[half + i] = static_cast<std::uint8_t>(from[2 * i + 1]);
  }
}

// Replaces each byte by its difference from the previous one, plus 128.
void subtract_before(const std::uint8_t* __restrict from, std::size_t count,
                     std::uint8_t* __restrict to) {
  to[0] = from[0];
  for (std::size_t i = 1; i < count; ++i)
    to[i] = static_cast<std::uint8_t>(from[i] - from[i - 1] + 128);
}

struct Block {
  int first = 0, rows = 0;  ///< Relative to the top of the data window.
  std::vector<std::byte> chunks;
  std::vector<std::size_t> sizes;  ///< The size of each chunk, including its head.
};

// Makes the chunks of one block at a time; each thread has its own.
class Worker {
 public:
  Worker(const Image& image, const ExrChunkRows& layout, const Imf::Header& header,
         RowProgress& ready, ExrSmallPictures& small, SpareBuffers& spare)
      : image_(image),
        layout_(layout),
        ready_(ready),
        small_(small),
        spare_(spare),
        is_deflated_(header.compression() != Imf::NO_COMPRESSION),
        deflater_(is_deflated_ ? libdeflate_alloc_compressor(header.zipCompressionLevel())
                               : nullptr) {
    if (is_deflated_ && deflater_ == nullptr) throw std::bad_alloc();
  }

  void run(Block& block) {
    ready_.wait_for(block.first + block.rows);
    block.chunks = spare_.take();
    small_.add(image_, block.first, block.first + block.rows);
    for (int row = 0; row < block.rows; row += layout_.chunk_rows)
      add_chunk(block, block.first + row, std::min(layout_.chunk_rows, block.rows - row));
  }

 private:
  void add_chunk(Block& block, int first, int rows) {
    const std::size_t raw = layout_.row_bytes * static_cast<std::size_t>(rows);
    const int y = image_.spec().data_window.y + first;
    plain_.resize(raw);
    for (int row = 0; row < rows; ++row)
      layout_.write(image_, y + row, &plain_[static_cast<std::size_t>(row) * layout_.row_bytes]);
    const std::size_t deflated = is_deflated_ ? deflate() : 0;
    const std::span<const std::byte> data =
        deflated == 0 ? std::span(plain_) : std::span(deflated_).first(deflated);
    const std::int32_t head[] = {y, static_cast<std::int32_t>(data.size())};
    const auto head_bytes = std::as_bytes(std::span(head));
    const std::size_t size = head_bytes.size() + data.size();
    if (!is_deflated_ && block.chunks.empty())
      block.chunks.reserve(size * static_cast<std::size_t>(block.rows));
    block.chunks.insert(block.chunks.end(), head_bytes.begin(), head_bytes.end());
    block.chunks.insert(block.chunks.end(), data.begin(), data.end());
    block.sizes.push_back(size);
  }

  // From plain_ to deflated_. @returns the size; 0 if it would not be smaller.
  std::size_t deflate() {
    const std::size_t raw = plain_.size();
    if (raw < 2) return 0;
    split_.resize(raw);
    split_bytes(plain_.data(), raw / 2, split_.data());
    differences_.resize(raw);
    subtract_before(split_.data(), raw, differences_.data());
    deflated_.resize(raw);
    return libdeflate_zlib_compress(deflater_.get(), differences_.data(), raw, deflated_.data(),
                                    raw - 1);
  }

  struct Free {
    void operator()(libdeflate_compressor* deflater) const { libdeflate_free_compressor(deflater); }
  };

  const Image& image_;
  const ExrChunkRows& layout_;
  RowProgress& ready_;
  ExrSmallPictures& small_;
  SpareBuffers& spare_;
  const bool is_deflated_;
  std::unique_ptr<libdeflate_compressor, Free> deflater_;
  std::vector<std::uint8_t> split_, differences_;
  std::vector<std::byte> plain_, deflated_;
};

}  // namespace

bool has_simple_exr_chunks(const Imf::Header& header) {
  return header.compression() == Imf::NO_COMPRESSION ||
         header.compression() == Imf::ZIP_COMPRESSION ||
         header.compression() == Imf::ZIPS_COMPRESSION;
}

void write_exr_chunks(Imf::OStream& output, const Image& image, const Imf::Header& header,
                      int threads, RowProgress& ready, ExrSmallPictures& small) {
  // The constructor writes the header, the destructor an empty table of offsets.
  { const Imf::OutputFile head(output, header, 0); }
  const Rect window = image.spec().data_window;
  const ExrChunkRows layout(channels_by_name(header, image.spec()), window.width,
                            exr_chunk_rows(header.compression()));
  const auto chunks =
      static_cast<std::size_t>((window.height + layout.chunk_rows - 1) / layout.chunk_rows);
  std::vector<std::uint64_t> offsets;
  std::uint64_t position = output.tellp();
  const std::uint64_t table = position - chunks * sizeof position;
  std::vector<Block> blocks = blocks_of_rows<Block>(window.height, layout.block_rows);
  SpareBuffers spare;
  make_blocks(
      blocks, threads, [&] { return Worker(image, layout, header, ready, small, spare); },
      [&](Block& block) {
        output.write(reinterpret_cast<const char*>(block.chunks.data()),
                     static_cast<int>(block.chunks.size()));
        for (const std::size_t size : block.sizes) {
          offsets.push_back(position);
          position += size;
        }
        spare.give_back(std::move(block.chunks));
        ready.release(block.first + block.rows);
      });
  output.seekp(table);
  output.write(reinterpret_cast<const char*>(offsets.data()),
               static_cast<int>(offsets.size() * sizeof(std::uint64_t)));
  output.seekp(position);
}

}  // namespace cuimg

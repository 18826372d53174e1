// SPDX-License-Identifier: Apache-2.0
// Chunks of rows, split, subtracted and deflated by several threads.
#include <OpenEXR/ImfOutputFile.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "io/block_pool.h"
#include "io/exr/exr_names.h"
#include "io/exr/exr_support.h"
#include "io/exr/exr_zip.h"
#include "io/exr/exr_zip_rows.h"

namespace cuimg {
namespace {

std::vector<ExrZipChannel> channels_by_name(const Imf::Header& header, const Spec& spec) {
  std::vector<std::pair<std::string, ExrZipChannel>> named;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    const std::size_t bytes = bytes_of(layer.type);
    for (int i = 0; i < layer.channel_count(); ++i)
      named.push_back({exr_name_among(header.channels(), layer, i),
                       {l, bytes * static_cast<std::size_t>(i), bytes, layer.pixel_bytes()}});
  }
  std::ranges::sort(named, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ExrZipChannel> channels;
  for (const auto& [name, channel] : named) channels.push_back(channel);
  return channels;
}

struct Block {
  int first = 0, rows = 0;  ///< From the top of the data window.
  std::vector<std::byte> chunks;
  std::vector<std::size_t> sizes;  ///< Of each chunk, its head included.
};

// Deflates the chunks of one block at a time; each thread has its own.
class Worker {
 public:
  Worker(const Image& image, const ExrZipRows& layout, int level, RowProgress& ready,
         ExrSmallPictures& small)
      : image_(image),
        layout_(layout),
        ready_(ready),
        small_(small),
        deflater_(libdeflate_alloc_compressor(level)) {
    if (deflater_ == nullptr) throw std::bad_alloc();
  }

  void run(Block& block) {
    ready_.wait_for(block.first + block.rows);
    small_.add(image_, block.first, block.first + block.rows);
    for (int row = 0; row < block.rows; row += layout_.chunk_rows)
      add_chunk(block, block.first + row, std::min(layout_.chunk_rows, block.rows - row));
  }

 private:
  void add_chunk(Block& block, int first, int rows) {
    const std::size_t raw = layout_.row_bytes * static_cast<std::size_t>(rows);
    split_.resize(raw);
    differences_.resize(raw);
    const int y = image_.spec().data_window.y + first;
    split_rows(y, rows, raw / 2);
    if (raw > 0) differences_[0] = split_[0];
    for (std::size_t i = 1; i < raw; ++i)
      differences_[i] = static_cast<std::uint8_t>(split_[i] - split_[i - 1] + 128);

    room_.resize(head_bytes + raw);
    std::byte* const data = room_.data() + head_bytes;
    // Nothing where it would not be smaller.
    std::size_t size = raw < 2 ? 0
                               : libdeflate_zlib_compress(deflater_.get(), differences_.data(), raw,
                                                          data, raw - 1);
    if (size == 0) {
      join(data, raw / 2);
      size = raw;
    }
    const std::int32_t head[] = {y, static_cast<std::int32_t>(size)};
    std::memcpy(room_.data(), head, head_bytes);
    size += head_bytes;
    // Blocks may wait long for their turn, so they are no larger than they must be.
    block.chunks.insert(block.chunks.end(), room_.data(), room_.data() + size);
    block.sizes.push_back(size);
  }

  // Rows' bytes at even places into the first half, those at odd places into the second.
  void split_rows(int y, int rows, std::size_t half) {
    std::uint8_t* even = split_.data();
    std::uint8_t* odd = split_.data() + half;
    for (int row = y; row < y + rows; ++row)
      for (const ExrZipChannel& channel : layout_.channels) {
        const std::byte* from = image_.row(channel.layer, row) + channel.offset;
        if (channel.bytes == 2)
          split_samples<std::uint16_t>(from, channel.stride, even, odd);
        else
          split_samples<std::uint32_t>(from, channel.stride, even, odd);
        even += channel.bytes / 2 * layout_.width;
        odd += channel.bytes / 2 * layout_.width;
      }
  }
  template <class Sample>
  void split_samples(const std::byte* from, std::size_t stride, std::uint8_t* even,
                     std::uint8_t* odd) const {
    for (std::size_t x = 0; x < layout_.width; ++x, from += stride) {
      Sample sample;
      std::memcpy(&sample, from, sizeof sample);
      for (std::size_t bit = 0; bit < 8 * sizeof sample; bit += 16) {
        *even++ = static_cast<std::uint8_t>(sample >> bit & 0xff);
        *odd++ = static_cast<std::uint8_t>(sample >> (bit + 8) & 0xff);
      }
    }
  }
  void join(std::byte* to, std::size_t half) const {
    for (std::size_t i = 0; i < half; ++i) {
      *to++ = static_cast<std::byte>(split_[i]);
      *to++ = static_cast<std::byte>(split_[half + i]);
    }
  }

  static constexpr std::size_t head_bytes = 8;
  struct Free {
    void operator()(libdeflate_compressor* deflater) const { libdeflate_free_compressor(deflater); }
  };

  const Image& image_;
  const ExrZipRows& layout_;
  RowProgress& ready_;
  ExrSmallPictures& small_;
  std::unique_ptr<libdeflate_compressor, Free> deflater_;
  std::vector<std::uint8_t> split_, differences_;
  std::vector<std::byte> room_;
};

}  // namespace

bool is_exr_zip(const Imf::Header& header) {
  return header.compression() == Imf::ZIP_COMPRESSION ||
         header.compression() == Imf::ZIPS_COMPRESSION;
}

void write_exr_zip(Imf::OStream& output, const Image& image, const Imf::Header& header, int threads,
                   RowProgress& ready, ExrSmallPictures& small) {
  // Its constructor writes the header, its destructor a table of offsets with nothing in it.
  { const Imf::OutputFile head(output, header, 0); }
  const Rect window = image.spec().data_window;
  const ExrZipRows layout(channels_by_name(header, image.spec()), window.width,
                          exr_chunk_rows(header.compression()));
  const auto chunks =
      static_cast<std::size_t>((window.height + layout.chunk_rows - 1) / layout.chunk_rows);
  std::vector<std::uint64_t> offsets;
  std::uint64_t position = output.tellp();
  const std::uint64_t table = position - chunks * sizeof position;
  std::vector<Block> blocks = blocks_of_rows<Block>(window.height, layout.block_rows);
  make_blocks(
      blocks, threads,
      [&] { return Worker(image, layout, header.zipCompressionLevel(), ready, small); },
      [&](Block& block) {
        output.write(reinterpret_cast<const char*>(block.chunks.data()),
                     static_cast<int>(block.chunks.size()));
        for (const std::size_t size : block.sizes) {
          offsets.push_back(position);
          position += size;
        }
        block.chunks = std::vector<std::byte>();  // = {} would keep the memory
        ready.release(block.first + block.rows);
      });
  output.seekp(table);
  output.write(reinterpret_cast<const char*>(offsets.data()),
               static_cast<int>(offsets.size() * sizeof(std::uint64_t)));
  output.seekp(position);
}

}  // namespace cuimg

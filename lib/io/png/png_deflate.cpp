// SPDX-License-Identifier: Apache-2.0
// Each block ends on a byte boundary (Z_SYNC_FLUSH), so that separately deflated blocks form one
// stream, as in pigz.
#include "io/png/png_deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "io/block_pool.h"
#include "io/png/png_filter.h"
#include "io/spare_buffers.h"

namespace cuimg {
namespace {

struct Block {
  int first = 0, rows = 0;
  bool last = false;
  std::vector<std::byte> compressed;
  std::size_t raw_bytes = 0;
  uLong checksum = 0;
};

// A deflate stream without zlib's header, reused from block to block.
class Deflater {
 public:
  Deflater(int level, int strategy) {
    constexpr int raw_window = -15, memory_level = 9;
    if (deflateInit2(&stream_, level, Z_DEFLATED, raw_window, memory_level, strategy) != Z_OK)
      throw Error("png", "zlib has no memory");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void run(std::span<const std::uint8_t> in, bool last, std::vector<std::byte>& out) {
    deflateReset(&stream_);
    constexpr std::size_t flush_room = 64;
    room_.resize(deflateBound(&stream_, static_cast<uLong>(in.size())) + flush_room);
    stream_.next_in = const_cast<Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
    stream_.avail_out = static_cast<uInt>(room_.size());
    const int result = deflate(&stream_, last ? Z_FINISH : Z_SYNC_FLUSH);
    if (result != (last ? Z_STREAM_END : Z_OK) || stream_.avail_in != 0)
      throw Error("png", "zlib failed with " + std::to_string(result));
    // Blocks may wait for a long time, so their memory is made as small as possible.
    out.assign(room_.begin(), room_.end() - stream_.avail_out);
  }

 private:
  z_stream stream_ = {};
  std::vector<std::byte> room_;
};

// Filters and deflates one block at a time; each thread has its own.
class Worker {
 public:
  Worker(const PngPixels& pixels, RowProgress& ready, SpareBuffers& spare)
      : image_(*pixels.image),
        ready_(ready),
        spare_(spare),
        watch_(pixels.watch),
        level_(pixels.level),
        deflater_(pixels.level, Z_DEFAULT_STRATEGY),
        row_bytes_(image_.row_bytes(0)),
        pixel_(image_.spec().layers[0].pixel_bytes()),
        swap_(image_.spec().layers[0].type == PixelType::u16 &&
              std::endian::native == std::endian::little),
        current_(swap_ ? row_bytes_ : 0),
        above_(row_bytes_) {}

  void run(Block& block) {
    ready_.wait_for(block.first + block.rows);
    const int top = image_.spec().data_window.y + block.first;
    filtered_.resize((row_bytes_ + 1) * static_cast<std::size_t>(block.rows));
    const std::uint8_t* above = above_.data();
    if (block.first == 0) {
      std::ranges::fill(above_, std::uint8_t{0});
    } else {
      above = stored(top - 1, above_);
    }
    std::uint8_t* out = filtered_.data();
    for (int y = top; y < top + block.rows; ++y, out += row_bytes_ + 1) {
      const std::uint8_t* row = stored(y, current_);
      filter({row, row_bytes_}, {above, row_bytes_}, out);
      if (swap_) std::swap(current_, above_);
      above = row;
    }
    if (watch_) watch_(block.first, block.first + block.rows);
    block.raw_bytes = filtered_.size();
    block.checksum =
        adler32(adler32(0, nullptr, 0), filtered_.data(), static_cast<uInt>(filtered_.size()));
    block.compressed = spare_.take();
    deflater_.run(filtered_, block.last, block.compressed);
  }

 private:
  // The row in the file's byte order.
  const std::uint8_t* stored(int y, std::vector<std::uint8_t>& swapped) const {
    const auto* row = reinterpret_cast<const std::uint8_t*>(image_.row(0, y));
    if (!swap_) return row;
    for (std::size_t i = 0; i + 1 < row_bytes_; i += 2) {
      swapped[i] = row[i + 1];
      swapped[i + 1] = row[i];
    }
    return swapped.data();
  }

  void filter(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
              std::uint8_t* out) {
    // Trying every filter costs more time than the low levels spend on deflate.
    constexpr int adaptive_from_level = 5;
    if (level_ < adaptive_from_level) {
      const PngFilter fixed = level_ == 0 ? PngFilter::none : PngFilter::up;
      out[0] = static_cast<std::uint8_t>(fixed);
      apply_png_filter(fixed, row, above, pixel_, out + 1);
      return;
    }
    std::uint64_t best = ~std::uint64_t{0};
    trial_.resize(row_bytes_);
    for (PngFilter candidate :
         {PngFilter::none, PngFilter::sub, PngFilter::up, PngFilter::average, PngFilter::paeth}) {
      apply_png_filter(candidate, row, above, pixel_, trial_.data());
      const std::uint64_t cost = png_filter_cost(trial_);
      if (cost >= best) continue;
      best = cost;
      out[0] = static_cast<std::uint8_t>(candidate);
      std::memcpy(out + 1, trial_.data(), row_bytes_);
    }
  }

  const Image& image_;
  RowProgress& ready_;
  SpareBuffers& spare_;
  const std::function<void(int, int)>& watch_;
  int level_;
  Deflater deflater_;
  std::size_t row_bytes_, pixel_;
  bool swap_;
  std::vector<std::uint8_t> current_, above_, trial_, filtered_;
};

std::vector<Block> split(const PngPixels& pixels) {
  // Large enough to lose nothing at the boundaries, small enough to follow the rows as they arrive.
  constexpr std::size_t block_bytes = std::size_t{1} << 18;
  const int height = pixels.image->spec().data_window.height;
  const std::size_t row = pixels.image->row_bytes(0) + 1;
  const int rows = static_cast<int>(std::max<std::size_t>(1, block_bytes / row));
  std::vector<Block> blocks = blocks_of_rows<Block>(height, rows);
  if (!blocks.empty()) blocks.back().last = true;
  return blocks;
}

}  // namespace

void deflate_png_rows(const PngPixels& pixels, RowProgress& ready,
                      const std::function<void(std::span<const std::byte>)>& write) {
  std::vector<Block> blocks = split(pixels);
  SpareBuffers spare;
  constexpr std::array<std::byte, 2> header = {std::byte{0x78}, std::byte{0x01}};
  write(header);
  uLong checksum = adler32(0, nullptr, 0);
  const auto deliver = [&](Block& block) {
    write(block.compressed);
    checksum = adler32_combine(checksum, block.checksum, static_cast<z_off_t>(block.raw_bytes));
    spare.give_back(std::move(block.compressed));
    // The next block filters against this one's last row.
    ready.release(block.first + block.rows - 1);
  };
  make_blocks(
      blocks, pixels.threads, [&] { return Worker(pixels, ready, spare); }, deliver);
  std::array<std::byte, 4> trailer;
  put_number(trailer, checksum, true);
  write(trailer);
}

}  // namespace cuimg

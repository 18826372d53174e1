// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_move.h"

#include <algorithm>
#include <utility>

#include "io/jpeg/jpeg_decompressor.h"

namespace cuimg {
namespace {

// Whether columns or rows can be reversed: libjpeg fills up the last block, and these samples
// would come first.
bool ends_with_blocks(JDIMENSION pixels, int most_samples) {
  return pixels % (static_cast<JDIMENSION>(most_samples) * DCTSIZE) == 0;
}

void turn_block(const JCOEF* from, PixelTurn turn, JCOEF* to) {
  for (int v = 0; v < DCTSIZE; ++v)
    for (int u = 0; u < DCTSIZE; ++u) {
      // Odd frequencies change their sign when their axis is reversed.
      const bool is_negated =
          (turn.mirrors_columns && u % 2 == 1) != (turn.mirrors_rows && v % 2 == 1);
      const JCOEF value = turn.transposes ? from[u * DCTSIZE + v] : from[v * DCTSIZE + u];
      to[v * DCTSIZE + u] = static_cast<JCOEF>(is_negated ? -value : value);
    }
}

// Not jpeg_mem_dest(): after an error its buffer may already have been freed. Exceptions must not
// pass through libjpeg.
struct Destination {
  jpeg_destination_mgr base;  // must be first, so that libjpeg's pointer also points to this struct
  std::vector<std::byte> bytes;

  /// @returns false if there is no memory.
  bool grow() {
    try {
      constexpr std::size_t least = std::size_t{1} << 16;
      const std::size_t used = bytes.size();
      bytes.resize(std::max(least, 2 * used));
      base.next_output_byte = reinterpret_cast<JOCTET*>(bytes.data() + used);
      base.free_in_buffer = bytes.size() - used;
      return true;
    } catch (...) {
      return false;
    }
  }
};

void grow(j_compress_ptr info) {
  if (!reinterpret_cast<Destination*>(info->dest)->grow()) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
}

// libjpeg's compressor for coefficients, into memory.
class BlockWriter {
 public:
  BlockWriter() {
    info_.err = install(errors_);
    to_.base.init_destination = grow;
    to_.base.empty_output_buffer = [](j_compress_ptr info) -> boolean {
      grow(info);
      return TRUE;
    };
    to_.base.term_destination = [](j_compress_ptr) {};
  }
  ~BlockWriter() { jpeg_destroy_compress(&info_); }
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  // The next two functions follow the rule in jpeg_errors.h.
  /// @param transposes whether rows become columns.
  bool prepare(const jpeg_decompress_struct& from, bool transposes) {
    if (setjmp(errors_.jump)) return false;
    jpeg_create_compress(&info_);
    info_.progress = &progress_.base;
    // libjpeg takes the source through a pointer to non-const and only reads.
    jpeg_copy_critical_parameters(const_cast<j_decompress_ptr>(&from), &info_);
    if (transposes) transpose_parameters();
    // A single component's factors mean nothing, and some readers accept only 1x1.
    if (info_.num_components == 1)
      info_.comp_info[0].h_samp_factor = info_.comp_info[0].v_samp_factor = 1;
    if (from.progressive_mode) jpeg_simple_progression(&info_);
    return true;
  }
  /// @param arrays with the blocks of each component.
  bool write(JpegArrays& arrays) {
    if (setjmp(errors_.jump)) return false;
    progress_.base.progress_monitor = [](j_common_ptr) {};
    progress_.arrays = &arrays;
    arrays.install(info_);
    info_.dest = &to_.base;
    jpeg_write_coefficients(&info_, arrays.handles());
    jpeg_finish_compress(&info_);
    return true;
  }

  const jpeg_compress_struct& info() const { return info_; }
  /// The file; called once, after write().
  std::vector<std::byte> take_bytes() {
    to_.bytes.resize(to_.bytes.size() - to_.base.free_in_buffer);
    return std::move(to_.bytes);
  }

 private:
  void transpose_parameters() {
    std::swap(info_.image_width, info_.image_height);
    for (int i = 0; i < info_.num_components; ++i)
      std::swap(info_.comp_info[i].h_samp_factor, info_.comp_info[i].v_samp_factor);
    for (JQUANT_TBL* table : info_.quant_tbl_ptrs) {
      if (table == nullptr) continue;
      for (int v = 0; v < DCTSIZE; ++v)
        for (int u = 0; u < v; ++u)
          std::swap(table->quantval[v * DCTSIZE + u], table->quantval[u * DCTSIZE + v]);
    }
  }

  jpeg_compress_struct info_ = {};
  JpegErrors errors_ = {};
  JpegProgress progress_ = {};
  Destination to_ = {};
};

// The blocks of `from` at their places in the turned file.
void move_blocks(const Decompressor& jpeg, JpegArrays& from, PixelTurn turn, JpegArrays& to) {
  for (int i = 0; i < jpeg.info.num_components; ++i) {
    const jpeg_component_info& component = jpeg.info.comp_info[i];
    JDIMENSION width = component.width_in_blocks, height = component.height_in_blocks;
    int h_samples = component.h_samp_factor, v_samples = component.v_samp_factor;
    if (turn.transposes) {
      std::swap(width, height);
      std::swap(h_samples, v_samples);
    }
    to.add(width, height, v_samples);
    const auto number = static_cast<std::size_t>(i);
    for (JDIMENSION y = 0; y < height; ++y) {
      const JBLOCKROW row = to.row(number, y);
      const JDIMENSION from_y = turn.mirrors_rows ? height - 1 - y : y;
      for (JDIMENSION x = 0; x < width; ++x) {
        const JDIMENSION from_x = turn.mirrors_columns ? width - 1 - x : x;
        const JBLOCK& block =
            turn.transposes ? from.row(number, from_x)[from_y] : from.row(number, from_y)[from_x];
        turn_block(block, turn, row[x]);
      }
    }
  }
}

}  // namespace

std::optional<std::vector<std::byte>> moved_blocks(std::span<const std::byte> file,
                                                   PixelTurn turn) {
  Decompressor jpeg;
  JpegArrays blocks;
  // Stray bytes: the decoder to pixels reports them.
  if (!jpeg.read_header(file) || !jpeg.read_blocks(blocks) || jpeg.errors.stray_bytes > 0)
    return std::nullopt;
  BlockWriter writer;
  if (!writer.prepare(jpeg.info, turn.transposes)) return std::nullopt;
  const jpeg_compress_struct& made = writer.info();
  int most_h = 1, most_v = 1;
  for (int i = 0; i < made.num_components; ++i) {
    most_h = std::max(most_h, made.comp_info[i].h_samp_factor);
    most_v = std::max(most_v, made.comp_info[i].v_samp_factor);
  }
  if ((turn.mirrors_columns && !ends_with_blocks(made.image_width, most_h)) ||
      (turn.mirrors_rows && !ends_with_blocks(made.image_height, most_v)))
    return std::nullopt;
  if (turn == PixelTurn())
    return writer.write(blocks) ? std::optional(writer.take_bytes()) : std::nullopt;
  JpegArrays moved;
  move_blocks(jpeg, blocks, turn, moved);
  return writer.write(moved) ? std::optional(writer.take_bytes()) : std::nullopt;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// libpng reports errors by longjmp, which must not skip a destructor. All code that may jump is in
// these functions, which have no objects with destructors.
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace cuimg {

/// A number in a chunk or its header.
inline std::uint32_t png_number(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint32_t>(number_at(bytes, at, 4, true));
}

/// Conversions from the file's form.
struct PngForm {
  bool to_16_bits = false;  ///< 8 bits are widened: v becomes 257 v.
  bool to_rgb = false;      ///< Grey becomes R = G = B.
};

/// Plain data, which a jump does not damage.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  const std::byte* data = nullptr;
  std::size_t size = 0, at = 0;
  std::uint32_t limit_side = 0;
  char problem[128] = {};
  PngForm form;
  bool bad_checksum = false;     ///< The zlib stream's own checksum; libpng only warns of it.
  char damaged_chunk[128] = {};  ///< libpng's warning about a critical chunk; empty if none.
  /// libpng's last warning about an ICC profile; empty if none. It leaves out most of those
  /// profiles.
  char profile_problem[128] = {};

  PngReader() = default;
  ~PngReader();
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
};

/// Reads the chunks before the pixels. Each function @returns false, with `problem` set, if the
/// file is malformed.
bool png_begin(PngReader& reader, std::span<const std::byte> bytes, std::uint32_t limit_side);
/// Requests 8 or 16 bits in native order, without palettes, and with tRNS as alpha.
bool png_choose_output(PngReader& reader, const PngForm& form);
/// The next `count` rows of a file without interlacing.
bool png_next_rows(PngReader& reader, png_bytepp rows, png_uint_32 count);
/// All rows of an interlaced file.
bool png_whole_image(PngReader& reader, png_bytepp rows);
/// Reads the chunks after the pixels, which must be complete.
bool png_finish(PngReader& reader);

}  // namespace cuimg

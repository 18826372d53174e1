// SPDX-License-Identifier: Apache-2.0
// Code that reading and writing OpenEXR share: threads, errors, pixel types, compression names.
#pragma once

#include <OpenEXR/ImfCompression.h>
#include <OpenEXR/ImfPixelType.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "image/pixel_type.h"

namespace cuimg {

/// How many threads OpenEXR may use on a file. @param wanted 0: hardware_threads().
/// @returns 0 for "in the calling thread".
int exr_threads(int wanted);
/// The number of threads that pays off for that many bytes of pixels.
int exr_worth_threads(int threads, std::size_t pixel_bytes);

enum class ExrUse : std::uint8_t { decode, encode };

/// That many threads of OpenEXR's pool for a file, while this is there. The pool is the process's:
/// it grows to what all files that are decoded at a time want together, or all that are encoded, up
/// to hardware_threads(). An image's input and output share the threads that it may have.
class ExrPoolThreads {
 public:
  ExrPoolThreads(ExrUse use, int threads);
  ~ExrPoolThreads();
  ExrPoolThreads(const ExrPoolThreads&) = delete;
  ExrPoolThreads& operator=(const ExrPoolThreads&) = delete;

 private:
  const ExrUse use_;
  const int threads_;
};

/// The text of OpenEXR's exception, without the file's name, which the caller adds.
std::string exr_problem(const std::exception& error);

Imf::PixelType exr_type(PixelType type);
PixelType type_of_exr(Imf::PixelType type);

/// In the order that --compression lists them; the first is the default.
std::vector<std::string_view> exr_compressions();
std::optional<Imf::Compression> exr_compression_named(std::string_view name);
std::string_view exr_compression_name(Imf::Compression compression);
/// Those that do not keep every bit of floats: PXR24 rounds them, DWA those of channels that are
/// named as colours.
std::vector<std::string_view> exr_rounding_compressions();
/// How many times its size a file's pixels may have at the most.
std::uint64_t exr_largest_ratio(Imf::Compression compression);
/// Rows that a chunk of a scanline file holds.
int exr_chunk_rows(Imf::Compression compression);
/// Of all levels. @param file a TiledInputPart or TiledOutputFile.
template <class Tiled>
std::uint64_t exr_tile_count(const Tiled& file, bool every_pair) {
  std::uint64_t tiles = 0;
  for (int y = 0; y < file.numYLevels(); ++y)
    for (int x = 0; x < file.numXLevels(); ++x)
      if (every_pair || x == y)
        tiles += static_cast<std::uint64_t>(file.numXTiles(x)) *
                 static_cast<std::uint64_t>(file.numYTiles(y));
  return tiles;
}
/// Rows to read or write at a time: whole chunks, enough for every thread, and few enough that
/// what waits on them starts early.
int exr_block_rows(Imf::Compression compression, int threads);

}  // namespace cuimg

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

/// The number of threads that OpenEXR may use for a file. @param wanted 0: hardware_threads().
/// @returns 0 for "in the calling thread".
int exr_threads(int wanted);
/// The number of threads that pays off for that many bytes of pixels.
int exr_worth_threads(int threads, std::size_t pixel_bytes);

enum class ExrUse : std::uint8_t { decode, encode };

/// Reserves that many threads of OpenEXR's pool for a file while this object exists. The pool
/// belongs to the process: it grows to the sum that all files being decoded want, or all files
/// being encoded, up to hardware_threads(). An image's input and output share the image's threads.
/// Files with 0 threads are processed by their callers, but once there is a pool, each of them
/// occupies one of its threads, and counts as one.
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
/// The compressions that do not keep every bit of floats: PXR24 rounds all floats, DWA rounds
/// channels whose names are those of colours.
std::vector<std::string_view> exr_rounding_compressions();
/// The largest possible ratio of the size of a file's pixels to the size of the file.
std::uint64_t exr_largest_ratio(Imf::Compression compression);
/// Rows per chunk in a scanline file.
int exr_chunk_rows(Imf::Compression compression);
/// The number of chunks of all levels. @param file a TiledInputPart or TiledOutputFile.
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
/// Rows to read or write at a time: whole chunks, enough for every thread, and few enough for the
/// next step to start early.
int exr_block_rows(Imf::Compression compression, int threads);

}  // namespace cuimg

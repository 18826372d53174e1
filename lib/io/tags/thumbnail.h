// SPDX-License-Identifier: Apache-2.0
// A thumbnail of an image, computed from its rows while they are written to a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "image/code_words.h"
#include "image/image.h"
#include "image/row_convert.h"

namespace cuimg {

struct ThumbnailSize {
  int width = 0, height = 0;
};

/// The largest size with the picture's aspect that fits into `most` and is no larger than the
/// image. A thumbnail's pixels are square, so the sides have another ratio if the image's pixels
/// are not square.
ThumbnailSize thumbnail_size(const Spec& spec, ThumbnailSize most);

/// Averages the light of a picture's first colour layer over areas. Sums are integers, so they do
/// not depend on the order of rows. The memory depends only on the thumbnail's size.
class Thumbnail {
 public:
  /// @param spec of the images whose rows are added; its data window is shown. It must have a
  /// layer.
  Thumbnail(const Spec& spec, ThumbnailSize size);

  /// Adds rows [first, last), counted from the top of the data window. Each row must be added once,
  /// from any thread.
  void add(const Image& image, int first, int last);

  ThumbnailSize size() const { return size_; }
  /// R, G, B and A of 8 bits, sRGB, with colours multiplied by alpha. Complete after all rows have
  /// been added.
  std::vector<std::byte> rgba() const;

 private:
  using Sums = std::vector<std::uint64_t>;
  template <std::size_t planes>
  void sum_columns(const std::uint32_t* values, Sums& sums) const;
  void sum_planes(const std::uint32_t* values, Sums& sums) const;
  /// The light of rows, as whole numbers, and buffers for one of them.
  struct RowValues {
    std::vector<std::uint32_t> sums, words;
    std::vector<float> light;
  };
  void add_row(const Image& image, int row, RowValues& values) const;
  int rows_within(int row) const;
  void merge(int row, const Sums& sums);
  std::vector<std::byte> codes(std::size_t plane, Encoding encoding) const;

  ThumbnailSize size_;
  std::int64_t width_, height_;  ///< The image's size.
  int layer_ = 0;
  RowFormat format_;
  /// The layer's channel for each plane: one or three of colour, then alpha.
  std::vector<std::size_t> channel_;
  std::size_t colors_ = 1;
  std::optional<CodeWords> table_;  ///< The light of each code, if it depends on nothing else.
  std::mutex mutex_;
  Sums sums_;  ///< The planes of a pixel are adjacent.
};

}  // namespace cuimg

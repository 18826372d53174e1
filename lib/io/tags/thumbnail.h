// SPDX-License-Identifier: Apache-2.0
// A thumbnail of an image, made from its rows while they are written to a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "image/image.h"
#include "image/row_convert.h"

namespace cuimg {

struct ThumbnailSize {
  int width = 0, height = 0;
};

/// The largest size with the picture's aspect that fits into `most`, and no larger than the image.
/// A thumbnail's pixels are square, so an image whose are not gets another ratio of sides.
ThumbnailSize thumbnail_size(const Spec& spec, ThumbnailSize most);

/// Averages the light of a picture's first colour layer over areas. Sums are whole numbers, so the
/// order in which rows come changes nothing. Memory depends on the thumbnail's size alone.
class Thumbnail {
 public:
  /// @param spec of the images whose rows come; its data window is shown. It has a layer.
  Thumbnail(const Spec& spec, ThumbnailSize size);

  /// Takes rows [first, last), counted from the top of the data window. Each comes once, from any
  /// thread.
  void add(const Image& image, int first, int last);

  ThumbnailSize size() const { return size_; }
  /// R, G, B and A of 8 bits, sRGB, colours multiplied by alpha. Complete once every row has come.
  std::vector<std::byte> rgba() const;

 private:
  using Sums = std::vector<std::uint64_t>;
  template <std::size_t planes, class Value>
  void sum_columns(const Value& value, Sums& sums) const;
  template <class Value>
  void sum_planes(const Value& value, Sums& sums) const;
  void sum_row(const Image& image, int y, std::vector<float>& light, Sums& sums) const;
  void merge(int row, const Sums& sums);
  std::vector<std::byte> codes(std::size_t plane, Encoding encoding) const;

  ThumbnailSize size_;
  std::int64_t width_, height_;  ///< Of the image.
  int layer_ = 0;
  RowFormat format_;
  std::vector<std::size_t>
      channel_;  ///< In the layer, of each plane: one or three of colour, then alpha.
  std::size_t colors_ = 1;
  std::array<std::uint32_t, 256> table_ = {};  ///< Light by code, where has_table_.
  bool has_table_ = false;
  std::mutex mutex_;
  Sums sums_;  ///< Planes of a pixel side by side.
};

}  // namespace cuimg

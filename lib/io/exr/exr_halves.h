// SPDX-License-Identifier: Apache-2.0
// Channels that a file stores as half and the image has in a layer of float, because others of the
// layer's colours are float: FileStorage::half_channels. OpenEXR only writes samples that have the
// channel's type, so this code converts them.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>

#include <cstddef>
#include <string>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// Converts one channel's samples of a row, from floats that are `step` bytes apart to contiguous
/// halves. Neither side needs to be aligned.
void narrow_exr_samples(const std::byte* floats, std::size_t step, std::size_t count,
                        std::byte* halves);
/// The opposite direction.
void widen_exr_samples(const std::byte* halves, std::size_t step, std::size_t count,
                       std::byte* floats);

class ExrHalves {
 public:
  /// For the channels that are float in the image and half in the header. Rows are not converted
  /// yet.
  /// @param image must outlive this.
  ExrHalves(const Imf::Header& header, const Image& image, Held held = Held::whole);

  bool empty() const { return channels_.empty(); }
  /// Converts rows [first, last), relative to the top of the data window.
  void add(int first, int last);
  /// Frees the memory of these rows after they were written.
  void forget(int first, int last) { halves_.forget_rows(first, last); }
  void add_to(Imf::FrameBuffer& buffer) const;
  /// Rounds the channels of an image with the same layers to the values that the file has.
  void round(Image& image) const;

 private:
  struct Channel {
    std::string name;  ///< The channel's name in the file.
    int layer;
    std::size_t offset;  ///< The offset in the image's pixel.
  };

  const Image& image_;
  std::vector<Channel> channels_;
  Image halves_;  ///< One layer for each of these channels.
};

}  // namespace cuimg

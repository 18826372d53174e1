// SPDX-License-Identifier: Apache-2.0
// Channels that a file stores as half and the image has in a layer of float, because others of the
// layer's colours are float: FileStorage::half_channels. OpenEXR writes samples of a channel's own
// type alone, so those are made here.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>

#include <cstddef>
#include <string>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// One channel's samples of a row, from floats that lie `step` bytes apart to halves in a row.
/// Neither side need be aligned.
void narrow_exr_samples(const std::byte* floats, std::size_t step, std::size_t count,
                        std::byte* halves);
/// The way back.
void widen_exr_samples(const std::byte* halves, std::size_t step, std::size_t count,
                       std::byte* floats);

class ExrHalves {
 public:
  /// Of the channels that are float in the image and half in the header. No row is made yet.
  /// @param image outlives this.
  ExrHalves(const Imf::Header& header, const Image& image, Held held = Held::whole);

  bool empty() const { return channels_.empty(); }
  /// Makes rows [first, last), counted from the top of the data window.
  void add(int first, int last);
  /// Frees the memory of those, once they are written.
  void forget(int first, int last) { halves_.forget_rows(first, last); }
  void add_to(Imf::FrameBuffer& buffer) const;
  /// Gives an image of the same layers the values that the file has of its channels.
  void round(Image& image) const;

 private:
  struct Channel {
    std::string name;  ///< In the file.
    int layer;
    std::size_t offset;  ///< In the image's pixel.
  };

  const Image& image_;
  std::vector<Channel> channels_;
  Image halves_;  ///< A layer for each of them.
};

}  // namespace cuimg

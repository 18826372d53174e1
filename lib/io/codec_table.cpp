// SPDX-License-Identifier: Apache-2.0
// The list of formats in sniffing order: those with the most reliable signature come first; TGA has
// none.
#include "io/codecs.h"

namespace cuimg {

const std::vector<Codec>& codecs() {
  static const std::vector<Codec> table = [] {
    std::vector<Codec> list;
    for (Codec (*make)() : {exr_codec, png_codec, jpeg_codec, tiff_codec, gif_codec, psd_codec,
                            softimage_codec, hdr_codec, pfm_codec, pnm_codec, bmp_codec, tga_codec})
      list.push_back(make());
    return list;
  }();
  return table;
}

}  // namespace cuimg

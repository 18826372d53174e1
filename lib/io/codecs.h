// SPDX-License-Identifier: Apache-2.0
// One function per format, each in its own file; codec_table.cpp lists them.
#pragma once

#include "io/codec.h"

namespace cuimg {

Codec exr_codec();
Codec png_codec();
Codec jpeg_codec();
Codec tiff_codec();
Codec hdr_codec();
Codec pfm_codec();
Codec pnm_codec();
Codec bmp_codec();
Codec tga_codec();
Codec gif_codec();
Codec psd_codec();
Codec softimage_codec();

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// ZIP and ZIPS scanlines, deflated by libdeflate: OpenEXR 3.1 calls zlib, which takes several times
// as long. Everything else of such a file is OpenEXR's.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>

#include "image/image.h"
#include "image/row_progress.h"

namespace cuimg {

/// Whether write_exr_zip() can.
bool is_exr_zip(const Imf::Header& header);

/// A whole file, from the top as rows become ready. The bytes depend on image and header alone.
/// @param threads 0 or 1: in the calling thread. @throws Error, and what `ready` or `output` throw.
void write_exr_zip(Imf::OStream& output, const Image& image, const Imf::Header& header, int threads,
                   RowProgress& ready);

}  // namespace cuimg

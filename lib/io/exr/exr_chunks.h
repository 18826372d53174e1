// SPDX-License-Identifier: Apache-2.0
// Scanlines without compression, and ZIP and ZIPS through libdeflate: OpenEXR 3.1 moves samples one
// by one and calls zlib, which both take several times as long. Headers and everything else of such
// a file are OpenEXR's.
//
// A chunk is laid out as "OpenEXR File Layout" (openexr.com) says: its first row, its size, its
// data. What is deflated are the rows' bytes, those at even places first, each as its difference
// from the one before; rows lie there unchanged where that would not be smaller.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>

#include <string>

#include "base/row_progress.h"
#include "image/image.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_small_pictures.h"

namespace cuimg {

/// Whether chunks of scanlines are read and written here.
bool has_simple_exr_chunks(const Imf::Header& header);

/// A whole file, from the top as rows become ready. The bytes depend on image and header alone.
/// @param header that has_simple_exr_chunks(). @param threads 0 or 1: in the calling thread.
/// @param small gets every row. @throws Error, and what `ready` or `output` throw.
void write_exr_chunks(Imf::OStream& output, const Image& image, const Imf::Header& header,
                      int threads, RowProgress& ready, ExrSmallPictures& small);

/// Reads every row into `image`, whose spec is the layout's. @param part of scanlines, over an
/// ExrInput. @param name of the file, for errors. @returns false, nothing done, for other
/// compressions and for subsampled channels. @throws Error and Iex exceptions for chunks that are
/// broken.
bool read_exr_chunks(Imf::InputPart& part, const std::string& name, const ExrLayout& layout,
                     int threads, Image& image, RowProgress& progress);

}  // namespace cuimg

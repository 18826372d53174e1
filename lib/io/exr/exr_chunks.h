// SPDX-License-Identifier: Apache-2.0
// Scanlines without compression, and ZIP and ZIPS through libdeflate: OpenEXR 3.1 copies samples
// one by one and calls zlib, both of which take several times as long. OpenEXR handles headers and
// everything else in such a file.
//
// "OpenEXR File Layout" (openexr.com) describes a chunk: its first row, its size, its data. The
// rows' bytes are deflated, those at even positions first, each as the difference from the previous
// one; if that would not be smaller, the rows are stored unchanged.
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

/// Whether this code reads and writes the file's chunks of scanlines.
bool has_simple_exr_chunks(const Imf::Header& header);

/// Writes a whole file, from the top as rows become ready. The bytes depend only on the image and
/// the header.
/// @param header that has_simple_exr_chunks(). @param threads 0 or 1: in the calling thread.
/// @param small receives every row. @throws Error, and what `ready` or `output` throw.
void write_exr_chunks(Imf::OStream& output, const Image& image, const Imf::Header& header,
                      int threads, RowProgress& ready, ExrSmallPictures& small);

/// Reads every row into `image`, which has the layout's spec. @param part has scanlines and is read
/// through an ExrInput. @param name of the file, for errors. @returns false, having done nothing,
/// for other compressions and for subsampled channels. @throws Error and Iex exceptions for chunks
/// that are broken.
bool read_exr_chunks(Imf::InputPart& part, const std::string& name, const ExrLayout& layout,
                     int threads, Image& image, RowProgress& progress);

}  // namespace cuimg

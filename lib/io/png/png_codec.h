// SPDX-License-Identifier: Apache-2.0
// The two halves of the PNG codec, which png_codec.cpp adds to the table.
#pragma once

#include <memory>

#include "io/codec.h"

namespace cuimg {

std::unique_ptr<Decoder> open_png(std::shared_ptr<const ByteSource> source,
                                  const DecodeOptions& options);
void encode_png(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink);
/// Whether gAMA, cHRM or cICP can store it.
bool png_describes(const ColorEncoding& color, bool grey);
/// Levels 0 to 9; the first is the default.
std::vector<std::string_view> png_compressions();

}  // namespace cuimg

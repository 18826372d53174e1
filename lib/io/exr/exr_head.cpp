// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_head.h"

#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>

#include "base/bytes.h"
#include "io/byte_sink.h"
#include "io/exr/exr_stream.h"
#include "io/exr/exr_support.h"

namespace cuimg {

// Constructors write the headers, and destructors write tables of zeros.
std::vector<std::byte> exr_head(const std::vector<Imf::Header>& headers) {
  MemorySink memory;
  ExrOutput output(memory);
  if (headers.size() > 1) {
    const Imf::MultiPartOutputFile file(output, headers.data(), static_cast<int>(headers.size()),
                                        false, 0);
  } else if (headers.front().hasTileDescription()) {
    const Imf::TiledOutputFile file(output, headers.front(), 0);
  } else {
    const Imf::OutputFile file(output, headers.front(), 0);
  }
  return memory.bytes();
}

std::uint64_t exr_chunk_count(const Imf::Header& header) {
  if (header.hasTileDescription()) {
    MemorySink memory;
    ExrOutput output(memory);
    const Imf::TiledOutputFile file(output, header, 0);
    return exr_tile_count(file, header.tileDescription().mode == Imf::RIPMAP_LEVELS);
  }
  const Imath::Box2i window = header.dataWindow();
  const int rows = window.max.y - window.min.y + 1, chunk = exr_chunk_rows(header.compression());
  return static_cast<std::uint64_t>((rows - 1) / chunk + 1);
}

bool ExrHeadAttributes::next() {
  at_ += value_bytes_;
  value_bytes_ = 0;
  name_ = text();
  if (name_.empty()) return false;
  text();  // skips the type's name
  value_bytes_ = static_cast<std::size_t>(number_at(head_, at_, 4, false));
  at_ += 4;
  return true;
}

std::string_view ExrHeadAttributes::text() {
  const std::string_view rest = text_of_bytes(head_.subspan(std::min(at_, head_.size())));
  const std::string_view found = rest.substr(0, rest.find('\0'));
  at_ += found.size() + 1;
  return found;
}

}  // namespace cuimg

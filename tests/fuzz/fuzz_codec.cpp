// SPDX-License-Identifier: Apache-2.0
// Reads a file into an image, part by part.
#include "fuzz/fuzz_codec.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "image/image.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/photoshop.h"
#include "io/tags/xmp.h"
#include "support/dct_on_host.h"

namespace cuimg::test {
namespace {

// Ends the program if a file that is available as blocks is refused, or has different pixels.
void check_blocks(const DctImage& blocks, const Image* image) {
  if (image == nullptr) std::abort();
  Image made(image->spec());
  if (!fill_from_blocks(blocks, made)) return;
  const int top = made.spec().data_window.y;
  if (std::memcmp(made.row(0, top), image->row(0, top), made.spec().pixel_bytes()) != 0)
    std::abort();
}

// Writes the metadata as an output would: blocks from the file are parsed and rebuilt.
void write_metadata(const Image& image) {
  constexpr std::size_t most = 65000;
  const Spec& spec = image.spec();
  for (const std::size_t room : {most, most / 200}) {
    ExifThumbnail exif(exif_to_write(spec, room, true, ExifThumbnailRoom::left), spec);
    exif.add(image, 0, spec.data_window.height);
    exif.finish();
    if (exif.block().size() > room) std::abort();
  }
  if (const Blob* block = find_entry<Blob>(spec.metadata, exif_key)) {
    exif_listing(ExifBlock(*block));
    public_exif(ExifBlock(*block));
  }
  for (const XmpForm form : {XmpForm::split, XmpForm::whole}) xmp_to_write(spec, most, form);
  photoshop_to_write(spec.metadata);
}

void read_part(Decoder& decoder) {
  const std::optional<DctImage> blocks = decoder.read_blocks();
  Image image(decoder.spec());
  RowProgress progress;
  try {
    decoder.read(image, progress);
  } catch (const Error&) {
    if (blocks) check_blocks(*blocks, nullptr);
    throw;
  }
  if (blocks) check_blocks(*blocks, &image);
  decoder.file_facts();
  write_metadata(image);
}

}  // namespace

void fuzz_codec(const Codec& codec, std::span<const std::byte> bytes) {
  constexpr int parts_read = 8;
  DecodeOptions options;
  options.limit_pixels = 1 << 16;
  options.limit_side = 1 << 12;
  options.threads = 1;
  options.raw = bytes.size() % 2 == 1;
  if (bytes.size() % 4 == 0) options.icc = {IccMethod::tables, IccIntent::absolute, false};
  try {
    const auto source = ByteSource::from_memory(bytes, "fuzz");
    if (!codec.sniff(bytes)) return;
    if (codec.open_file == nullptr) return read_part(*codec.open(source, options));
    const std::unique_ptr<ImageFile> file = codec.open_file(source, options);
    for (int part = 0; part < std::min(file->part_count(), parts_read); ++part) {
      file->summary(part);
      read_part(*file->open(part));
    }
  } catch (const Error&) {
  }
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
#include "io/tags/exif_thumbnail.h"

#include <turbojpeg.h>

#include <memory>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "io/tags/exif_block.h"

namespace cuimg {
namespace {

struct HandleDeleter {
  void operator()(void* handle) const { tjDestroy(handle); }
};
struct BytesDeleter {
  void operator()(unsigned char* bytes) const { tjFree(bytes); }
};

// TurboJPEG begins files with JFIF's marker.
Blob without_jfif(std::span<const std::byte> file) {
  constexpr std::size_t start = 2, marker = 2;
  Blob bytes(file.begin(), file.begin() + start);
  if (number_at(file, start, 2, true) == 0xffe0)
    file = file.subspan(marker + static_cast<std::size_t>(number_at(file, start + 2, 2, true)));
  append_bytes(bytes, file.subspan(start));
  return bytes;
}

}  // namespace

Blob thumbnail_jpeg(const Thumbnail& thumbnail, std::size_t most) {
  const std::unique_ptr<void, HandleDeleter> handle(tjInitCompress());
  if (!handle) return {};
  const std::vector<std::byte> pixels = thumbnail.rgba();
  const auto [width, height] = thumbnail.size();
  for (const int quality : {90, 80, 65, 45, 25, 10, 3}) {
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    const int failed =
        tjCompress2(handle.get(), reinterpret_cast<const unsigned char*>(pixels.data()), width, 0,
                    height, TJPF_RGBX, &bytes, &size, TJSAMP_420, quality, TJFLAG_ACCURATEDCT);
    const std::unique_ptr<unsigned char, BytesDeleter> owner(bytes);
    if (failed != 0 || size < 4) return {};
    Blob made = without_jfif(std::as_bytes(std::span(bytes, size)));
    if (made.size() <= most) return made;
  }
  return {};
}

ThumbnailSize exif_thumbnail_size(const Spec& spec) { return thumbnail_size(spec, {160, 120}); }

std::size_t exif_thumbnail_room(const Spec& spec) {
  // Tables and headers, and four bits per pixel.
  constexpr std::size_t headers = 1024;
  const auto [width, height] = exif_thumbnail_size(spec);
  return headers + static_cast<std::size_t>(width * height) / 2;
}

ExifThumbnail::ExifThumbnail(Blob block, const Spec& spec, std::optional<ThumbnailSize> size)
    : block_(std::move(block)) {
  if (!block_.empty() && ExifBlock(block_).has_thumbnail())
    thumbnail_.emplace(spec, size.value_or(exif_thumbnail_size(spec)));
}

void ExifThumbnail::finish() {
  if (!thumbnail_) return;
  ExifBlock block(std::move(block_));
  block.put_thumbnail(thumbnail_jpeg(*thumbnail_, block.thumbnail().size()));
  block_ = block.bytes();
}

}  // namespace cuimg

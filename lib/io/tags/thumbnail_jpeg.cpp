// SPDX-License-Identifier: Apache-2.0
#include "io/tags/thumbnail_jpeg.h"

#include <turbojpeg.h>

#include <memory>
#include <span>

#include "base/bytes.h"

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

}  // namespace cuimg

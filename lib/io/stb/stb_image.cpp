// SPDX-License-Identifier: Apache-2.0
// The only file that compiles stb_image, for formats that no other library here reads. Its
// functions are local to this file, so programs that contain an stb_image can link the library.
#include <algorithm>
#include <cstring>

#include "image/rect.h"
#include "io/stb/stb_read.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PSD
#define STBI_ONLY_PIC
#define STBI_NO_STDIO
#define STBI_FAILURE_USERMSG
#define STBI_NO_SIMD
// Rows of 16 bits are read as rows of 8 bits with twice the width.
#define STBI_MAX_DIMENSIONS (2 * cuimg::largest_side)
#include <stb/stb_image.h>

namespace cuimg {
namespace {

// stb_image's read position in the pieces.
struct PieceReader {
  std::span<const std::span<const std::byte>> pieces;
  std::size_t at = 0;  // in the first piece
  bool past_end = false;

  bool at_end() {
    while (!pieces.empty() && at == pieces.front().size()) {
      pieces = pieces.subspan(1);
      at = 0;
    }
    return pieces.empty();
  }
  // Copies to `to` unless it is null. An end-of-data check would miss bytes: stb_image asks for
  // more only when it needs a byte.
  std::size_t take(char* to, std::size_t count) {
    std::size_t taken = 0;
    while (taken < count && !at_end()) {
      const std::size_t n = std::min(count - taken, pieces.front().size() - at);
      if (to != nullptr) std::memcpy(to + taken, pieces.front().data() + at, n);
      at += n;
      taken += n;
    }
    return taken;
  }
};

int read_pieces(void* user, char* to, int count) {
  auto& reader = *static_cast<PieceReader*>(user);
  const std::size_t taken = reader.take(to, static_cast<std::size_t>(std::max(count, 0)));
  if (taken == 0) reader.past_end = true;
  return static_cast<int>(taken);
}

void skip_pieces(void* user, int count) {
  auto& reader = *static_cast<PieceReader*>(user);
  const auto wanted = static_cast<std::size_t>(std::max(count, 0));
  if (reader.take(nullptr, wanted) < wanted) reader.past_end = true;
}

int end_of_pieces(void* user) { return static_cast<PieceReader*>(user)->at_end() ? 1 : 0; }

}  // namespace

std::variant<StbPixels, std::string> read_by_stb(
    std::span<const std::span<const std::byte>> pieces) {
  PieceReader reader{pieces};
  const stbi_io_callbacks callbacks = {read_pieces, skip_pieces, end_of_pieces};
  StbPixels result{{nullptr, stbi_image_free}};
  // Always four channels: with fewer, stb_image converts data that it failed to read.
  result.rgba.reset(stbi_load_from_callbacks(&callbacks, &reader, &result.width, &result.height,
                                             &result.channels, 4));
  if (reader.past_end) return "truncated";
  if (!result.rgba) return std::string(stbi_failure_reason());
  return result;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The one file that stb_image is compiled in, for the formats that no other library here reads. Its
// functions stay in this file, so that programs with an stb_image of their own can link the
// library.
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
// Rows of 16 bits are read as twice as many of 8.
#define STBI_MAX_DIMENSIONS (2 * cuimg::largest_side)
#include <stb/stb_image.h>

namespace cuimg {
namespace {

// Where stb_image's callbacks are in the pieces.
struct PieceReader {
  std::span<const std::span<const std::byte>> pieces;
  std::size_t at = 0;  // in the first of them
  bool past_end = false;

  bool at_end() {
    while (!pieces.empty() && at == pieces.front().size()) {
      pieces = pieces.subspan(1);
      at = 0;
    }
    return pieces.empty();
  }
  // Copies to `to` unless it is null. To ask at the end is to miss bytes: stb_image looks for more
  // only when it needs one.
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
  // Four channels always: with fewer, stb_image converts what it failed to read.
  result.rgba.reset(stbi_load_from_callbacks(&callbacks, &reader, &result.width, &result.height,
                                             &result.channels, 4));
  if (reader.past_end) return "truncated";
  if (!result.rgba) return std::string(stbi_failure_reason());
  return result;
}

}  // namespace cuimg

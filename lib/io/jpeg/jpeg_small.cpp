// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_small.h"

#include <algorithm>
#include <vector>

#include "io/flat_image.h"
#include "io/jpeg/jpeg_cmyk.h"
#include "io/jpeg/jpeg_decompressor.h"

namespace cuimg {

std::optional<Image> read_small_jpeg(std::span<const std::byte> file, int least_side) {
  Decompressor jpeg;
  if (!jpeg.read_header(file)) return std::nullopt;
  const J_COLOR_SPACE stored = jpeg.info.jpeg_color_space;
  const bool is_grey = stored == JCS_GRAYSCALE;
  const bool has_inks = stored == JCS_CMYK || stored == JCS_YCCK;
  const JDIMENSION side = std::min(jpeg.info.image_width, jpeg.info.image_height);
  jpeg.info.scale_denom = 8;
  while (jpeg.info.scale_denom > 1 &&
         side / jpeg.info.scale_denom < static_cast<JDIMENSION>(least_side))
    jpeg.info.scale_denom /= 2;
  if (!jpeg.start(is_grey ? JCS_GRAYSCALE : has_inks ? JCS_CMYK : JCS_RGB)) return std::nullopt;
  const int width = static_cast<int>(jpeg.info.output_width),
            height = static_cast<int>(jpeg.info.output_height);
  Image image(
      flat_spec(width, height, is_grey ? 1 : 3, PixelType::u8, {Curve::srgb, 1.0f, false, {}}));
  std::vector<unsigned char> inks(has_inks ? std::size_t{4} * jpeg.info.output_width : 0);
  for (int y = 0; y < height; ++y) {
    auto* to = reinterpret_cast<unsigned char*>(image.row(0, y));
    unsigned char* row = has_inks ? inks.data() : to;
    if (!jpeg.read(&row, 1)) return std::nullopt;
    if (has_inks) rgb_of_cmyk(inks.data(), jpeg.info.saw_Adobe_marker != FALSE, width, to);
  }
  return image;
}

}  // namespace cuimg

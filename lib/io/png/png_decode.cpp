// SPDX-License-Identifier: Apache-2.0
// Reads PNG: checks the sizes in chunks, and reads rows directly into the image.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/message_text.h"
#include "io/flat_image.h"
#include "io/png/png_codec.h"
#include "io/png/png_color.h"
#include "io/png/png_metadata.h"
#include "io/png/png_reader.h"
#include "io/tags/orientation.h"

namespace cuimg {
namespace {

class PngDecoder final : public FlatDecoder {
 public:
  PngDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options) {
    check_header();
    const auto bytes = source_->bytes();
    check(png_begin(reader_, bytes, static_cast<std::uint32_t>(options_.limit_side)));
    const PngColor color = read_png_color(reader_, *source_, options_);
    conversion_ = color.conversion;
    name_profile(color.profile_name);
    check(png_choose_output(reader_, {conversion_ && conversion_->type() == PixelType::u16,
                                      conversion_ && conversion_->colors_grey()}));
    const int channels = png_get_channels(reader_.png, reader_.info);
    const int depth = png_get_bit_depth(reader_.png, reader_.info);
    width_ = static_cast<int>(png_get_image_width(reader_.png, reader_.info));
    height_ = static_cast<int>(png_get_image_height(reader_.png, reader_.info));
    Metadata texts = read_texts();
    const bool turned = orientation_.transposes();
    spec_ = flat_spec(turned ? height_ : width_, turned ? width_ : height_, channels,
                      depth == 16 ? PixelType::u16 : PixelType::u8, color.encoding);
    spec_.metadata = std::move(texts);
    if (png_get_rowbytes(reader_.png, reader_.info) != stored_row_bytes())
      fail("rows have an unexpected size");
    read_density();
    if (const std::uint32_t frames = png_frames(bytes); frames > 1) {
      left_out_ = "an animation of " + std::to_string(frames) + " frames; only the first is read";
      facts_["frames"] = std::int64_t{frames};
    }

    const auto type = std::to_integer<int>(bytes[25]);
    facts_["bit depth"] = std::to_integer<std::int64_t>(bytes[24]);
    facts_["color type"] = std::string(type == 0   ? "grey"
                                       : type == 2 ? "RGB"
                                       : type == 3 ? "palette"
                                       : type == 4 ? "grey with alpha"
                                                   : "RGB with alpha");
    facts_["interlaced"] = std::string(is_interlaced() ? "yes" : "no");
    if (orientation_.exif != 1)
      facts_["orientation"] = "EXIF " + std::to_string(orientation_.exif) + ", applied";
  }

  void read(Image& image, RowProgress& progress) override {
    const bool interlaced = is_interlaced();
    const bool direct = orientation_.exif == 1;
    const int most = interlaced ? height_ : std::min(height_, 32);
    const std::size_t stride = stored_row_bytes();
    std::vector<std::byte> band(direct ? 0 : stride * static_cast<std::size_t>(most));
    std::vector<png_bytep> rows(static_cast<std::size_t>(most));
    TurnedRows turned(image, orientation_, width_, height_);
    for (int y = 0; y < height_; y += most) {
      const int count = std::min(most, height_ - y);
      for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        rows[at] = reinterpret_cast<png_bytep>(direct ? image.row(0, y + i) : &band[stride * at]);
      }
      check(interlaced ? png_whole_image(reader_, rows.data())
                       : png_next_rows(reader_, rows.data(), static_cast<png_uint_32>(count)));
      convert(std::span(rows).first(static_cast<std::size_t>(count)));
      if (!direct) turned.add(count, band.data(), stride);
      if (orientation_.keeps_row_order()) progress.advance(y + count);
    }
    turned.finish();
    check(png_finish(reader_));
    progress.finish();
  }
  bool reads_in_order() const override {
    return orientation_.keeps_row_order() && !is_interlaced();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(source_->name(), "PNG: " + problem);
  }
  void check(bool fine) const {
    if (!fine) fail(reader_.problem);
  }
  // Before libpng is called: checks the header's sizes, and whether the file can hold the pixels.
  void check_header() const {
    const auto bytes = source_->bytes();
    constexpr std::size_t header_end = 33;
    if (bytes.size() < header_end) fail("the file is truncated");
    if (std::memcmp(&bytes[12], "IHDR", 4) != 0) fail("the header is missing");
    const std::uint32_t width = png_number(bytes, 16), height = png_number(bytes, 20);
    check_size(*source_, width, height, options_);
    constexpr int channels_by_type[8] = {1, 0, 3, 1, 2, 0, 4, 0};
    const auto depth = std::to_integer<std::uint64_t>(bytes[24]);
    const auto type = std::to_integer<std::size_t>(bytes[25]);
    if (type > 7 || channels_by_type[type] == 0 || depth > 16) fail("the header is malformed");
    const std::uint64_t row =
        (std::uint64_t{width} * depth * static_cast<std::uint64_t>(channels_by_type[type]) + 7) / 8;
    constexpr std::uint64_t largest_ratio = 1032;  // deflate's limit
    if (row * height / largest_ratio > bytes.size())
      fail("the file is truncated: " + std::to_string(bytes.size()) + " bytes cannot hold " +
           size_text(width, height) + " pixels");
  }

  bool is_interlaced() const { return source_->bytes()[28] != std::byte{0}; }
  std::size_t stored_row_bytes() const {
    return spec_.layers[0].pixel_bytes() * static_cast<std::size_t>(width_);
  }

  // Includes EXIF's texts; its orientation applies to the rows however far behind them it is.
  Metadata read_texts() {
    Metadata texts;
    std::vector<std::string> notes;
    orientation_ = read_png_metadata(source_->bytes(), texts, notes);
    for (const std::string& note : notes) tell(options_, *source_, note);
    return texts;
  }

  // Profiles that spec_.color cannot represent are applied here.
  void convert(std::span<const png_bytep> rows) const {
    if (!conversion_) return;
    for (const png_bytep row : rows)
      conversion_->convert(reinterpret_cast<std::byte*>(row), static_cast<std::size_t>(width_),
                           spec_.layers[0].channel_count());
  }

  // Uses OpenEXR's names: pixels per inch, and the ratio of the pixel's width to its height.
  void read_density() {
    png_uint_32 x = 0, y = 0;
    int unit = 0;
    if (png_get_pHYs(reader_.png, reader_.info, &x, &y, &unit) == 0 || x == 0 || y == 0) return;
    if (orientation_.transposes()) std::swap(x, y);
    const double aspect = static_cast<double>(y) / x;
    if (aspect > 0.01 && aspect < 100.0) spec_.pixel_aspect = static_cast<float>(aspect);
    if (unit == PNG_RESOLUTION_METER) spec_.metadata["xDensity"] = x * metres_an_inch;
  }

  PngReader reader_;
  int width_ = 0, height_ = 0;  // as stored
  Orientation orientation_;
  std::shared_ptr<const IccConversion> conversion_;
};

}  // namespace

std::unique_ptr<Decoder> open_png(std::shared_ptr<const ByteSource> source,
                                  const DecodeOptions& options) {
  return open_flat<PngDecoder>(std::move(source), options);
}

}  // namespace cuimg

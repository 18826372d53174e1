// SPDX-License-Identifier: Apache-2.0
// Windows BMP: palettes of 1, 4 and 8 bits, also run-length coded; 16, 24 and 32 bits with and
// without bit fields.
#include <cmath>
#include <vector>

#include "base/bytes.h"
#include "io/byte_reader.h"
#include "io/codecs.h"
#include "io/density_range.h"
#include "io/flat_image.h"
#include "io/simple/bmp_runs.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

bool is_bmp(std::span<const std::byte> head) {
  if (head.size() < 18 || head[0] != std::byte{'B'} || head[1] != std::byte{'M'}) return false;
  const auto size = std::to_integer<unsigned>(head[14]);
  return (size == 12 || (size >= 40 && size <= 124)) && head[15] == std::byte{0} &&
         head[16] == std::byte{0} && head[17] == std::byte{0};
}

// One channel of a pixel with bit fields, scaled to 8 bits.
struct Field {
  std::uint32_t mask = 0;
  int shift = 0;
  std::uint32_t largest = 0;

  explicit Field(std::uint32_t m = 0) : mask(m) {
    if (m == 0) return;
    while ((m >> shift & 1) == 0) ++shift;
    largest = m >> shift;
  }
  bool contiguous() const { return (largest & (largest + 1)) == 0; }
  std::byte value(std::uint32_t pixel) const {
    if (largest == 0) return std::byte{0};
    const std::uint64_t v = (pixel & mask) >> shift;
    return static_cast<std::byte>((v * 255 + largest / 2) / largest);  // rounded to nearest
  }
};

class BmpDecoder final : public FlatDecoder {
 public:
  BmpDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), in_(*source_, "BMP") {
    in_.take(10);
    const std::uint32_t offset = in_.u32le();
    const std::uint32_t header_size = in_.u32le();
    read_header(header_size);
    check_size(*source_, width_, height_, options_);
    in_.seek(14 + std::uint64_t{header_size} + (masks_follow_ ? 12 : 0));
    if (bits_ <= 8) read_palette(header_size == 12 ? 3 : 4);
    in_.seek(offset);
    stride_ = ceil_div(std::uint64_t{bits_} * static_cast<std::uint64_t>(width_), 32) * 4;
    if (!run_length_) pixels_ = in_.take(stride_ * static_cast<std::uint64_t>(height_));
    const int channels = grey_ ? 1 : fields_[3].mask != 0 ? 4 : 3;
    spec_ = flat_spec(width_, height_, channels, PixelType::u8,
                      {options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}});
    name_density();
    facts_["bits"] = std::int64_t{bits_};
    if (run_length_) facts_["compression"] = std::string(bits_ == 8 ? "RLE8" : "RLE4");
  }

  void read(Image& image, RowProgress& progress) override {
    std::vector<std::byte> row(image.row_bytes(0));
    std::vector<std::uint8_t> indices(bits_ <= 8 ? static_cast<std::size_t>(width_) : 0);
    BmpRuns runs(in_, bits_);
    // Runs must be read in the file's order, from the bottom row up; other rows can be read in any
    // order.
    for (int i = 0; i < height_; ++i) {
      const int y = run_length_ && !top_down_ ? height_ - 1 - i : i;
      if (run_length_)
        runs.read(indices);
      else if (bits_ <= 8)
        unpack(stored(y), indices);
      else
        expand(stored(y), row);
      if (bits_ <= 8) color(indices, row);
      std::ranges::copy(row, image.row(0, y));
      if (reads_in_order() && y % 64 == 63) progress.advance(y + 1);
    }
    progress.finish();
  }
  bool reads_in_order() const override { return top_down_ || !run_length_; }

 private:
  void read_header(std::uint32_t header_size) {
    std::uint32_t compression = 0;
    if (header_size == 12) {
      width_ = static_cast<int>(in_.u16le());
      height_ = static_cast<int>(in_.u16le());
      in_.u16le();
      bits_ = in_.u16le();
    } else {
      if (header_size < 40 || header_size > 124)
        in_.fail("a header of " + std::to_string(header_size) + " bytes");
      width_ = static_cast<int>(in_.u32le());
      const auto height = static_cast<std::int32_t>(in_.u32le());
      top_down_ = height < 0;
      // The most negative number cannot be negated; the size check refuses it unchanged.
      height_ = top_down_ && height != INT32_MIN ? -height : height;
      in_.u16le();
      bits_ = in_.u16le();
      compression = in_.u32le();
      in_.u32le();  // bytes of pixels
      across_a_metre_ = static_cast<std::int32_t>(in_.u32le());
      down_a_metre_ = static_cast<std::int32_t>(in_.u32le());
      colors_ = in_.u32le();
      in_.u32le();
    }
    constexpr std::uint32_t rle8 = 1, rle4 = 2, bit_fields = 3, alpha_bit_fields = 6;
    const std::string advice = "convert the file with another program";
    run_length_ = compression == rle8 || compression == rle4;
    const bool masked = compression == bit_fields || compression == alpha_bit_fields;
    if (compression != 0 && !masked && !run_length_)
      in_.fail(name_of(compression, header_size) + " is not supported", advice);
    if (compression == bit_fields && bits_ == 1)
      in_.fail("OS/2's Huffman code is not supported", advice);
    if (run_length_ && bits_ != (compression == rle8 ? 8u : 4u))
      in_.fail(std::to_string(bits_) + " bits a pixel in run-length code");
    if (run_length_ && top_down_)
      in_.fail("run-length code from the top, which the format forbids");
    const bool deep = bits_ == 16 || bits_ == 32;
    if (masked && !deep) in_.fail("bit fields in pixels of " + std::to_string(bits_) + " bits");
    if (!(bits_ == 1 || bits_ == 4 || bits_ == 8 || bits_ == 24 || deep))
      in_.fail(std::to_string(bits_) + " bits a pixel", "1, 4, 8, 16, 24 and 32 are read");
    if (masked) {
      // Headers of 52 bytes or more contain the masks; a header of 40 bytes is followed by them.
      masks_follow_ = header_size == 40;
      for (std::size_t i = 0; i < 3; ++i) fields_[i] = Field(in_.u32le());
      if (header_size >= 56 || compression == alpha_bit_fields) fields_[3] = Field(in_.u32le());
      for (const Field& field : fields_)
        if (!field.contiguous()) in_.fail("a bit field with gaps");
    } else if (bits_ == 16) {
      fields_[0] = Field(0x7c00), fields_[1] = Field(0x03e0), fields_[2] = Field(0x001f);
    } else if (bits_ == 32) {
      // The fourth byte is reserved here; values that some programs write there are not alpha.
      fields_[0] = Field(0xff0000), fields_[1] = Field(0xff00), fields_[2] = Field(0xff);
    }
  }

  static std::string name_of(std::uint32_t compression, std::uint32_t header_size) {
    constexpr std::uint32_t os2_header = 64;
    return compression == 4 && header_size == os2_header ? "OS/2's run-length code of 24 bits"
           : compression == 4                            ? "JPEG in a BMP"
           : compression == 5                            ? "PNG in a BMP"
                              : "compression " + std::to_string(compression);
  }

  // 0 means that there is no density. Some programs write negative numbers, which mean the same.
  void name_density() {
    if (across_a_metre_ <= 0 || down_a_metre_ <= 0) return;
    const double aspect = static_cast<double>(down_a_metre_) / across_a_metre_;
    if (aspect > 0.01 && aspect < 100) spec_.pixel_aspect = static_cast<float>(aspect);
    spec_.metadata["xDensity"] = across_a_metre_ * metres_an_inch;
  }

  void read_palette(std::size_t entry_bytes) {
    const std::uint32_t possible = 1u << bits_;
    if (colors_ == 0) colors_ = possible;
    if (colors_ > possible) in_.fail(std::to_string(colors_) + " colours in the palette");
    palette_ = in_.take(colors_ * entry_bytes);
    palette_entry_ = entry_bytes;
    grey_ = true;
    for (std::size_t i = 0; i < colors_; ++i) {
      const std::byte* bgr = &palette_[i * entry_bytes];
      grey_ = grey_ && bgr[0] == bgr[1] && bgr[1] == bgr[2];
    }
  }

  const std::byte* stored(int y) const {
    const int row = top_down_ ? y : height_ - 1 - y;
    return &pixels_[static_cast<std::size_t>(stride_) * static_cast<std::size_t>(row)];
  }

  void unpack(const std::byte* stored, std::vector<std::uint8_t>& indices) const {
    for (std::size_t x = 0; x < indices.size(); ++x) {
      const std::size_t bit = x * bits_;
      indices[x] = static_cast<std::uint8_t>(std::to_integer<unsigned>(stored[bit / 8]) >>
                                                 (8 - bits_ - bit % 8) &
                                             ((1u << bits_) - 1));
    }
  }

  void color(const std::vector<std::uint8_t>& indices, std::vector<std::byte>& row) const {
    for (std::size_t x = 0; x < indices.size(); ++x) {
      if (indices[x] >= colors_)
        in_.fail("colour " + std::to_string(indices[x]) + " is not in the palette");
      const std::byte* bgr = &palette_[indices[x] * palette_entry_];
      if (grey_)
        row[x] = bgr[0];
      else
        for (std::size_t c = 0; c < 3; ++c) row[3 * x + c] = bgr[2 - c];
    }
  }

  void expand(const std::byte* stored, std::vector<std::byte>& row) const {
    const auto width = static_cast<std::size_t>(width_);
    if (bits_ == 24) {
      for (std::size_t x = 0; x < width; ++x)
        for (std::size_t c = 0; c < 3; ++c) row[3 * x + c] = stored[3 * x + 2 - c];
    } else {
      const std::size_t bytes = bits_ / 8, channels = fields_[3].mask != 0 ? 4 : 3;
      for (std::size_t x = 0; x < width; ++x) {
        std::uint32_t pixel = 0;
        for (std::size_t i = bytes; i-- > 0;)
          pixel = pixel << 8 | std::to_integer<std::uint32_t>(stored[x * bytes + i]);
        for (std::size_t c = 0; c < channels; ++c) row[channels * x + c] = fields_[c].value(pixel);
      }
    }
  }

  ByteReader in_;
  int width_ = 0, height_ = 0;
  std::int32_t across_a_metre_ = 0, down_a_metre_ = 0;
  unsigned bits_ = 0;
  std::uint32_t colors_ = 0;
  bool top_down_ = false, masks_follow_ = false, grey_ = false, run_length_ = false;
  Field fields_[4];
  std::span<const std::byte> palette_, pixels_;
  std::size_t palette_entry_ = 0;
  std::uint64_t stride_ = 0;
};

// Pixels per metre, horizontally and vertically; 0: the picture does not state them.
struct BmpDensity {
  std::uint32_t across = 0, down = 0;
};

BmpDensity density_of(const Spec& spec) {
  const double across = metadata_number(spec.metadata, "xDensity").value_or(0) / metres_an_inch;
  const double down = across * static_cast<double>(spec.pixel_aspect);
  const auto fits = [](double number) { return number >= 1 && number <= INT32_MAX; };
  if (!fits(across) || !fits(down)) return {};
  return {static_cast<std::uint32_t>(std::lround(across)),
          static_cast<std::uint32_t>(std::lround(down))};
}

bool bmp_keeps(const std::string& key, const MetadataValue& value) {
  return key == "xDensity" && densities_a_metre.holds(value);
}

std::vector<std::string> bmp_loses(const Spec& spec) {
  if (spec.pixel_aspect == 1 || density_of(spec).across > 0) return {};
  return {"the pixels' aspect without xDensity"};
}

void encode_bmp(const Image& image, const EncodeOptions&, RowProgress& ready, ByteSink& sink) {
  const int channels = encodable_layer(image.spec(), bmp_codec()).channel_count();
  const Rect window = image.spec().data_window;
  const bool grey = channels == 1, alpha = channels % 2 == 0;
  const std::size_t pixel = bgr_pixel_bytes(channels);
  const std::size_t stride = round_up(static_cast<std::size_t>(window.width) * pixel, 4);
  // Alpha needs version 4 of the header, which contains the masks.
  const std::uint32_t header_size = alpha ? 108 : 40, palette = grey ? 1024 : 0;
  const std::uint64_t offset = 14 + header_size + palette;
  const std::uint64_t size = offset + std::uint64_t{stride} * static_cast<unsigned>(window.height);
  if (size > UINT32_MAX) throw Error("bmp", "the image is larger than the format's 4 GiB");

  std::vector<std::byte> out;
  const auto put = [&](std::uint32_t value, std::size_t bytes) {
    append_number(out, value, bytes, false);
  };
  put(0x4d42, 2), put(static_cast<std::uint32_t>(size), 4), put(0, 4);
  put(static_cast<std::uint32_t>(offset), 4), put(header_size, 4);
  put(static_cast<std::uint32_t>(window.width), 4);
  put(static_cast<std::uint32_t>(window.height), 4);
  put(1, 2), put(static_cast<std::uint32_t>(8 * pixel), 2), put(alpha ? 3 : 0, 4);
  put(static_cast<std::uint32_t>(size - offset), 4);
  const BmpDensity density = density_of(image.spec());
  put(density.across, 4), put(density.down, 4);
  put(grey ? 256 : 0, 4), put(0, 4);
  if (alpha) {
    for (std::uint32_t mask : {0xff0000u, 0xff00u, 0xffu, 0xff000000u}) put(mask, 4);
    put(0x73524742, 4);  // "sRGB"
    out.resize(static_cast<std::size_t>(offset));
  }
  for (std::uint32_t i = 0; i < palette / 4; ++i) put(i * 0x010101, 4);
  sink.write(out);

  write_bottom_up(sink, window.height, stride, ready, [&](int y, std::byte* to) {
    copy_as_bgr(image.row(0, window.y + y), channels, window.width, to);
  });
}

}  // namespace

Codec bmp_codec() {
  return {
      .name = "bmp",
      .description = "Windows BMP",
      .extensions = {"bmp", "dib"},
      .sniff = is_bmp,
      .open = open_flat<BmpDecoder>,
      .capabilities = {.types = {PixelType::u8},
                       .alpha = true,
                       .grey = true,
                       .keeps = bmp_keeps,
                       .densities = densities_a_metre,
                       .loses = bmp_loses,
                       .pixel_aspect = true},
      .compressions = {"none"},
      .write = encode_bmp,
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Reading PNG: what the chunks say about size, colour and text, and rows straight into the image.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "image/error.h"
#include "io/cicp.h"
#include "io/flat_image.h"
#include "io/icc.h"
#include "io/png_codec.h"
#include "io/png_reader.h"

namespace cuimg {
namespace {

std::uint32_t big_endian(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

struct CodePoints {
  std::uint8_t primaries, curve, matrix, full_range;
};

// The data of cICP, which libpng knows from 1.6.45 on, where it stands whole before the pixels.
std::optional<CodePoints> code_points(std::span<const std::byte> file) {
  for (std::size_t at = 8; file.size() - at >= 12;) {
    const std::uint32_t size = big_endian(file, at);
    if (size > file.size() - at - 12 || std::memcmp(&file[at + 4], "IDAT", 4) == 0) break;
    if (size == 4 && std::memcmp(&file[at + 4], "cICP", 4) == 0) {
      const auto* checked = reinterpret_cast<const Bytef*>(&file[at + 4]);
      if (crc32(0, checked, 8) != big_endian(file, at + 12)) break;
      return CodePoints{checked[4], checked[5], checked[6], checked[7]};
    }
    at += std::size_t{12} + size;
  }
  return std::nullopt;
}

class PngDecoder final : public Decoder {
 public:
  PngDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);
  const Spec& spec() const override { return spec_; }
  Metadata file_facts() const override { return facts_; }
  void read(Image& image, RowProgress& progress) override;

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(source_->name(), "PNG: " + problem);
  }
  void check(bool fine) const {
    if (!fine) fail(reader_.problem);
  }
  void check_header() const;
  void read_tag();
  void read_color();
  bool read_code_points();
  void read_profile();
  void apply_curves(Image& image, int first, int count) const;
  void read_power_curve(ColorEncoding& color) const;
  void read_primaries(ColorEncoding& color) const;
  void read_text();
  void read_density();

  std::shared_ptr<const ByteSource> source_;
  DecodeOptions options_;
  PngReader reader_;
  Spec spec_;
  Metadata facts_;
  std::vector<std::vector<std::uint16_t>> curves_;  // of an ICC profile
};

// Before libpng sees anything: the header's sizes, and whether the file can hold the pixels.
void PngDecoder::check_header() const {
  const auto bytes = source_->bytes();
  constexpr std::size_t header_end = 33;
  if (bytes.size() < header_end) fail("the file is truncated");
  if (std::memcmp(&bytes[12], "IHDR", 4) != 0) fail("the header is missing");
  const std::uint32_t width = big_endian(bytes, 16), height = big_endian(bytes, 20);
  check_size(*source_, width, height, options_);
  constexpr int channels_by_type[8] = {1, 0, 3, 1, 2, 0, 4, 0};
  const auto depth = std::to_integer<std::uint64_t>(bytes[24]);
  const auto type = std::to_integer<std::size_t>(bytes[25]);
  if (type > 7 || channels_by_type[type] == 0 || depth > 16) fail("the header is malformed");
  const std::uint64_t row =
      (std::uint64_t{width} * depth * static_cast<std::uint64_t>(channels_by_type[type]) + 7) / 8;
  constexpr std::uint64_t largest_ratio = 1032;  // deflate's bound
  if (row * height / largest_ratio > bytes.size())
    fail("the file is truncated: " + std::to_string(bytes.size()) + " bytes cannot hold " +
         std::to_string(width) + "x" + std::to_string(height) + " pixels");
}

PngDecoder::PngDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
    : source_(std::move(source)), options_(options) {
  check_header();
  const auto bytes = source_->bytes();
  check(png_begin(reader_, bytes, static_cast<std::uint32_t>(options_.limit_side)));
  spec_.color = {options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}};
  if (options_.raw)
    read_tag();
  else
    read_color();
  check(png_choose_output(reader_, !curves_.empty()));
  const int channels = png_get_channels(reader_.png, reader_.info);
  const int depth = png_get_bit_depth(reader_.png, reader_.info);
  spec_.data_window = {0, 0, static_cast<int>(png_get_image_width(reader_.png, reader_.info)),
                       static_cast<int>(png_get_image_height(reader_.png, reader_.info))};
  spec_.display_window = spec_.data_window;
  const std::vector<std::string> names[5] = {
      {}, {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
  spec_.layers = {{"", names[channels], depth == 16 ? PixelType::u16 : PixelType::u8}};
  if (png_get_rowbytes(reader_.png, reader_.info) !=
      spec_.layers[0].pixel_bytes() * static_cast<std::size_t>(spec_.data_window.width))
    fail("rows have an unexpected size");
  read_density();
  read_text();

  const auto type = std::to_integer<int>(bytes[25]);
  facts_["bit depth"] = std::to_integer<std::int64_t>(bytes[24]);
  facts_["color type"] = std::string(type == 0   ? "grey"
                                     : type == 2 ? "RGB"
                                     : type == 3 ? "palette"
                                     : type == 4 ? "grey with alpha"
                                                 : "RGB with alpha");
  facts_["interlaced"] = std::string(bytes[28] != std::byte{0} ? "yes" : "no");
}

// Raw values are not interpreted; what a PNG that is made of them can say again is kept.
void PngDecoder::read_tag() {
  const auto has = [&](png_uint_32 chunk) {
    return png_get_valid(reader_.png, reader_.info, chunk) != 0;
  };
  ColorEncoding said{Curve::srgb, 1.0f, false, {}};
  const std::optional<CodePoints> codes = code_points(source_->bytes());
  if (codes && codes->matrix == 0 && codes->full_range == 1) {
    if (auto primaries = primaries_of_code(codes->primaries)) {
      spec_.color.tag = ColorTag{static_cast<CurveCode>(codes->curve), 1.0f, primaries};
      return;
    }
  }
  if (has(PNG_INFO_iCCP)) return;
  if (!has(PNG_INFO_sRGB)) {
    if (!has(PNG_INFO_gAMA) && !has(PNG_INFO_cHRM)) return;
    read_power_curve(said);
    read_primaries(said);
  }
  spec_.color.tag = tag_of(said);
  if (!has(PNG_INFO_sRGB) && !has(PNG_INFO_gAMA)) spec_.color.tag->curve = CurveCode::unspecified;
}

// Of several statements the most exact one counts: code points, then a profile, then sRGB, then
// gAMA and cHRM (PNG, third edition, 4.3).
void PngDecoder::read_color() {
  if (read_code_points()) return;
  const std::optional<ColorTag> tag = spec_.color.tag;
  if (png_get_valid(reader_.png, reader_.info, PNG_INFO_iCCP) != 0) {
    read_profile();
  } else if (png_get_valid(reader_.png, reader_.info, PNG_INFO_sRGB) == 0) {
    read_power_curve(spec_.color);
    read_primaries(spec_.color);
  }
  // The primaries hold whatever is thought of the curve.
  if (tag && curves_.empty()) {
    spec_.color.tag = tag;
    spec_.color.primaries = tag->primaries;
  }
}

// @returns whether nothing more need be read. A curve that is not known leaves a tag behind.
bool PngDecoder::read_code_points() {
  const std::optional<CodePoints> codes = code_points(source_->bytes());
  if (!codes) return false;
  const std::optional<Chromaticities> primaries = primaries_of_code(codes->primaries);
  const auto curve = static_cast<CurveCode>(codes->curve);
  if (!primaries || codes->matrix != 0 || codes->full_range != 1) {
    tell(options_, *source_,
         !primaries ? "cICP's primaries " + std::to_string(codes->primaries) + " are not known"
                    : std::string("cICP of other than RGB in full range is left out"));
    return false;
  }
  const std::optional<Chromaticities> other =
      *primaries == Chromaticities{} ? std::nullopt : primaries;
  if (set_curve(curve, spec_.color)) {
    spec_.color.primaries = other;
    return true;
  }
  spec_.color.tag = ColorTag{curve, 1.0f, other};
  const std::string decoder = decoder_of(curve);
  tell(options_, *source_,
       "cICP says " + name_of(curve) + ", which is not undone" +
           (decoder.empty() ? "" : ": decode --curve " + decoder + " does that"));
  return false;
}

void PngDecoder::read_profile() {
  png_charp name = nullptr;
  png_bytep profile = nullptr;
  png_uint_32 size = 0;
  int method = 0;
  if (png_get_iCCP(reader_.png, reader_.info, &name, &method, &profile, &size) == 0) return;
  const bool grey = (png_get_color_type(reader_.png, reader_.info) & PNG_COLOR_MASK_COLOR) == 0;
  IccInterpretation icc =
      interpret_icc({reinterpret_cast<const std::byte*>(profile), std::size_t{size}}, grey);
  if (!icc.note.empty()) tell(options_, *source_, icc.note);
  spec_.color = icc.encoding;
  if (icc.curves) curves_ = std::move(*icc.curves);
}

// Other tone curves than spec_.color can tell are resolved here, in 16 bits.
void PngDecoder::apply_curves(Image& image, int first, int count) const {
  if (curves_.empty()) return;
  const std::size_t channels = spec_.layers[0].channels.size();
  const std::size_t colors = channels < 3 ? 1 : 3;
  for (int y = first; y < first + count; ++y) {
    std::byte* row = image.row(0, y);
    for (int x = 0; x < spec_.data_window.width; ++x, row += 2 * channels)
      for (std::size_t c = 0; c < colors; ++c) {
        std::uint16_t code;
        std::memcpy(&code, row + 2 * c, 2);
        code = curves_[std::min(c, curves_.size() - 1)][code];
        std::memcpy(row + 2 * c, &code, 2);
      }
  }
}

void PngDecoder::read_power_curve(ColorEncoding& color) const {
  png_fixed_point encoding = 0;
  if (png_get_gAMA_fixed(reader_.png, reader_.info, &encoding) == 0) return;
  constexpr double one = 100000.0;
  const double gamma = encoding > 0 ? one / encoding : 0.0;
  if (!(gamma >= 0.1 && gamma <= 10.0)) {
    tell(options_, *source_,
         "gAMA " + std::to_string(encoding) + " is out of range; taken as sRGB");
  } else if (encoding == 100000) {
    color.curve = Curve::linear;
  } else {
    color.curve = Curve::gamma;
    color.gamma = static_cast<float>(gamma);
  }
}

void PngDecoder::read_primaries(ColorEncoding& color) const {
  png_fixed_point wx, wy, rx, ry, gx, gy, bx, by;
  if (png_get_cHRM_fixed(reader_.png, reader_.info, &wx, &wy, &rx, &ry, &gx, &gy, &bx, &by) == 0)
    return;
  const auto value = [](png_fixed_point fixed) { return static_cast<float>(fixed / 100000.0); };
  const Chromaticities read{value(rx), value(ry), value(gx), value(gy),
                            value(bx), value(by), value(wx), value(wy)};
  const auto near = [](float a, float b) { return std::abs(a - b) < 0.0005f; };
  const Chromaticities d;
  const bool rec709 = near(read.rx, d.rx) && near(read.ry, d.ry) && near(read.gx, d.gx) &&
                      near(read.gy, d.gy) && near(read.bx, d.bx) && near(read.by, d.by) &&
                      near(read.wx, d.wx) && near(read.wy, d.wy);
  if (!rec709) color.primaries = read;
}

// Under the names that OpenEXR gives them: pixels per inch, and the pixel's width to its height.
void PngDecoder::read_density() {
  png_uint_32 x = 0, y = 0;
  int unit = 0;
  if (png_get_pHYs(reader_.png, reader_.info, &x, &y, &unit) == 0 || x == 0 || y == 0) return;
  const double aspect = static_cast<double>(y) / x;
  if (aspect > 0.01 && aspect < 100.0) spec_.pixel_aspect = static_cast<float>(aspect);
  if (unit == PNG_RESOLUTION_METER) spec_.metadata["xDensity"] = x * 0.0254;
}

void PngDecoder::read_text() {
  png_textp entries = nullptr;
  int count = 0;
  if (png_get_text(reader_.png, reader_.info, &entries, &count) == 0) return;
  for (int i = 0; i < count; ++i) {
    const png_text& entry = entries[i];
    if (entry.key == nullptr || entry.text == nullptr || *entry.key == '\0') continue;
    std::string text = entry.text;
    if (entry.compression < PNG_ITXT_COMPRESSION_NONE) {  // tEXt and zTXt are Latin-1
      std::string utf8;
      for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80)
          utf8 += c;
        else
          utf8 += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
      }
      text = std::move(utf8);
    }
    spec_.metadata[entry.key] = std::move(text);
  }
}

void PngDecoder::read(Image& image, RowProgress& progress) {
  const int height = spec_.data_window.height;
  std::vector<png_bytep> rows(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    rows[static_cast<std::size_t>(y)] = reinterpret_cast<png_bytep>(image.row(0, y));
  if (png_get_interlace_type(reader_.png, reader_.info) != PNG_INTERLACE_NONE) {
    check(png_whole_image(reader_, rows.data()));
    apply_curves(image, 0, height);
  } else {
    constexpr int batch = 32;
    for (int y = 0; y < height; y += batch) {
      const int count = std::min(batch, height - y);
      check(png_next_rows(reader_, &rows[static_cast<std::size_t>(y)],
                          static_cast<png_uint_32>(count)));
      apply_curves(image, y, count);
      progress.advance(y + count);
    }
  }
  check(png_finish(reader_));
  progress.finish();
}

}  // namespace

std::unique_ptr<Decoder> open_png(std::shared_ptr<const ByteSource> source,
                                  const DecodeOptions& options) {
  return std::make_unique<PngDecoder>(std::move(source), options);
}

}  // namespace cuimg

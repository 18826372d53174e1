// SPDX-License-Identifier: Apache-2.0
// Writes PNG. This code builds the chunks itself: each is a length, a name, data and a CRC, and
// libpng's writer would deflate in a single thread.
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>

#include "base/bytes.h"
#include "base/error.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "io/codecs.h"
#include "io/density_range.h"
#include "io/flat_image.h"
#include "io/png/png_codec.h"
#include "io/png/png_deflate.h"
#include "io/png/png_light.h"
#include "io/png/png_metadata.h"
#include "io/tags/cicp.h"
#include "io/tags/exif.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/icc.h"
#include "io/tags/photoshop.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

class ChunkWriter {
 public:
  explicit ChunkWriter(ByteSink& sink) : sink_(sink) {}
  void write(std::string_view name, std::span<const std::byte> data) {
    std::array<std::byte, 8> head;
    put_number(std::span(head).first(4), data.size(), true);
    std::memcpy(&head[4], name.data(), 4);
    uLong crc = crc32(0, reinterpret_cast<const Bytef*>(&head[4]), 4);
    if (!data.empty())
      crc = crc32(crc, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size()));
    std::array<std::byte, 4> tail;
    put_number(tail, crc, true);
    sink_.write(head);
    sink_.write(data);
    sink_.write(tail);
  }

 private:
  ByteSink& sink_;
};

// The data of one chunk.
struct Bytes : std::vector<std::byte> {
  void u8(unsigned value) { push_back(static_cast<std::byte>(value)); }
  void u32(std::uint32_t value) { append_number(*this, value, 4, true); }
  void text(std::string_view text) { append_bytes(*this, std::as_bytes(std::span(text))); }
};

int chosen_level(const EncodeOptions& options) { return options.compression[0] - '0'; }

void check_encodable(const Image& image) {
  if (encodable_layer(image.spec(), png_codec()).pixel_bytes() *
          static_cast<std::uint64_t>(image.spec().data_window.width) >=
      std::uint64_t{1} << 31)
    throw Error("png",
                "rows of " + std::to_string(image.spec().data_window.width) + " pixels do not fit");
}

void write_header(const Spec& spec, ChunkWriter& chunks) {
  constexpr unsigned type_by_channels[5] = {0, 0, 4, 2, 6};
  const LayerSpec& layer = spec.layers[0];
  Bytes header;
  header.u32(static_cast<std::uint32_t>(spec.data_window.width));
  header.u32(static_cast<std::uint32_t>(spec.data_window.height));
  header.u8(layer.type == PixelType::u16 ? 16 : 8);
  header.u8(type_by_channels[layer.channel_count()]);
  for (int i = 0; i < 3; ++i) header.u8(0);  // deflate, adaptive filters, no interlacing
  chunks.write("IHDR", header);
}

// PNG's fixed point: hundred-thousandths.
std::uint32_t fixed(double value) {
  return static_cast<std::uint32_t>(std::lround(value * 100000.0));
}

// The numbers must not be negative and must lie in the triangle x, y >= 0, x + y <= 1: otherwise
// libpng also drops gAMA. Some ACES primaries lie outside.
bool fits_chrm(const Chromaticities& c) {
  const auto inside = [](double x, double y) {
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 && fixed(x) + fixed(y) <= 100000;
  };
  return inside(c.rx, c.ry) && inside(c.gx, c.gy) && inside(c.bx, c.by) && inside(c.wx, c.wy) &&
         c.wy > 0.001f;
}

bool has_code_points(const ColorTag& tag) {
  return tag.curve != CurveCode::power && tag.curve != CurveCode::unspecified &&
         code_of_primaries(tag.primaries.value_or(Chromaticities{}));
}

// Whether gAMA and cHRM describe the tag completely, alone or for readers that do not know cICP.
bool has_numbers(const ColorTag& tag) {
  return (tag.curve == CurveCode::power || tag.curve == CurveCode::linear) &&
         fits_chrm(tag.primaries.value_or(Chromaticities{}));
}

void write_profile(std::span<const std::byte> profile, ChunkWriter& chunks) {
  Bytes data;
  data.text("ICC");
  data.u8(0);
  data.u8(0);  // deflate
  std::vector<Bytef> packed(compressBound(static_cast<uLong>(profile.size())));
  auto size = static_cast<uLongf>(packed.size());
  constexpr int level = 6;
  if (compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(profile.data()),
                static_cast<uLong>(profile.size()), level) != Z_OK)
    throw Error("png", "the ICC profile cannot be compressed");
  append_bytes(data, std::as_bytes(std::span(packed).first(size)));
  chunks.write("iCCP", data);
}

// The input's profile; otherwise cICP, which newer readers use, and a profile if numbers do not
// describe everything. gAMA, with the nearest power for sRGB's curve, and cHRM are for readers that
// know neither.
void write_color(const ColorEncoding& color, bool grey, ChunkWriter& chunks) {
  const ColorTag tag = tag_of(color);
  const Chromaticities c = tag.primaries.value_or(Chromaticities{});
  const bool rec709 = near(c, primaries::rec709, 0.0005f);
  Bytes data;
  const bool keeps = color.profile && png_describes(color, grey);
  if (keeps) {
    write_profile(color.profile->bytes, chunks);
  } else if (tag.curve == CurveCode::srgb && (rec709 || (grey && !has_code_points(tag)))) {
    constexpr unsigned perceptual = 0;
    data.u8(perceptual);
    chunks.write("sRGB", data);
    return;
  }
  if (!keeps && has_code_points(tag)) {
    data.u8(code_of_primaries(c).value());
    data.u8(static_cast<unsigned>(tag.curve));
    data.u8(0);  // RGB
    data.u8(1);  // full range
    chunks.write("cICP", data);
  }
  // A profile also describes grey's power, as in JPEG and TIFF.
  const bool is_power_of_grey = grey && tag.curve == CurveCode::power;
  if (!keeps && (!has_numbers(tag) || is_power_of_grey)) {
    const std::vector<std::byte> made = icc_for(color, grey);
    if (!made.empty()) write_profile(made, chunks);
  }
  const double gamma = tag.curve == CurveCode::linear  ? 1.0
                       : tag.curve == CurveCode::srgb  ? 2.2
                       : tag.curve == CurveCode::power ? static_cast<double>(tag.gamma)
                                                       : 0.0;
  if (gamma > 0) {
    data.clear();
    data.u32(fixed(1.0 / gamma));
    chunks.write("gAMA", data);
  }
  if (rec709 || !fits_chrm(c)) return;
  data.clear();
  for (const double value : {c.wx, c.wy, c.rx, c.ry, c.gx, c.gy, c.bx, c.by})
    data.u32(fixed(value));
  chunks.write("cHRM", data);
}

void write_light(const Metadata& metadata, ChunkWriter& chunks) {
  for (const char* const name : {mastering_display_key, content_light_key})
    if (const auto found = metadata.find(name); found != metadata.end())
      if (const Blob data = png_light_data(name, found->second); !data.empty())
        chunks.write(name, data);
}

void write_density(const Spec& spec, ChunkWriter& chunks) {
  const std::optional<double> density = metadata_number(spec.metadata, "xDensity");
  const double aspect = static_cast<double>(spec.pixel_aspect);
  const bool known = density && densities_a_metre.holds(*density);
  if (!known && aspect == 1.0) return;
  const double x = known ? *density / metres_an_inch : 10000.0;
  const double y = x * aspect;
  constexpr double most = 0x7fffffff;  // PNG's integers have 31 bits
  if (!(x >= 1 && x <= most && y >= 1 && y <= most)) return;
  Bytes data;
  data.u32(static_cast<std::uint32_t>(std::lround(x)));
  data.u32(static_cast<std::uint32_t>(std::lround(y)));
  data.u8(known ? 1 : 0);  // per metre, or only the ratio
  chunks.write("pHYs", data);
}

void write_text(const Metadata& metadata, ChunkWriter& chunks) {
  for (const auto& [key, value] : metadata) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || !is_png_keyword(key) || text->find('\0') != std::string::npos) continue;
    Bytes data;
    data.text(key);
    data.u8(0);
    // Of the two chunks, tEXt holds ISO 8859-1, as texts of old EXR files do, and iTXt only UTF-8.
    const bool plain = is_png_ascii(*text) || !is_utf8(*text);
    if (!plain)
      for (int i = 0; i < 4; ++i) data.u8(0);  // not compressed, no language, no translated key
    data.text(*text);
    if (data.size() >= most_in_png_chunk) continue;  // readers refuse such chunks
    if (plain)
      chunks.write("tEXt", data);
    else
      chunks.write("iTXt", data);
  }
}

// XMP as in its specification's part 3, IPTC as in ImageMagick and exiftool.
void write_blobs(const Spec& spec, ChunkWriter& chunks) {
  if (const Blob packet = xmp_to_write(spec, most_in_png_packet, XmpForm::whole); !packet.empty()) {
    Bytes data;
    if (is_utf8(text_of_bytes(packet))) {
      data.text(png_xmp_keyword);
      for (int i = 0; i < 5; ++i) data.u8(0);  // a terminating NUL, no compression, no languages
      append_bytes(data, packet);
      chunks.write("iTXt", data);
    } else if (packet.size() < most_in_png_digits) {
      data.text(png_raw_profile("xmp", packet));
      chunks.write("tEXt", data);
    }
  }
  const Blob resources = photoshop_to_write(spec.metadata);
  if (!resources.empty() && resources.size() < most_in_png_digits) {
    Bytes data;
    data.text(png_raw_profile("iptc", resources));
    chunks.write("tEXt", data);
  }
}

}  // namespace

bool png_describes(const ColorEncoding& color, bool grey) {
  const ColorTag tag = tag_of(color);
  return (!color.profile && has_code_points(tag) && color.curve != Curve::profile) ||
         icc_describes(color, grey);
}

std::vector<std::string_view> png_compressions() {
  return {"1", "0", "2", "3", "4", "5", "6", "7", "8", "9"};
}

void encode_png(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink) {
  const Spec& spec = image.spec();
  check_encodable(image);
  PngPixels pixels{&image, chosen_level(options), options.threads};
  if (pixels.threads == 0) pixels.threads = hardware_threads();
  constexpr unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  sink.write(std::as_bytes(std::span(signature)));
  ChunkWriter chunks(sink);
  write_header(spec, chunks);
  write_color(spec.color, spec.layers[0].channel_count() <= 2, chunks);
  write_light(spec.metadata, chunks);
  write_density(spec, chunks);
  write_text(spec.metadata, chunks);
  ExifThumbnail exif(exif_to_write(spec, most_in_png_packet, false, ExifThumbnailRoom::left), spec);
  const std::uint64_t exif_at = sink.position();
  if (!exif.block().empty()) chunks.write("eXIf", exif.block());
  write_blobs(spec, chunks);
  if (exif.is_wanted()) pixels.watch = [&](int first, int last) { exif.add(image, first, last); };
  deflate_png_rows(pixels, ready,
                   [&](std::span<const std::byte> piece) { chunks.write("IDAT", piece); });
  chunks.write("IEND", {});
  if (!exif.is_wanted()) return;
  // Readers may ignore chunks after the pixels, so it is written before them.
  exif.finish();
  const std::uint64_t end = sink.position();
  sink.seek(exif_at);
  chunks.write("eXIf", exif.block());
  sink.seek(end);
}

}  // namespace cuimg

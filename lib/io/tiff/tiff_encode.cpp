// SPDX-License-Identifier: Apache-2.0
// TIFF encoding strip by strip, so that it overlaps with the steps that make the rows.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/tags/icc.h"
#include "io/tiff/tiff_codec.h"
#include "io/tiff/tiff_handle.h"
#include "io/tiff/tiff_metadata.h"
#include "io/tiff/tiff_resolution.h"

namespace cuimg {
namespace {

std::uint16_t compression_tag(const std::string& name) {
  if (name == "lzw") return COMPRESSION_LZW;
  if (name == "deflate") return COMPRESSION_ADOBE_DEFLATE;
  if (name == "packbits") return COMPRESSION_PACKBITS;
  if (name == "zstd") return COMPRESSION_ZSTD;
  return COMPRESSION_NONE;
}

// Floats of linear Rec.709 need no profile: they are read as this without one.
ColorEncoding told_color(const Spec& spec) {
  ColorEncoding color = spec.color;
  const bool rec709 = near(color.primaries.value_or(Chromaticities{}), primaries::rec709, 0.0005f);
  if (color.curve == Curve::linear && is_floating(spec.layers[0].type) && rec709)
    color = {Curve::raw, 1.0f, color.premultiplied, {}};
  return color;
}

void set_metadata(TIFF* tiff, const Spec& spec) {
  set_tiff_metadata(tiff, spec);
  const double density = metadata_number(spec.metadata, "xDensity").value_or(0);
  const double without_unit = spec.storage.density_without_unit;
  const double aspect = static_cast<double>(spec.pixel_aspect);
  if (density > 0 || without_unit > 0 || aspect != 1) {
    // In the input's unit, since a description may refer to it, as ImageJ's "unit=cm".
    const bool per_cm = density > 0 && spec.storage.has_density_per_cm;
    const double horizontal = per_cm             ? density / cm_per_inch
                              : density > 0      ? density
                              : without_unit > 0 ? without_unit
                                                 : 72;
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT,
                 per_cm        ? RESUNIT_CENTIMETER
                 : density > 0 ? RESUNIT_INCH
                               : RESUNIT_NONE);
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, horizontal);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, horizontal * aspect);
  }
  if (const auto& p = spec.color.primaries; p && *p != Chromaticities{}) {
    float primaries[] = {p->rx, p->ry, p->gx, p->gy, p->bx, p->by};
    float white[] = {p->wx, p->wy};
    // The tags cannot store negative numbers, such as those in the blue of ACES AP0; the profile
    // can.
    const auto fits = [](float value) { return value >= 0; };
    const bool fit = std::ranges::all_of(primaries, fits) && std::ranges::all_of(white, fits);
    if (fit) TIFFSetField(tiff, TIFFTAG_PRIMARYCHROMATICITIES, primaries);
    if (fit) TIFFSetField(tiff, TIFFTAG_WHITEPOINT, white);
  }
  const bool grey = spec.layers[0].channel_count() <= 2;
  const std::vector<std::byte> profile = icc_for(told_color(spec), grey);
  if (!profile.empty())
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()),
                 profile.data());
}

void write_page(TiffHandle& tiff, const Image& image, const EncodeOptions& options,
                RowProgress& ready) {
  const LayerSpec& layer = encodable_layer(image.spec(), tiff_codec());
  const Spec& spec = image.spec();
  const std::uint16_t compression = compression_tag(options.compression);
  const int width = spec.data_window.width, height = spec.data_window.height;
  const int channels = layer.channel_count();
  const std::size_t row_bytes = image.row_bytes(0);
  constexpr std::size_t strip_bytes = std::size_t{1} << 18;
  const int strip_rows = std::clamp(static_cast<int>(strip_bytes / row_bytes), 1, height);

  TIFF* t = tiff.get();
  TIFFSetField(t, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width));
  TIFFSetField(t, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
  TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(layer.type)));
  TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, channels);
  TIFFSetField(t, TIFFTAG_SAMPLEFORMAT,
               is_floating(layer.type) ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField(t, TIFFTAG_PHOTOMETRIC, channels <= 2 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(t, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(strip_rows));
  if (channels % 2 == 0) {
    std::uint16_t extra[] = {static_cast<std::uint16_t>(
        spec.color.premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA)};
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
  }
  TIFFSetField(t, TIFFTAG_COMPRESSION, compression);
  if (compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE ||
      compression == COMPRESSION_ZSTD)
    TIFFSetField(t, TIFFTAG_PREDICTOR,
                 is_floating(layer.type) ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
  set_metadata(t, spec);
  tiff.check(true, "");
  const bool has_note = write_tiff_note(tiff, spec);

  // A copy, because libtiff may change the buffer that it is given.
  std::vector<std::byte> strip(row_bytes * static_cast<std::size_t>(strip_rows));
  for (int y = 0, index = 0; y < height; y += strip_rows, ++index) {
    const int rows = std::min(strip_rows, height - y);
    ready.wait_for(y + rows);
    for (int i = 0; i < rows; ++i)
      std::memcpy(strip.data() + row_bytes * static_cast<std::size_t>(i),
                  image.row(0, spec.data_window.y + y + i), row_bytes);
    ready.release(y + rows);
    const auto size = static_cast<tmsize_t>(row_bytes * static_cast<std::size_t>(rows));
    tiff.check(
        TIFFWriteEncodedStrip(t, static_cast<std::uint32_t>(index), strip.data(), size) == size,
        "a strip cannot be written");
  }
  write_tiff_exif(tiff, spec, has_note);
}

bool needs_big(const std::vector<PartToWrite>& parts) {
  // Room for the directories, and for compression that makes the pixels larger.
  std::size_t bytes = 0;
  for (const PartToWrite& part : parts) bytes += part.spec.pixel_bytes();
  return bytes > 0xf0000000u;
}

const char* mode_for(const std::vector<PartToWrite>& parts) {
  if (!parts.empty() && tiff_is_big_endian(parts.front().spec))
    return needs_big(parts) ? "wb8" : "wb";
  return needs_big(parts) ? "wl8" : "wl";
}

class TiffEncoder final : public Encoder {
 public:
  TiffEncoder(std::vector<PartToWrite> parts, ByteSink& sink)
      : parts_(std::move(parts)), tiff_(sink, mode_for(parts_)) {}

  void write(const Image& image, RowProgress& ready) override {
    if (written_ > 0) tiff_.end_page();
    TIFF* t = tiff_.get();
    if (parts_.size() > 1) {
      const auto number = static_cast<int>(written_), count = static_cast<int>(parts_.size());
      TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
      TIFFSetField(t, TIFFTAG_PAGENUMBER, number, count);
    }
    if (const std::string& name = image.spec().part_name;
        !name.empty() && name.find('\0') == std::string::npos)
      TIFFSetField(t, TIFFTAG_PAGENAME, name.c_str());
    write_page(tiff_, image, parts_.at(written_++).options, ready);
  }

  void finish() override {
    if (written_ != parts_.size()) throw Error("tiff", "a page was not written");
    tiff_.close();
  }

 private:
  const std::vector<PartToWrite> parts_;
  TiffHandle tiff_;
  std::size_t written_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> open_tiff_encoder(std::vector<PartToWrite> parts, ByteSink& sink) {
  return std::make_unique<TiffEncoder>(std::move(parts), sink);
}

}  // namespace cuimg

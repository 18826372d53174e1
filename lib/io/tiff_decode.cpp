// SPDX-License-Identifier: Apache-2.0
// Reading TIFF through libtiff: strips and tiles, samples together or in planes, 1 to 16 bit
// integers, half, float and double, any compression that libtiff has. YCbCr (other than inside
// JPEG) and CMYK go through libtiff's own conversion to 8-bit RGB.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "image/error.h"
#include "io/flat_image.h"
#include "io/icc.h"
#include "io/orientation.h"
#include "io/straight_alpha.h"
#include "io/text_tags.h"
#include "io/tiff_decode.h"
#include "io/tiff_handle.h"
#include "io/tiff_samples.h"

namespace cuimg {
namespace {

// Colour that libtiff would turn into RGB wrongly or not at all: it takes CIELab's white, D50, for
// sRGB's, and tone-maps LogLuv to 8 bits.
const char* refused_colour(std::uint16_t photometric) {
  switch (photometric) {
    case PHOTOMETRIC_CIELAB:
      return "CIELab";
    case PHOTOMETRIC_ICCLAB:
      return "ICCLab";
    case PHOTOMETRIC_ITULAB:
      return "ITULab";
    case PHOTOMETRIC_LOGL:
      return "LogL";
    case PHOTOMETRIC_LOGLUV:
      return "LogLuv";
    default:
      return nullptr;
  }
}

class TiffDecoder final : public FlatDecoder {
 public:
  TiffDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), tiff_(*source_) {
    go_to_part();
    width_ = static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0));
    height_ = static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0));
    check_size(*source_, width_, height_, options_);
    orientation_.exif = tiff_.field<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
    if (orientation_.exif < 1 || orientation_.exif > 8) orientation_.exif = 1;
    stored_samples_ = tiff_.field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    bits_ = tiff_.field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    compression_ = tiff_.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    photometric_ = tiff_.field<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    separate_ = tiff_.field<std::uint16_t>(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
                PLANARCONFIG_SEPARATE;
    ColorEncoding color = describe_samples();
    refuse_short_file();
    const bool turned = orientation_.transposes();
    spec_ = flat_spec(static_cast<int>(turned ? height_ : width_),
                      static_cast<int>(turned ? width_ : height_), samples_.channels, samples_.type,
                      color);
    describe_rest();
    for (const std::string& warning : tiff_.warnings()) tell(options_, *source_, warning);
  }

  void read(Image& image, RowProgress& progress) override {
    tiff_.be_strict();
    if (converted_)
      read_converted(image);
    else if (TIFFIsTiled(tiff_.get()))
      read_tiles(image, progress);
    else
      read_strips(image, progress);
    tiff_.check(true, "");
    progress.finish();
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    throw Error(source_->name(), "TIFF: " + problem, advice);
  }

  void go_to_part() {
    if (options_.part != 0) {
      const int parts = static_cast<int>(TIFFNumberOfDirectories(tiff_.get()));
      if (options_.part < 0 || options_.part >= parts)
        throw Error(source_->name(), "part " + std::to_string(options_.part) + " does not exist",
                    parts == 1 ? "the file has part 0 only"
                               : "the file has parts 0 to " + std::to_string(parts - 1));
    }
    tiff_.check(TIFFSetDirectory(tiff_.get(), static_cast<tdir_t>(options_.part)) != 0,
                "the directory is malformed");
  }

  // Fills in samples_ and returns how colour relates to light.
  ColorEncoding describe_samples() {
    if (stored_samples_ < 1 || stored_samples_ > 1024)
      fail(std::to_string(stored_samples_) + " samples a pixel");
    std::size_t colors = 1;
    switch (photometric_) {
      case PHOTOMETRIC_MINISBLACK:
      case PHOTOMETRIC_MINISWHITE:
      case PHOTOMETRIC_PALETTE:
        break;
      case PHOTOMETRIC_RGB:
        colors = 3;
        break;
      case PHOTOMETRIC_YCBCR:
        if (compression_ == COMPRESSION_JPEG && !separate_) {
          TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
          colors = 3;
          break;
        }
        return describe_converted();
      default:
        return describe_converted();
    }
    describe_type();
    if (stored_samples_ < colors) fail("RGB of " + std::to_string(stored_samples_) + " samples");
    const bool palette = photometric_ == PHOTOMETRIC_PALETTE;
    const bool floating = is_floating(samples_.type);
    if (floating && (palette || photometric_ == PHOTOMETRIC_MINISWHITE))
      fail("floating-point samples of this photometric interpretation");
    if (palette && separate_ && stored_samples_ > 1) fail("a palette in planes");

    std::uint16_t extra_count = 0;
    const std::uint16_t* extra = nullptr;
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    const int shown = palette ? 3 : static_cast<int>(colors);
    samples_.channel_of.assign(stored_samples_, -1);
    for (std::size_t i = 0; i < colors; ++i) samples_.channel_of[i] = static_cast<int>(i);
    ColorEncoding color{floating ? Curve::linear : Curve::srgb, 1.0f, floating, {}};
    samples_.channels = shown;
    for (std::size_t i = colors; i < stored_samples_; ++i) {
      const std::size_t k = i - colors;
      if (extra == nullptr || k >= extra_count || extra[k] == EXTRASAMPLE_UNSPECIFIED ||
          samples_.channels != shown)
        continue;
      color.premultiplied = extra[k] == EXTRASAMPLE_ASSOCALPHA;
      samples_.channel_of[i] = samples_.channels++;
    }
    const std::size_t kept = colors + (samples_.channels > shown ? 1 : 0);
    if (kept < stored_samples_)
      tell(options_, *source_,
           std::to_string(stored_samples_ - kept) +
               " samples that are neither colour nor alpha are left out");
    describe_color(color, colors == 1 && !palette);
    // Linear ones hold light times alpha, as floats do; raw ones stay what they are.
    divides_ = color.premultiplied && !floating && !palette &&
               (color.curve == Curve::srgb || color.curve == Curve::gamma);
    if (divides_) color.premultiplied = false;
    if (!floating) make_tables(palette);
    samples_.find_direct();
    return color;
  }

  void describe_type() {
    const auto format = tiff_.field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (format == SAMPLEFORMAT_IEEEFP && (bits_ == 16 || bits_ == 32 || bits_ == 64)) {
      samples_.kind = bits_ == 16   ? StoredSample::half
                      : bits_ == 32 ? StoredSample::f32
                                    : StoredSample::f64;
      samples_.type = bits_ == 16 ? PixelType::half : PixelType::f32;
      return;
    }
    if ((format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) || bits_ < 1 || bits_ > 16)
      fail(std::to_string(bits_) + "-bit samples of format " + std::to_string(format),
           "unsigned integers of 1 to 16 bits, half, float and double are read");
    samples_.bits = bits_;
    // Depths that 8 bits hold exactly stay so.
    samples_.type = 255 % ((1u << bits_) - 1) == 0 ? PixelType::u8 : PixelType::u16;
  }

  void describe_color(ColorEncoding& color, bool grey) {
    if (options_.raw) {
      color.curve = Curve::raw;
      return;
    }
    std::uint32_t size = 0;
    const void* profile = nullptr;
    if (TIFFGetField(tiff_.get(), TIFFTAG_ICCPROFILE, &size, &profile)) {
      IccInterpretation icc =
          interpret_icc({static_cast<const std::byte*>(profile), std::size_t{size}}, grey);
      if (!icc.note.empty()) tell(options_, *source_, icc.note);
      color.primaries = icc.encoding.primaries;
      if (icc.curves && is_floating(samples_.type)) {
        tell(options_, *source_, "tone curves of the ICC profile are not applied to floats");
      } else if (icc.exact || !is_floating(samples_.type)) {
        color.curve = icc.encoding.curve;
        color.gamma = icc.encoding.gamma;
      }
      if (icc.curves && !is_floating(samples_.type)) {
        curves_ = std::move(*icc.curves);
        samples_.type = PixelType::u16;
      }
      return;
    }
    const float *p = nullptr, *w = nullptr;
    if (TIFFGetField(tiff_.get(), TIFFTAG_PRIMARYCHROMATICITIES, &p) &&
        TIFFGetField(tiff_.get(), TIFFTAG_WHITEPOINT, &w))
      color.primaries = Chromaticities{p[0], p[1], p[2], p[3], p[4], p[5], w[0], w[1]};
  }

  void make_tables(bool palette) {
    if (palette) read_palette();
    // Before the curves, the stored values in 16 bits, whatever the image's type.
    TiffSamples wide = samples_;
    wide.type = PixelType::u16;
    for (int c = 0; c < samples_.channels; ++c) {
      const bool alpha = samples_.channels % 2 == 0 && c == samples_.channels - 1;
      const bool inverted = photometric_ == PHOTOMETRIC_MINISWHITE && !alpha;
      // Curves are for what remains when alpha is divided out.
      if (alpha || curves_.empty() || divides_) {
        samples_.tables.push_back(samples_.scaling(inverted));
        continue;
      }
      samples_.tables.push_back(wide.scaling(inverted));
      for (auto& v : samples_.tables.back())
        v = curves_[static_cast<std::size_t>(c) % curves_.size()][v];
    }
  }

  void read_palette() {
    std::uint16_t* maps[3] = {};
    if (!TIFFGetField(tiff_.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
      fail("a palette image without a palette");
    samples_.set_palette({maps[0], maps[1], maps[2]}, curves_);
  }

  // What only libtiff's RGBA interface understands.
  ColorEncoding describe_converted() {
    if (const char* colour = refused_colour(photometric_))
      fail(std::string(colour) + " is not supported",
           "convert it to RGB first, with ImageMagick or vips");
    char why[1024] = "";
    if (!TIFFRGBAImageOK(tiff_.get(), why)) fail(why);
    converted_ = true;
    samples_.channels = 3;
    samples_.type = PixelType::u8;
    tell(options_, *source_,
         "converted to 8-bit sRGB by libtiff (photometric interpretation " +
             std::to_string(photometric_) + ")");
    return {options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}};
  }

  // An uncompressed file says how long it must be; no memory is taken for a shorter one.
  void refuse_short_file() {
    if (compression_ != COMPRESSION_NONE || converted_) return;
    const std::uint64_t bits = static_cast<std::uint64_t>(width_) *
                               static_cast<std::uint64_t>(height_) * stored_samples_ * bits_;
    if (bits / 8 > source_->bytes().size())
      fail("truncated: " + std::to_string(source_->bytes().size()) + " bytes cannot hold " +
           std::to_string(width_) + "x" + std::to_string(height_) + " pixels");
  }

  void describe_rest() {
    TIFF* t = tiff_.get();
    const auto text = [&](std::uint32_t tag, const char* key) {
      const char* value = nullptr;
      if (TIFFGetField(t, tag, &value) && value != nullptr && *value != '\0')
        spec_.metadata[key] = std::string(value);
    };
    for (const TextTag& tag : text_tags()) text(tag.tag, tag.key);
    float x = 0, y = 0;
    if (TIFFGetField(t, TIFFTAG_XRESOLUTION, &x) && TIFFGetField(t, TIFFTAG_YRESOLUTION, &y) &&
        x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y)) {
      if (orientation_.transposes()) std::swap(x, y);
      spec_.pixel_aspect = y / x;
      const auto unit = tiff_.field<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
      constexpr double cm_per_inch = 2.54;
      if (unit == RESUNIT_INCH) spec_.metadata["xDensity"] = static_cast<double>(x);
      if (unit == RESUNIT_CENTIMETER)
        spec_.metadata["xDensity"] = static_cast<double>(x) * cm_per_inch;
    }
    const TIFFCodec* codec = TIFFFindCODEC(compression_);
    facts_["compression"] = codec != nullptr ? std::string(codec->name) : "unknown";
    facts_["bit depth"] = std::int64_t{bits_};
    facts_["layout"] =
        std::string(TIFFIsTiled(t) ? "tiles" : "strips") + (separate_ ? ", planes apart" : "");
    facts_["parts"] = static_cast<std::int64_t>(TIFFNumberOfDirectories(t));
    if (orientation_.exif != 1)
      facts_["orientation"] = "TIFF " + std::to_string(orientation_.exif) + ", applied";
  }

  void put_band(Image& image, RowProgress& progress, int first, int rows,
                std::vector<std::byte>& band, std::size_t stride) {
    for (int i = 0; divides_ && i < rows; ++i) {
      std::byte* row = band.data() + stride * static_cast<std::size_t>(i);
      const auto width = static_cast<std::size_t>(width_);
      make_alpha_straight(row, width, samples_.channels, samples_.type);
      if (!curves_.empty()) apply_curves(row, width);
    }
    place_rows(image, 0, orientation_, static_cast<int>(width_), static_cast<int>(height_), first,
               rows, band.data(), stride);
    if (orientation_.keeps_row_order()) progress.advance(first + rows);
  }

  // To the colours of a row of 16 bits with alpha.
  void apply_curves(std::byte* row, std::size_t pixels) const {
    const auto channels = static_cast<std::size_t>(samples_.channels);
    for (std::size_t p = 0; p < pixels; ++p, row += 2 * channels)
      for (std::size_t c = 0; c + 1 < channels; ++c) {
        std::uint16_t code;
        std::memcpy(&code, row + 2 * c, 2);
        code = curves_[c % curves_.size()][code];
        std::memcpy(row + 2 * c, &code, 2);
      }
  }

  std::size_t planes() const { return separate_ ? stored_samples_ : 1; }
  std::size_t plane_samples() const { return separate_ ? 1 : stored_samples_; }
  std::size_t out_pixel() const { return spec_.layers[0].pixel_bytes(); }

  void read_strips(Image& image, RowProgress& progress) {
    TIFF* t = tiff_.get();
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t stride = width * out_pixel();
    const int height = static_cast<int>(height_);
    std::vector<std::byte> line(static_cast<std::size_t>(TIFFScanlineSize64(t)));
    if (line.size() < samples_.stored_bytes(width, plane_samples()))
      fail("scanlines shorter than the picture is wide");
    // Planes lie apart by strips: whole strips of each are read before the next.
    const auto strip_rows = std::min<std::int64_t>(
        tiff_.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, UINT32_MAX), height_);
    const int band_rows = separate_ ? static_cast<int>(std::max<std::int64_t>(strip_rows, 1)) : 16;
    std::vector<std::byte> band(stride * static_cast<std::size_t>(std::min(band_rows, height)));
    for (int y = 0; y < height; y += band_rows) {
      const int rows = std::min(band_rows, height - y);
      for (std::size_t plane = 0; plane < planes(); ++plane) {
        if (separate_ && samples_.channel_of[plane] < 0) continue;
        for (int i = 0; i < rows; ++i) {
          tiff_.check(TIFFReadScanline(t, line.data(), static_cast<std::uint32_t>(y + i),
                                       static_cast<std::uint16_t>(plane)) >= 0,
                      "a scanline cannot be read");
          samples_.convert(line.data(), width, plane_samples(), plane,
                           band.data() + stride * static_cast<std::size_t>(i));
        }
      }
      put_band(image, progress, y, rows, band, stride);
    }
  }

  void read_tiles(Image& image, RowProgress& progress) {
    TIFF* t = tiff_.get();
    const auto tile_width =
        static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0));
    const auto tile_height =
        static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0));
    const std::uint64_t tile_bytes = TIFFTileSize64(t), tile_row = TIFFTileRowSize64(t);
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    if (tile_width < 1 || tile_height < 1 || tile_bytes == 0 || tile_bytes > largest ||
        tile_row < samples_.stored_bytes(static_cast<std::size_t>(tile_width), plane_samples()))
      fail("tiles of " + std::to_string(tile_width) + "x" + std::to_string(tile_height));
    const std::size_t stride = static_cast<std::size_t>(width_) * out_pixel();
    std::vector<std::byte> tile(static_cast<std::size_t>(tile_bytes));
    std::vector<std::byte> band(stride * static_cast<std::size_t>(std::min(tile_height, height_)));
    for (std::int64_t y = 0; y < height_; y += tile_height) {
      const std::int64_t rows = std::min(tile_height, height_ - y);
      for (std::int64_t x = 0; x < width_; x += tile_width) {
        const auto columns = static_cast<std::size_t>(std::min(tile_width, width_ - x));
        for (std::size_t plane = 0; plane < planes(); ++plane) {
          if (separate_ && samples_.channel_of[plane] < 0) continue;
          tiff_.check(TIFFReadTile(t, tile.data(), static_cast<std::uint32_t>(x),
                                   static_cast<std::uint32_t>(y), 0,
                                   static_cast<std::uint16_t>(plane)) >= 0,
                      "a tile cannot be read");
          for (std::int64_t i = 0; i < rows; ++i)
            samples_.convert(tile.data() + tile_row * static_cast<std::uint64_t>(i), columns,
                             plane_samples(), plane,
                             band.data() + stride * static_cast<std::size_t>(i) +
                                 static_cast<std::size_t>(x) * out_pixel());
        }
      }
      put_band(image, progress, static_cast<int>(y), static_cast<int>(rows), band, stride);
    }
  }

  void read_converted(Image& image) {
    TIFF* t = tiff_.get();
    // Its raster is the whole picture; turning it is this codec's work, not libtiff's.
    TIFFSetField(t, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    const auto width = static_cast<std::size_t>(width_), height = static_cast<std::size_t>(height_);
    std::vector<std::uint32_t> raster(width * height);
    tiff_.check(TIFFReadRGBAImageOriented(t, static_cast<std::uint32_t>(width),
                                          static_cast<std::uint32_t>(height), raster.data(),
                                          ORIENTATION_TOPLEFT, 1) != 0,
                "the pixels cannot be read");
    std::vector<std::byte> row(3 * width);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::uint32_t abgr = raster[y * width + x];
        row[3 * x] = static_cast<std::byte>(TIFFGetR(abgr));
        row[3 * x + 1] = static_cast<std::byte>(TIFFGetG(abgr));
        row[3 * x + 2] = static_cast<std::byte>(TIFFGetB(abgr));
      }
      place_rows(image, 0, orientation_, static_cast<int>(width), static_cast<int>(height),
                 static_cast<int>(y), 1, row.data(), row.size());
    }
  }

  TiffHandle tiff_;
  std::int64_t width_ = 0, height_ = 0;  // as stored
  std::size_t stored_samples_ = 1;
  unsigned bits_ = 8;
  std::uint16_t compression_ = COMPRESSION_NONE, photometric_ = PHOTOMETRIC_MINISBLACK;
  bool separate_ = false, converted_ = false;
  bool divides_ = false;  // encoded colours by alpha
  Orientation orientation_;
  std::vector<std::vector<std::uint16_t>> curves_;
  TiffSamples samples_;
};

}  // namespace

std::unique_ptr<Decoder> open_tiff(std::shared_ptr<const ByteSource> source,
                                   const DecodeOptions& options) {
  return open_flat<TiffDecoder>(std::move(source), options);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Reads TIFF through libtiff: strips and tiles, samples together or in planes, integers of 1 to 16
// and 32 bits, signed integers of 8, 16 and 32 bits, half, float and double, and any compression
// that libtiff supports. YCbCr that is not inside JPEG goes through libtiff's own conversion to
// 8-bit RGB.
#include <optional>
#include <vector>

#include "base/message_text.h"
#include "io/flat_image.h"
#include "io/tags/exif_tree.h"
#include "io/tags/orientation.h"
#include "io/tags/straight_alpha.h"
#include "io/tags/text_tags.h"
#include "io/tags/xmp.h"
#include "io/tiff/tiff_bands.h"
#include "io/tiff/tiff_codec.h"
#include "io/tiff/tiff_color.h"
#include "io/tiff/tiff_handle.h"
#include "io/tiff/tiff_inks.h"
#include "io/tiff/tiff_metadata.h"
#include "io/tiff/tiff_page.h"
#include "io/tiff/tiff_resolution.h"
#include "io/tiff/tiff_samples.h"
#include "io/tiff/tiff_whole.h"

namespace cuimg {
namespace {

class TiffDecoder final : public FlatDecoder {
 public:
  TiffDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options,
              const TiffPage& page)
      : FlatDecoder(std::move(source), options), tiff_(*source_, page.directory), page_(page) {
    tiff_.check(TIFFSetDirectory(tiff_.get(), 0) != 0, "the directory is malformed");
    width_ = static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0));
    height_ = static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0));
    check_size(*source_, width_, height_, options_);
    orientation_.exif = tiff_.field<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
    if (orientation_.exif < 1 || orientation_.exif > 8) orientation_.exif = 1;
    stored_samples_ = tiff_.field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    bits_ = tiff_.field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    compression_ = tiff_.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    photometric_ = tiff_.field<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    separate_ = tiff_planes_apart(tiff_);
    ColorEncoding color = describe_samples();
    refuse_short_file();
    const bool turned = orientation_.transposes();
    spec_ = flat_spec(static_cast<int>(turned ? height_ : width_),
                      static_cast<int>(turned ? width_ : height_),
                      samples_.channels - (inks_ ? 1 : 0), samples_.type, color);
    spec_.part_name = page.name;
    say_what_is_left_out(page);
    name_stored(stored_kind(), samples_.type, orientation_.exif);
    describe_rest();
    for (const std::string& warning : tiff_.warnings()) tell(options_, *source_, warning);
  }

  void read(Image& image, RowProgress& progress) override {
    tiff_.be_strict();
    make_tables();
    if (sums_stored() && samples_.rounds()) samples_.exact_sum = &stored_sum_;
    TurnedRows turned(image, orientation_, static_cast<int>(width_), static_cast<int>(height_));
    const PutBand put = [&](int first, int rows, std::byte* band) {
      put_band(turned, progress, first, rows, band);
    };
    if (converted_)
      read_tiff_as_rgb(tiff_, put);
    else
      read_tiff_page(tiff_, source_->bytes(), page_, samples_, put);
    turned.finish();
    if (has_cut_light_) warn_of_cut_light(options_, *source_, cut_light_warning);
    tiff_.check(true, "");
    progress.finish();
  }
  bool reads_in_order() const override { return orientation_.keeps_row_order(); }
  std::vector<std::string> lost_in_place() const override { return lost_; }

 private:
  // The number of samples in a pixel that are colour, or a palette's index; 0 if only libtiff's
  // RGBA interface understands them.
  std::size_t color_samples() {
    switch (photometric_) {
      case PHOTOMETRIC_MINISBLACK:
      case PHOTOMETRIC_MINISWHITE:
      case PHOTOMETRIC_PALETTE:
        return 1;
      case PHOTOMETRIC_RGB:
        return 3;
      case PHOTOMETRIC_YCBCR:
        if (compression_ != COMPRESSION_JPEG || separate_) return 0;
        TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        return 3;
      default:
        return 0;
    }
  }

  // Fills in samples_ and returns the relation of colour to light.
  ColorEncoding describe_samples() {
    if (stored_samples_ < 1 || stored_samples_ > 1024)
      tiff_.fail(std::to_string(stored_samples_) + " samples a pixel");
    if (auto color = describe_inks()) return *color;
    const std::size_t colors = color_samples();
    if (colors == 0) return describe_converted();
    describe_type();
    if (stored_samples_ < colors)
      tiff_.fail("RGB of " + std::to_string(stored_samples_) + " samples");
    const bool palette = photometric_ == PHOTOMETRIC_PALETTE;
    const bool floating = is_floating(samples_.type);
    if (floating && palette) tiff_.fail(samples_.name() + " cannot be indices of a palette");
    // Libraries disagree here: 1 - x, the value itself, or neither.
    if (floating && photometric_ == PHOTOMETRIC_MINISWHITE)
      tiff_.fail(samples_.name() +
                     " with 0 as white are not supported, since no value is defined as black",
                 "write them with 0 as black (BlackIsZero)");
    if (palette && separate_ && stored_samples_ > 1) tiff_.fail("a palette in planes");

    const std::uint16_t alpha = describe_channels(colors, palette);
    const bool grey = colors == 1 && !palette;
    if (palette) read_palette(false);
    TiffColor color = read_tiff_color(tiff_, samples_.type, grey ? IccPixels::grey : IccPixels::rgb,
                                      *source_, options_);
    ColorEncoding& encoding = color.encoding;
    encoding.premultiplied =
        alpha == EXTRASAMPLE_UNSPECIFIED ? floating : alpha == EXTRASAMPLE_ASSOCALPHA;
    // Linear ones store light times alpha, as floats do; raw ones are not changed.
    if (color.loses_profile) lost_.emplace_back(lost_profile);
    divides_ = encoding.premultiplied && !floating && !palette && encoding.curve != Curve::linear &&
               encoding.curve != Curve::raw;
    if (divides_) encoding.premultiplied = false;
    conversion_ = color.conversion;
    name_profile(color.profile_name);
    if (conversion_) samples_.type = conversion_->type();
    if (palette) read_palette(samples_.type == PixelType::u16);
    if (conversion_ && conversion_->colors_grey()) spread_grey();
    return encoding;
  }

  // CMYK, with a profile if there is one that lcms2 can use.
  std::optional<ColorEncoding> describe_inks() {
    if (photometric_ != PHOTOMETRIC_SEPARATED) return std::nullopt;
    const auto inks = tiff_.field<std::uint16_t>(TIFFTAG_INKSET, INKSET_CMYK);
    if (inks != INKSET_CMYK || stored_samples_ < 4)
      tiff_.fail("inks other than cyan, magenta, yellow and black are not supported",
                 "convert it to RGB first, with ImageMagick or vips");
    describe_type();
    if (is_floating(samples_.type))
      tiff_.fail("CMYK of " + samples_.name() + " is not supported",
                 "CMYK of 1 to 16 bits is read");
    TiffColor color{{Curve::raw, 1.0f, false, {}}, nullptr};
    if (!options_.raw)
      color = read_tiff_color(tiff_, samples_.type, IccPixels::cmyk, *source_, options_);
    if (color.conversion) {
      samples_.type = color.conversion->type();
    } else {
      if (!options_.raw) color.encoding = {Curve::srgb, 1.0f, false, {}};
      tell(options_, *source_,
           std::string(options_.raw ? "CMYK" : "CMYK without a profile") +
               ": R, G and B are the white that the inks leave");
    }
    describe_channels(4, false);
    name_profile(color.profile_name);
    inks_.emplace(color.conversion, samples_.type, samples_.channels == 5);
    return color.encoding;
  }

  // Colours, then the first of the other samples that is alpha; the rest are left out.
  // @returns the kind of that alpha, EXTRASAMPLE_UNSPECIFIED if there is none.
  std::uint16_t describe_channels(std::size_t colors, bool palette) {
    std::uint16_t extra_count = 0, alpha = EXTRASAMPLE_UNSPECIFIED;
    const std::uint16_t* extra = nullptr;
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    samples_.channel_of.assign(stored_samples_, -1);
    for (std::size_t i = 0; i < colors; ++i) samples_.channel_of[i] = static_cast<int>(i);
    samples_.channels = palette ? 3 : static_cast<int>(colors);
    const bool is_guessed = !palette && lacks_word_on_alpha(colors);
    for (std::size_t i = colors; i < stored_samples_ && alpha == EXTRASAMPLE_UNSPECIFIED; ++i) {
      const std::size_t k = i - colors;
      if (!is_guessed &&
          (extra == nullptr || k >= extra_count || extra[k] == EXTRASAMPLE_UNSPECIFIED))
        continue;
      alpha = is_guessed ? EXTRASAMPLE_UNASSALPHA : extra[k];
      samples_.channel_of[i] = samples_.channels++;
    }
    if (is_guessed) {
      facts_["alpha"] = "straight, since no ExtraSamples tag says what it is";
      tell(options_, *source_, "no ExtraSamples tag: the last sample is read as straight alpha");
    }
    const std::size_t kept = colors + (alpha != EXTRASAMPLE_UNSPECIFIED ? 1 : 0);
    if (kept < stored_samples_) {
      leave_out("samples that are neither colour nor alpha are left out: " +
                std::to_string(stored_samples_ - kept) + " a pixel");
      const std::string which = samples_.channel_of[kept - 1] >= 0 ? "the first " : "";
      facts_["samples"] =
          std::to_string(stored_samples_) + ", of which " +
          (kept == 1 ? "the first is read" : which + std::to_string(kept) + " are read");
    }
    return alpha;
  }

  void leave_out(const std::string& what) { add_item(left_out_, what, "; "); }

  void say_what_is_left_out(const TiffPage& page) {
    for (const std::string& what : left_out_of(page)) leave_out(what);
    if (page.is_reduced)
      lost_.emplace_back("a smaller version of a picture, as in pyramids, becomes a page");
    if (page.planes_left_out > 0)
      facts_["planes"] = std::to_string(page.planes_left_out + 1) + ", of which the first is read";
    if (const std::string change = samples_.change(); !change.empty()) lost_.push_back(change);
  }

  // The kind of samples for which different samples can give the same pixels.
  std::string stored_kind() const {
    return inks_                                ? "CMYK"
           : conversion_                        ? "colours of its ICC profile"
           : divides_                           ? "associated alpha"
           : samples_.kind == StoredSample::f64 ? "double"
           : samples_.rounds()                  ? "32-bit integers"
                                                : "";
  }

  // Grey or RGB plus one sample without the tag that describes it, as OpenCV writes alpha. libtiff
  // adds a tag "unspecified" to such a page, so the file itself is checked.
  bool lacks_word_on_alpha(std::size_t colors) const {
    if (colors == 4 || stored_samples_ != colors + 1) return false;
    static constexpr std::uint16_t tag[] = {TIFFTAG_EXTRASAMPLES};
    return read_tiff_fields(source_->bytes(), TIFFCurrentDirOffset(tiff_.get()), tag).empty();
  }

  void describe_type() {
    const auto format = tiff_.field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (samples_.describe(format, bits_)) return;
    tiff_.fail(std::to_string(bits_) + "-bit " +
                   (format == SAMPLEFORMAT_INT    ? "integers with a sign"
                    : format == SAMPLEFORMAT_UINT ? "integers"
                                                  : "samples of format " + std::to_string(format)),
               "integers of 1 to 16 and 32 bits, with a sign of 8, 16 and 32, half, float and "
               "double are read");
  }

  bool is_inverted(int channel) const {
    return photometric_ == PHOTOMETRIC_MINISWHITE && channel == 0;
  }

  // Only for pixels that will be read: thousands of pages may be open.
  void make_tables() {
    for (int c = 0; samples_.kind == StoredSample::integer && c < samples_.channels; ++c)
      samples_.tables.push_back(samples_.scaling(is_inverted(c)));
    samples_.find_direct();
  }

  // Grey that the profile turns into colours, as a palette of R = G = B.
  void spread_grey() {
    for (const std::uint16_t value : samples_.scaling(is_inverted(0)))
      samples_.palette.push_back({value, value, value});
    for (int& channel : samples_.channel_of)
      if (channel > 0) channel += 2;
    samples_.channels += 2;
  }

  // @param wide always as 16 bits.
  void read_palette(bool wide) {
    std::uint16_t* maps[3] = {};
    if (!TIFFGetField(tiff_.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
      tiff_.fail("a palette image without a palette");
    samples_.set_palette({maps[0], maps[1], maps[2]}, wide);
  }

  // For samples that only libtiff's RGBA interface understands.
  ColorEncoding describe_converted() {
    if (const char* color = refused_tiff_color(photometric_))
      tiff_.fail(std::string(color) + " is not supported",
                 "convert it to RGB first, with ImageMagick or vips");
    char why[1024] = "";
    if (!TIFFRGBAImageOK(tiff_.get(), why)) tiff_.fail(why);
    converted_ = true;
    samples_.channels = 3;
    samples_.type = PixelType::u8;
    tell(options_, *source_,
         "converted to 8-bit RGB by libtiff (photometric interpretation " +
             std::to_string(photometric_) + ")");
    const ColorEncoding unknown{options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}};
    if (photometric_ != PHOTOMETRIC_YCBCR) return unknown;
    const TiffColor color =
        read_tiff_color(tiff_, samples_.type, IccPixels::rgb, *source_, options_);
    if (!color.conversion) return color.encoding;
    if (color.conversion->type() != samples_.type) return unknown;
    conversion_ = color.conversion;
    return color.encoding;
  }

  // The size of an uncompressed file is known; no memory is allocated if the file is shorter.
  void refuse_short_file() {
    if (compression_ != COMPRESSION_NONE || converted_) return;
    const std::uint64_t bits = static_cast<std::uint64_t>(width_) *
                               static_cast<std::uint64_t>(height_) * stored_samples_ * bits_;
    if (bits / 8 > source_->bytes().size())
      tiff_.fail("truncated: " + std::to_string(source_->bytes().size()) + " bytes cannot hold " +
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
    for (const std::string& note :
         read_tiff_metadata(source_->bytes(), TIFFCurrentDirOffset(t), spec_.metadata, lost_))
      tell(options_, *source_, note);
    // only the stack's first picture has them
    if (page_.pixels_at != 0 || page_.plane != 0) spec_.metadata.erase("comments");
    read_tiff_resolution(tiff_, orientation_.transposes(), spec_, facts_);
    const TIFFCodec* codec = TIFFFindCODEC(compression_);
    facts_["compression"] = codec != nullptr ? std::string(codec->name) : "unknown";
    facts_["bit depth"] = std::int64_t{bits_};
    if (samples_.is_signed()) facts_["sample format"] = std::string("integers with a sign");
    if (samples_.kind == StoredSample::u32) facts_["sample format"] = std::string("integers");
    if (inks_) facts_[stored_as_fact] = std::string("CMYK");
    facts_["layout"] =
        std::string(TIFFIsTiled(t) ? "tiles" : "strips") + (separate_ ? ", planes apart" : "");
    if (divides_) facts_["alpha"] = std::string(divided_alpha_fact);
    if (orientation_.exif != 1) {
      facts_["orientation"] = "TIFF " + std::to_string(orientation_.exif) + ", applied";
      set_xmp_orientation(spec_.metadata, 1);
    }
  }

  void put_band(TurnedRows& turned, RowProgress& progress, int first, int rows,
                std::byte* band) const {
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t stride =
        width * static_cast<std::size_t>(samples_.channels) * bytes_of(samples_.type);
    for (int i = 0; i < rows; ++i) {
      std::byte* row = band + stride * static_cast<std::size_t>(i);
      if (sums_stored() && samples_.exact_sum == nullptr)
        stored_sum_.add_row(first + i, {row, stride});
      if (divides_ && !make_alpha_straight(row, width, samples_.channels, samples_.type))
        has_cut_light_ = true;
      if (inks_)
        inks_->convert(row, width);
      else if (conversion_)
        conversion_->convert(row, width, samples_.channels);
    }
    turned.add(rows, band, stride);
    if (orientation_.keeps_row_order()) progress.advance(first + rows);
  }

  TiffHandle tiff_;
  const TiffPage page_;
  // in addition to the omissions, if the file will be replaced
  std::vector<std::string> lost_;
  std::int64_t width_ = 0, height_ = 0;  // the size as stored
  std::size_t stored_samples_ = 1;
  unsigned bits_ = 8;
  std::uint16_t compression_ = COMPRESSION_NONE, photometric_ = PHOTOMETRIC_MINISBLACK;
  bool separate_ = false, converted_ = false;
  bool divides_ = false;  // whether encoded colours are divided by alpha
  mutable std::atomic<bool> has_cut_light_ = false;
  Orientation orientation_;
  std::optional<TiffInks> inks_;  // converts CMYK to RGB
  std::shared_ptr<const IccConversion> conversion_;
  TiffSamples samples_;
};

class TiffPages final : public ImageFile {
 public:
  TiffPages(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : source_(std::move(source)), options_(options), pages_(check_tiff_is_whole(*source_)) {}

  int part_count() const override { return static_cast<int>(pages_.size()); }
  PartSummary summary(int part) const override { return {page(part).name, "", ""}; }
  std::unique_ptr<Decoder> open(int part) override {
    return std::make_unique<TiffDecoder>(source_, options_, page(part));
  }

 private:
  const TiffPage& page(int part) const { return pages_[part_index(part, part_count(), *source_)]; }

  const std::shared_ptr<const ByteSource> source_;
  const DecodeOptions options_;
  const std::vector<TiffPage> pages_;
};

}  // namespace

std::unique_ptr<ImageFile> open_tiff(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options) {
  return std::make_unique<TiffPages>(std::move(source), options);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// JPEG through libjpeg-turbo's libjpeg interface, row by row, so that decoding overlaps with later
// steps. It always uses ISLOW and fancy upsampling: the fast variants give other bytes.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/message_text.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/jpeg/jpeg_blocks.h"
#include "io/jpeg/jpeg_cmyk.h"
#include "io/jpeg/jpeg_decompressor.h"
#include "io/jpeg/jpeg_encode.h"
#include "io/jpeg/jpeg_metadata.h"
#include "io/jpeg/jpeg_turn.h"
#include "io/tags/icc.h"
#include "io/tags/orientation.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

constexpr int band_rows = 16;

bool is_jpeg(std::span<const std::byte> head) {
  return head.size() >= 3 && head[0] == std::byte{0xff} && head[1] == std::byte{0xd8} &&
         head[2] == std::byte{0xff};
}

std::uint64_t blocks_of(const jpeg_decompress_struct& info) {
  std::uint64_t blocks = 0;
  for (int i = 0; i < info.num_components; ++i)
    blocks += static_cast<std::uint64_t>(info.comp_info[i].width_in_blocks) *
              info.comp_info[i].height_in_blocks;
  return blocks;
}

// Every block of a Huffman-coded file takes at least one bit. A header that promises more than the
// file can hold is refused before memory is allocated.
bool could_hold_its_blocks(const jpeg_decompress_struct& info, std::size_t file_bytes) {
  return info.arith_code || blocks_of(info) / 8 <= file_bytes;
}

// A usual name if both chroma components have the same factors, and K those of luma; otherwise the
// factors of all.
std::string sampling_of(const jpeg_decompress_struct& info) {
  const auto factors = [&](int i) {
    return std::pair(info.comp_info[i].h_samp_factor, info.comp_info[i].v_samp_factor);
  };
  const auto text = [](std::pair<int, int> of) {
    return std::to_string(of.first) + "x" + std::to_string(of.second);
  };
  const auto luma = factors(0), chroma = factors(1);
  const bool is_usual = factors(2) == chroma && (info.num_components == 3 || factors(3) == luma);
  if (is_usual && luma.first % chroma.first == 0 && luma.second % chroma.second == 0) {
    const std::pair ratio(luma.first / chroma.first, luma.second / chroma.second);
    return ratio == std::pair(2, 2)   ? "4:2:0"
           : ratio == std::pair(2, 1) ? "4:2:2"
           : ratio == std::pair(1, 1) ? "4:4:4"
                                      : text(ratio);
  }
  std::string all = text(luma);
  for (int i = 1; i < info.num_components; ++i) all += "," + text(factors(i));
  return all;
}

class JpegDecoder final : public FlatDecoder {
 public:
  JpegDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options) {
    Decompressor jpeg;
    if (!jpeg.read_header(source_->bytes())) fail(jpeg);
    width_ = static_cast<int>(jpeg.info.image_width);
    height_ = static_cast<int>(jpeg.info.image_height);
    check_size(*source_, width_, height_, options_);
    if (!could_hold_its_blocks(jpeg.info, source_->bytes().size()))
      throw Error(source_->name(), "JPEG: " + std::to_string(source_->bytes().size()) +
                                       " bytes cannot hold " + size_text(width_, height_) +
                                       " pixels; the file is truncated");
    choose_colors(jpeg.info);
    orientation_ = read_jpeg_metadata(source_->bytes(), texts_);
    const ColorEncoding color = take_profile(jpeg.markers);
    if (jpeg.errors.note[0] != '\0') tell(options_, *source_, jpeg.errors.note);
    note_files_behind(jpeg.markers);
    note_unknown();
    make_spec(jpeg.info, conversion_ ? conversion_->type() : PixelType::u8, color);
    const std::string inks = adobe_ ? "CMYK of Adobe" : "CMYK";
    name_stored(colors_ == JCS_CMYK ? inks
                : conversion_       ? "colours of its ICC profile"
                                    : "",
                PixelType::u8, orientation_.exif);
    if (jpeg_has_multiple_scans(&jpeg.info))
      held_bytes_ = static_cast<std::size_t>(blocks_of(jpeg.info)) * sizeof(JBLOCK);
    if (!conversion_ && colors_ != JCS_CMYK) block_bytes_ = jpeg_block_bytes(jpeg.info);
  }

  void read(Image& image, RowProgress& progress) override {
    Decompressor jpeg;
    if (!jpeg.read_header(source_->bytes()) || !jpeg.start(colors_)) fail(jpeg);
    const bool direct = is_direct();
    const std::size_t stored_row =
        static_cast<std::size_t>(width_) * (colors_ == JCS_CMYK ? 4u : unsigned(channels_));
    std::vector<unsigned char> band(direct ? 0 : stored_row * band_rows);
    TurnedRows turned(image, orientation_, width_, height_);
    for (int y = 0; y < height_; y += band_rows) {
      const int count = std::min(band_rows, height_ - y);
      unsigned char* rows[band_rows];
      for (int i = 0; i < count; ++i)
        rows[i] = direct ? reinterpret_cast<unsigned char*>(image.row(0, y + i))
                         : band.data() + stored_row * static_cast<std::size_t>(i);
      if (!jpeg.read(rows, count)) fail(jpeg);
      if (sums_stored())
        for (int i = 0; i < count; ++i)
          stored_sum_.add_row(y + i, std::as_bytes(std::span(rows[i], stored_row)));
      if (!direct) put(turned, count, band);
      if (orientation_.keeps_row_order()) progress.advance(y + count);
    }
    warn_of_stray_bytes(jpeg);
    turned.finish();
    progress.finish();
  }

  bool reads_in_order() const override { return orientation_.keeps_row_order(); }
  std::size_t held_bytes() const override { return held_bytes_; }

  std::vector<std::string> lost_in_place() const override { return lost_; }
  std::vector<std::string> lost_when_decoded() const override { return lost_when_decoded_; }
  std::vector<std::string> notes_of_read() const override { return notes_of_read_; }
  std::size_t block_bytes() const override { return block_bytes_; }
  std::optional<DctImage> read_blocks() override {
    if (block_bytes_ == 0) return std::nullopt;
    auto blocks = read_jpeg_blocks(source_->bytes());
    if (blocks) blocks->editable_layout().turn = orientation_.turn();
    return blocks;
  }

  std::optional<TurnedFile> turned(int orientation, const Spec& turned,
                                   bool keeps_unknown) const override {
    // Blocks would ignore the profile, for which the options request a conversion.
    if (conversion_ && options_.icc != IccRendering{}) return std::nullopt;
    JpegUnknown unknown = keeps_unknown ? unknown_ : JpegUnknown();
    if (keeps_unknown && lost_.empty()) unknown.behind = behind_picture(source_->bytes());
    const Orientation turn = both(orientation_, {orientation});
    const bool moves = turn.exif != 1;
    if (auto bytes = turn_jpeg(source_->bytes(), turn, turned, moves ? JpegUnknown() : unknown)) {
      TurnedFile file{std::move(*bytes)};
      if (moves && !unknown.is_empty())
        (is_warning(unknown) ? file.warnings : file.notes).push_back(note_of(unknown));
      return file;
    }
    if (orientation != 1 || orientation_.exif == 1) return std::nullopt;
    if (auto bytes = keep_jpeg(source_->bytes(), orientation_, turned, unknown))
      return TurnedFile{std::move(*bytes), orientation_.exif};
    return std::nullopt;
  }

 private:
  // Whether decoded rows are the image's rows without further steps.
  bool is_direct() const { return orientation_.exif == 1 && !conversion_ && colors_ != JCS_CMYK; }

  [[noreturn]] void fail(const Decompressor& jpeg) const {
    const std::string problem = std::string("JPEG: ") + jpeg.problem();
    throw Error(source_->name(), problem,
                jpeg.is_cut_short() ? "the file is truncated; copy it again, or save what it has "
                                      "with jpegtran -copy all"
                                    : "");
  }

  // A decoder with damaged codes goes through them at a different pace, and may finish early.
  void warn_of_stray_bytes(const Decompressor& jpeg) const {
    if (jpeg.errors.stray_bytes == 0) return;
    const std::string warning =
        "stray bytes lie between its last block and its end: the file may be damaged";
    if (options_.replaces_file)
      throw Error(source_->name(), "JPEG: " + warning, "write to another file");
    warn(options_, *source_, warning);
  }

  void choose_colors(const jpeg_decompress_struct& info) {
    adobe_ = info.saw_Adobe_marker != FALSE;
    const J_COLOR_SPACE stored = info.jpeg_color_space;
    if (stored == JCS_GRAYSCALE) {
      colors_ = JCS_GRAYSCALE;
      channels_ = 1;
    } else if (stored == JCS_CMYK || stored == JCS_YCCK) {
      colors_ = JCS_CMYK;
    } else if (stored != JCS_RGB && stored != JCS_YCbCr) {
      throw Error(source_->name(), "JPEG: " + std::to_string(info.num_components) + " components",
                  "grey, RGB, YCbCr, CMYK and YCCK are read");
    }
  }

  static std::string note_of(const JpegUnknown& unknown) {
    return "blocks that are valid only for the original file are left out: " + unknown.names();
  }
  bool is_warning(const JpegUnknown& unknown) const {
    return options_.replaces_file && unknown.has_credentials();
  }

  void note_unknown() {
    unknown_ = unknown_in_jpeg(source_->bytes());
    JpegUnknown all = unknown_;
    // Finding the picture's end takes reading the whole file, which is read anyway in this case.
    if (options_.replaces_file && lost_.empty()) all.behind = behind_picture(source_->bytes());
    if (all.is_empty()) return;
    notes_of_read_.push_back(note_of(all));
    (is_warning(all) ? warn : tell)(options_, *source_, notes_of_read_.back());
  }

  void note_files_behind(const JpegMarkers& markers) {
    std::string files;
    if (const Blob* packet = find_entry<Blob>(texts_, xmp_key))
      files = appended_files(text_of_bytes(*packet));
    std::string note;
    if (!files.empty())
      note = files + " behind the picture is left out";
    else if (markers.has_more_pictures())
      note = "the file lists several pictures (MPF); only the first is read";
    if (note.empty()) return;
    tell(options_, *source_, note);
    lost_.push_back(std::move(note));
  }

  // How the pixels relate to light, with or without a profile.
  ColorEncoding take_profile(const JpegMarkers& markers) {
    const IccPixels pixels = colors_ == JCS_CMYK ? IccPixels::cmyk
                             : channels_ == 1    ? IccPixels::grey
                                                 : IccPixels::rgb;
    IccInterpretation icc =
        interpret_pixels(markers.profile(), pixels, options_.raw, options_.icc, PixelType::u8);
    if (markers.has_broken_profile()) {
      icc.refused = !options_.raw;  // --raw would ignore a whole one too
      icc.note = std::string("the segments of its ICC profile do not form a whole one") +
                 (options_.raw ? "" : "; sRGB is assumed");
    }
    conversion_ = icc.conversion;
    name_profile(icc.name);
    if (conversion_ && conversion_->colors_grey()) {
      colors_ = JCS_RGB;
      channels_ = 3;
    }
    tell_of_profile(options_, *source_, icc.note, icc.refused);
    if (!icc.note.empty()) notes_of_read_.push_back(icc.note);
    if (icc.refused)
      lost_when_decoded_.emplace_back("its ICC profile, which is not used, is left out");
    if (colors_ == JCS_CMYK && !conversion_) {
      notes_of_read_.emplace_back("CMYK is converted to RGB without an ICC profile");
      tell(options_, *source_, notes_of_read_.back());
    }
    return icc.encoding;
  }

  void make_spec(const jpeg_decompress_struct& info, PixelType type, const ColorEncoding& color) {
    const bool turned = orientation_.transposes();
    spec_ = flat_spec(turned ? height_ : width_, turned ? width_ : height_, channels_, type, color);
    spec_.metadata = std::move(texts_);
    spec_.storage.format = "jpeg";
    double x = info.X_density, y = info.Y_density;
    if (turned) std::swap(x, y);
    if (info.saw_JFIF_marker && x > 0 && y > 0) {
      spec_.pixel_aspect = static_cast<float>(y / x);
      constexpr double cm_per_inch = 2.54;
      if (info.density_unit == 1) spec_.metadata["xDensity"] = x;
      if (info.density_unit == 2) spec_.metadata["xDensity"] = x * cm_per_inch;
    }
    facts_["compression"] = std::string(info.progressive_mode ? "progressive" : "sequential") +
                            (info.arith_code ? ", arithmetic" : "");
    facts_["bit depth"] = std::int64_t{8};
    if (colors_ == JCS_CMYK) facts_[stored_as_fact] = std::string("CMYK");
    if (channels_ == 3 && info.num_components >= 3) facts_["sampling"] = sampling_of(info);
    if (orientation_.exif != 1)
      facts_["orientation"] = "EXIF " + std::to_string(orientation_.exif) + ", applied";
  }

  // Converts a band of stored rows by the profile.
  void put_converted(TurnedRows& turned, int count, const std::vector<unsigned char>& band) const {
    const auto width = static_cast<std::size_t>(width_);
    const bool inks = colors_ == JCS_CMYK;
    const std::size_t stored = width * (inks ? 4 : unsigned(channels_));
    const std::size_t bytes = bytes_of(conversion_->type()), stride = bytes * stored;
    std::vector<std::byte> rows(stride * static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // Adobe's files store 255 minus the ink. In 16 bits v becomes 257 v.
      const unsigned char value = band[i / bytes];
      rows[i] = static_cast<std::byte>(inks && adobe_ ? 255 - value : value);
    }
    for (std::size_t at = 0; at < rows.size(); at += stride) {
      std::byte* const row = rows.data() + at;
      if (inks)
        conversion_->convert_cmyk(row, width, row);
      else
        conversion_->convert(row, width, channels_);
    }
    turned.add(count, rows.data(), stride);
  }

  // From a band of stored rows to the image's pixels.
  void put(TurnedRows& turned, int count, std::vector<unsigned char>& band) const {
    if (conversion_) return put_converted(turned, count, band);
    const std::size_t samples = static_cast<std::size_t>(width_) * unsigned(channels_);
    if (colors_ == JCS_CMYK) {
      for (int i = 0; i < count; ++i) {
        unsigned char* row = band.data() + static_cast<std::size_t>(i) * 4 * unsigned(width_);
        rgb_of_cmyk(row, adobe_, width_, row);  // in place: three bytes never overtake four
        std::memmove(band.data() + static_cast<std::size_t>(i) * samples, row, samples);
      }
    }
    turned.add(count, reinterpret_cast<const std::byte*>(band.data()), samples);
  }

  int width_ = 0, height_ = 0, channels_ = 3;
  std::size_t block_bytes_ = 0, held_bytes_ = 0;
  J_COLOR_SPACE colors_ = JCS_RGB;
  bool adobe_ = false;
  Orientation orientation_;
  Metadata texts_;  // the metadata of segments
  JpegUnknown unknown_;
  std::vector<std::string> lost_;  // only filled if the file will be replaced
  std::vector<std::string> lost_when_decoded_, notes_of_read_;
  std::shared_ptr<const IccConversion> conversion_;
};

}  // namespace

Codec jpeg_codec() {
  const std::vector<std::string_view> compressions = {
      "420", "422", "444", "420-progressive", "422-progressive", "444-progressive"};
  return {
      .name = "jpeg",
      .description = "JPEG",
      .extensions = {"jpg", "jpeg", "jpe", "jfif"},
      .sniff = is_jpeg,
      .open = open_flat<JpegDecoder>,
      .capabilities = {.types = {PixelType::u8},
                       .grey = true,
                       .describes = icc_describes,
                       .keeps = jpeg_keeps,
                       .densities = jpeg_densities,
                       .loses = jpeg_loses,
                       .pixel_aspect = true,
                       .exif_thumbnail = true,
                       .lossy = compressions,
                       .default_quality = 90},
      .compressions = compressions,
      .write = encode_jpeg,
      .held_bytes = jpeg_held_bytes,
      .block_layout = jpeg_block_layout,
      .write_blocks = encode_jpeg_blocks,
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Photoshop PSD and PSB, read through stb_image. stb_image supports RGB of 8 bits, and of 16 bits
// without compression, and it removes white from colours with a conversion that is undefined in C
// for dark ones. So it is given some rows of one channel at a time, as a grey picture of bytes. It
// only unpacks them, only a part of the picture is in memory twice, and every kind of file is
// handled in the same way.
#include <algorithm>
#include <limits>
#include <vector>

#include "base/bytes.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/stb/psd_file.h"
#include "io/stb/stb_read.h"
#include "io/tags/icc.h"

namespace cuimg {
namespace {

bool is_psd(std::span<const std::byte> head) {
  return head.size() >= 26 && begins_with(head, "8BPS");
}

// The header of a PSD with one 8-bit channel, up to its rows.
std::vector<std::byte> rows_header(std::uint64_t row_bytes, int rows, bool run_length) {
  std::vector<std::byte> out;
  const auto put = [&](std::uint64_t value, std::size_t bytes) {
    append_number(out, value, bytes, true);
  };
  put(0x38425053, 4), put(1, 2), put(0, 6), put(1, 2);
  put(static_cast<std::uint64_t>(rows), 4), put(row_bytes, 4);
  put(8, 2), put(3, 2);             // stb_image only reads the mode RGB
  put(0, 4), put(0, 4), put(0, 4);  // no palette, resources and layers
  put(run_length ? 1 : 0, 2);
  // stb_image does not read them
  if (run_length) out.resize(out.size() + 2 * static_cast<std::size_t>(rows));
  return out;
}

// Photoshop stores the colours of a transparent picture as they look on white. Where alpha is 0 the
// colour is unknown. Computed and rounded as in ImageMagick, always in 16 bits.
template <class T>
void take_white_out(T* pixel, int colors) {
  constexpr T full = std::numeric_limits<T>::max();
  constexpr double most = 65535.0, scale = 1.0 / most;
  constexpr std::uint32_t widen = 65535u / full;
  const T alpha = pixel[colors];
  if (alpha == 0 || alpha == full) return;
  const double covered = scale * (alpha * widen);
  for (int c = 0; c < colors; ++c) {
    const double color = (pixel[c] * widen - (1.0 - covered) * most) / covered;
    const auto wide = static_cast<std::uint32_t>(std::max(0.0, color));
    pixel[c] = static_cast<T>(widen == 1 ? wide : (wide + 128 - ((wide + 128) >> 8)) >> 8);
  }
}

// On white, no colour can be darker than the white that alpha leaves, except for rounding: a darker
// pixel shows that the program stored its colours unchanged.
template <class T>
bool is_on_white(const T* pixel, int colors) {
  constexpr int full = std::numeric_limits<T>::max(), rounding = full / 255;
  return std::all_of(pixel, pixel + colors,
                     [&](T color) { return color + pixel[colors] + rounding >= full; });
}

class PsdDecoder final : public FlatDecoder {
 public:
  PsdDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), file_(*source_, options) {
    channels_ = file_.colors() + (file_.has_transparency() ? 1 : 0);
    const IccInterpretation icc = interpret_pixels(
        file_.icc_profile(), file_.colors() == 1 ? IccPixels::grey : IccPixels::rgb, options_.raw,
        options_.icc, file_.bits() == 16 ? PixelType::u16 : PixelType::u8);
    conversion_ = icc.conversion;
    name_profile(icc.name);
    if (conversion_ && conversion_->colors_grey()) {
      copies_ = 3;
      channels_ += 2;
    }
    tell_of_profile(options_, *source_, icc.note, icc.refused);
    const bool wide = file_.bits() == 16 || (conversion_ && conversion_->type() == PixelType::u16);
    spec_ = flat_spec(file_.width(), file_.height(), channels_,
                      wide ? PixelType::u16 : PixelType::u8, icc.encoding);
    spec_.metadata = file_.metadata();
    describe();
  }

  void read(Image& image, RowProgress& progress) override {
    // All rows together decide whether colours contain white.
    bool takes_white_out = channels_ == 4 && file_.colors() == 3 && !options_.raw;
    if (takes_white_out) {
      for_each_strip([&](int first, int rows) { read_rows(image, first, rows); });
      takes_white_out = is_picture_on_white(image);
      if (!takes_white_out)
        tell(options_, *source_, "colours are stored as they are, not as they look on white");
      for (int y = 0; y < file_.height(); ++y) resolve(image.row(0, y), takes_white_out);
    } else {
      for_each_strip([&](int first, int rows) {
        read_rows(image, first, rows);
        for (int i = 0; i < rows; ++i) resolve(image.row(0, first + i), false);
        progress.advance(first + rows);
      });
    }
    progress.finish();
  }

 private:
  void describe() {
    facts_["variant"] = std::string(file_.is_large() ? "PSB" : "PSD");
    facts_["bits"] = std::int64_t{file_.bits()};
    facts_["compression"] = std::string(file_.run_length() ? "rle" : "none");
    facts_["layers"] = std::int64_t{file_.layers()};
    if (file_.layers() > 1)
      tell(
          options_, *source_,
          "only the merged picture is read, not its " + std::to_string(file_.layers()) + " layers");
    const int others = file_.stored_channels() - (channels_ - copies_ + 1);
    if (others > 0)
      tell(options_, *source_,
           others == 1 ? "a channel that is neither colour nor transparency is left out"
                       : std::to_string(others) +
                             " channels that are neither colour nor transparency are left out");
  }

  template <class Work>
  void for_each_strip(Work work) const {
    constexpr std::uint64_t strip_bytes = 1 << 16;
    const auto strip = std::max<std::uint64_t>(1, strip_bytes / file_.row_bytes());
    for (int y = 0; y < file_.height(); y += static_cast<int>(strip))
      work(y, std::min(static_cast<int>(strip), file_.height() - y));
  }

  void read_rows(Image& image, int first, int rows) const {
    for (int c = 0; c < channels_; ++c) read_channel(image, c, first, rows);
  }

  void read_channel(Image& image, int channel, int first, int rows) const {
    const int stored = std::max(0, channel - (copies_ - 1));
    const std::vector<std::byte> header = rows_header(file_.row_bytes(), rows, file_.run_length());
    const std::span<const std::byte> pieces[] = {header, file_.rows(stored, first, rows)};
    const auto read = read_by_stb(pieces);
    if (const auto* problem = std::get_if<std::string>(&read))
      throw Error(source_->name(), "PSD: channel " + std::to_string(stored) + ", rows from " +
                                       std::to_string(first) + ": " + *problem);
    const std::uint8_t* from = std::get<StbPixels>(read).rgba.get();
    const auto width = static_cast<std::size_t>(file_.width());
    const auto step = static_cast<std::size_t>(channels_);
    for (int i = 0; i < rows; ++i) {
      if (spec_.layers[0].type == PixelType::u8) {
        auto* to = reinterpret_cast<std::uint8_t*>(image.row(0, first + i)) + channel;
        for (std::size_t x = 0; x < width; ++x, from += 4) to[x * step] = *from;
        continue;
      }
      auto* to = reinterpret_cast<std::uint16_t*>(image.row(0, first + i)) + channel;
      const bool stored_wide = file_.bits() == 16;
      for (std::size_t x = 0; x < width; ++x, from += stored_wide ? 8 : 4)
        to[x * step] =
            static_cast<std::uint16_t>(stored_wide ? from[0] << 8 | from[4] : from[0] * 257);
    }
  }

  template <class Work>
  void for_each_pixel(std::byte* row, Work work) const {
    const std::size_t end = 4 * static_cast<std::size_t>(file_.width());
    for (std::size_t i = 0; i < end; i += 4) {
      if (spec_.layers[0].type == PixelType::u8)
        work(reinterpret_cast<std::uint8_t*>(row) + i);
      else
        work(reinterpret_cast<std::uint16_t*>(row) + i);
    }
  }

  bool is_picture_on_white(Image& image) const {
    bool all = true;
    for (int y = 0; all && y < file_.height(); ++y)
      for_each_pixel(image.row(0, y), [&](auto* pixel) { all = all && is_on_white(pixel, 3); });
    return all;
  }

  // Grey is left as stored, as in other programs.
  void resolve(std::byte* row, bool takes_white_out) const {
    if (takes_white_out) for_each_pixel(row, [](auto* pixel) { take_white_out(pixel, 3); });
    if (conversion_) conversion_->convert(row, static_cast<std::size_t>(file_.width()), channels_);
  }

  PsdFile file_;
  int channels_ = 0;
  int copies_ = 1;  // of the first channel: for grey that becomes colour
  std::shared_ptr<const IccConversion> conversion_;
};

}  // namespace

Codec psd_codec() {
  return {
      .name = "psd",
      .description = "Photoshop PSD",
      .extensions = {"psd", "psb"},
      .sniff = is_psd,
      .open = open_flat<PsdDecoder>,
      .capabilities = {.types = {PixelType::u8, PixelType::u16}, .alpha = true, .grey = true},
      .instead = "tiff",
  };
}

}  // namespace cuimg

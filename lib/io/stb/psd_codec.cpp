// SPDX-License-Identifier: Apache-2.0
// Photoshop PSD and PSB, read through stb_image. That knows RGB of 8 bits, and 16 where they are
// not compressed, and takes white out of colours by a conversion that C leaves undefined for dark
// ones. So it gets some rows of one channel at a time, as a grey picture of bytes: it unpacks them,
// a part of the picture lies in memory twice, and every kind of file goes the same way.
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

// A PSD of one 8-bit channel up to its rows.
std::vector<std::byte> rows_header(std::uint64_t row_bytes, int rows, bool run_length) {
  std::vector<std::byte> out;
  const auto put = [&](std::uint64_t value, std::size_t bytes) {
    append_number(out, value, bytes, true);
  };
  put(0x38425053, 4), put(1, 2), put(0, 6), put(1, 2);
  put(static_cast<std::uint64_t>(rows), 4), put(row_bytes, 4);
  put(8, 2), put(3, 2);             // stb_image reads no other mode than RGB
  put(0, 4), put(0, 4), put(0, 4);  // no palette, resources and layers
  put(run_length ? 1 : 0, 2);
  if (run_length) out.resize(out.size() + 2 * static_cast<std::size_t>(rows));  // are not looked at
  return out;
}

// Photoshop stores the colours of a transparent picture as they look on white. Where alpha is 0
// nothing else is known of them. Rounded down, as ImageMagick and stb_image do; colours darker than
// white could make them become black.
template <class T>
void take_white_out(T* pixel, int colors) {
  constexpr std::uint64_t full = std::numeric_limits<T>::max();
  const std::uint64_t alpha = pixel[colors];
  if (alpha == 0 || alpha == full) return;
  for (int c = 0; c < colors; ++c) {
    const std::uint64_t darker = ((full - pixel[c]) * full + alpha - 1) / alpha;
    pixel[c] = static_cast<T>(full - std::min(full, darker));
  }
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
    if (conversion_ && conversion_->colors_grey()) {
      copies_ = 3;
      channels_ += 2;
    }
    if (!icc.note.empty()) tell(options_, *source_, icc.note);
    const bool wide = file_.bits() == 16 || (conversion_ && conversion_->type() == PixelType::u16);
    spec_ = flat_spec(file_.width(), file_.height(), channels_,
                      wide ? PixelType::u16 : PixelType::u8, icc.encoding);
    spec_.metadata = file_.metadata();
    if (file_.dots_per_inch()) spec_.metadata["xDensity"] = *file_.dots_per_inch();
    describe();
  }

  void read(Image& image, RowProgress& progress) override {
    constexpr std::uint64_t strip_bytes = 1 << 16;
    const int height = file_.height();
    const int strip = static_cast<int>(std::max<std::uint64_t>(1, strip_bytes / file_.row_bytes()));
    for (int y = 0; y < height; y += strip) {
      const int rows = std::min(strip, height - y);
      for (int c = 0; c < channels_; ++c) read_channel(image, c, y, rows);
      for (int i = 0; i < rows; ++i) resolve(image.row(0, y + i));
      progress.advance(y + rows);
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
      tell(options_, *source_,
           "the merged picture is read, not its " + std::to_string(file_.layers()) + " layers");
    const int others = file_.stored_channels() - (channels_ - copies_ + 1);
    if (others > 0)
      tell(options_, *source_,
           others == 1 ? "a channel that is neither colour nor transparency is left out"
                       : std::to_string(others) +
                             " channels that are neither colour nor transparency are left out");
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

  // Grey is left as it is stored, as other programs leave it.
  void resolve(std::byte* row) const {
    const auto width = static_cast<std::size_t>(file_.width());
    if (channels_ == 4 && file_.colors() == 3 && !options_.raw)
      for (std::size_t i = 0; i < width; ++i) {
        if (spec_.layers[0].type == PixelType::u8)
          take_white_out(reinterpret_cast<std::uint8_t*>(row) + 4 * i, 3);
        else
          take_white_out(reinterpret_cast<std::uint16_t*>(row) + 4 * i, 3);
      }
    if (conversion_) conversion_->convert(row, width, channels_);
  }

  PsdFile file_;
  int channels_ = 0;
  int copies_ = 1;  // of the first channel: grey that becomes colours
  std::shared_ptr<const IccConversion> conversion_;
};

}  // namespace

Codec psd_codec() {
  Codec codec{"psd", "Photoshop PSD", {"psd", "psb"}, is_psd, open_flat<PsdDecoder>, {},
              {},    nullptr};
  codec.instead = "tiff";
  codec.capabilities.types = {PixelType::u8, PixelType::u16};
  codec.capabilities.grey = true;
  codec.capabilities.alpha = true;
  return codec;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// GIF: each part is a frame as it appears, drawn over the previous frames.
#include <cstring>

#include "base/bytes.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/gif/gif_canvas.h"
#include "io/successive_parts.h"
#include "io/tags/icc.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

bool is_gif(std::span<const std::byte> head) {
  return begins_with(head, "GIF87a") || begins_with(head, "GIF89a");
}

class GifDecoder final : public Decoder {
 public:
  /// @param icc of the file's pixels.
  GifDecoder(std::shared_ptr<GifCanvas> canvas, int frame, const IccInterpretation& icc)
      : canvas_(std::move(canvas)), frame_(frame), conversion_(icc.conversion), profile_(icc.name) {
    const GifFile& file = canvas_->file();
    spec_ = flat_spec(file.width, file.height, file.is_opaque() ? 3 : 4,
                      conversion_ ? conversion_->type() : PixelType::u8, icc.encoding);
    spec_.pixel_aspect = file.pixel_aspect;
    const GifFrame& stored = file.frames[static_cast<std::size_t>(frame)];
    if (file.frames.size() > 1) spec_.metadata["gif:delay_ms"] = std::int64_t{stored.delay_ms};
    if (file.loop) spec_.metadata["gif:loop"] = std::int64_t{*file.loop};
    if (!file.xmp.empty()) spec_.metadata[xmp_key] = file.xmp;
    if (!file.comment.empty()) spec_.metadata["comments"] = file.comment;
  }
  const Spec& spec() const override { return spec_; }
  Metadata file_facts() const override {
    static constexpr const char* disposals[] = {"keep", "clear", "restore"};
    const GifFile& file = canvas_->file();
    const GifFrame& stored = file.frames[static_cast<std::size_t>(frame_)];
    const Rect& place = stored.place;
    Metadata facts;
    facts["place"] = std::to_string(place.width) + "x" + std::to_string(place.height) + "+" +
                     std::to_string(place.x) + "+" + std::to_string(place.y);
    facts["disposal"] = std::string(disposals[static_cast<int>(stored.disposal)]);
    if (stored.interlaced) facts["interlaced"] = "yes";
    if (!profile_.empty()) facts[profile_fact] = profile_;
    return facts;
  }
  void read(Image& image, RowProgress& progress) override {
    const bool in_order = reads_in_order();
    canvas_->show(frame_, [&](int y, const std::uint32_t* row) {
      store(row, image.row(0, y));
      if (!in_order) return;
      convert(image.row(0, y));
      progress.advance(y + 1);
    });
    // Not while this frame keeps others from the canvas.
    if (!in_order)
      for (int y = 0; y < spec_.data_window.height; ++y) convert(image.row(0, y));
    progress.finish();
  }
  bool reads_in_order() const override { return canvas_->shows_rows_as_decoded(); }
  std::size_t held_bytes() const override { return canvas_->held_bytes(); }

 private:
  std::size_t channels() const { return static_cast<std::size_t>(spec_.layers[0].channel_count()); }
  void convert(std::byte* row) const {
    if (conversion_)
      conversion_->convert(row, static_cast<std::size_t>(spec_.data_window.width),
                           spec_.layers[0].channel_count());
  }

  // For a conversion to 16 bits, v becomes 257 v.
  void store(const std::uint32_t* row, std::byte* to) const {
    const bool is_wide = spec_.layers[0].type == PixelType::u16;
    for (int x = 0; x < spec_.data_window.width; ++x, ++row) {
      std::byte rgba[sizeof *row];
      std::memcpy(rgba, row, sizeof rgba);
      for (std::size_t c = 0; c < channels(); ++c) {
        *to++ = rgba[c];
        if (is_wide) *to++ = rgba[c];
      }
    }
  }

  std::shared_ptr<GifCanvas> canvas_;
  int frame_;
  std::shared_ptr<const IccConversion> conversion_;
  std::string profile_;  ///< The profile's description.
  Spec spec_;
};

class GifImages final : public ImageFile, public SuccessiveParts {
 public:
  GifImages(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : source_(source),
        canvas_(std::make_shared<GifCanvas>(source, read_gif_file(source, options))),
        icc_(interpret_pixels(canvas_->file().icc_profile, IccPixels::rgb, options.raw, options.icc,
                              PixelType::u8)) {
    tell_of_profile(options, *source, icc_.note, icc_.refused);
  }
  int part_count() const override { return static_cast<int>(canvas_->file().frames.size()); }
  std::unique_ptr<Decoder> open(int part) override {
    part_index(part, part_count(), *source_);
    return std::make_unique<GifDecoder>(canvas_, part, icc_);
  }
  void keep_latest(std::size_t most_bytes) override { canvas_->keep_latest(most_bytes); }

 private:
  const std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<GifCanvas> canvas_;
  IccInterpretation icc_;
};

std::unique_ptr<ImageFile> open_gif(std::shared_ptr<const ByteSource> source,
                                    const DecodeOptions& options) {
  return std::make_unique<GifImages>(std::move(source), options);
}

}  // namespace

Codec gif_codec() {
  return {
      .name = "gif",
      .description = "GIF",
      .extensions = {"gif"},
      .sniff = is_gif,
      .capabilities = {.types = {PixelType::u8}, .alpha = true},
      .instead = "png",
      .open_file = open_gif,
  };
}

}  // namespace cuimg

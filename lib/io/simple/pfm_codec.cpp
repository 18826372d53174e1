// SPDX-License-Identifier: Apache-2.0
// Portable float map: three lines of header, then floats from the bottom row up.
#include <bit>
#include <cstring>

#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/simple/text_header.h"

namespace cuimg {
namespace {

bool is_pfm(std::span<const std::byte> head) {
  if (head.size() < 3 || head[0] != std::byte{'P'}) return false;
  const bool colored = head[1] == std::byte{'F'};
  if (!colored && head[1] != std::byte{'f'}) return false;
  const std::size_t next = colored && head[2] == std::byte{'4'} ? 3 : 2;
  return next < head.size() && is_space(std::to_integer<char>(head[next]));
}

class PfmDecoder final : public FlatDecoder {
 public:
  PfmDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options) {
    ByteReader in(*source_, "PFM");
    const std::string magic = read_word(in, false);
    const int channels = magic == "PF" ? 3 : magic == "PF4" ? 4 : 1;
    const int width = read_size(in, true), height = read_size(in, true);
    const std::string scale_word = read_word(in, true);
    const auto scale = parse_number<double>(scale_word);
    if (!scale || *scale == 0) in.fail("'" + scale_word + "' is not a scale");
    big_endian_ = *scale > 0;
    check_size(*source_, width, height, options_);
    spec_ = flat_spec(width, height, channels, PixelType::f32,
                      {options_.raw ? Curve::raw : Curve::linear, 1.0f, true, {}});
    // The scale's magnitude has no agreed meaning; common readers leave values as stored.
    facts_["scale"] = *scale;
    facts_["byte order"] = big_endian_ ? "big-endian" : "little-endian";
    pixels_ = in.take(spec_.pixel_bytes());
  }

  void read(Image& image, RowProgress& progress) override {
    const std::size_t row_bytes = image.row_bytes(0);
    const int height = spec_.data_window.height;
    for (int y = 0; y < height; ++y) {
      const auto stored =
          pixels_.subspan(static_cast<std::size_t>(height - 1 - y) * row_bytes, row_bytes);
      std::byte* row = image.row(0, y);
      if (big_endian_ == (std::endian::native == std::endian::big)) {
        std::memcpy(row, stored.data(), row_bytes);
      } else {
        for (std::size_t i = 0; i < row_bytes; ++i) row[i] = stored[i ^ 3];
      }
      if (y % 64 == 63) progress.advance(y + 1);
    }
    progress.finish();
  }

 private:
  bool big_endian_ = false;
  std::span<const std::byte> pixels_;
};

void encode_pfm(const Image& image, const EncodeOptions&, RowProgress& ready, ByteSink& sink) {
  const LayerSpec& layer = encodable_layer(image.spec(), pfm_codec());
  const Rect window = image.spec().data_window;
  const std::string header = std::string(layer.channel_count() == 1 ? "Pf\n" : "PF\n") +
                             std::to_string(window.width) + " " + std::to_string(window.height) +
                             "\n-1.0\n";
  sink.write(std::as_bytes(std::span(header)));
  static_assert(std::endian::native == std::endian::little);
  write_bottom_up(sink, window.height, image.row_bytes(0), ready, [&](int y, std::byte* to) {
    std::memcpy(to, image.row(0, window.y + y), image.row_bytes(0));
  });
}

}  // namespace

Codec pfm_codec() {
  return {
      .name = "pfm",
      .description = "Portable float map",
      .extensions = {"pfm"},
      .sniff = is_pfm,
      .open = open_flat<PfmDecoder>,
      .capabilities = {.types = {PixelType::f32}, .grey = true},
      .compressions = {"none"},
      .write = encode_pfm,
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Softimage PIC, read through stb_image. This code reads the header first: stb_image allocates
// memory for the stated size, however little data follows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "base/bytes.h"
#include "io/byte_reader.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/stb/stb_read.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr std::size_t comment_at = 8, comment_bytes = 80, size_at = 92;

bool is_pic(std::span<const std::byte> head) {
  return head.size() >= size_at && begins_with(head, "\x53\x80\xf6\x34") &&
         begins_with(head.subspan(88), "PICT");
}

class PicDecoder final : public FlatDecoder {
 public:
  PicDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), in_(*source_, "PIC") {
    read_comment();
    in_.seek(size_at);
    const std::uint32_t width = in_.u16be(), height = in_.u16be();
    check_size(*source_, width, height, options_);
    const float aspect = std::bit_cast<float>(in_.u32be());  // width divided by height
    in_.take(4);                                             // the fields, and two unused bytes
    const bool alpha = read_packets(width, height);
    spec_ = flat_spec(static_cast<int>(width), static_cast<int>(height), alpha ? 4 : 3,
                      PixelType::u8, {options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}});
    spec_.storage.format = softimage_codec().name;
    if (aspect > 1e-3f && aspect < 1e3f) spec_.pixel_aspect = aspect;
    if (!comment_.empty()) spec_.metadata["comments"] = comment_;
  }

  void read(Image& image, RowProgress& progress) override {
    const std::span<const std::byte> whole[] = {source_->bytes()};
    const auto read = read_by_stb(whole);
    if (const auto* problem = std::get_if<std::string>(&read)) in_.fail(*problem);
    const StbPixels& pixels = std::get<StbPixels>(read);
    const Rect& window = spec_.data_window;
    if (pixels.width != window.width || pixels.height != window.height)
      in_.fail("stb_image reads another size");
    const auto channels = static_cast<std::size_t>(spec_.layers[0].channel_count());
    const std::uint8_t* from = pixels.rgba.get();
    for (int y = 0; y < window.height; ++y) {
      std::byte* to = image.row(0, y);
      for (int x = 0; x < window.width; ++x, from += 4, to += channels)
        std::memcpy(to, from, channels);
    }
    progress.finish();
  }

 private:
  void read_comment() {
    in_.seek(comment_at);
    const auto bytes = in_.take(comment_bytes);
    const char* text = reinterpret_cast<const char*>(bytes.data());
    comment_.assign(text, std::find(text, text + bytes.size(), '\0'));
    while (!comment_.empty() && (comment_.back() == ' ' || comment_.back() == '\n'))
      comment_.pop_back();
  }

  // The channels and their compression. @returns whether there is alpha.
  bool read_packets(std::uint64_t width, std::uint64_t height) {
    constexpr std::uint32_t pure = 1, mixed = 2, color_bits = 0xe0, alpha_bit = 0x10;
    std::uint32_t all = 0;
    std::uint64_t row_bytes = 0;  // the least size
    for (bool more = true; more;) {
      more = in_.u8() != 0;
      const std::uint32_t bits = in_.u8(), type = in_.u8(), channels = in_.u8();
      const auto values = static_cast<unsigned>(std::popcount(channels & (color_bits | alpha_bit)));
      if (bits != 8) in_.fail(std::to_string(bits) + " bits a channel", "8 are read");
      if (type > mixed) in_.fail("packets of type " + std::to_string(type), "0 to 2 are read");
      if (values == 0) in_.fail("a packet of no channel");
      all |= channels;
      row_bytes += type == mixed  ? 1 + values
                   : type == pure ? ceil_div(width, 255) * (1 + values)
                                  : width * values;
      facts_["compression"] = std::string(type == mixed  ? "mixed rle"
                                          : type == pure ? "pure rle"
                                                         : "none");
    }
    if ((all & color_bits) == 0) in_.fail("no colour");
    in_.require(row_bytes * height);
    return (all & alpha_bit) != 0;
  }

  ByteReader in_;
  std::string comment_;
};

}  // namespace

Codec softimage_codec() {
  return {
      .name = "softimage",
      .description = "Softimage PIC",
      .extensions = {"si"},
      .sniff = is_pic,
      .open = open_flat<PicDecoder>,
      .capabilities = {.types = {PixelType::u8}, .alpha = true},
      .instead = "png",
      .shared_extension = "pic",  // because ".pic" already means Radiance HDR here
  };
}

}  // namespace cuimg

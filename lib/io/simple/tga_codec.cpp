// SPDX-License-Identifier: Apache-2.0
// Truevision TGA: all types of the 2.0 specification except interleaved ones. The format has no
// signature, so a file is recognised by every field of the header being plausible.
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "io/byte_reader.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/tags/orientation.h"
#include "io/tags/straight_alpha.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

struct Header {
  unsigned id_length, map_type, type, map_first, map_length, map_bits;
  unsigned width, height, bits, descriptor;

  bool run_length() const { return type >= 8; }
  unsigned kind() const { return type & 7; }  // 1 colour-mapped, 2 colour, 3 grey
  unsigned attribute_bits() const { return descriptor & 15; }
};

constexpr bool is_color_depth(unsigned bits) {
  return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

Header read_header(ByteReader& in) {
  Header h{};
  h.id_length = in.u8();
  h.map_type = in.u8();
  h.type = in.u8();
  h.map_first = in.u16le();
  h.map_length = in.u16le();
  h.map_bits = in.u8();
  in.take(4);  // the image's position on the screen
  h.width = in.u16le();
  h.height = in.u16le();
  h.bits = in.u8();
  h.descriptor = in.u8();
  return h;
}

bool plausible(const Header& h) {
  const unsigned kind = h.kind();
  if (h.type > 11 || kind < 1 || kind > 3 || h.map_type > 1) return false;
  if (h.width == 0 || h.height == 0 || (h.descriptor & 0xc0) != 0 || h.attribute_bits() > 8)
    return false;
  if (h.map_type == 1 ? !(is_color_depth(h.map_bits) || h.map_bits == 8) || h.map_length == 0
                      : h.map_first != 0 || h.map_length != 0)
    return false;
  if (kind == 1) return h.map_type == 1 && (h.bits == 8 || h.bits == 16);
  if (kind == 3) return h.bits == 8 || h.bits == 16;
  return is_color_depth(h.bits);
}

bool is_tga(std::span<const std::byte> head) {
  if (head.size() < 18) return false;
  const auto source = ByteSource::from_memory(head.first(18), "");
  ByteReader in(*source, "TGA");
  return plausible(read_header(in));
}

// TGA 2.0's footer may point to an extension area that gives the type of alpha.
std::optional<unsigned> attribute_type(std::span<const std::byte> file) {
  constexpr std::string_view signature("TRUEVISION-XFILE.\0", 18);
  if (file.size() < 26) return std::nullopt;
  const auto footer = file.last(26);
  if (!begins_with(footer.subspan(8), signature)) return std::nullopt;
  const std::uint64_t offset = number_at(footer, 0, 4, false);
  if (offset == 0 || offset + 495 > file.size()) return std::nullopt;
  return std::to_integer<unsigned>(file[static_cast<std::size_t>(offset) + 494]);
}

class TgaDecoder final : public FlatDecoder {
 public:
  TgaDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), in_(*source_, "TGA") {
    header_ = read_header(in_);
    if (!plausible(header_)) in_.fail("the header is malformed");
    check_size(*source_, header_.width, header_.height, options_);
    in_.take(header_.id_length);
    const unsigned color_bits = header_.kind() == 1 ? header_.map_bits : header_.bits;
    stored_bytes_ = (header_.bits + 7) / 8;
    color_bytes_ = (color_bits + 7) / 8;
    if (header_.map_type == 1) map_ = in_.take(header_.map_length * ((header_.map_bits + 7) / 8));

    const auto attribute = attribute_type(source_->bytes());
    const bool room_for_alpha =
        header_.kind() == 3 ? color_bits == 16 : color_bits == 16 || color_bits == 32;
    // A colour map's entries have alpha if they have 32 bits; the attribute bits then refer to the
    // indices.
    const bool declared = header_.kind() == 1 ? color_bits == 32 : header_.attribute_bits() > 0;
    // Each packet of the run-length code gives at most 128 pixels.
    const std::uint64_t pixels = std::uint64_t{header_.width} * header_.height;
    in_.require(header_.run_length() ? ceil_div(pixels, 128) * (1 + stored_bytes_)
                                     : pixels * stored_bytes_);
    const bool undeclared = !declared && !attribute && color_bits == 32 && uses_fourth_bytes();
    if (undeclared)
      tell(options_, *source_,
           "the header does not mention alpha; the fourth bytes are read as alpha");
    const bool alpha =
        undeclared || (room_for_alpha && declared && (!attribute || *attribute >= 3));
    // A colour map with entries of one byte contains greys.
    channels_ = (header_.kind() == 3 || color_bits == 8 ? 1 : 3) + (alpha ? 1 : 0);
    const bool premultiplied = attribute == 4u;
    divides_ = premultiplied && alpha && !options_.raw;
    spec_ = flat_spec(
        static_cast<int>(header_.width), static_cast<int>(header_.height), channels_, PixelType::u8,
        {options_.raw ? Curve::raw : Curve::srgb, 1.0f, premultiplied && !divides_, {}});
    if (divides_) name_stored("associated alpha", PixelType::u8, header_.descriptor & 0x30);
    facts_["compression"] = header_.run_length() ? "rle" : "none";
    facts_["bits"] = std::int64_t{header_.bits};
    if (divides_) facts_["alpha"] = std::string(divided_alpha_fact);
  }

  void read(Image& image, RowProgress& progress) override {
    const int width = spec_.data_window.width, height = spec_.data_window.height;
    const bool from_right = (header_.descriptor & 0x10) != 0;
    const Orientation orientation{reads_in_order() ? (from_right ? 2 : 1) : (from_right ? 3 : 4)};
    const std::uint64_t pixels_at = in_.position();
    std::vector<std::byte> stored(static_cast<std::size_t>(width) * stored_bytes_);
    std::vector<std::byte> row(image.row_bytes(0));
    TurnedRows turned(image, orientation, width, height);
    bool cuts_light = false;
    for (int y = 0; y < height; ++y) {
      if (!header_.run_length()) {
        const int as_stored = is_from_top() ? y : height - 1 - y;
        in_.seek(pixels_at + stored.size() * static_cast<std::uint64_t>(as_stored));
      }
      read_stored(stored);
      for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x)
        expand(stored.data() + x * stored_bytes_,
               row.data() + x * static_cast<std::size_t>(channels_));
      if (sums_stored()) stored_sum_.add_row(y, row);
      if (divides_ && !make_alpha_straight(row.data(), static_cast<std::size_t>(width), channels_,
                                           PixelType::u8))
        cuts_light = true;
      turned.add(1, row.data(), row.size());
      if (reads_in_order() && y % 64 == 63) progress.advance(y + 1);
    }
    turned.finish();
    if (cuts_light) warn_of_cut_light(options_, *source_, cut_light_warning);
    progress.finish();
  }
  // Runs must be read in the file's order, usually from the bottom row up; other rows can be read
  // in any order.
  bool reads_in_order() const override { return is_from_top() || !header_.run_length(); }

 private:
  bool is_from_top() const { return (header_.descriptor & 0x20) != 0; }

  // Many writers store alpha but leave the header's number of alpha bits at 0; others store zeros.
  bool uses_fourth_bytes() {
    const std::uint64_t pixels_at = in_.position();
    std::vector<std::byte> row(std::size_t{header_.width} * stored_bytes_);
    bool any = false;
    for (unsigned y = 0; y < header_.height && !any; ++y) {
      read_stored(row);
      for (std::size_t i = 3; i < row.size(); i += 4) any = any || row[i] != std::byte{0};
    }
    in_.seek(pixels_at);
    left_ = 0;
    return any;
  }

  // A row as stored; packets may continue from row to row.
  void read_stored(std::span<std::byte> row) {
    if (!header_.run_length()) {
      std::memcpy(row.data(), in_.take(row.size()).data(), row.size());
      return;
    }
    for (std::size_t at = 0; at < row.size(); at += stored_bytes_, --left_) {
      if (left_ == 0) {
        const unsigned packet = in_.u8();
        left_ = (packet & 127) + 1;
        repeating_ = (packet & 128) != 0;
        if (repeating_) repeated_ = in_.take(stored_bytes_);
      }
      const auto pixel = repeating_ ? repeated_ : in_.take(stored_bytes_);
      std::memcpy(row.data() + at, pixel.data(), stored_bytes_);
    }
  }

  void expand(const std::byte* stored, std::byte* out) const {
    if (header_.kind() == 3) {
      for (int c = 0; c < channels_; ++c) out[c] = stored[c];
      return;
    }
    if (header_.kind() == 1) {
      std::uint32_t index = std::to_integer<std::uint32_t>(stored[0]);
      if (stored_bytes_ == 2) index |= std::to_integer<std::uint32_t>(stored[1]) << 8;
      if (index < header_.map_first || index - header_.map_first >= header_.map_length)
        in_.fail("colour " + std::to_string(index) + " is not in the colour map");
      stored = map_.data() + (index - header_.map_first) * color_bytes_;
    }
    if (color_bytes_ == 1) {
      out[0] = stored[0];
      return;
    }
    if (color_bytes_ == 2) {
      const unsigned packed =
          std::to_integer<unsigned>(stored[0]) | std::to_integer<unsigned>(stored[1]) << 8;
      for (unsigned c = 0; c < 3; ++c) {
        const unsigned five = packed >> (10 - 5 * c) & 31;
        out[c] = static_cast<std::byte>((five * 255 + 15) / 31);  // rounded to nearest
      }
      if (channels_ == 4) out[3] = static_cast<std::byte>((packed & 0x8000) != 0 ? 255 : 0);
      return;
    }
    out[0] = stored[2];
    out[1] = stored[1];
    out[2] = stored[0];
    if (channels_ == 4) out[3] = stored[3];
  }

  ByteReader in_;
  Header header_{};
  unsigned stored_bytes_ = 0, color_bytes_ = 0;
  int channels_ = 3;
  std::span<const std::byte> map_, repeated_;
  unsigned left_ = 0;
  bool repeating_ = false, divides_ = false;
};

// Packets end at the end of the row, as the specification requires.
void pack_row(const std::vector<std::byte>& row, std::size_t pixel, std::vector<std::byte>& out) {
  const std::size_t count = row.size() / pixel;
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::memcmp(&row[a * pixel], &row[b * pixel], pixel) == 0;
  };
  for (std::size_t x = 0; x < count;) {
    std::size_t end = x + 1;
    if (end < count && same(x, end)) {
      while (end < count && end - x < 128 && same(x, end)) ++end;
      out.push_back(static_cast<std::byte>(128 + (end - x - 1)));
      out.insert(out.end(), &row[x * pixel], &row[x * pixel] + pixel);
    } else {
      while (end < count && end - x < 128 && !(end + 1 < count && same(end, end + 1))) ++end;
      out.push_back(static_cast<std::byte>(end - x - 1));
      out.insert(out.end(), row.begin() + static_cast<std::ptrdiff_t>(x * pixel),
                 row.begin() + static_cast<std::ptrdiff_t>(end * pixel));
    }
    x = end;
  }
}

void encode_tga(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink) {
  const int channels = encodable_layer(image.spec(), tga_codec()).channel_count();
  const bool run_length = options.compression == "rle";
  const Rect window = image.spec().data_window;
  if (window.width > 65535 || window.height > 65535)
    throw Error("tga", "the image is larger than the format's 65535 pixels a side");
  // Grey with alpha is written as colour: few programs read TGA's own form of it.
  const bool grey = channels == 1, alpha = channels % 2 == 0;
  const std::size_t pixel = bgr_pixel_bytes(channels);
  std::vector<std::byte> out(18);
  out[2] = static_cast<std::byte>((grey ? 3 : 2) + (run_length ? 8 : 0));
  put_number(std::span(out).subspan(12, 2), static_cast<std::uint64_t>(window.width), false);
  put_number(std::span(out).subspan(14, 2), static_cast<std::uint64_t>(window.height), false);
  out[16] = static_cast<std::byte>(pixel * 8);
  out[17] = static_cast<std::byte>(0x20 | (alpha ? 8 : 0));  // from the top
  sink.write(out);

  std::vector<std::byte> row(static_cast<std::size_t>(window.width) * pixel);
  for (int y = 0; y < window.height; ++y) {
    ready.wait_for(y + 1);
    copy_as_bgr(image.row(0, window.y + y), channels, window.width, row.data());
    ready.release(y + 1);
    if (!run_length) {
      sink.write(row);
      continue;
    }
    out.clear();
    pack_row(row, pixel, out);
    sink.write(out);
  }
}

}  // namespace

Codec tga_codec() {
  return {
      .name = "tga",
      .description = "Truevision TGA",
      .extensions = {"tga", "vda", "icb", "vst"},
      .sniff = is_tga,
      .open = open_flat<TgaDecoder>,
      .capabilities = {.types = {PixelType::u8}, .alpha = true, .grey = true},
      .compressions = {"rle", "none"},
      .write = encode_tga,
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Netpbm's formats: reads P1 to P6 and PAM (P7), writes P5, P6 and PAM. An extension determines the
// format, since readers of .ppm expect P6. For .pnm the channels determine it.
#include <cstring>
#include <vector>

#include "base/utf8.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/simple/text_header.h"

namespace cuimg {
namespace {

bool is_pnm(std::span<const std::byte> head) {
  return head.size() >= 3 && head[0] == std::byte{'P'} && head[1] >= std::byte{'1'} &&
         head[1] <= std::byte{'7'} &&
         (is_space(std::to_integer<char>(head[2])) || head[2] == std::byte{'#'});
}

class PnmDecoder final : public FlatDecoder {
 public:
  PnmDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), in_(*source_, "PNM") {
    in_.u8();
    kind_ = static_cast<int>(in_.u8()) - '0';
    if (kind_ == 7) {
      read_pam_header();
    } else {
      width_ = read_size(in_, true);
      height_ = read_size(in_, true);
      channels_ = kind_ % 3 == 0 ? 3 : 1;
      maximum_ = kind_ == 1 || kind_ == 4 ? 1 : read_size(in_, true);
    }
    if (maximum_ > 65535)
      in_.fail("maxval " + std::to_string(maximum_) + " is out of range", "1 to 65535 are read");
    check_size(*source_, width_, height_, options_);
    // Values that 8 bits represent exactly remain 8 bits; others become 16 bits.
    const PixelType type = 255 % maximum_ == 0 ? PixelType::u8 : PixelType::u16;
    spec_ = flat_spec(width_, height_, channels_, type,
                      {options_.raw ? Curve::raw : Curve::srgb, 1.0f, false, {}});
    facts_["variant"] = "P" + std::to_string(kind_);
    facts_["maxval"] = std::int64_t{maximum_};
    in_.require(least_bytes());
    note_more_pictures();
  }

  void read(Image& image, RowProgress& progress) override {
    for (int y = 0; y < height_; ++y) {
      if (spec_.layers[0].type == PixelType::u8)
        read_row(reinterpret_cast<std::uint8_t*>(image.row(0, y)), 255);
      else
        read_row(reinterpret_cast<std::uint16_t*>(image.row(0, y)), 65535);
      if (y % 64 == 63) progress.advance(y + 1);
    }
    progress.finish();
  }

 private:
  std::uint64_t samples_in_row() const {
    return static_cast<std::uint64_t>(width_) * static_cast<std::uint64_t>(channels_);
  }
  bool is_text() const { return kind_ <= 3; }
  std::uint64_t sample_bytes() const { return maximum_ > 255 ? 2 : 1; }

  // The least size of the pixels, so that a short file is refused before memory is allocated.
  std::uint64_t least_bytes() const {
    const auto height = static_cast<std::uint64_t>(height_);
    if (kind_ == 1) return samples_in_row() * height;
    if (is_text()) return samples_in_row() * height * 2 - 1;  // one digit and one space each
    if (kind_ == 4) return (samples_in_row() + 7) / 8 * height;
    return samples_in_row() * height * sample_bytes();
  }

  // Text files hold one picture; others may be concatenated.
  void note_more_pictures() {
    if (is_text()) return;
    const auto behind = source_->bytes().subspan(in_.position() + least_bytes());
    if (is_pnm(behind)) left_out_ = "more pictures follow; only the first is read";
  }

  void read_pam_header() {
    width_ = height_ = channels_ = maximum_ = 0;
    read_line(in_);
    for (;;) {
      const std::string line = read_line(in_);
      const std::size_t space = line.find_first_of(" \t");
      const std::string key = line.substr(0, space);
      if (key.empty() || key[0] == '#' || key == "TUPLTYPE") continue;
      if (key == "ENDHDR") break;
      std::string_view rest(line);
      rest.remove_prefix(space == std::string::npos ? line.size() : space);
      while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
      while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
      int* target = key == "WIDTH"    ? &width_
                    : key == "HEIGHT" ? &height_
                    : key == "DEPTH"  ? &channels_
                    : key == "MAXVAL" ? &maximum_
                                      : nullptr;
      const auto value = parse_number<int>(rest);
      if (target == nullptr || !value || *value < 1) in_.fail("header line '" + line + "'");
      *target = *value;
    }
    if (width_ == 0 || height_ == 0 || channels_ == 0 || maximum_ == 0)
      in_.fail("the PAM header lacks WIDTH, HEIGHT, DEPTH or MAXVAL");
    if (channels_ > 4) in_.fail("DEPTH " + std::to_string(channels_), "1 to 4 are read");
  }

  // One sample as text. White space is optional between the bits of P1.
  int read_text_sample() {
    char c = static_cast<char>(in_.u8());
    while (is_space(c) || c == '#') {
      while (c == '#')
        for (c = static_cast<char>(in_.u8()); c != '\n';) c = static_cast<char>(in_.u8());
      c = static_cast<char>(in_.u8());
    }
    if (kind_ == 1) {
      if (c != '0' && c != '1') in_.fail("a bit that is neither 0 nor 1");
      return c - '0';
    }
    int value = 0;
    for (;;) {
      if (!is_digit(c)) in_.fail("a sample that is not a number");
      value = value * 10 + (c - '0');
      if (value > maximum_) break;
      // The last number of a file need not be followed by white space.
      if (in_.remaining() == 0) break;
      c = static_cast<char>(in_.u8());
      if (is_space(c)) break;
    }
    return value;
  }

  template <class T>
  void read_row(T* row, unsigned full) {
    const std::size_t count = static_cast<std::size_t>(samples_in_row());
    if (kind_ == 4) {
      const auto packed = in_.take((count + 7) / 8);
      for (std::size_t i = 0; i < count; ++i) {
        const bool black = (packed[i / 8] >> (7 - i % 8) & std::byte{1}) != std::byte{0};
        row[i] = static_cast<T>(black ? 0 : full);
      }
      return;
    }
    std::span<const std::byte> stored;
    if (!is_text()) stored = in_.take(count * sample_bytes());
    if (sizeof(T) == 1 && maximum_ == 255 && !is_text()) {
      std::memcpy(row, stored.data(), count);
      return;
    }
    const auto maximum = static_cast<unsigned>(maximum_);
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned value = is_text() ? static_cast<unsigned>(read_text_sample())
                             : sample_bytes() == 1
                                 ? std::to_integer<unsigned>(stored[i])
                                 : std::to_integer<unsigned>(stored[2 * i]) << 8 |
                                       std::to_integer<unsigned>(stored[2 * i + 1]);
      if (value > maximum)
        in_.fail("sample " + std::to_string(value) + " is above maxval " + std::to_string(maximum));
      const unsigned scaled = (value * full + maximum / 2) / maximum;  // rounded to nearest
      row[i] = static_cast<T>(kind_ == 1 ? full - scaled : scaled);
    }
  }

  ByteReader in_;
  int kind_ = 0, width_ = 0, height_ = 0, channels_ = 0, maximum_ = 0;
};

enum class Kind { by_channels, pgm, ppm, pam };

Codec codec_of(Kind kind);

std::string header_of(bool pam, int channels, const Rect& window, const std::string& maximum) {
  const std::string width = std::to_string(window.width), height = std::to_string(window.height);
  if (!pam) return (channels == 1 ? "P5\n" : "P6\n") + width + " " + height + "\n" + maximum + "\n";
  constexpr const char* tuples[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
  return "P7\nWIDTH " + width + "\nHEIGHT " + height + "\nDEPTH " + std::to_string(channels) +
         "\nMAXVAL " + maximum + "\nTUPLTYPE " + tuples[channels - 1] + "\nENDHDR\n";
}

template <Kind kind>
void encode_pnm(const Image& image, const EncodeOptions&, RowProgress& ready, ByteSink& sink) {
  const LayerSpec& layer = encodable_layer(image.spec(), codec_of(kind));
  const Rect window = image.spec().data_window;
  const int channels = layer.channel_count();
  const std::string header = header_of(kind == Kind::pam || channels % 2 == 0, channels, window,
                                       layer.type == PixelType::u8 ? "255" : "65535");
  sink.write(std::as_bytes(std::span(header)));
  std::vector<std::byte> swapped(image.row_bytes(0));
  for (int y = 0; y < window.height; ++y) {
    ready.wait_for(y + 1);
    const std::byte* row = image.row(0, window.y + y);
    if (layer.type == PixelType::u8) {
      sink.write({row, image.row_bytes(0)});
    } else {
      for (std::size_t i = 0; i < swapped.size(); ++i) swapped[i] = row[i ^ 1];  // big-endian
      sink.write(swapped);
    }
    ready.release(y + 1);
  }
}

Codec variant(std::string_view name, std::string_view description, decltype(Codec::write) encode) {
  return {
      .name = name,
      .description = description,
      .extensions = {name},
      .sniff = is_pnm,
      .open = open_flat<PnmDecoder>,
      .capabilities = {.types = {PixelType::u8, PixelType::u16}},
      .compressions = {"none"},
      .write = encode,
  };
}

Codec codec_of(Kind kind) {
  Codec codec = kind == Kind::pgm   ? variant("pgm", "PGM", encode_pnm<Kind::pgm>)
                : kind == Kind::ppm ? variant("ppm", "PPM", encode_pnm<Kind::ppm>)
                : kind == Kind::pam
                    ? variant("pam", "PAM", encode_pnm<Kind::pam>)
                    : variant("pnm", "Netpbm (PBM, PGM, PPM, PAM)", encode_pnm<Kind::by_channels>);
  codec.capabilities.grey = kind != Kind::ppm;
  codec.capabilities.color = kind != Kind::pgm;
  codec.capabilities.alpha = kind == Kind::pam || kind == Kind::by_channels;
  return codec;
}

}  // namespace

Codec pnm_codec() {
  Codec codec = codec_of(Kind::by_channels);
  codec.extensions = {"pnm", "pam", "ppm", "pgm", "pbm"};
  Codec bits = variant("pbm", "PBM", nullptr);
  bits.instead = "pgm";
  codec.variants = {codec_of(Kind::pgm), codec_of(Kind::ppm), codec_of(Kind::pam), bits};
  return codec;
}

}  // namespace cuimg

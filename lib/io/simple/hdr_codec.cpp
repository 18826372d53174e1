// SPDX-License-Identifier: Apache-2.0
// Radiance HDR: a text header, then RGBE or XYZE scanlines (Ward, "Real Pixels", 1991, and
// Radiance's color.c for the two run-length codes).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/bytes.h"
#include "io/codecs.h"
#include "io/flat_image.h"
#include "io/simple/hdr_lines.h"
#include "io/simple/rgbe.h"
#include "io/simple/text_header.h"
#include "io/tags/orientation.h"

namespace cuimg {
namespace {

constexpr const char* exposure_key = "hdr:EXPOSURE";

bool is_hdr(std::span<const std::byte> head) {
  return begins_with(head, "#?RADIANCE") || begins_with(head, "#?RGBE");
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

class HdrDecoder final : public FlatDecoder {
 public:
  HdrDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : FlatDecoder(std::move(source), options), in_(*source_, "HDR") {
    read_line(in_);
    ColorEncoding color{options_.raw ? Curve::raw : Curve::linear, 1.0f, true, {}};
    double exposure = 1, aspect = 1;
    Metadata entries;
    for (std::string line = read_line(in_); !line.empty(); line = read_line(in_)) {
      const std::size_t equals = line.find('=');
      if (take_hdr_line(line, entries)) continue;
      read_variable(line.substr(0, equals), words(line.substr(equals + 1)), color, exposure,
                    aspect);
    }
    read_resolution(words(read_line(in_)));
    check_size(*source_, width_, height_, options_);
    // The shortest scanline is one pixel that is repeated; the new run-length code takes more.
    in_.require(static_cast<std::uint64_t>(height_) * 4);
    const bool turned = orientation_.transposes();
    if (xyz_ && !options_.raw) color.primaries.reset();
    spec_ =
        flat_spec(turned ? height_ : width_, turned ? width_ : height_, 3, PixelType::f32, color);
    spec_.pixel_aspect = static_cast<float>(turned ? aspect : 1 / aspect);
    spec_.metadata = std::move(entries);
    if (exposure != 1) spec_.metadata.emplace(exposure_key, exposure);
    facts_["format"] = xyz_ ? "XYZE" : "RGBE";
    if (orientation_.exif != 1) facts_["orientation"] = "resolved from the resolution line";
  }

  void read(Image& image, RowProgress& progress) override {
    const auto width = static_cast<std::size_t>(width_);
    std::vector<Rgbe> line(width);
    std::vector<float> row(width * 3);
    TurnedRows turned(image, orientation_, width_, height_);
    for (int y = 0; y < height_; ++y) {
      read_scanline(line);
      for (std::size_t x = 0; x < width; ++x) {
        decode_rgbe(line[x], &row[3 * x]);
        if (xyz_ && !options_.raw) xyz_to_rgb(&row[3 * x]);
      }
      turned.add(1, reinterpret_cast<const std::byte*>(row.data()), row.size() * sizeof(float));
      if (orientation_.keeps_row_order() && y % 16 == 15) progress.advance(y + 1);
    }
    turned.finish();
    progress.finish();
  }
  bool reads_in_order() const override { return orientation_.keeps_row_order(); }

 private:
  void read_variable(const std::string& key, const std::vector<std::string>& values,
                     ColorEncoding& color, double& exposure, double& aspect) {
    const auto number = [&](std::size_t i) {
      const auto value = parse_number<double>(i < values.size() ? values[i] : "");
      if (!value) in_.fail("header line " + key + "= is malformed");
      return *value;
    };
    if (key == "FORMAT") {
      const std::string format = values.empty() ? "" : values[0];
      if (format != "32-bit_rle_rgbe" && format != "32-bit_rle_xyze")
        in_.fail("FORMAT=" + format, "32-bit_rle_rgbe and 32-bit_rle_xyze are read");
      xyz_ = format == "32-bit_rle_xyze";
    } else if (key == "EXPOSURE") {
      exposure *= number(0);  // several exposures multiply
    } else if (key == "COLORCORR") {
      tell(options_, *source_, "its COLORCORR (a colour correction) is left out");
    } else if (key == "PIXASPECT") {
      aspect *= number(0);  // height divided by width
      // An EXR's aspect, which becomes this, is from 1e-6 to 1e6 before rounding.
      if (!(aspect > 0.9e-6 && aspect < 1.1e6)) in_.fail("PIXASPECT is out of range");
    } else if (key == "PRIMARIES") {
      std::array<float, 8> xy{};
      for (std::size_t i = 0; i < xy.size(); ++i) xy[i] = static_cast<float>(number(i));
      color.primaries = Chromaticities{xy[0], xy[1], xy[2], xy[3], xy[4], xy[5], xy[6], xy[7]};
    } else if (const std::string note = "its header line " + key + "= is left out"; note != last_) {
      tell(options_, *source_, last_ = note);
    }
  }

  // "-Y height +X width": the first axis is that of the scanlines; a sign gives its direction.
  void read_resolution(const std::vector<std::string>& line) {
    static constexpr std::string_view axes[8][2] = {{"-Y", "+X"}, {"-Y", "-X"}, {"+Y", "-X"},
                                                    {"+Y", "+X"}, {"+X", "-Y"}, {"-X", "-Y"},
                                                    {"-X", "+Y"}, {"+X", "+Y"}};
    if (line.size() == 4)
      for (int i = 0; i < 8; ++i) {
        if (line[0] != axes[i][0] || line[2] != axes[i][1]) continue;
        const auto scanlines = parse_number<int>(line[1]), pixels = parse_number<int>(line[3]);
        if (!scanlines || !pixels || *scanlines < 1 || *pixels < 1) break;
        orientation_.exif = i + 1;
        height_ = *scanlines;
        width_ = *pixels;
        return;
      }
    in_.fail("the resolution line is malformed");
  }

  void read_scanline(std::vector<Rgbe>& line) {
    Rgbe first = read_pixel();
    const bool run_length =
        width_ >= 8 && width_ <= 0x7fff && first[0] == 2 && first[1] == 2 && first[2] < 128;
    if (!run_length) return read_old_scanline(line, first);
    if ((first[2] << 8 | first[3]) != width_) in_.fail("a scanline of another width");
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t x = 0; x < line.size();) {
        const std::size_t code = in_.u8();
        const std::size_t count = code > 128 ? code - 128 : code;
        if (count == 0 || count > line.size() - x) in_.fail("a run past the scanline's end");
        const auto values = in_.take(code > 128 ? 1 : count);
        for (std::size_t i = 0; i < count; ++i)
          line[x + i][c] = std::to_integer<std::uint8_t>(values[code > 128 ? 0 : i]);
        x += count;
      }
  }

  // Uncompressed pixels; 1 1 1 n repeats the previous one, and consecutive counts are digits in
  // base 256.
  void read_old_scanline(std::vector<Rgbe>& line, Rgbe pixel) {
    unsigned shift = 0;
    for (std::size_t x = 0;;) {
      if (pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1) {
        const std::size_t count = shift > 24 ? 0 : std::size_t{pixel[3]} << shift;
        if (x == 0 || shift > 24 || count > line.size() - x)
          in_.fail("a run past the scanline's end");
        std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(x), count, line[x - 1]);
        x += count;
        shift += 8;
      } else {
        line[x++] = pixel;
        shift = 0;
      }
      if (x == line.size()) return;
      pixel = read_pixel();
    }
  }

  Rgbe read_pixel() {
    Rgbe pixel;
    std::memcpy(pixel.data(), in_.take(4).data(), 4);
    return pixel;
  }

  // To linear Rec.709 with white at D65; values outside its gamut become negative.
  static void xyz_to_rgb(float* p) {
    const double x = p[0], y = p[1], z = p[2];
    p[0] = static_cast<float>(3.2409699419 * x - 1.5373831776 * y - 0.4986107603 * z);
    p[1] = static_cast<float>(-0.9692436363 * x + 1.8759675015 * y + 0.0415550574 * z);
    p[2] = static_cast<float>(0.0556300797 * x - 0.2039769589 * y + 1.0569715142 * z);
  }

  ByteReader in_;
  int width_ = 0, height_ = 0;  // the size of the stored scanlines
  Orientation orientation_;
  bool xyz_ = false;
  std::string last_;  // note
};

template <class Number>
std::string number_text(Number value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string header_for(const Spec& spec) {
  std::string header = "#?RADIANCE\n" + hdr_lines(spec.metadata) + "FORMAT=32-bit_rle_rgbe\n";
  if (const auto exposure = metadata_number(spec.metadata, exposure_key);
      exposure && std::isfinite(*exposure))
    header += "EXPOSURE=" + number_text(*exposure) + "\n";
  if (spec.pixel_aspect != 1 && spec.pixel_aspect > 0)
    header += "PIXASPECT=" + number_text(1 / static_cast<double>(spec.pixel_aspect)) + "\n";
  if (const auto& p = spec.color.primaries; p && *p != Chromaticities{}) {
    header += "PRIMARIES=";
    for (const float v : {p->rx, p->ry, p->gx, p->gy, p->bx, p->by, p->wx, p->wy})
      header += number_text(v) + " ";
    header.back() = '\n';
  }
  return header + "\n-Y " + std::to_string(spec.data_window.height) + " +X " +
         std::to_string(spec.data_window.width) + "\n";
}

// One component of a scanline in the new run-length code. Runs shorter than four cost more than
// they save.
void pack_component(const std::vector<Rgbe>& line, std::size_t c, std::vector<std::byte>& out) {
  const auto run_at = [&](std::size_t x) {
    std::size_t n = 1;
    while (n < 127 && x + n < line.size() && line[x + n][c] == line[x][c]) ++n;
    return n;
  };
  for (std::size_t x = 0; x < line.size();) {
    if (const std::size_t run = run_at(x); run >= 4) {
      out.push_back(static_cast<std::byte>(128 + run));
      out.push_back(static_cast<std::byte>(line[x][c]));
      x += run;
      continue;
    }
    std::size_t end = x + 1;
    while (end < line.size() && end - x < 128 && run_at(end) < 4) ++end;
    out.push_back(static_cast<std::byte>(end - x));
    for (; x < end; ++x) out.push_back(static_cast<std::byte>(line[x][c]));
  }
}

void encode_hdr(const Image& image, const EncodeOptions&, RowProgress& ready, ByteSink& sink) {
  encodable_layer(image.spec(), hdr_codec());
  const std::string header = header_for(image.spec());
  sink.write(std::as_bytes(std::span(header)));
  const Rect window = image.spec().data_window;
  std::vector<Rgbe> line(static_cast<std::size_t>(window.width));
  std::vector<std::byte> packed;
  for (int y = 0; y < window.height; ++y) {
    ready.wait_for(y + 1);
    const auto* row = reinterpret_cast<const float*>(image.row(0, window.y + y));
    for (std::size_t x = 0; x < line.size(); ++x) line[x] = encode_rgbe(row + 3 * x);
    ready.release(y + 1);
    if (window.width < 8 || window.width > 0x7fff) {
      // the run-length code does not support such widths
      sink.write(std::as_bytes(std::span(line)));
      continue;
    }
    packed = {std::byte{2}, std::byte{2}, static_cast<std::byte>(window.width >> 8),
              static_cast<std::byte>(window.width)};
    for (std::size_t c = 0; c < 4; ++c) pack_component(line, c, packed);
    sink.write(packed);
  }
}

}  // namespace

Codec hdr_codec() {
  return {
      .name = "hdr",
      .description = "Radiance HDR",
      .extensions = {"hdr", "pic", "rgbe"},
      .sniff = is_hdr,
      .open = open_flat<HdrDecoder>,
      .capabilities = {.types = {PixelType::f32},
                       .primaries = true,
                       .keeps =
                           [](const std::string& key, const MetadataValue& value) {
                             return (key == exposure_key &&
                                     std::holds_alternative<double>(value)) ||
                                    hdr_keeps_lines(key, value);
                           },
                       .pixel_aspect = true},
      .compressions = {"rle"},
      .write = encode_hdr,
  };
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// cICP is read from the file itself, the other chunks through libpng.
#include "io/png/png_color.h"

#include <zlib.h>

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/flat_image.h"
#include "io/tags/cicp.h"

namespace cuimg {
namespace {

struct CodePoints {
  std::uint8_t primaries, curve, matrix, full_range;
  bool is_full_range_rgb() const { return matrix == 0 && full_range == 1; }
  bool has_curve() const { return curve != 0; }  // reserved by H.273
};

// The data of cICP, if the whole chunk is before the pixels. libpng reads it only since 1.6.45.
std::optional<CodePoints> code_points(std::span<const std::byte> file) {
  for (std::size_t at = 8; file.size() - at >= 12;) {
    const std::uint32_t size = png_number(file, at);
    if (size > file.size() - at - 12 || std::memcmp(&file[at + 4], "IDAT", 4) == 0) break;
    if (size == 4 && std::memcmp(&file[at + 4], "cICP", 4) == 0) {
      const auto* checked = reinterpret_cast<const Bytef*>(&file[at + 4]);
      if (crc32(0, checked, 8) != png_number(file, at + 12)) break;
      return CodePoints{checked[4], checked[5], checked[6], checked[7]};
    }
    at += std::size_t{12} + size;
  }
  return std::nullopt;
}

class ColorReader {
 public:
  ColorReader(const PngReader& reader, const ByteSource& source, const DecodeOptions& options)
      : png_(reader.png),
        info_(reader.info),
        profile_problem_(reader.profile_problem),
        source_(source),
        options_(options) {}

  // Raw values are not interpreted. A description that a PNG made from them can repeat is kept.
  PngColor raw() const {
    PngColor color{{Curve::raw, 1.0f, false, {}}, nullptr};
    const std::optional<CodePoints> codes = code_points(source_.bytes());
    if (codes && codes->is_full_range_rgb() && codes->has_curve()) {
      if (auto primaries = primaries_of_code(codes->primaries)) {
        color.encoding.tag = ColorTag{static_cast<CurveCode>(codes->curve), 1.0f, primaries};
        return color;
      }
    }
    if (has(PNG_INFO_iCCP)) {
      color.encoding.profile = raw_profile(profile(), pixels());
      return color;
    }
    ColorEncoding said{Curve::srgb, 1.0f, false, {}};
    if (!is_srgb()) {
      if (!has(PNG_INFO_gAMA) && !has(PNG_INFO_cHRM)) return color;
      read_power_curve(said);
      read_primaries(said);
    }
    color.encoding.tag = tag_of(said);
    if (!has(PNG_INFO_sRGB) && !has(PNG_INFO_gAMA))
      color.encoding.tag->curve = CurveCode::unspecified;
    return color;
  }

  PngColor interpreted() const {
    PngColor color{{Curve::srgb, 1.0f, false, {}}, nullptr};
    ColorEncoding& encoding = color.encoding;
    if (read_code_points(encoding)) return color;
    const std::optional<ColorTag> tag = encoding.tag;
    if (!has(PNG_INFO_iCCP)) note_refused_profile();
    if (has(PNG_INFO_iCCP)) {
      read_profile(color);
    } else if (!is_srgb()) {
      read_power_curve(encoding);
      read_primaries(encoding);
    }
    // The primaries are valid whatever the curve is.
    if (tag && !color.conversion) {
      encoding.tag = tag;
      encoding.primaries = tag->primaries;
      encoding.profile.reset();
      if (encoding.curve == Curve::profile) encoding.curve = Curve::srgb;
    }
    return color;
  }

 private:
  bool has(png_uint_32 chunk) const { return png_get_valid(png_, info_, chunk) != 0; }

  // The specification asks writers of sRGB to add gAMA and cHRM with these numbers for readers
  // that do not know the sRGB chunk. ImageMagick writes only these two.
  bool is_srgb() const {
    if (has(PNG_INFO_sRGB)) return true;
    png_fixed_point encoding = 0;
    std::array<png_fixed_point, 8> c = {};
    return png_get_gAMA_fixed(png_, info_, &encoding) != 0 && encoding == 45455 &&
           png_get_cHRM_fixed(png_, info_, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6],
                              &c[7]) != 0 &&
           c == std::array<png_fixed_point, 8>{31270, 32900, 64000, 33000,
                                               30000, 60000, 15000, 6000};
  }

  // @returns whether no other chunk is needed. An unknown curve leaves a tag.
  bool read_code_points(ColorEncoding& color) const {
    const std::optional<CodePoints> codes = code_points(source_.bytes());
    if (!codes) return false;
    const std::optional<Chromaticities> primaries = primaries_of_code(codes->primaries);
    const auto curve = static_cast<CurveCode>(codes->curve);
    if (!primaries || !codes->is_full_range_rgb() || !codes->has_curve()) {
      warn(options_, source_,
           !primaries ? "cICP's primaries " + std::to_string(codes->primaries) + " are not known"
           : !codes->has_curve() ? "cICP's curve 0 means no curve and is left out"
                                 : "cICP is left out, since it is not RGB in full range");
      return false;
    }
    const std::optional<Chromaticities> other =
        *primaries == Chromaticities{} ? std::nullopt : primaries;
    if (set_curve(curve, color)) {
      color.primaries = other;
      if (is_hdr(color.curve)) color.tag = ColorTag{curve, 1.0f, other};
      return true;
    }
    color.tag = ColorTag{curve, 1.0f, other};
    const std::string decoder = decoder_of(curve);
    warn(options_, source_,
         "cICP says " + name_of(curve) + ", which is not undone" +
             (decoder.empty() ? "" : ": decode --curve " + decoder + " does that"));
    return false;
  }

  std::span<const std::byte> profile() const {
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 size = 0;
    int method = 0;
    if (png_get_iCCP(png_, info_, &name, &method, &profile, &size) == 0) return {};
    return {reinterpret_cast<const std::byte*>(profile), std::size_t{size}};
  }

  IccPixels pixels() const {
    const bool grey = (png_get_color_type(png_, info_) & PNG_COLOR_MASK_COLOR) == 0;
    return grey ? IccPixels::grey : IccPixels::rgb;
  }

  void read_profile(PngColor& color) const {
    const IccInterpretation icc =
        interpret_icc(profile(), pixels(), options_.icc,
                      png_get_bit_depth(png_, info_) == 16 ? PixelType::u16 : PixelType::u8);
    tell_of_profile(options_, source_, icc.note, icc.refused);
    color.encoding = icc.encoding;
    color.conversion = icc.conversion;
    color.profile_name = icc.name;
  }

  // A profile that libpng does not pass on, in the words of interpret_icc().
  void note_refused_profile() const {
    if (profile_problem_.empty()) return;
    const bool is_other = profile_problem_.find("color space") != std::string_view::npos;
    warn(options_, source_,
         std::string("ICC profile is ") + (is_other ? "for another kind of pixels" : "malformed") +
             (has(PNG_INFO_gAMA) ? "; gAMA is used" : "; sRGB is assumed"));
  }

  void read_power_curve(ColorEncoding& color) const {
    png_fixed_point encoding = 0;
    if (png_get_gAMA_fixed(png_, info_, &encoding) == 0) return;
    constexpr double one = 100000.0;
    const double gamma = encoding > 0 ? one / encoding : 0.0;
    if (!(gamma >= 0.1 && gamma <= 10.0)) {
      warn(options_, source_,
           "gAMA " + std::to_string(encoding) + " is out of range; sRGB is assumed");
    } else if (encoding == 100000) {
      color.curve = Curve::linear;
    } else {
      color.curve = Curve::gamma;
      color.gamma = static_cast<float>(gamma);
    }
  }

  void read_primaries(ColorEncoding& color) const {
    png_fixed_point wx, wy, rx, ry, gx, gy, bx, by;
    if (png_get_cHRM_fixed(png_, info_, &wx, &wy, &rx, &ry, &gx, &gy, &bx, &by) == 0) return;
    const auto value = [](png_fixed_point fixed) { return static_cast<float>(fixed / 100000.0); };
    const Chromaticities read{value(rx), value(ry), value(gx), value(gy),
                              value(bx), value(by), value(wx), value(wy)};
    constexpr float rounding = 0.0005f;  // for writers that give three digits
    if (!near(read, primaries::rec709, rounding)) color.primaries = read;
  }

  png_structp png_;
  png_infop info_;
  std::string_view profile_problem_;
  const ByteSource& source_;
  const DecodeOptions& options_;
};

}  // namespace

PngColor read_png_color(const PngReader& reader, const ByteSource& source,
                        const DecodeOptions& options) {
  const ColorReader color(reader, source, options);
  return options.raw ? color.raw() : color.interpreted();
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What an image is, without its pixels: windows, layers, colour encoding, metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "image/pixel_type.h"
#include "image/primaries.h"
#include "image/rect.h"

namespace cuimg {

/// How colour channels relate to light. `raw` values are moved and mixed as they are.
enum class Curve : std::uint8_t { linear, srgb, gamma, raw };

/// Curves by their codes in ITU-T H.273 (TransferCharacteristics), which files carry. Codes without
/// a name here are allowed too; 0, reserved there, is the power of ColorTag::gamma.
enum class CurveCode : std::uint8_t {
  power = 0,
  rec709 = 1,
  unspecified = 2,
  linear = 8,
  srgb = 13,
  pq = 16,
  hlg = 18
};

/// What a file says of its colours, for programs that display them.
struct ColorTag {
  CurveCode curve = CurveCode::unspecified;
  float gamma = 1.0f;  ///< CurveCode::power: light = value ^ gamma.
  std::optional<Chromaticities> primaries = {};
  friend bool operator==(const ColorTag&, const ColorTag&) = default;
};

struct ColorEncoding {
  Curve curve = Curve::linear;
  float gamma = 1.0f;  ///< Curve::gamma: light = value ^ gamma.
  bool premultiplied = true;
  /// Absent: unknown, taken as Rec.709.
  std::optional<Chromaticities> primaries;
  /// Straight colours of what was premultiplied: where alpha is 0 they are light that covers
  /// nothing (flames, glows). Alpha -0 marks what was transparent and black, and is that again at
  /// the end.
  bool uncovered_light = false;
  /// For what the members above do not say: what a file said of raw values, or of a curve that is
  /// not undone, and what `encode` has made. It is passed on and changes no pixel.
  std::optional<ColorTag> tag = {};
  friend bool operator==(const ColorEncoding&, const ColorEncoding&) = default;
};

/// One to four channels of one type, stored interleaved.
struct LayerSpec {
  std::string name;                   ///< EXR's prefix, "diffuse" of "diffuse.R"; often empty.
  std::vector<std::string> channels;  ///< Without the prefix, in stored order: R, G, B, A; Y, A; Z.
  PixelType type = PixelType::f32;

  int channel_count() const { return static_cast<int>(channels.size()); }
  std::size_t pixel_bytes() const { return channels.size() * bytes_of(type); }
  /// Whether it holds colour (R, G, B or Y), which curves, primaries and premultiplication touch.
  bool is_color() const;
  /// Index of channel A, or -1.
  int alpha_index() const;
  /// "diffuse.R" for channel i.
  std::string full_name(int i) const;
  friend bool operator==(const LayerSpec&, const LayerSpec&) = default;
};

/// A header entry that is carried from input to output. Formats keep what they can.
using MetadataValue = std::variant<std::string, std::int64_t, double, std::vector<std::int64_t>,
                                   std::vector<double>, std::vector<std::string>>;
using Metadata = std::map<std::string, MetadataValue>;

/// That a file is to hold the picture at every half size too, and how those are made.
struct MipLevels {
  std::string filter = "box";    ///< A filter of `resize`, by name.
  std::string border = "clamp";  ///< What lies beyond the edges, by name.
  int tile = 64;                 ///< Side of the file's tiles.
  friend bool operator==(const MipLevels&, const MipLevels&) = default;
};

struct Spec {
  Rect data_window;     ///< Where the pixels lie.
  Rect display_window;  ///< The picture's frame; equals data_window in formats without windows.
  float pixel_aspect = 1.0f;
  ColorEncoding color;
  std::vector<LayerSpec> layers;
  Metadata metadata;
  std::optional<MipLevels> mip;  ///< What to write; a file that was read has none.

  /// Bytes of all pixels as stored.
  std::size_t pixel_bytes() const;
  friend bool operator==(const Spec&, const Spec&) = default;
};

/// Groups channels, named as in EXR ("diffuse.R", "R", "Z"), into layers: by prefix and type,
/// R G B A first and in that order, likewise Y A and X Y, others in the order given, four at most a
/// layer. Colour that is half and float is one picture, of float.
/// @param names full names; @param types one for each name.
/// @returns the layers; every name is in exactly one.
std::vector<LayerSpec> group_channels(const std::vector<std::string>& names,
                                      const std::vector<PixelType>& types);

}  // namespace cuimg

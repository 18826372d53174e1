// SPDX-License-Identifier: Apache-2.0
// The description of an image without its pixels: windows, layers, colour encoding, metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "image/color_profile.h"
#include "image/pixel_type.h"
#include "image/primaries.h"
#include "image/rect.h"

namespace cuimg {

/// How colour channels relate to light. `raw` values are moved and mixed unchanged. PQ's light is
/// in units of 100 cd/m^2; HLG's is scene light from 0 to 1, as with the stage `decode`.
enum class Curve : std::uint8_t { linear, srgb, gamma, pq, hlg, profile, raw };

/// Whether a file's values include light above 1: their peak white is brighter than paper white.
constexpr bool is_hdr(Curve curve) { return curve == Curve::pq || curve == Curve::hlg; }

/// Curves by their codes in ITU-T H.273 (TransferCharacteristics), as stored in files. Codes
/// without a name here are also allowed; 0, reserved there, means the power of ColorTag::gamma.
enum class CurveCode : std::uint8_t {
  power = 0,
  rec709 = 1,
  unspecified = 2,
  linear = 8,
  srgb = 13,
  pq = 16,
  hlg = 18
};

/// A file's own description of its colours, for programs that display them.
struct ColorTag {
  CurveCode curve = CurveCode::unspecified;
  float gamma = 1.0f;  ///< For CurveCode::power: light = value ^ gamma.
  std::optional<Chromaticities> primaries = {};
  friend bool operator==(const ColorTag&, const ColorTag&) = default;
};

struct ColorEncoding {
  Curve curve = Curve::linear;
  float gamma = 1.0f;  ///< For Curve::gamma: light = value ^ gamma.
  bool premultiplied = true;
  /// Absent: unknown, treated as Rec.709.
  std::optional<Chromaticities> primaries;
  /// Straight colours that were premultiplied: where alpha is 0 they are light that covers nothing
  /// (flames, glows). An alpha of -0 marks pixels that were transparent and black, so that they can
  /// become so again.
  bool uncovered_light = false;
  /// The file's own description of its colours if `curve` does not express it (raw values, a curve
  /// that the reader did not undo, or values made by `encode`). It is passed on and changes no
  /// pixel. For PQ and HLG its presence means that integer outputs keep that curve.
  std::optional<ColorTag> tag = {};
  /// The file's own profile, if it agrees with the members above or describes raw values. It
  /// contains the curve of Curve::profile.
  SharedProfile profile = {};
  /// If false, alpha is an ordinary value, as in a difference of pictures, and colours are never
  /// multiplied or divided by it.
  bool alpha_covers = true;
  friend bool operator==(const ColorEncoding&, const ColorEncoding&) = default;
};

/// One to four channels of one type, stored interleaved.
struct LayerSpec {
  std::string name;                   ///< EXR's prefix, "diffuse" of "diffuse.R"; often empty.
  std::vector<std::string> channels;  ///< Without the prefix, in stored order: R, G, B, A; Y, A; Z.
  PixelType type = PixelType::f32;
  /// Whether its floats are alternately ids and coverages, as in Cryptomatte: bits that are moved,
  /// never mixed. For f32 only.
  bool is_matte = false;
  /// Whether its colours are premultiplied although the image's encoding says straight. Only
  /// between the steps of a chain, for a layer that its stages leave alone.
  bool stays_premultiplied = false;

  int channel_count() const { return static_cast<int>(channels.size()); }
  std::size_t pixel_bytes() const { return channels.size() * bytes_of(type); }
  /// Whether it contains colour (R, G, B or Y), to which curves, primaries and premultiplication
  /// apply.
  bool is_color() const;
  /// Whether its values identify objects: u32, or a Cryptomatte's. Stages that would mix or change
  /// values do not change them; stages that read between pixels take the nearest pixel.
  bool holds_ids() const { return is_matte || type == PixelType::u32; }
  /// Whether its values are distances: Z, or ZBack in deep pictures. Not those of a vector or a
  /// position, which has an X or a Y too.
  bool holds_depth() const;
  /// The index of the channel with that name, without the prefix; or -1.
  int channel_index(std::string_view channel) const;
  /// The index of channel A, which covers colours; or -1. A matte's A does not cover colours.
  int alpha_index() const;
  /// "diffuse.R" for channel i.
  std::string full_name(int i) const;
  /// The layer's name: "diffuse", or its channels if they have no prefix: "RGBA", "Z".
  std::string label() const;
  friend bool operator==(const LayerSpec&, const LayerSpec&) = default;
};

/// Metadata blocks in their own standard formats: "exif", a block that begins with its TIFF header;
/// "xmp", a packet of XML; "xmp extension", the part of a packet that JPEG splits off; "iptc",
/// IIM's records.
using Blob = std::vector<std::byte>;

/// A header entry that is carried from input to output. Formats store the entries that they can.
using MetadataValue = std::variant<std::string, std::int64_t, double, std::vector<std::int64_t>,
                                   std::vector<double>, std::vector<std::string>, Blob>;
using Metadata = std::map<std::string, MetadataValue>;

/// The entry of that name if it is a T, otherwise null.
template <class T>
const T* find_entry(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? nullptr : std::get_if<T>(&found->second);
}

/// Requests that a file also contains the picture at every halved size, and how these levels are
/// made.
struct MipLevels {
  std::string filter = "box";    ///< A filter of `resize`, by name.
  std::string border = "clamp";  ///< The rule beyond the edges, by name.
  int tile = 64;                 ///< The side of the file's tiles.
  friend bool operator==(const MipLevels&, const MipLevels&) = default;
};

/// A metadata entry as stored in its file.
struct StoredEntry {
  std::string type;  ///< The format's name of its type.
  Blob bytes;
};

/// How a file stores its pixels and entries, for an output of the same format, and the image's
/// position in the file. It is not part of the image itself, so all values compare equal.
struct FileStorage {
  std::string format;       ///< A codec's name; empty if the image does not come from a file.
  std::string compression;  ///< As in --compression.
  std::optional<float> dwa_level = {};
  int tile_width = 0, tile_height = 0;  ///< 0: rows.
  /// The number of mip levels, including the full-size picture.
  int levels = 1;
  /// The numbers of widths and heights of a rip map, which has a level for each pair of them.
  int rip_across = 1, rip_down = 1;
  bool rounds_up = false;  ///< Whether the levels' sizes round up.
  int preview_side = 0;    ///< The longer side of the preview in its header; 0: there is none.
  /// The file's names for red channels that are not called R: "diffuse.r", "red". The other colours
  /// of such a layer are named in the same way.
  std::set<std::string> red_names = {};
  /// Channels, by full name, that the file stores as half but the image has in a layer of float,
  /// because other colours of the layer are float.
  std::set<std::string> half_channels = {};
  /// Channels, by full name, that EXR marks as perceptually linear, which affects B44.
  std::set<std::string> linear_channels = {};
  /// Entries whose stored type differs from the one in which their values would be written.
  std::map<std::string, StoredEntry> entries = {};
  int part = 0, parts = 1;  ///< The number of the file's part, and the number of parts.
  /// For TIFF: horizontal pixels per a unit that the file does not name; 0: not stated.
  double density_without_unit = 0;
  /// For TIFF: whether the file states its density per centimetre. Metadata has it per inch.
  bool has_density_per_cm = false;
  bool is_tiled() const { return tile_width > 0; }
  bool is_rip_map() const { return rip_across > 1 || rip_down > 1; }
  /// The type of a layer's channel in a file in which each channel has its own type.
  PixelType type_of(const LayerSpec& layer, int channel) const;
  friend bool operator==(const FileStorage&, const FileStorage&) { return true; }
};

/// A layer of an image, and a channel of it.
struct ChannelPlace {
  int layer = 0, channel = 0;
};

struct Spec {
  Rect data_window;  ///< The window of the pixels.
  /// The picture's frame; equals data_window in formats without windows. If it is empty, an Image
  /// sets it to data_window.
  Rect display_window;
  float pixel_aspect = 1.0f;
  ColorEncoding color;
  std::vector<LayerSpec> layers;
  Metadata metadata;
  std::optional<MipLevels> mip;  ///< The levels to write; absent for a file that was read.
  FileStorage storage = {};      ///< Of the file from which the image comes.
  /// The part's name in a file with several parts: EXR's `name`, TIFF's PageName. Often empty. The
  /// view that a part shows is the metadata entry `view`, as in EXR.
  std::string part_name = {};

  const LayerSpec& layer(int index) const { return layers[static_cast<std::size_t>(index)]; }
  int layer_count() const { return static_cast<int>(layers.size()); }
  /// The first colour layer; -1 if there is none.
  int first_color() const;
  bool has_color() const { return first_color() >= 0; }
  /// The layer to show if the image becomes a single picture: the unnamed colour, otherwise any
  /// colour, otherwise the first layer without ids; -1 if all contain ids.
  /// @param chosen whether each layer may be shown; empty: all may.
  int shown_layer(const std::vector<bool>& chosen = {}) const;
  /// The channel with that LayerSpec::full_name().
  std::optional<ChannelPlace> find_channel(const std::string& full_name) const;
  /// The stored size of all pixels, in bytes.
  std::size_t pixel_bytes() const;
  friend bool operator==(const Spec&, const Spec&) = default;
};

/// Groups channels, named as in EXR ("diffuse.R", "R", "Z"), into layers: by prefix and type; first
/// R G B A in that order, likewise Y A and X Y, then others in the given order; at most four in a
/// layer. A word without a prefix, such as "AO", is a separate layer, and so is a Y next to R, G or
/// B. An A belongs to the colours of its prefix, or if there are none, to its other channels.
/// Colours of half and float become one float layer.
/// @param names full names; @param types one for each name.
/// @returns the layers; every name is in exactly one.
std::vector<LayerSpec> group_channels(const std::vector<std::string>& names,
                                      const std::vector<PixelType>& types);

}  // namespace cuimg

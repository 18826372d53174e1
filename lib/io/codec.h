// SPDX-License-Identifier: Apache-2.0
// What a file format is to cuimg: one table entry, one decoder, one encode function.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/row_progress.h"
#include "image/image.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "io/decode_options.h"

namespace cuimg {

/// An opened file: its header is read, its pixels are not.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// The image as read() will fill it. EXIF orientation, palettes, bit depths below 8 and
  /// luminance-chroma are resolved already.
  virtual const Spec& spec() const = 0;
  /// Facts about the file for `cuimg info`: compression, tiling, number of parts, bit depth.
  virtual Metadata file_facts() const { return {}; }
  /// Fills `image`, made from spec(), and advances `progress` by rows as they are complete where
  /// the format allows, finishing it at the end. Called once. @throws Error naming the file.
  virtual void read(Image& image, RowProgress& progress) = 0;
};

struct EncodeOptions {
  static constexpr int lowest_quality = 1, highest_quality = 100;

  std::string compression;     ///< Empty: the format's default. Else a name the format knows.
  std::optional<int> quality;  ///< Absent: the format's default. For DWA EXR its level.
  int threads = 0;             ///< 0: hardware_threads(). Never changes the bytes.
  /// For a spec with mip levels: the next one, of half the size, rounded down, and the same origin.
  std::function<Image(const Image& finer)> next_level = {};
};

/// What a format can hold; the pipeline converts the result to fit before encode() is called.
struct Capabilities {
  std::vector<PixelType> types;  ///< In order of preference for integers and floats alike.
  bool alpha = false;
  bool grey = false;       ///< Y and, with alpha, YA layers.
  bool color = true;       ///< RGB and, with alpha, RGBA layers.
  bool layers = false;     ///< Any number of layers, any channel names, mixed types.
  bool windows = false;    ///< Data window apart from display window.
  bool primaries = false;  ///< Can carry chromaticities other than Rec.709's.
  /// Whether the format can tell of integers in that encoding; those of an integer input keep it
  /// then. Null: integers are always in integer_encoding, with primaries where it has those.
  bool (*tells)(const ColorEncoding&) = nullptr;
  bool parts = false;                        ///< Files may hold parts: pages.
  bool levels = false;                       ///< Files may hold mip levels.
  std::vector<std::string_view> lossy = {};  ///< Compressions that EncodeOptions::quality is for.
  std::optional<int> default_quality = {};
  ColorEncoding integer_encoding = {Curve::srgb, 1.0f, false, {}};  ///< Of u8 and u16 pixels.
  ColorEncoding float_encoding = {Curve::linear, 1.0f, true, {}};   ///< Of half and float pixels.
};

struct Codec {
  std::string_view name;         ///< "exr", as --format spells it.
  std::string_view description;  ///< "OpenEXR"
  std::vector<std::string_view>
      extensions;  ///< Lower case, without the dot; the first is preferred.
  bool (*sniff)(std::span<const std::byte> head);  ///< By content; `head` is the whole file.
  /// @throws Error naming the source. Sizes are checked against the limits before any allocation.
  std::unique_ptr<Decoder> (*open)(std::shared_ptr<const ByteSource>, const DecodeOptions&);
  Capabilities capabilities;
  std::vector<std::string_view>
      compressions;  ///< Accepted by --compression; the first is the default.
  /// What encode() calls, with options that are complete and known to the format.
  /// Null where the format is only read; `instead` says what to write.
  void (*write)(const Image& image, const EncodeOptions&, RowProgress& ready, ByteSink& sink);
  /// What is written under some of the extensions, which promise less than the whole format.
  std::vector<Codec> variants = {};
  std::string_view instead = {};

  /// Writes `image`, whose spec fits the capabilities, waiting on `ready` for rows as it needs
  /// them. Bytes depend on the image and the options alone. @throws Error.
  void encode(const Image& image, const EncodeOptions& options, RowProgress& ready,
              ByteSink& sink) const {
    write(image, resolved(options), ready, sink);
  }
  /// The options with this format's defaults in place of what is not given. @throws Error for a
  /// compression that the format lacks, or a quality out of range.
  EncodeOptions resolved(const EncodeOptions& options) const;
  /// Whether the quality changes files with that compression; empty: the default.
  bool uses_quality(std::string_view compression) const;
};

/// Every codec, in sniffing order. Adding one touches its own file and this table's.
const std::vector<Codec>& codecs();
/// @returns the codec with that name or extension (case does not matter), its variant where the
/// extension has one, or null.
const Codec* codec_named(std::string_view name_or_extension);
/// The format of a pipe's output, where --format names none.
inline constexpr std::string_view pipe_format = "exr";
/// The codec for writing `path`. @param format "" to go by the extension. @throws Error with the
/// known ones, or for one that is only read.
const Codec& codec_for_output(const std::string& path, const std::string& format);
/// Opens by content. Formats known and not supported (DPX, WebP, HEIF, JPEG 2000, JPEG XL, ...) are
/// refused by name. @throws Error naming the source.
std::unique_ptr<Decoder> open_image(std::shared_ptr<const ByteSource> source, const DecodeOptions&);
/// Opens and reads all of it. @throws Error.
Image read_image(const std::string& path, const DecodeOptions& = {});
/// Encodes an image that already fits the codec into `path`, atomically. @throws Error.
void write_image(const std::string& path, const Image& image, const Codec& codec,
                 const EncodeOptions& = {});

/// Throws unless width and height lie in 1..limit_side and their product within limit_pixels.
void check_size(const ByteSource& source, std::int64_t width, std::int64_t height,
                const DecodeOptions& options);

}  // namespace cuimg

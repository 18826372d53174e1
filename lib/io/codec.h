// SPDX-License-Identifier: Apache-2.0
// A file format: one table entry, one decoder, one encoding function.
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
#include "image/dct_image.h"
#include "image/image.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"
#include "io/decode_options.h"
#include "io/density_range.h"
#include "io/stored_sum.h"

namespace cuimg {

/// One of the sizes in which a file holds a picture: how often its width and height were halved.
/// The two numbers differ only in rip maps.
struct LevelId {
  int across = 0, down = 0;
  friend bool operator==(const LevelId&, const LevelId&) = default;
};

/// A file that was made from another one without decoding it.
struct TurnedFile {
  std::vector<std::byte> bytes;
  int orientation = 1;  ///< The turn that its reader must apply, by EXIF's numbers.
  /// Sentences about the parts of the original file that it cannot keep.
  std::vector<std::string> notes = {}, warnings = {};
};

/// A fact about files whose pixels are converted when they are read: "CMYK".
inline constexpr const char* stored_as_fact = "stored as";

/// Radiance's view, an entry that is true only as long as no pixel moves.
inline constexpr const char* view_key = "hdr:VIEW";
/// The display on which a picture was graded, which describes its encoded colours, and its
/// brightest pixel with its mean brightness: lists of numbers, under the names of PNG's chunks.
inline constexpr const char* mastering_display_key = "mDCV";
inline constexpr const char* content_light_key = "cLLI";

/// A part of a file; most formats have only one. Its header has been read, its pixels have not.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// The image as read() will fill it. EXIF orientation, palettes, bit depths below 8 and
  /// luminance-chroma are resolved already.
  virtual const Spec& spec() const = 0;
  /// Facts about the file for `cuimg info`: compression, tiling, number of parts, bit depth.
  virtual Metadata file_facts() const { return {}; }
  /// Content of the file that is not read: "an animation of 2 frames; only the first is read";
  /// empty: none.
  virtual std::string left_out() const { return {}; }
  /// Phrases for further losses of --in-place because cuimg writes the format differently: "double
  /// becomes float", "GeoTIFF's place on the earth is left out".
  virtual std::vector<std::string> lost_in_place() const { return {}; }
  /// The same for a file that is made from read()'s pixels, when turned() would lose nothing.
  virtual std::vector<std::string> lost_when_decoded() const { return {}; }
  /// Which of the notes given to the options apply only to read(), not to turned().
  virtual std::vector<std::string> notes_of_read() const { return {}; }
  /// Fills `image`, which was made from spec(). Advances `progress` as rows are complete if the
  /// format allows it, and finishes it at the end. Called once. @throws Error that names the file.
  virtual void read(Image& image, RowProgress& progress) = 0;
  /// After read() with DecodeOptions::sums_stored: the samples as stored in the file, if different
  /// samples could give the same pixels (inks, double, values cut off by a profile or alpha);
  /// otherwise nothing.
  virtual std::optional<StoredSamples> stored_samples() const { return std::nullopt; }
  /// Whether read() makes rows from first to last, so that only a few need to be in memory at a
  /// time.
  virtual bool reads_in_order() const { return true; }
  /// Memory that read() needs in addition to the image's pixels, if it is of similar size.
  virtual std::size_t held_bytes() const { return 0; }
  /// The part's pixels at another level, without metadata; null if the format has no levels. Levels
  /// are read one at a time, after read(). @throws Error if the file lacks that level.
  virtual std::unique_ptr<Decoder> open_level(LevelId level) const {
    (void)level;
    return nullptr;
  }
  /// The memory that read_blocks() would take; 0 if it returns nothing.
  virtual std::size_t block_bytes() const { return 0; }
  /// The pixels as a file of DCT blocks stores them, not yet decoded: inverse_dct(), upsampled()
  /// and rgb_of_ycc() (kernels/dct) turn them into the pixels of read(). read() may follow.
  /// @returns nothing for other files, and for a file that read() refuses or completes in its own
  /// way.
  virtual std::optional<DctImage> read_blocks() { return std::nullopt; }
  /// The same file with its pixels turned without decoding, if the format can do so without losing
  /// pixels.
  /// @param orientation the turn in addition to the file's own, by EXIF's numbers (1 to 8). With 1,
  /// a file whose own turn would lose pixels keeps them unturned, with the same orientation entry.
  /// @param turned the turned image that read() would give, with the metadata to write.
  /// @param keeps_unknown whether blocks of unknown meaning are kept if no pixel moves.
  /// @returns nothing if the file must be decoded.
  virtual std::optional<TurnedFile> turned(int orientation, const Spec& turned,
                                           bool keeps_unknown) const {
    (void)orientation, (void)turned, (void)keeps_unknown;
    return std::nullopt;
  }
};

/// A part's entry in the list of a file's parts. Members that the format does not have are empty.
struct PartSummary {
  std::string name, view;
  std::string refused;  ///< Why open() refuses it: "deep"; empty: it can be read.
};

/// Files with more parts are refused.
inline constexpr int most_parts = 10000;

/// An opened file, which is a list of parts: EXR parts, TIFF pages, frames of an animation. Their
/// common data is read once. It may be used from one thread at a time; its decoders may be used
/// from other threads, and may outlive it.
class ImageFile {
 public:
  virtual ~ImageFile() = default;
  /// 1 to most_parts.
  virtual int part_count() const = 0;
  /// Cheap: does not read further headers. @param part below part_count(). @throws Error.
  virtual PartSummary summary(int part) const {
    (void)part;
    return {};
  }
  /// Reads the part's header. Parts may be opened in any order; the file's order is fastest.
  /// @param part below part_count(). @throws Error that names the source.
  virtual std::unique_ptr<Decoder> open(int part) = 0;
};

struct EncodeOptions {
  static constexpr int lowest_quality = 1, highest_quality = 100;

  /// Empty: the format's default. Otherwise a name that the format knows.
  std::string compression = {};
  std::optional<int> quality;  ///< Absent: the format's default. For DWA in EXR, its level.
  int threads = 0;             ///< 0: hardware_threads(). Never changes the bytes.
  /// For a spec with levels, which are made or kept: returns the next level, which has the same
  /// origin. Levels to be made have half the size of `finer`, the previous level as stored in the
  /// file; halved_levels() makes them (pipeline/run/halved_levels.h).
  std::function<Image(LevelId next, const Image& finer)> next_level = {};
};

/// A part to write: its spec, which fits the format's capabilities, and its storage options.
struct PartToWrite {
  Spec spec;
  EncodeOptions options;
};

/// A file that is being written. Write the parts in order, each by one call of write(); then call
/// finish().
class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Writes the next part. @param image has that part's spec. @param ready says which of its rows
  /// are complete. @throws Error.
  virtual void write(const Image& image, RowProgress& ready) = 0;
  /// The layout of blocks that write_blocks() accepts for the next part instead of pixels; empty if
  /// it accepts none.
  /// @throws Error.
  virtual std::optional<DctLayout> block_layout() const { return std::nullopt; }
  /// Writes the next part: the bytes equal those that write() gives for pixels which kernels/dct
  /// (downsampled(), ycc_of_rgb(), forward_dct()) turns into these blocks. @param image has that
  /// layout; it is read. @throws Error.
  virtual void write_blocks(DctImage& image);
  /// Writes the end of the file after the last part. Without it the file is not complete. @throws
  /// Error.
  virtual void finish() = 0;
};

/// What a format can hold; the pipeline converts the result to fit before encode() is called.
struct Capabilities {
  std::vector<PixelType> types = {};  ///< In order of preference, for integers and for floats.
  bool alpha = false;
  bool grey = false;       ///< Y and, with alpha, YA layers.
  bool color = true;       ///< RGB and, with alpha, RGBA layers.
  bool layers = false;     ///< Any number of layers, any channel names, mixed types.
  bool windows = false;    ///< A data window that differs from the display window.
  bool primaries = false;  ///< Chromaticities other than those of Rec.709.
  /// Whether a file can state this encoding for its integers, in grey or colour. Then integers that
  /// come from integers keep their encoding, and others keep their primaries. Null: integers are
  /// always in integer_encoding, with primaries if the format supports them.
  bool (*describes)(const ColorEncoding&, bool grey) = nullptr;
  /// Whether a file can store that entry of metadata. Null: it stores none.
  bool (*keeps)(const std::string& key, const MetadataValue& value) = nullptr;
  /// The values of "xDensity" that a format with this entry can store. Absent: any.
  std::optional<DensityRange> densities = {};
  /// Lists the contents of supported entries that a file cannot store: "MakerNote of exif". Null:
  /// nothing.
  std::vector<std::string> (*loses)(const Spec&) = nullptr;
  bool pixel_aspect = false;    ///< A file can store an aspect of pixels; a BMP by its densities.
  bool levels = false;          ///< Files may hold mip levels.
  bool exif_thumbnail = false;  ///< A file's EXIF may have a thumbnail.
  bool preview = false;         ///< See FileStorage::preview_side.
  /// Compressions to which EncodeOptions::quality applies.
  std::vector<std::string_view> lossy = {};
  /// Compressions that do not keep every bit of floats.
  std::vector<std::string_view> rounding = {};
  std::optional<int> default_quality = {};
  ColorEncoding integer_encoding = {Curve::srgb, 1.0f, false, {}};  ///< For u8 and u16 pixels.
  ColorEncoding float_encoding = {Curve::linear, 1.0f, true, {}};   ///< For half and float pixels.
};

struct Codec {
  std::string_view name;         ///< "exr", as in --format.
  std::string_view description;  ///< "OpenEXR"
  /// In lower case, without the dot; the first is preferred.
  std::vector<std::string_view> extensions;
  /// Recognises a file by its content; `head` is the whole file.
  bool (*sniff)(std::span<const std::byte> head);
  /// For formats of one part; null if open_file is given.
  /// @throws Error that names the source. Sizes are checked against the limits before any
  /// allocation.
  std::unique_ptr<Decoder> (*open)(std::shared_ptr<const ByteSource>,
                                   const DecodeOptions&) = nullptr;
  Capabilities capabilities = {};
  /// Accepted by --compression; the first is the default.
  std::vector<std::string_view> compressions = {};
  /// For formats of one part: encode() calls it with options that are complete and known to the
  /// format. Null if open_encoder is given, or if the format is only read.
  void (*write)(const Image& image, const EncodeOptions&, RowProgress& ready,
                ByteSink& sink) = nullptr;
  /// Memory that encoding needs in addition to the image's pixels, if it is of similar size. The
  /// options are complete. Null: none.
  std::uint64_t (*held_bytes)(const Spec&, const EncodeOptions&) = nullptr;
  /// For formats with `write`: see Encoder. Null: blocks are not accepted.
  std::optional<DctLayout> (*block_layout)(const Spec&, const EncodeOptions&) = nullptr;
  void (*write_blocks)(DctImage&, const Spec&, const EncodeOptions&, ByteSink& sink) = nullptr;
  /// Restrictions for some extensions that mean less than the whole format.
  std::vector<Codec> variants = {};
  std::string_view instead = {};  ///< The format to suggest instead of a format that is only read.
  /// For a format that is only read: an extension of its files for which codec_named() returns
  /// another format.
  std::string_view shared_extension = {};
  /// For formats whose files may hold several parts, instead of open; of the options only the part
  /// is ignored. @throws Error that names the source.
  std::unique_ptr<ImageFile> (*open_file)(std::shared_ptr<const ByteSource>,
                                          const DecodeOptions&) = nullptr;
  /// The same instead of write: encoder() calls it with one or more parts and with options that are
  /// complete and known to the format. The bytes depend only on the images and the options.
  std::unique_ptr<Encoder> (*open_encoder)(std::vector<PartToWrite> parts,
                                           ByteSink& sink) = nullptr;

  bool is_written() const { return write != nullptr || open_encoder != nullptr; }
  /// Whether a written file can hold several parts.
  bool writes_parts() const { return open_encoder != nullptr; }
  /// Begins a file. @param sink must outlive the encoder. @throws Error for options that the format
  /// lacks, and for several parts if it stores only one.
  std::unique_ptr<Encoder> encoder(std::vector<PartToWrite> parts, ByteSink& sink) const;
  /// Writes a file of one part: `image`, whose spec fits the capabilities; waits on `ready` for
  /// rows as it needs them. The bytes depend only on the image and the options. @throws Error.
  void encode(const Image& image, const EncodeOptions& options, RowProgress& ready,
              ByteSink& sink) const;
  /// The options, completed by this format's defaults. @throws Error for a compression that the
  /// format lacks, or for a quality that is out of range.
  EncodeOptions resolved(const EncodeOptions& options) const;
  /// Whether the quality affects files with that compression; empty: the default.
  bool uses_quality(std::string_view compression) const;
  /// The compression of the file from which the image comes, if that file is of this format and the
  /// compression keeps the image's values; otherwise empty.
  std::string kept_compression(const Spec& spec) const;
};

/// Every codec, in sniffing order. A new codec needs a file and an entry in the table.
const std::vector<Codec>& codecs();
/// @returns the codec with that name or extension (case does not matter), the variant if the
/// extension has one, or null.
const Codec* codec_named(std::string_view name_or_extension);
/// @returns the codec that reads such a file, whatever its name; null if none does.
const Codec* codec_of_content(std::span<const std::byte> file);
/// The format of output to a pipe if --format does not name one.
inline constexpr std::string_view pipe_format = "exr";
/// The codec for writing `path`. @param format "" to use the extension. @throws Error that lists
/// the known formats, also for a format that is only read.
const Codec& codec_for_output(std::string_view path, std::string_view format);
/// @throws Error if an output that takes its extension from an input of format `input` would be in
/// another format: Softimage's .pic is also an extension of Radiance.
void check_kept_extension(const std::string& output, const std::string& input);
/// Opens a file by its content. Formats that are recognised but not supported (DPX, WebP, HEIF,
/// JPEG 2000, JPEG XL, ...) are refused by name. @param options their part is ignored. @throws
/// Error that names the source.
std::unique_ptr<ImageFile> open_file(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options);
/// The number of the part that `wanted` selects: by number if there are that many parts, otherwise
/// by name.
/// @param name (part) gives its name. @returns -1 if there is none.
int part_meant(std::string_view wanted, int count, const std::function<std::string(int)>& name);
/// The number of the part with that number or name. @throws Error that lists the existing parts.
int find_part(const ImageFile& file, const PartId& part, const std::string& source_name);
/// The number of a part as an index. @param count of the source's parts. @throws Error if it has no
/// part of that number.
std::size_t part_index(int part, int count, const ByteSource& source);
/// A part's name in notes and errors: "1 'left'".
std::string part_text(int part, const std::string& name);
/// Opens the part of the file that the options name. @throws Error that names the source.
std::unique_ptr<Decoder> open_image(std::shared_ptr<const ByteSource> source, const DecodeOptions&);
/// Reads all pixels of a decoder's part. @throws Error.
Image decoded(Decoder& decoder);
/// Opens a part of an open file and reads all of it. @throws Error.
Image read_part(ImageFile& file, int part);
/// The same for the part that the options name. @throws Error.
Image read_image(const std::string& path, const DecodeOptions& = {});
/// The same from a source, such as ByteSource::from_memory(). @throws Error.
Image read_image(const std::shared_ptr<const ByteSource>& source, const DecodeOptions& = {});
/// Reads every part of a file, in its order. @throws Error.
std::vector<Image> read_parts(const std::string& path, const DecodeOptions& = {});
/// Encodes an image into `path`, atomically and without conversion. An EXR made from an EXR keeps
/// its compression if the options do not name one.
/// @throws Error for an image that the format cannot store, or whose channels, curve, alpha or
/// primaries it cannot state: apply() with the codec makes it fit. Also for an image with Spec::mip
/// if EncodeOptions::next_level is not set.
void write_image(const std::string& path, const Image& image, const Codec& codec,
                 const EncodeOptions& = {});
/// The bytes that write_image() would write. @throws Error as it does.
std::vector<std::byte> encode_image(const Image& image, const Codec& codec,
                                    const EncodeOptions& = {});
/// Encodes several images as the parts of one file, named by Spec::part_name. @throws Error.
void write_parts(const std::string& path, const std::vector<Image>& parts, const Codec& codec,
                 const EncodeOptions& = {});

/// Throws unless width and height are in 1..limit_side and their product is at most limit_pixels.
void check_size(const ByteSource& source, std::int64_t width, std::int64_t height,
                const DecodeOptions& options);
/// For a decoder whose file lacks that level. @param levels the number of levels in the file.
/// @throws Error, always.
[[noreturn]] void refuse_level(const ByteSource& source, LevelId level, int levels);

}  // namespace cuimg

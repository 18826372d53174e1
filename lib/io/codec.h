// SPDX-License-Identifier: Apache-2.0
// A file format: one table entry, one decoder, one encode function.
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

/// A file made from another one without decoding it.
struct TurnedFile {
  std::vector<std::byte> bytes;
  int orientation = 1;  ///< The turn that its reader has to apply, by EXIF's numbers.
  /// What it cannot keep of the original file, one sentence each.
  std::vector<std::string> notes = {}, warnings = {};
};

/// A fact about files whose pixels are converted when they are read: "CMYK".
inline constexpr const char* stored_as_fact = "stored as";

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
  /// What else --in-place would lose, one phrase each, because cuimg writes the format differently:
  /// "double becomes float", "GeoTIFF's place on the earth is left out".
  virtual std::vector<std::string> lost_in_place() const { return {}; }
  /// The same for a file made from read()'s pixels, in cases where turned() would lose nothing.
  virtual std::vector<std::string> lost_when_decoded() const { return {}; }
  /// Which of the notes given to the options apply only to read(), not to turned().
  virtual std::vector<std::string> notes_of_read() const { return {}; }
  /// Fills `image`, made from spec(), and advances `progress` by rows as they are complete where
  /// the format allows, finishing it at the end. Called once. @throws Error naming the file.
  virtual void read(Image& image, RowProgress& progress) = 0;
  /// After read() with DecodeOptions::sums_stored: the samples as they lie in the file, where
  /// others may give the same pixels (inks, double, what a profile or alpha cuts off); else
  /// nothing.
  virtual std::optional<StoredSamples> stored_samples() const { return std::nullopt; }
  /// Whether read() makes rows from first to last, so that only a few have to be held at a time.
  virtual bool reads_in_order() const { return true; }
  /// Memory that read() needs in addition to the image's pixels, if it is of similar size.
  virtual std::size_t held_bytes() const { return 0; }
  /// The part's pixels at another level, without metadata; null where the format has no levels.
  /// Levels are read one at a time, once read() is through. @throws Error where the file lacks that
  /// one.
  virtual std::unique_ptr<Decoder> open_level(LevelId level) const {
    (void)level;
    return nullptr;
  }
  /// Memory that read_blocks() would take; 0: it returns nothing.
  virtual std::size_t block_bytes() const { return 0; }
  /// The pixels as a file of DCT blocks holds them, not yet computed: those that read() gives are
  /// what inverse_dct(), upsampled() and rgb_of_ycc() (kernels/dct) make of them. read() may
  /// follow.
  /// @returns nothing for other files, and for one that read() refuses or completes in its own way.
  virtual std::optional<DctImage> read_blocks() { return std::nullopt; }
  /// The same file with its pixels turned, not decoded, where the format can and no pixel is lost.
  /// @param orientation the turn, on top of the file's own, as EXIF counts them (1 to 8). With 1 a
  /// file whose own turn would lose pixels keeps them as they are, and says the turn as before.
  /// @param turned what read() would give, turned, with the metadata to write.
  /// @param keeps_unknown whether blocks that nothing here knows stay, where no pixel moves.
  /// @returns nothing where it must be decoded.
  virtual std::optional<TurnedFile> turned(int orientation, const Spec& turned,
                                           bool keeps_unknown) const {
    (void)orientation, (void)turned, (void)keeps_unknown;
    return std::nullopt;
  }
};

/// A part's entry in the list of a file's parts. Members that the format lacks are empty.
struct PartSummary {
  std::string name, view;
  std::string refused;  ///< "deep": why open() refuses it; empty: it can be read.
};

/// Files with more parts are refused.
inline constexpr int most_parts = 10000;

/// An opened file, which is a list of parts: EXR parts, TIFF pages, frames of an animation. What
/// they share is read once. Used from one thread at a time; its decoders may be used from others,
/// and outlive it.
class ImageFile {
 public:
  virtual ~ImageFile() = default;
  /// 1 to most_parts.
  virtual int part_count() const = 0;
  /// Cheap: reads no further headers.
  virtual PartSummary summary(int part) const {
    (void)part;
    return {};
  }
  /// Reads the part's header. Parts may be opened in any order; in the file's it is fastest.
  /// @param part below part_count(). @throws Error naming the source.
  virtual std::unique_ptr<Decoder> open(int part) = 0;
};

struct EncodeOptions {
  static constexpr int lowest_quality = 1, highest_quality = 100;

  std::string compression = {};  ///< Empty: the format's default. Else a name the format knows.
  std::optional<int> quality;    ///< Absent: the format's default. For DWA EXR its level.
  int threads = 0;               ///< 0: hardware_threads(). Never changes the bytes.
  /// For a spec with levels, to be made or kept: the next one, which has the same origin. Those to
  /// be made have half the size of `finer`, the level before as the file has it.
  std::function<Image(LevelId next, const Image& finer)> next_level = {};
};

/// A part to write: its spec, which fits the format's capabilities, and how it is stored.
struct PartToWrite {
  Spec spec;
  EncodeOptions options;
};

/// A file that is being written. Write the parts in order, each by one call of write(); then call
/// finish().
class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Writes the next part. @param image of that part's spec. @param ready what to wait on for its
  /// rows. @throws Error.
  virtual void write(const Image& image, RowProgress& ready) = 0;
  /// The layout of blocks that write_blocks() accepts for the next part instead of pixels; empty:
  /// it accepts none.
  /// @throws Error.
  virtual std::optional<DctLayout> block_layout() const { return std::nullopt; }
  /// Writes the next part: the bytes are those that write() gives for pixels of which kernels/dct
  /// (downsampled(), ycc_of_rgb(), forward_dct()) makes these blocks. @param image of that layout;
  /// it is read. @throws Error.
  virtual void write_blocks(DctImage& image);
  /// Writes what comes after the last part. Without it the file is not complete. @throws Error.
  virtual void finish() = 0;
};

/// What a format can hold; the pipeline converts the result to fit before encode() is called.
struct Capabilities {
  std::vector<PixelType> types = {};  ///< In order of preference for integers and floats alike.
  bool alpha = false;
  bool grey = false;       ///< Y and, with alpha, YA layers.
  bool color = true;       ///< RGB and, with alpha, RGBA layers.
  bool layers = false;     ///< Any number of layers, any channel names, mixed types.
  bool windows = false;    ///< Data window apart from display window.
  bool primaries = false;  ///< Can carry chromaticities other than Rec.709's.
  /// Whether a file can say that its integers, grey or in colour, are in that encoding. Those of an
  /// integer input keep theirs then, others their primaries. Null: integers are always in
  /// integer_encoding, with primaries where the format has those.
  bool (*describes)(const ColorEncoding&, bool grey) = nullptr;
  /// Whether a file can hold that entry of metadata. Null: it holds none.
  bool (*keeps)(const std::string& key, const MetadataValue& value) = nullptr;
  /// Which "xDensity" those that keep it can hold. Absent: any.
  std::optional<DensityRange> densities = {};
  /// Lists what a file cannot hold of the entries that it keeps: "MakerNote of exif". Null:
  /// nothing.
  std::vector<std::string> (*loses)(const Spec&) = nullptr;
  bool pixel_aspect = false;  ///< A file says where pixels are not square; a BMP by its densities.
  bool levels = false;        ///< Files may hold mip levels.
  bool exif_thumbnail = false;               ///< A file's EXIF may have a thumbnail.
  bool preview = false;                      ///< See FileStorage::preview_side.
  std::vector<std::string_view> lossy = {};  ///< Compressions that EncodeOptions::quality is for.
  /// Compressions that do not keep every bit of floats.
  std::vector<std::string_view> rounding = {};
  std::optional<int> default_quality = {};
  ColorEncoding integer_encoding = {Curve::srgb, 1.0f, false, {}};  ///< Of u8 and u16 pixels.
  ColorEncoding float_encoding = {Curve::linear, 1.0f, true, {}};   ///< Of half and float pixels.
};

struct Codec {
  std::string_view name;         ///< "exr", as --format spells it.
  std::string_view description;  ///< "OpenEXR"
  /// Lower case, without the dot; the first is preferred.
  std::vector<std::string_view> extensions;
  bool (*sniff)(std::span<const std::byte> head);  ///< By content; `head` is the whole file.
  /// For formats of one part; null where open_file is given.
  /// @throws Error naming the source. Sizes are checked against the limits before any allocation.
  std::unique_ptr<Decoder> (*open)(std::shared_ptr<const ByteSource>,
                                   const DecodeOptions&) = nullptr;
  Capabilities capabilities = {};
  /// Accepted by --compression; the first is the default.
  std::vector<std::string_view> compressions = {};
  /// For formats of one part: what encode() calls, with options that are complete and known to the
  /// format. Null where open_encoder is given, or the format is only read.
  void (*write)(const Image& image, const EncodeOptions&, RowProgress& ready,
                ByteSink& sink) = nullptr;
  /// Memory that encoding needs in addition to the image's pixels, if it is of similar size. The
  /// options are complete. Null: none.
  std::uint64_t (*held_bytes)(const Spec&, const EncodeOptions&) = nullptr;
  /// Of those with write: see Encoder. Null: blocks are not taken.
  std::optional<DctLayout> (*block_layout)(const Spec&, const EncodeOptions&) = nullptr;
  void (*write_blocks)(DctImage&, const Spec&, const EncodeOptions&, ByteSink& sink) = nullptr;
  /// Restrictions for some extensions that stand for less than the whole format.
  std::vector<Codec> variants = {};
  std::string_view instead = {};  ///< The format to suggest instead of one that is only read.
  /// Of a format that is only read: an extension of its files that codec_named() gives another.
  std::string_view shared_extension = {};
  /// For formats whose files may hold several parts, in place of open; the part and nothing else
  /// of the options is ignored. @throws Error naming the source.
  std::unique_ptr<ImageFile> (*open_file)(std::shared_ptr<const ByteSource>,
                                          const DecodeOptions&) = nullptr;
  /// The same in place of write: what encoder() calls, with one part or more and options that are
  /// complete and known to the format. Bytes depend on the images and the options alone.
  std::unique_ptr<Encoder> (*open_encoder)(std::vector<PartToWrite> parts,
                                           ByteSink& sink) = nullptr;

  bool is_written() const { return write != nullptr || open_encoder != nullptr; }
  /// Whether a file that is written can hold several parts.
  bool writes_parts() const { return open_encoder != nullptr; }
  /// Begins a file. @param sink outlives the encoder. @throws Error for options that the format
  /// lacks, and for several parts where it holds one.
  std::unique_ptr<Encoder> encoder(std::vector<PartToWrite> parts, ByteSink& sink) const;
  /// Writes a file of one part: `image`, whose spec fits the capabilities, waiting on `ready` for
  /// rows as it needs them. Bytes depend on the image and the options alone. @throws Error.
  void encode(const Image& image, const EncodeOptions& options, RowProgress& ready,
              ByteSink& sink) const;
  /// The options, completed by this format's defaults. @throws Error for a compression that the
  /// format lacks, or a quality out of range.
  EncodeOptions resolved(const EncodeOptions& options) const;
  /// Whether the quality changes files with that compression; empty: the default.
  bool uses_quality(std::string_view compression) const;
  /// The compression of the file that the image comes from, where that is of this format and keeps
  /// what the image holds; else empty.
  std::string kept_compression(const Spec& spec) const;
};

/// Every codec, in sniffing order. A new codec needs its own file and an entry in the table.
const std::vector<Codec>& codecs();
/// @returns the codec with that name or extension (case does not matter), its variant where the
/// extension has one, or null.
const Codec* codec_named(std::string_view name_or_extension);
/// @returns the codec that reads such a file, whatever its name is; null: none does.
const Codec* codec_of_content(std::span<const std::byte> file);
/// The format of a pipe's output, where --format names none.
inline constexpr std::string_view pipe_format = "exr";
/// The codec for writing `path`. @param format "" to go by the extension. @throws Error with the
/// known ones, or for one that is only read.
const Codec& codec_for_output(const std::string& path, const std::string& format);
/// @throws Error where an output that takes its extension from a file of the format `input` would
/// become another format: Softimage's .pic, which is Radiance's too.
void check_kept_extension(const std::string& output, const std::string& input);
/// Opens by content. Formats known and not supported (DPX, WebP, HEIF, JPEG 2000, JPEG XL, ...) are
/// refused by name. @param options their part is ignored. @throws Error naming the source.
std::unique_ptr<ImageFile> open_file(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options);
/// The number of the part that `wanted` selects: by digits if there are that many parts, else by
/// name.
/// @param name (part) gives its name. @returns -1: there is none.
int part_meant(std::string_view wanted, int count, const std::function<std::string(int)>& name);
/// The number of the part with that number or name. @throws Error that lists those there are.
int find_part(const ImageFile& file, const PartId& part, const std::string& source_name);
/// A part's name in notes and errors: "1 'left'".
std::string part_text(int part, const std::string& name);
/// Opens the file's part that the options name. @throws Error naming the source.
std::unique_ptr<Decoder> open_image(std::shared_ptr<const ByteSource> source, const DecodeOptions&);
/// Reads all pixels of a decoder's part. @throws Error.
Image decoded(Decoder& decoder);
/// Opens a part of an open file and reads all of it. @throws Error.
Image read_part(ImageFile& file, int part);
/// The same for the one that the options name. @throws Error.
Image read_image(const std::string& path, const DecodeOptions& = {});
/// The same from a source, for example ByteSource::from_memory(). @throws Error.
Image read_image(const std::shared_ptr<const ByteSource>& source, const DecodeOptions& = {});
/// Reads every part of a file, in its order. @throws Error.
std::vector<Image> read_parts(const std::string& path, const DecodeOptions& = {});
/// Encodes an image into `path`, atomically, its pixels as they are. An EXR made of an EXR keeps
/// its compression where the options name none.
/// @throws Error for an image that files of the format cannot hold, or whose curve, alpha or
/// primaries they cannot say: apply() with the codec makes it fit.
void write_image(const std::string& path, const Image& image, const Codec& codec,
                 const EncodeOptions& = {});
/// The bytes that write_image() would write. @throws Error as it does.
std::vector<std::byte> encode_image(const Image& image, const Codec& codec,
                                    const EncodeOptions& = {});
/// Encodes several as the parts of one file, named by Spec::part_name. @throws Error.
void write_parts(const std::string& path, const std::vector<Image>& parts, const Codec& codec,
                 const EncodeOptions& = {});

/// Throws unless width and height lie in 1..limit_side and their product within limit_pixels.
void check_size(const ByteSource& source, std::int64_t width, std::int64_t height,
                const DecodeOptions& options);
/// For a decoder whose file lacks that level. @param levels how many it has. @throws Error, always.
[[noreturn]] void refuse_level(const ByteSource& source, LevelId level, int levels);

}  // namespace cuimg

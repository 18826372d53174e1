// SPDX-License-Identifier: Apache-2.0
// Finds the codec for a file, and reads a whole image with it.
#include "io/codec.h"

#include <algorithm>
#include <optional>

#include "base/contains.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "io/refused.h"

namespace cuimg {
namespace {

// In the spelling of the path.
std::string extension_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos ? "" : file.substr(dot + 1);
}

std::string list_formats(bool only_written) {
  std::string names;
  for (const Codec& codec : codecs())
    if (codec.is_written() || !only_written) add_item(names, codec.name);
  return names;
}

// A file of a format that stores one part.
class OnePart final : public ImageFile {
 public:
  OnePart(const Codec& codec, std::shared_ptr<const ByteSource> source,
          const DecodeOptions& options)
      : codec_(codec), source_(std::move(source)), options_(options) {}
  int part_count() const override { return 1; }
  PartSummary summary(int part) const override {
    part_index(part, 1, *source_);
    return {};
  }
  std::unique_ptr<Decoder> open(int part) override {
    part_index(part, 1, *source_);
    return codec_.open(source_, options_);
  }

 private:
  const Codec& codec_;
  const std::shared_ptr<const ByteSource> source_;
  const DecodeOptions options_;
};

class OnePartEncoder final : public Encoder {
 public:
  OnePartEncoder(const Codec& codec, PartToWrite part, ByteSink& sink)
      : codec_(codec), part_(std::move(part)), sink_(sink) {}
  void write(const Image& image, RowProgress& ready) override {
    codec_.write(image, part_.options, ready, sink_);
  }
  std::optional<DctLayout> block_layout() const override {
    if (codec_.block_layout == nullptr) return std::nullopt;
    return codec_.block_layout(part_.spec, part_.options);
  }
  void write_blocks(DctImage& image) override {
    codec_.write_blocks(image, part_.spec, part_.options, sink_);
  }
  void finish() override {}

 private:
  const Codec codec_;  // not a reference: callers may have their own copy
  const PartToWrite part_;
  ByteSink& sink_;
};

std::string_view default_compression(const Codec& codec) {
  return codec.compressions.empty() ? "" : codec.compressions.front();
}

const Codec& written(const std::string& place, const Codec& codec) {
  if (!codec.is_written())
    throw Error(place, std::string(codec.description) + " can be read but not written",
                "use " + std::string(codec.instead));
  return codec;
}

}  // namespace

void Encoder::write_blocks(DctImage&) { throw Error("encoder", "the format takes no blocks"); }

const Codec* codec_named(std::string_view name_or_extension) {
  const std::string wanted = in_lower_case(name_or_extension);
  for (const Codec& codec : codecs())
    if (codec.name == wanted) return &codec;
  for (const Codec& codec : codecs())
    if (contains(codec.extensions, wanted)) {
      for (const Codec& variant : codec.variants)
        if (variant.name == wanted) return &variant;
      return &codec;
    }
  return nullptr;
}

void check_kept_extension(const std::string& output, const std::string& input) {
  const Codec* const codec = codec_named(input);
  if (codec == nullptr || codec->shared_extension.empty()) return;
  if (in_lower_case(extension_of(output)) == codec->shared_extension) written(output, *codec);
}

const Codec& codec_for_output(std::string_view path, std::string_view format) {
  if (!format.empty()) {
    const std::string name(format);
    if (const Codec* codec = codec_named(name)) return written("--format " + name, *codec);
    throw Error("--format", "'" + name + "' is not a known format", "use " + list_formats(true));
  }
  if (path == "-") return *codec_named(pipe_format);
  const std::string name(path), extension = extension_of(name);
  if (const Codec* codec = extension.empty() ? nullptr : codec_named(extension))
    return written(name, *codec);
  throw Error(name,
              extension.empty() ? "the name has no extension of a known format"
                                : "'." + extension + "' is not a known format",
              "use " + list_formats(true) + " or --format");
}

EncodeOptions Codec::resolved(const EncodeOptions& options) const {
  EncodeOptions result = options;
  if (options.compression.empty()) {
    result.compression = default_compression(*this);
  } else if (!contains(compressions, options.compression)) {
    std::string names;
    for (const std::string_view known : compressions) add_item(names, known);
    throw Error(std::string(name), "--compression " + options.compression + " is unknown",
                names.empty() ? "the format has none" : "use " + names);
  }
  if (!options.quality) {
    result.quality = capabilities.default_quality;
  } else if (*options.quality < EncodeOptions::lowest_quality ||
             *options.quality > EncodeOptions::highest_quality) {
    throw Error(std::string(name),
                "--quality " + std::to_string(*options.quality) + " is out of range",
                "use " + std::to_string(EncodeOptions::lowest_quality) + " to " +
                    std::to_string(EncodeOptions::highest_quality));
  }
  return result;
}

bool Codec::uses_quality(std::string_view compression) const {
  const auto& lossy = capabilities.lossy;
  const std::string_view chosen = compression.empty() ? default_compression(*this) : compression;
  return contains(lossy, chosen);
}

std::string Codec::kept_compression(const Spec& spec) const {
  const std::string& kept = spec.storage.compression;
  if (spec.storage.format != name || !contains(compressions, kept)) return {};
  const auto& rounding = capabilities.rounding;
  const bool changes_ids =
      std::ranges::any_of(spec.layers, &LayerSpec::is_matte) && contains(rounding, kept);
  return changes_ids ? "" : kept;
}

std::unique_ptr<Encoder> Codec::encoder(std::vector<PartToWrite> parts, ByteSink& sink) const {
  written(std::string(name), *this);
  for (PartToWrite& part : parts) part.options = resolved(part.options);
  if (open_encoder != nullptr) return open_encoder(std::move(parts), sink);
  if (parts.size() != 1)
    throw Error(std::string(name), std::to_string(parts.size()) + " parts", "the format holds one");
  return std::make_unique<OnePartEncoder>(*this, std::move(parts.front()), sink);
}

void Codec::encode(const Image& image, const EncodeOptions& options, RowProgress& ready,
                   ByteSink& sink) const {
  const std::unique_ptr<Encoder> file = encoder({{image.spec(), options}}, sink);
  file->write(image, ready);
  file->finish();
}

const Codec* codec_of_content(std::span<const std::byte> file) {
  for (const Codec& codec : codecs())
    if (codec.sniff(file)) return &codec;
  return nullptr;
}

std::unique_ptr<ImageFile> open_file(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options) {
  if (source == nullptr) throw Error("open_file", "there is no source");
  const FloatEnvironment environment;  // colours are determined while a file is opened
  if (const Codec* const codec = codec_of_content(source->bytes())) {
    if (!codec->capabilities.levels && options.mip_level != 0)
      refuse_level(*source, {options.mip_level, options.mip_level}, 1);
    if (codec->open_file != nullptr) return codec->open_file(std::move(source), options);
    return std::make_unique<OnePart>(*codec, std::move(source), options);
  }
  const std::string refused(refused_format(source->bytes()));
  throw Error(source->name(),
              refused.empty() ? "is not an image of a known format" : refused + " is not supported",
              list_formats(false) + " are read");
}

void refuse_level(const ByteSource& source, LevelId level, int levels) {
  const std::string across = std::to_string(level.across);
  const std::string name = level.across == level.down
                               ? "mip level " + across
                               : "rip level " + across + ", " + std::to_string(level.down);
  throw Error(source.name(), name + " does not exist",
              levels == 1 ? "the file has level 0 only"
                          : "the file has levels 0 to " + std::to_string(levels - 1));
}

std::size_t part_index(int part, int count, const ByteSource& source) {
  if (part >= 0 && part < count) return static_cast<std::size_t>(part);
  throw Error(source.name(), "part " + std::to_string(part) + " does not exist",
              count == 1 ? "the file has part 0 only"
                         : "the file has parts 0 to " + std::to_string(count - 1));
}

std::string part_text(int part, const std::string& name) {
  return std::to_string(part) + (name.empty() ? "" : " '" + name + "'");
}

int part_meant(std::string_view wanted, int count, const std::function<std::string(int)>& name) {
  const auto number = number_of<int>(wanted);
  if (number && *number >= 0 && *number < count) return *number;
  for (int i = 0; i < count; ++i)
    if (!wanted.empty() && name(i) == wanted) return i;
  return -1;
}

int find_part(const ImageFile& file, const PartId& part, const std::string& source_name) {
  const std::string& wanted = part.text;
  const int count = file.part_count();
  const int meant = part_meant(wanted, count, [&](int i) { return file.summary(i).name; });
  if (meant >= 0) return meant;
  // A long list would hide the problem.
  constexpr int most_listed = 20;
  std::string known;
  for (int i = 0; i < std::min(count, most_listed); ++i)
    add_item(known, part_text(i, file.summary(i).name));
  if (count > most_listed) known += ", ... " + part_text(count - 1, file.summary(count - 1).name);
  throw Error(source_name, "part " + wanted + " does not exist",
              count == 1 ? "the file has part " + known + " only" : "the file has parts " + known);
}

std::unique_ptr<Decoder> open_image(std::shared_ptr<const ByteSource> source,
                                    const DecodeOptions& options) {
  const FloatEnvironment environment;
  const std::unique_ptr<ImageFile> file = open_file(source, options);
  return file->open(find_part(*file, options.part, source->name()));
}

Image decoded(Decoder& decoder) {
  const FloatEnvironment environment;
  Image image(decoder.spec());
  RowProgress progress;
  decoder.read(image, progress);
  return image;
}

Image read_part(ImageFile& file, int part) {
  const FloatEnvironment environment;
  const int count = file.part_count();
  if (part < 0 || part >= count)
    throw Error("read_part", "part " + std::to_string(part) + " does not exist",
                "use 0 to " + std::to_string(count - 1));
  Image image = decoded(*file.open(part));
  FileStorage& storage = image.editable_spec().storage;
  storage.part = part;
  storage.parts = count;
  return image;
}

Image read_image(const std::string& path, const DecodeOptions& options) {
  return read_image(ByteSource::open(path), options);
}

Image read_image(const std::shared_ptr<const ByteSource>& source, const DecodeOptions& options) {
  const FloatEnvironment environment;
  std::optional<Image> image;
  const std::unique_ptr<ImageFile> file = open_file(source, options);
  const int part = find_part(*file, options.part, source->name());
  source->read_whole([&] { image = read_part(*file, part); });
  return std::move(*image);
}

std::vector<Image> read_parts(const std::string& path, const DecodeOptions& options) {
  const auto source = ByteSource::open(path);
  const std::unique_ptr<ImageFile> file = open_file(source, options);
  std::vector<Image> parts;
  source->read_whole([&] {
    for (int i = 0; i < file->part_count(); ++i) parts.push_back(read_part(*file, i));
  });
  return parts;
}

void check_size(const ByteSource& source, std::int64_t width, std::int64_t height,
                const DecodeOptions& options) {
  const std::string size = size_text(width, height);
  if (width < 1 || height < 1)
    throw Error(source.name(), "the size " + size + " is malformed", "both must be at least 1");
  if (width > options.limit_side || height > options.limit_side)
    throw Error(source.name(), size + " pixels exceed the limit of " +
                                   std::to_string(options.limit_side) + " for each side");
  const std::uint64_t pixels =
      static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  if (pixels > options.limit_pixels)
    throw Error(source.name(),
                size + " is " + std::to_string(pixels) + " pixels, more than the limit of " +
                    std::to_string(options.limit_pixels),
                "raise it with --limit-pixels if the file is trusted");
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Finding the codec for a file, and reading or writing a whole image through it.
#include "io/codec.h"

#include <algorithm>

#include "base/error.h"
#include "io/refused.h"

namespace cuimg {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string known_formats() {
  std::string names;
  for (const Codec& codec : codecs())
    names += (names.empty() ? "" : ", ") + std::string(codec.name);
  return names;
}

// A format that has no parts has one, and one without levels has one of each.
void check_is_first(const ByteSource& source, const Capabilities& can,
                    const DecodeOptions& options) {
  if (!can.parts && options.part != 0)
    throw Error(source.name(), "part " + std::to_string(options.part) + " does not exist",
                "the file has part 0 only");
  if (!can.levels && options.mip_level != 0)
    throw Error(source.name(), "mip level " + std::to_string(options.mip_level) + " does not exist",
                "the file has level 0 only");
}

std::string_view default_compression(const Codec& codec) {
  return codec.compressions.empty() ? "" : codec.compressions.front();
}

const Codec& written(const std::string& place, const Codec& codec) {
  if (codec.write == nullptr)
    throw Error(place, std::string(codec.description) + " is read and not written",
                "use " + std::string(codec.instead));
  return codec;
}

}  // namespace

const Codec* codec_named(std::string_view name_or_extension) {
  const std::string wanted = lower(name_or_extension);
  for (const Codec& codec : codecs())
    if (codec.name == wanted) return &codec;
  for (const Codec& codec : codecs())
    if (std::find(codec.extensions.begin(), codec.extensions.end(), wanted) !=
        codec.extensions.end()) {
      for (const Codec& variant : codec.variants)
        if (variant.name == wanted) return &variant;
      return &codec;
    }
  return nullptr;
}

const Codec& codec_for_output(const std::string& path, const std::string& format) {
  if (!format.empty()) {
    if (const Codec* codec = codec_named(format)) return written("--format " + format, *codec);
    throw Error("--format", "'" + format + "' is not a known format", "use " + known_formats());
  }
  if (path == "-") return *codec_named(pipe_format);
  const std::size_t slash = path.rfind('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : file.substr(dot + 1);
  if (const Codec* codec = extension.empty() ? nullptr : codec_named(extension))
    return written(path, *codec);
  throw Error(path,
              extension.empty() ? "the name has no extension that tells the format"
                                : "'." + extension + "' is not a known format",
              "use " + known_formats() + " or --format");
}

EncodeOptions Codec::resolved(const EncodeOptions& options) const {
  EncodeOptions result = options;
  if (options.compression.empty()) {
    result.compression = default_compression(*this);
  } else if (std::find(compressions.begin(), compressions.end(), options.compression) ==
             compressions.end()) {
    std::string names;
    for (std::string_view known : compressions)
      names += (names.empty() ? "" : ", ") + std::string(known);
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
  return std::find(lossy.begin(), lossy.end(), chosen) != lossy.end();
}

std::unique_ptr<Decoder> open_image(std::shared_ptr<const ByteSource> source,
                                    const DecodeOptions& options) {
  for (const Codec& codec : codecs())
    if (codec.sniff(source->bytes())) {
      check_is_first(*source, codec.capabilities, options);
      return codec.open(source, options);
    }
  const std::string_view refused = refused_format(source->bytes());
  if (!refused.empty())
    throw Error(source->name(), std::string(refused) + " is not supported",
                known_formats() + " are read");
  throw Error(source->name(), "is not an image of a known format", known_formats() + " are read");
}

Image read_image(const std::string& path, const DecodeOptions& options) {
  const std::unique_ptr<Decoder> decoder = open_image(ByteSource::open(path), options);
  Image image(decoder->spec());
  RowProgress progress;
  decoder->read(image, progress);
  return image;
}

void write_image(const std::string& path, const Image& image, const Codec& codec,
                 const EncodeOptions& options) {
  OutputFile file(path);
  RowProgress ready;
  ready.finish();
  codec.encode(image, options, ready, file.sink());
  file.commit();
}

void check_size(const ByteSource& source, std::int64_t width, std::int64_t height,
                const DecodeOptions& options) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width < 1 || height < 1)
    throw Error(source.name(), "the size " + size + " is malformed", "both must be at least 1");
  if (width > options.limit_side || height > options.limit_side)
    throw Error(source.name(), size + " pixels pass the limit of " +
                                   std::to_string(options.limit_side) + " for each side");
  const std::uint64_t pixels =
      static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  if (pixels > options.limit_pixels)
    throw Error(source.name(),
                size + " is " + std::to_string(pixels) + " pixels, past the limit of " +
                    std::to_string(options.limit_pixels),
                "raise it with --limit-pixels if the file is trusted");
}

}  // namespace cuimg

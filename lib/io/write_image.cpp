// SPDX-License-Identifier: Apache-2.0
// Writes whole images, and refuses those of which a file would lose something.
#include <algorithm>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/message_text.h"
#include "image/require_memory.h"
#include "io/codec.h"
#include "io/flat_image.h"
#include "io/output_file.h"

namespace cuimg {
namespace {

// Whether files of the format state, or imply, the meaning of a layer's values.
bool says_color(const LayerSpec& layer, const ColorEncoding& color, const Capabilities& can) {
  const bool integers = holds_codes(layer.type);
  const ColorEncoding& own = integers ? can.integer_encoding : can.float_encoding;
  const bool has_covering_alpha = layer.alpha_index() >= 0 && color.alpha_covers;
  if (has_covering_alpha && color.premultiplied != own.premultiplied) return false;
  const bool grey = layer.channels.front() == "Y";
  if (integers && can.describes != nullptr && can.describes(color, grey)) return true;
  const bool same_curve = color.curve == own.curve && color.gamma == own.gamma;
  const bool are_usual = color.primaries.value_or(Chromaticities{}) == Chromaticities{};
  return same_curve && (are_usual || can.primaries);
}

// A file of a format of pictures says only how many channels it has: of two or four, the last is
// read as alpha.
void require_channels(const std::string& path, const LayerSpec& layer, const Codec& codec) {
  const std::vector<std::string> stored = picture_channels(layer, codec.capabilities);
  const bool differ = layer.is_color() ? layer.channels != stored
                                       : layer.channels.size() != stored.size() ||
                                             (layer.alpha_index() >= 0) != (stored.back() == "A");
  if (!differ) return;
  std::string names;
  for (const std::string& channel : layer.channels) add_item(names, channel, " ");
  throw Error(path, std::string(codec.description) + " cannot hold the channels " + names,
              fitting_remedy);
}

// Levels are made while the file is written, by a function that this room does not know.
void require_levels(const std::string& path, const Spec& spec, const Codec& codec,
                    const EncodeOptions& options) {
  if (!spec.mip) return;
  if (!codec.capabilities.levels)
    throw Error(path, std::string(codec.description) + " cannot hold mip levels",
                "write an EXR, or clear Spec::mip");
  if (!options.next_level)
    throw Error(path, "the image asks for mip levels (Spec::mip), but nothing makes them",
                "set EncodeOptions::next_level to halved_levels()");
}

// Pixels are written without conversion, so anything that a file cannot say about them would be
// lost, and their colours would change.
void require_fit(const std::string& path, const Spec& spec, const Codec& codec) {
  const Capabilities& can = codec.capabilities;
  const std::string remedy = fitting_remedy;
  if (!can.windows && spec.data_window != spec.display_window)
    throw Error(path, std::string(codec.description) + " has no separate data window", remedy);
  if (!can.layers && spec.layers.size() == 1) require_channels(path, spec.layers.front(), codec);
  if (spec.color.curve == Curve::raw) return;
  for (const LayerSpec& layer : spec.layers)
    if (layer.is_color() && !says_color(layer, spec.color, can))
      throw Error(path,
                  std::string(codec.description) +
                      " cannot say that these values have such a curve, alpha or primaries",
                  remedy);
}

std::vector<PartToWrite> parts_to_write(const std::string& place, std::span<const Image> parts,
                                        const Codec& codec, const EncodeOptions& options) {
  std::vector<PartToWrite> to_write;
  for (const Image& part : parts) {
    require_memory(part, place);
    require_fit(place, part.spec(), codec);
    require_levels(place, part.spec(), codec, options);
    to_write.push_back({part.spec(), options});
    std::string& compression = to_write.back().options.compression;
    if (compression.empty()) compression = codec.kept_compression(part.spec());
  }
  return to_write;
}

void encode_all(std::span<const Image> parts, std::vector<PartToWrite> to_write, const Codec& codec,
                ByteSink& sink) {
  const FloatEnvironment environment;
  const std::unique_ptr<Encoder> encoder = codec.encoder(std::move(to_write), sink);
  for (const Image& part : parts) {
    RowProgress ready;
    ready.finish();
    encoder->write(part, ready);
  }
  encoder->finish();
}

void write_all(const std::string& path, std::span<const Image> parts, const Codec& codec,
               const EncodeOptions& options) {
  std::vector<PartToWrite> to_write = parts_to_write(path, parts, codec, options);
  OutputFile file(path);
  encode_all(parts, std::move(to_write), codec, file.sink());
  file.commit();
}

}  // namespace

void write_image(const std::string& path, const Image& image, const Codec& codec,
                 const EncodeOptions& options) {
  write_all(path, {&image, 1}, codec, options);
}

std::vector<std::byte> encode_image(const Image& image, const Codec& codec,
                                    const EncodeOptions& options) {
  MemorySink sink;
  encode_all({&image, 1}, parts_to_write(std::string(codec.name), {&image, 1}, codec, options),
             codec, sink);
  return sink.take();
}

void write_parts(const std::string& path, const std::vector<Image>& parts, const Codec& codec,
                 const EncodeOptions& options) {
  write_all(path, parts, codec, options);
}

}  // namespace cuimg

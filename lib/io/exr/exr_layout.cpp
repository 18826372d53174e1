// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_layout.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfCompression.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfPreviewImage.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/OpenEXRConfig.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "base/bytes.h"
#include "base/error.h"
#include "base/message_text.h"
#include "image/color_interop.h"
#include "image/cryptomatte.h"
#include "io/exr/exr_attributes.h"
#include "io/exr/exr_names.h"
#include "io/exr/exr_support.h"
#include "io/flat_image.h"

namespace cuimg {
namespace {

std::int64_t width_of(const Imath::Box2i& box) { return std::int64_t{box.max.x} - box.min.x + 1; }
std::int64_t height_of(const Imath::Box2i& box) { return std::int64_t{box.max.y} - box.min.y + 1; }

std::uint64_t raw_bytes(const Imf::Header& header) {
  const Imath::Box2i window = header.dataWindow();
  std::uint64_t bytes = 0;
  for (auto c = header.channels().begin(); c != header.channels().end(); ++c) {
    const Imf::Channel& channel = c.channel();
    const auto columns = static_cast<std::uint64_t>(width_of(window) / channel.xSampling);
    const auto rows = static_cast<std::uint64_t>(height_of(window) / channel.ySampling);
    bytes += columns * rows * bytes_of(type_of_exr(channel.type));
  }
  return bytes;
}

bool is_luminance_chroma(const Imf::ChannelList& channels) {
  const auto sampled = [&](const char* name, int sampling) {
    const Imf::Channel* c = channels.findChannel(name);
    return c != nullptr && c->type != Imf::UINT && c->xSampling == sampling &&
           c->ySampling == sampling;
  };
  return sampled("Y", 1) &&
         ((sampled("RY", 2) && sampled("BY", 2)) || (sampled("RY", 1) && sampled("BY", 1)));
}

bool is_luminance_chroma_name(const std::string& name) {
  return name == "Y" || name == "RY" || name == "BY" || name == "A";
}

void place_channels(const ByteSource& source, const Imf::Header& header,
                    const DecodeOptions& options, ExrLayout& layout) {
  std::vector<std::string> names;
  std::vector<PixelType> types;
  std::map<std::string, ExrChannel> by_name;
  bool subsampled = false;
  if (layout.luminance_chroma_layer >= 0)
    for (const char* taken : {"R", "G", "B", "A"}) by_name[taken] = {};
  for (auto c = header.channels().begin(); c != header.channels().end(); ++c) {
    std::string name = c.name();
    ExrChannel channel{name, 0, 0, c.channel().type, c.channel().xSampling, c.channel().ySampling};
    if (layout.luminance_chroma_layer >= 0 && is_luminance_chroma_name(name)) continue;
    subsampled = subsampled || channel.x_sampling != 1 || channel.y_sampling != 1;
    // A name that begins with the separator would be read as a name without a layer.
    if (name.front() == '.') {
      name.insert(name.begin(), '_');
      tell(options, source, "channel " + channel.name + " is called " + name);
    }
    name = exr_image_name(header.channels(), name);
    while (by_name.contains(name)) name += '_';
    names.push_back(name);
    types.push_back(type_of_exr(channel.type));
    by_name[name] = channel;
  }
  if (subsampled) tell(options, source, "subsampled channels are repeated to full size");
  const auto first = layout.spec.layer_count();
  FileStorage& storage = layout.spec.storage;
  for (LayerSpec& layer : group_channels(names, types))
    layout.spec.layers.push_back(std::move(layer));
  for (int l = first; l < layout.spec.layer_count(); ++l) {
    const LayerSpec& layer = layout.spec.layer(l);
    for (int i = 0; i < layer.channel_count(); ++i) {
      ExrChannel& channel = by_name.at(layer.full_name(i));
      if (channel.type != exr_type(layer.type)) storage.half_channels.insert(layer.full_name(i));
      channel.type = exr_type(layer.type);  // the library widens a half
      channel.layer = l;
      channel.index = i;
      if (header.channels()[channel.name].pLinear)
        storage.linear_channels.insert(layer.full_name(i));
      keep_exr_name(header.channels(), channel.name, storage);
      layout.channels.push_back(channel);
    }
  }
}

// Renderers write Cryptomatte's metadata only into the first part, since some programs read only
// that. A part that needs it gets a copy.
void mark_mattes_of_file(const Imf::Header& first, Spec& spec) {
  Metadata names = metadata_of(first);
  std::erase_if(names, [](const auto& entry) { return !entry.first.starts_with("cryptomatte/"); });
  Metadata all = spec.metadata;
  all.merge(names);
  mark_mattes(all, spec.layers, spec.part_name);
  if (std::ranges::any_of(spec.layers, [](const LayerSpec& layer) { return layer.is_matte; }))
    spec.metadata = std::move(all);
}

// OpenEXR allocates by an attribute's sizes when it opens a file. Its own limits on them apply to
// the whole process, so they are not changed.
void check_window_and_tiles(const ByteSource& source, std::string_view name, std::string_view type,
                            std::span<const std::byte> value, const DecodeOptions& options) {
  const auto number = [&](std::size_t i) { return number_at(value, 4 * i, 4, false); };
  const auto side = [&](std::size_t low, std::size_t high) {
    return std::int64_t{static_cast<std::int32_t>(number(high))} -
           static_cast<std::int32_t>(number(low)) + 1;
  };
  if (name == "dataWindow" && type == "box2i" && value.size() >= 16) {
    DecodeOptions limits = options;
    limits.limit_pixels = std::numeric_limits<std::uint64_t>::max();  // other parts may be large
    check_size(source, side(0, 2), side(1, 3), limits);
  }
  if (name == "tiles" && type == "tiledesc" && value.size() >= 8 &&
      std::max(number(0), number(1)) > static_cast<std::uint64_t>(options.limit_side))
    throw Error(source.name(), "OpenEXR: tiles of " + std::to_string(number(0)) + "x" +
                                   std::to_string(number(1)) + " pixels exceed the limit of " +
                                   std::to_string(options.limit_side) + " for each side");
}

}  // namespace

Rect rect_of(const Imath::Box2i& box) {
  return {box.min.x, box.min.y, static_cast<int>(width_of(box)), static_cast<int>(height_of(box))};
}

Imath::Box2i box_of(const Rect& rect) {
  return {Imath::V2i(rect.x, rect.y), Imath::V2i(rect.right() - 1, rect.bottom() - 1)};
}

ExrLayout exr_layout(const ByteSource& source, const Imf::Header& header, const Imf::Header& first,
                     const DecodeOptions& options) {
  const Imath::Box2i data = header.dataWindow(), display = header.displayWindow();
  check_size(source, width_of(data), height_of(data), options);
  check_size(source, width_of(display), height_of(display), options);
  if (header.channels().begin() == header.channels().end())
    throw Error(source.name(), "the EXR part has no channels");

  ExrLayout layout;
  Spec& spec = layout.spec;
  spec.data_window = rect_of(data);
  spec.display_window = rect_of(display);
  const float aspect = header.pixelAspectRatio();
  spec.pixel_aspect = std::isfinite(aspect) && aspect > 0 ? aspect : 1.0f;
  spec.color = {options.raw ? Curve::raw : Curve::linear, 1.0f, true, {}};
  if (Imf::hasChromaticities(header) && !options.raw) {
    const Imf::Chromaticities c = Imf::chromaticities(header);
    spec.color.primaries = Chromaticities{c.red.x,  c.red.y,  c.green.x, c.green.y,
                                          c.blue.x, c.blue.y, c.white.x, c.white.y};
  }
  if (header.hasPreviewImage()) {
    const Imf::PreviewImage& preview = header.previewImage();
    constexpr unsigned most = 1024;  // a thumbnail, whatever the file says
    spec.storage.preview_side =
        static_cast<int>(std::min(most, std::max(preview.width(), preview.height())));
  }
  spec.metadata = metadata_of(header);
  if (const auto* id = find_entry<std::string>(spec.metadata, interop_id_key);
      id != nullptr && !spec.color.primaries && !options.raw)
    spec.color.primaries = primaries_of_interop_id(*id);
  spec.storage.entries = stored_entries_of(header, spec.metadata);
  if (header.hasName()) spec.part_name = header.name();

  if (is_luminance_chroma(header.channels()) && !options.raw) {
    layout.luminance_chroma_layer = 0;
    LayerSpec layer{"", {"R", "G", "B"}, PixelType::half};
    if (header.channels().findChannel("A") != nullptr) layer.channels.push_back("A");
    spec.layers.push_back(layer);
  }
  place_channels(source, header, options, layout);
  mark_mattes_of_file(first, spec);
  return layout;
}

// OpenEXR reports them all as unknown.
static void check_compression(const ByteSource& source, std::byte code) {
  const auto number = std::to_integer<int>(code);
  if (number < Imf::NUM_COMPRESSION_METHODS) return;
  constexpr int htj2k256 = 10, htj2k32 = 11;
  const bool is_htj2k = number == htj2k256 || number == htj2k32;
  throw Error(source.name(),
              "OpenEXR " OPENEXR_VERSION_STRING
              ", which reads it, does not know its compression, " +
                  (is_htj2k ? std::string("HTJ2K") : "number " + std::to_string(number)),
              "write it with another, such as zip or piz");
}

std::size_t check_attributes(const ByteSource& source, const DecodeOptions& options) {
  const auto bytes = source.bytes();
  std::size_t at = 8;
  const auto text = [&] {
    const auto rest = bytes.subspan(at);
    const auto end = std::ranges::find(rest, std::byte{0});
    if (end == rest.end()) throw Error(source.name(), "OpenEXR: the header is truncated");
    const auto length = static_cast<std::size_t>(end - rest.begin());
    at += length + 1;
    return text_of_bytes(rest.first(length));
  };
  const bool many_parts = (std::to_integer<unsigned>(bytes[5]) & 0x10) != 0;
  int parts = 1;
  for (;;) {
    // An empty name ends a header; of several headers, an empty one ends the list.
    std::string_view name = text();
    if (name.empty()) {
      if (!many_parts) return at;
      name = text();
      if (name.empty()) return at;
      if (++parts > most_parts)
        throw Error(source.name(), "OpenEXR: more than " + std::to_string(most_parts) + " parts",
                    "split the file first");
    }
    const std::string_view type = text();
    if (bytes.size() - at < 4) throw Error(source.name(), "OpenEXR: the header is truncated");
    const std::uint64_t size = number_at(bytes, at, 4, false);
    at += 4;
    if (size > bytes.size() - at)
      throw Error(source.name(), "OpenEXR: the file is truncated: a header attribute of " +
                                     std::to_string(size) + " bytes passes its end");
    const auto value = bytes.subspan(at, static_cast<std::size_t>(size));
    check_window_and_tiles(source, name, type, value, options);
    if (type == "compression" && size == 1) check_compression(source, value.front());
    at += static_cast<std::size_t>(size);
  }
}

void check_chunks(const ByteSource& source, const Imf::MultiPartInputFile& file,
                  std::uint64_t only_count, std::size_t at) {
  const auto bytes = source.bytes();
  const auto truncated = [&] { throw Error(source.name(), "OpenEXR: the file is truncated"); };
  const auto number = [&](std::uint64_t place, std::size_t count) {
    if (place > bytes.size() || count > bytes.size() - place) truncated();
    return number_at(bytes, place, count, false);
  };
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    std::uint64_t last = 0;
    const std::uint64_t count =
        file.parts() == 1 ? only_count : static_cast<std::uint64_t>(header.chunkCount());
    for (std::uint64_t chunk = 0; chunk < count; ++chunk, at += 8)
      last = std::max(last, number(at, 8));
    // A level that was never written has offsets of 0; reading it fails anyway.
    if (last == 0) continue;
    if (last >= bytes.size()) truncated();
    if (header.hasType() && Imf::isDeepData(header.type())) continue;
    // The part number if there are several, the position in it, the size, the data.
    const std::uint64_t size_at =
        last + (file.parts() > 1 ? 4 : 0) + (header.hasTileDescription() ? 16 : 4);
    if (number(size_at, 4) > bytes.size() - size_at - 4) truncated();
  }
}

void check_plausible(const ByteSource& source, const Imf::Header& header) {
  const std::uint64_t raw = raw_bytes(header);
  const std::uint64_t size = source.bytes().size();
  if (raw / exr_largest_ratio(header.compression()) > size)
    throw Error(source.name(), "the file is truncated: " + std::to_string(size) +
                                   " bytes cannot hold the " + std::to_string(raw) +
                                   " bytes of pixels that its header states");
  if (header.hasTileDescription()) {
    constexpr std::uint64_t most = std::uint64_t{1} << 28;
    const Imf::TileDescription& tile = header.tileDescription();
    std::uint64_t pixel = 0;
    for (auto c = header.channels().begin(); c != header.channels().end(); ++c)
      pixel += bytes_of(type_of_exr(c.channel().type));
    if (std::uint64_t{tile.xSize} * tile.ySize > most / std::max<std::uint64_t>(pixel, 1))
      throw Error(source.name(),
                  "EXR tiles of " + size_text(tile.xSize, tile.ySize) + " pixels of " +
                      std::to_string(pixel) + " bytes are not supported",
                  "tiles may hold 256 MiB");
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Specs of single-layer formats.
#include "io/flat_image.h"

#include <algorithm>

#include "base/contains.h"
#include "base/error.h"

namespace cuimg {

Spec flat_spec(int width, int height, int channels, PixelType type, const ColorEncoding& color) {
  static const std::vector<std::string> names[] = {
      {}, {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
  Spec spec;
  spec.data_window = {0, 0, width, height};
  spec.display_window = spec.data_window;
  spec.color = color;
  spec.layers = {{"", names[channels], type}};
  return spec;
}

std::vector<std::string> picture_channels(const LayerSpec& layer, const Capabilities& can) {
  const bool has_alpha = layer.alpha_index() >= 0 && can.alpha;
  const int others = layer.channel_count() - (layer.alpha_index() >= 0 ? 1 : 0);
  const bool is_grey = can.grey && (layer.is_color() ? layer.channels.front() == "Y" : others <= 1);
  std::vector<std::string> channels = {"R", "G", "B"};
  if (is_grey) channels = {"Y"};
  if (has_alpha) channels.push_back("A");
  return channels;
}

const LayerSpec& encodable_layer(const Spec& spec, const Codec& codec) {
  const auto refuse = [&](const std::string& problem, const std::string& advice) {
    throw Error(std::string(codec.name), problem, advice);
  };
  if (spec.layers.size() != 1)
    refuse(std::to_string(spec.layers.size()) + " layers",
           std::string("the format holds one: ") + fitting_remedy);
  const LayerSpec& layer = spec.layers.front();
  const Capabilities& can = codec.capabilities;
  if (!contains(can.types, layer.type))
    refuse("pixels of type " + std::string(name_of(layer.type)) + " do not fit the format",
           fitting_remedy);
  const int channels = layer.channel_count();
  if (channels < 1 || channels > 4)
    refuse(std::to_string(channels) + " channels", "the format holds 1 to 4");
  if (channels % 2 == 0 && !can.alpha) refuse("the format holds no alpha", fitting_remedy);
  if (channels <= 2 && !can.grey) refuse("the format holds no grey images", fitting_remedy);
  if (channels > 2 && !can.color) refuse("the format holds no colour", fitting_remedy);
  if (spec.data_window.empty()) refuse("the image is empty", "");
  return layer;
}

void write_bottom_up(ByteSink& sink, int height, std::size_t stride, RowProgress& ready,
                     const std::function<void(int, std::byte*)>& fill) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  const int block_rows = static_cast<int>(std::max<std::size_t>(1, block_bytes / stride));
  const std::uint64_t start = sink.position();
  const auto place = [&](int row) { return start + static_cast<std::uint64_t>(row) * stride; };
  std::vector<std::byte> block;
  for (int top = 0; top < height; top += std::min(block_rows, height - top)) {
    const int rows = std::min(block_rows, height - top);
    ready.wait_for(top + rows);
    block.assign(static_cast<std::size_t>(rows) * stride, std::byte{0});
    for (int i = 0; i < rows; ++i)
      fill(top + i, block.data() + static_cast<std::size_t>(rows - 1 - i) * stride);
    ready.release(top + rows);
    sink.seek(place(height - top - rows));
    sink.write(block);
  }
  sink.seek(place(height));
}

std::size_t bgr_pixel_bytes(int channels) { return channels == 1 ? 1 : channels % 2 == 0 ? 4 : 3; }

void copy_as_bgr(const std::byte* from, int channels, int pixels, std::byte* to) {
  const int colors = channels == 1 ? 1 : 3;
  const std::size_t pixel = bgr_pixel_bytes(channels);
  for (int x = 0; x < pixels; ++x, from += channels, to += pixel) {
    for (int c = 0; c < colors; ++c) to[c] = from[channels < 3 ? 0 : 2 - c];
    if (pixel == 4) to[3] = from[channels - 1];
  }
}

std::optional<double> metadata_number(const Metadata& metadata, const std::string& key) {
  if (const auto* whole = find_entry<std::int64_t>(metadata, key))
    return static_cast<double>(*whole);
  const auto* number = find_entry<double>(metadata, key);
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

void tell(const DecodeOptions& options, const ByteSource& source, const std::string& what) {
  if (options.notify) options.notify(source.name() + ": " + what);
}

void warn(const DecodeOptions& options, const ByteSource& source, const std::string& what) {
  if (!options.warn) return tell(options, source, what);
  options.warn(source.name() + ": " + what);
}

void warn_of_cut_light(const DecodeOptions& options, const ByteSource& source,
                       const std::string& warning) {
  if (options.replaces_file)
    throw Error(source.name(), "--in-place would cut off colours above their alpha",
                "write to another file");
  warn(options, source, warning);
}

void tell_of_profile(const DecodeOptions& options, const ByteSource& source,
                     const std::string& note, bool refused) {
  if (note.empty()) return;
  (refused ? warn : tell)(options, source, note);
}

}  // namespace cuimg

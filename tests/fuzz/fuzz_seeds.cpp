// SPDX-License-Identifier: Apache-2.0
// Small files, because fuzzing soon changes every byte of a short file.
#include <algorithm>

#include "base/bytes.h"
#include "fuzz/fuzz_codec.h"
#include "io/flat_image.h"
#include "io/made_gif.h"
#include "io/made_pic.h"
#include "io/made_profiles.h"
#include "io/made_psd.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/iptc.h"
#include "io/tags/xmp.h"

namespace cuimg::test {
namespace {

constexpr int seed_width = 9, seed_height = 7;

Image seed_image(int channels, PixelType type) {
  const bool floating = is_floating(type);
  Image image(flat_spec(seed_width, seed_height, channels, type,
                        {floating ? Curve::linear : Curve::srgb, 1.0f, floating, {}}));
  std::uint32_t state = 5;
  for (int y = 0; y < seed_height; ++y) {
    std::byte* row = image.row(0, y);
    for (std::size_t i = 0; i < image.row_bytes(0); ++i) {
      if (i % 4 != 3) state = state * 1664525u + 1013904223u;
      row[i] = static_cast<std::byte>(state >> 26);  // finite in every type
    }
  }
  return image;
}

bool holds(const Capabilities& can, int channels) {
  return (can.alpha || channels % 2 == 1) && (channels <= 2 ? can.grey : can.color);
}

// With a thumbnail in EXIF, a maker note, IPTC, XMP and a preview, if the format can hold them.
FuzzSeed described_seed(const Codec& codec) {
  Image image = seed_image(3, codec.capabilities.types.front());
  Spec& spec = image.editable_spec();
  ExifBlock exif;
  exif.set_text(ExifDirectory::primary, 0x010f, "Maker");
  exif.set(ExifDirectory::camera, 0x927c, TiffType::undefined, Blob(20, std::byte{7}));
  exif.set_numbers(ExifDirectory::gps, 2, TiffType::rational, {48, 1, 12, 1, 0, 1});
  exif.make_thumbnail_room(8);
  spec.metadata[exif_key] = exif.bytes();
  spec.metadata["cameraMake"] = std::string("Maker");
  spec.metadata[iptc_key] = iptc_of({{2, 105, "Waves"}});
  spec.metadata[xmp_key] =
      bytes_of_text("<rdf:Description tiff:Orientation=\"6\"><tiff:ImageWidth>9</tiff:ImageWidth>");
  spec.storage.preview_side = 4;
  MemorySink sink;
  RowProgress ready;
  ready.finish();
  EncodeOptions options;
  options.threads = 1;
  codec.encode(image, options, ready, sink);
  return {"described", sink.bytes()};
}

std::vector<FuzzSeed> written_seeds(const Codec& codec) {
  std::vector<FuzzSeed> seeds;
  std::vector<std::string_view> compressions = codec.compressions;
  if (compressions.empty()) compressions = {""};
  for (const std::string_view compression : compressions)
    for (const PixelType type : codec.capabilities.types)
      for (int channels = 1; channels <= 4; ++channels) {
        if (!holds(codec.capabilities, channels)) continue;
        RowProgress ready;
        ready.finish();
        MemorySink sink;
        EncodeOptions options;
        options.compression = compression;
        options.threads = 1;
        codec.encode(seed_image(channels, type), options, ready, sink);
        seeds.push_back({std::to_string(channels) + "_" + std::string(name_of(type)) + "_" +
                             std::string(compression),
                         sink.bytes()});
      }
  if (codec.capabilities.keeps != nullptr) seeds.push_back(described_seed(codec));
  return seeds;
}

// Adds EXIF, IPTC, XMP and a profile.
void put_descriptions(MadeBytes& resources) {
  ExifBlock exif;
  exif.set_text(ExifDirectory::primary, 0x010f, "Maker");
  put_psd_resource(resources, 1028, iptc_of({{2, 105, "Waves"}}));
  put_psd_resource(resources, 1039, rgb_profile(p3_colors, srgb_curve()));
  put_psd_resource(resources, 1058, exif.bytes());
  put_psd_resource(resources, 1060, MadeBytes(20, std::byte{'<'}));
}

std::vector<FuzzSeed> psd_seeds() {
  std::vector<FuzzSeed> seeds;
  for (const unsigned mode : {1u, 3u})
    for (const int bits : {8, 16})
      for (const bool packed : {false, true})
        for (const int alpha : {0, 1}) {
          MadePsd psd;
          psd.mode = mode;
          psd.bits = bits;
          psd.packed = packed;
          psd.large = packed && alpha == 1;
          psd.channels = static_cast<int>(mode) + alpha;
          psd.layer_count = -alpha;
          psd.in_own_block = bits == 16;
          put_psd_resource(psd.resources, 1005, MadeBytes(16, std::byte{1}));
          if (packed) put_descriptions(psd.resources);
          psd.samples = psd_samples(psd);
          seeds.push_back({std::to_string(seeds.size()), psd.bytes()});
        }
  return seeds;
}

std::vector<FuzzSeed> pic_seeds() {
  std::vector<FuzzSeed> seeds;
  for (const bool alpha : {false, true})
    for (const PicCode code : {PicCode::none, PicCode::pure, PicCode::mixed})
      seeds.push_back(
          {std::to_string(seeds.size()),
           made_pic(seed_width, seed_height, alpha, code, pic_pixels(seed_width, seed_height))});
  return seeds;
}

std::vector<FuzzSeed> gif_seeds() {
  std::vector<FuzzSeed> seeds;
  for (const bool own_colors : {false, true}) {
    MadeGif gif{seed_width, seed_height, own_colors ? GifColors{} : gif_colors(3, 1), 5, "text"};
    for (unsigned disposal = 0; disposal < 5; ++disposal) {
      const int shift = static_cast<int>(disposal);
      MadeGifFrame frame{shift, 2 * shift, seed_width - shift, seed_height, disposal};
      if (disposal > 0) frame.transparent = disposal;
      frame.interlaced = disposal % 2 == 1;
      if (own_colors) frame.colors = gif_colors(3, disposal);
      for (int i = 0; i < frame.width * frame.height; ++i)
        frame.indices.push_back(static_cast<std::uint8_t>(i / 2 % 8));
      gif.frames.push_back(frame);
    }
    if (own_colors) {
      gif.icc_profile = rgb_profile(p3_colors, srgb_curve());
      gif.xmp = "<x:xmpmeta/>";
    }
    seeds.push_back({std::to_string(seeds.size()), gif.bytes()});
  }
  return seeds;
}

}  // namespace

std::vector<FuzzSeed> fuzz_seeds(const Codec& codec) {
  if (codec.is_written()) return written_seeds(codec);
  if (codec.name == "psd") return psd_seeds();
  if (codec.name == "softimage") return pic_seeds();
  if (codec.name == "gif") return gif_seeds();
  return {};
}

}  // namespace cuimg::test

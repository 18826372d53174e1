// SPDX-License-Identifier: Apache-2.0
// Writing OpenEXR: scanlines from the top, chunk by chunk as rows become ready.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include <algorithm>
#include <set>

#include "image/error.h"
#include "io/codecs.h"
#include "io/exr_attributes.h"
#include "io/exr_codec.h"
#include "io/exr_layout.h"
#include "io/exr_stream.h"
#include "io/exr_support.h"

namespace cuimg {
namespace {

Imf::Header header_of(const Spec& spec, const EncodeOptions& options) {
  Imf::Header header(box_of(spec.display_window), box_of(spec.data_window), spec.pixel_aspect);
  header.lineOrder() = Imf::INCREASING_Y;
  header.compression() = *exr_compression_named(chosen_compression(options, exr_codec()));
  // Level 1 takes two thirds of the time of the library's own 4 for files 4 % larger (4K
  // photograph, half RGBA, 2 cores of an AMD EPYC, 2026-11-21).
  header.zipCompressionLevel() = 1;
  if (options.quality) header.dwaCompressionLevel() = static_cast<float>(*options.quality);
  if (spec.color.primaries && spec.color.curve != Curve::raw) {
    const Chromaticities& c = *spec.color.primaries;
    Imf::addChromaticities(
        header, Imf::Chromaticities({c.rx, c.ry}, {c.gx, c.gy}, {c.bx, c.by}, {c.wx, c.wy}));
  }
  add_metadata(spec.metadata, header);
  return header;
}

Imf::FrameBuffer add_channels(const Image& image, Imf::Header& header) {
  const Spec& spec = image.spec();
  Imf::FrameBuffer buffer;
  std::set<std::string> names;
  for (int l = 0; l < static_cast<int>(spec.layers.size()); ++l) {
    const LayerSpec& layer = spec.layers[static_cast<std::size_t>(l)];
    for (int i = 0; i < layer.channel_count(); ++i) {
      const std::string name = layer.full_name(i);
      if (name.empty() || name.size() > 255 || !names.insert(name).second)
        throw Error("exr", "the channel name '" + name + "' cannot be stored",
                    "names must differ and have 1 to 255 characters");
      header.channels().insert(name, Imf::Channel(exr_type(layer.type)));
      const std::byte* first =
          image.row(l, spec.data_window.y) + bytes_of(layer.type) * static_cast<std::size_t>(i);
      buffer.insert(name, Imf::Slice::Make(exr_type(layer.type), first, header.dataWindow(),
                                           layer.pixel_bytes(), image.row_bytes(l)));
    }
  }
  return buffer;
}

}  // namespace

void encode_exr(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink) {
  const Spec& spec = image.spec();
  if (spec.layers.empty()) throw Error("exr", "an image without channels cannot be stored");
  ExrOutput output(sink);
  try {
    Imf::Header header = header_of(spec, options);
    const Imf::FrameBuffer buffer = add_channels(image, header);
    const int threads = exr_threads(options.threads);
    exr_start_pool(threads, spec.pixel_bytes());
    const int block = exr_block_rows(header.compression(), threads);
    // Its destructor writes the table of offsets.
    Imf::OutputFile file(output, header, threads);
    file.setFrameBuffer(buffer);
    const int height = spec.data_window.height;
    for (int done = 0; done < height;) {
      const int rows = std::min(block, height - done);
      ready.wait_for(done + rows);
      file.writePixels(rows);
      done += rows;
      ready.release(done);
    }
  } catch (const Error&) {
    output.rethrow();
    throw;
  } catch (const std::exception& error) {
    output.rethrow();
    throw Error("exr", exr_problem(error));
  }
  output.rethrow();
}

}  // namespace cuimg

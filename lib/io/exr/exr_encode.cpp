// SPDX-License-Identifier: Apache-2.0
// Writing OpenEXR: scanlines from the top, chunk by chunk as rows become ready. Mipmapped files are
// exr_levels.cpp's.
#include <OpenEXR/ImfOutputFile.h>

#include <algorithm>

#include "base/error.h"
#include "io/codecs.h"
#include "io/exr/exr_codec.h"
#include "io/exr/exr_header.h"
#include "io/exr/exr_stream.h"
#include "io/exr/exr_support.h"
#include "io/exr/exr_zip.h"

namespace cuimg {
namespace {

void write_scanlines(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready) {
  const int threads = exr_threads(options.threads);
  const int block = exr_block_rows(header.compression(), threads);
  // Its destructor writes the table of offsets.
  Imf::OutputFile file(output, header, threads);
  file.setFrameBuffer(exr_frame_buffer(image));
  const int height = image.spec().data_window.height;
  for (int done = 0; done < height;) {
    // Whatever has become ready meanwhile goes along: threads idle at the end of each call.
    const int complete = std::min(ready.wait_for(std::min(done + block, height)), height);
    file.writePixels(complete - done);
    done = complete;
    ready.release(done);
  }
}

}  // namespace

void encode_exr(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink) {
  const Spec& spec = image.spec();
  if (spec.layers.empty()) throw Error("exr", "an image without channels cannot be stored");
  ExrOutput output(sink);
  try {
    Imf::Header header = exr_header(spec, options);
    add_exr_channels(spec, header);
    const int threads = exr_worth_threads(exr_threads(options.threads), spec.pixel_bytes());
    const bool has_levels = spec.mip && options.next_level;
    if (is_exr_zip(header) && !has_levels) {
      write_exr_zip(output, image, header, threads, ready);
    } else {
      exr_start_pool(threads);
      if (has_levels)
        write_exr_levels(output, image, header, options, ready);
      else
        write_scanlines(output, image, header, options, ready);
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

// SPDX-License-Identifier: Apache-2.0
// Writes OpenEXR: a part's scanlines from the top, chunk by chunk as rows become ready.
// exr_tiles.cpp writes tiles, exr_bottom_up.cpp writes from the bottom.
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>

#include <algorithm>

#include "base/error.h"
#include "io/exr/exr_bottom_up.h"
#include "io/exr/exr_chunks.h"
#include "io/exr/exr_codec.h"
#include "io/exr/exr_header.h"
#include "io/exr/exr_part_output.h"
#include "io/exr/exr_small_pictures.h"
#include "io/exr/exr_stream.h"
#include "io/exr/exr_support.h"

namespace cuimg {
namespace {

void write_scanlines(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small) {
  const int threads = exr_threads(options.threads);
  const int block = exr_block_rows(header.compression(), threads);
  // Its destructor writes the table of offsets.
  Imf::OutputFile file(output, header, threads);
  ExrHalves halves(header, image, Held::some_rows);
  file.setFrameBuffer(exr_frame_buffer(header, image, halves));
  const int height = image.spec().data_window.height;
  for (int done = 0; done < height;) {
    // Rows that have become ready in the meantime are included, since threads are idle at the end
    // of each call.
    const int complete = std::min(ready.wait_for(std::min(done + block, height)), height);
    halves.add(done, complete);
    file.writePixels(complete - done);
    small.add(image, done, complete);
    halves.forget(done, complete);
    done = complete;
    ready.release(done);
  }
}

// Writes a file of one part, from the top.
void write_top_down(Imf::OStream& output, const Image& image, const Imf::Header& header,
                    const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small) {
  const int threads = exr_worth_threads(exr_threads(options.threads), image.spec().pixel_bytes());
  const bool has_tiles = header.hasTileDescription();
  if (has_simple_exr_chunks(header) && !has_tiles) {
    write_exr_chunks(output, image, header, threads, ready, small);
    return;
  }
  const ExrPoolThreads pool(ExrUse::encode, threads);
  if (has_tiles)
    write_exr_tiles(output, image, header, options, ready, small);
  else
    write_scanlines(output, image, header, options, ready, small);
}

void write_part(Imf::OStream& output, const Image& image, const Imf::Header& header,
                const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small) {
  if (header.lineOrder() != Imf::DECREASING_Y) {
    write_top_down(output, image, header, options, ready, small);
    return;
  }
  ExrBottomUp turned(header);
  Imf::Header top_down = header;
  top_down.lineOrder() = Imf::INCREASING_Y;
  write_top_down(turned, image, top_down, options, ready, small);
  turned.write_to(output);
}

class ExrEncoder final : public Encoder {
 public:
  ExrEncoder(std::vector<PartToWrite> parts, ByteSink& sink)
      : parts_(std::move(parts)), output_(sink) {
    for (PartToWrite& part : parts_) keep_errors_of(part.options.next_level);
    translating_errors([&] {
      headers_ = exr_headers(parts_);
      if (headers_.size() > 1) tables_ = write_exr_heads(output_, headers_);
    });
  }

  void write(const Image& image, RowProgress& ready) override {
    ready_ = &ready;
    translating_errors([&] {
      const Imf::Header& header = headers_.at(written_);
      const EncodeOptions& options = parts_.at(written_).options;
      ExrSmallPictures small(parts_.at(written_).spec, header);
      if (headers_.size() == 1) {
        write_part(output_, image, header, options, ready, small);
      } else {
        ExrPartOutput part(output_, header, static_cast<int>(written_));
        write_part(part, image, header, options, ready, small);
        offsets_.push_back(part.chunk_offsets());
      }
      small_.push_back(small.finished());
      ++written_;
    });
    ready_ = nullptr;
  }

  void finish() override {
    if (written_ != headers_.size()) throw Error("exr", "a part was not written");
    translating_errors([&] {
      write_exr_small_pictures(headers_, small_, output_);
      if (tables_ == 0) return;
      const std::uint64_t end = output_.tellp();
      output_.seekp(tables_);
      for (const std::vector<std::uint64_t>& table : offsets_) write_exr_offsets(output_, table);
      output_.seekp(end);
    });
  }

 private:
  using NextLevel = std::function<Image(LevelId, const Image&)>;

  // OpenEXR's exceptions become Error. Those of the sink, of the rows' producer and of the function
  // that makes levels are thrown as they are.
  template <class Work>
  void translating_errors(Work work) {
    try {
      work();
    } catch (const Error&) {
      output_.rethrow();
      throw;
    } catch (const std::bad_alloc&) {
      output_.rethrow();
      throw;
    } catch (const std::exception& error) {
      output_.rethrow();
      if (failure_of_levels_) std::rethrow_exception(failure_of_levels_);
      if (const auto cause = ready_ == nullptr ? nullptr : ready_->failure())
        std::rethrow_exception(cause);
      throw Error("exr", exr_problem(error));
    }
    output_.rethrow();
  }

  void keep_errors_of(NextLevel& next_level) {
    if (!next_level) return;
    next_level = [this, make = std::move(next_level)](LevelId next, const Image& finer) {
      try {
        return make(next, finer);
      } catch (...) {
        failure_of_levels_ = std::current_exception();
        throw;
      }
    };
  }

  std::vector<PartToWrite> parts_;
  RowProgress* ready_ = nullptr;  ///< Of the part that is being written.
  std::exception_ptr failure_of_levels_;
  ExrOutput output_;
  std::vector<Imf::Header> headers_;
  std::vector<ExrSmallBytes> small_;  ///< For each part that is written.
  std::size_t written_ = 0;           ///< Number of parts.
  std::uint64_t tables_ = 0;          ///< The position of the tables in a file with several parts.
  std::vector<std::vector<std::uint64_t>> offsets_;
};

}  // namespace

std::unique_ptr<Encoder> open_exr_encoder(std::vector<PartToWrite> parts, ByteSink& sink) {
  return std::make_unique<ExrEncoder>(std::move(parts), sink);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// JPEG encoding row by row, so that it overlaps with the steps that make the rows.
#include "io/jpeg/jpeg_encode.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "io/codecs.h"
#include "io/density_range.h"
#include "io/flat_image.h"
#include "io/jpeg/jpeg_arrays.h"
#include "io/jpeg/jpeg_errors.h"
#include "io/jpeg/jpeg_metadata.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/icc.h"

namespace cuimg {
namespace {

constexpr int band_rows = 16;

struct Settings {
  int width = 0, height = 0, channels = 3, quality = 0;
  int luma_h = 2, luma_v = 2;  // sampling factors of Y; chroma has 1 x 1
  bool is_progressive = false;
  JpegDensity density = {};
  std::vector<JpegSegment> segments = {};
  std::vector<std::byte> profile = {};  // ICC; empty: none
};

// Passes compressed bytes to the sink through a buffer. A sink's exception must not pass through C
// code, so it is kept here.
struct Destination {
  jpeg_destination_mgr base;  // must be first
  std::vector<unsigned char> buffer;
  ByteSink* sink = nullptr;
  std::exception_ptr failure;
};

Destination& destination_of(j_compress_ptr info) {
  return *reinterpret_cast<Destination*>(info->dest);
}

void start_buffer(j_compress_ptr info) {
  Destination& to = destination_of(info);
  to.base.next_output_byte = to.buffer.data();
  to.base.free_in_buffer = to.buffer.size();
}

// @returns false if the sink fails.
bool write_out(Destination& to, std::size_t bytes) {
  try {
    to.sink->write(std::as_bytes(std::span(to.buffer.data(), bytes)));
    return true;
  } catch (...) {
    to.failure = std::current_exception();
    return false;
  }
}

boolean empty_buffer(j_compress_ptr info) {
  Destination& to = destination_of(info);
  // libjpeg calls this when the whole buffer is full, whatever free_in_buffer says.
  if (!write_out(to, to.buffer.size())) ERREXIT(info, JERR_FILE_WRITE);
  start_buffer(info);
  return TRUE;
}

void end_buffer(j_compress_ptr info) {
  Destination& to = destination_of(info);
  if (!write_out(to, to.buffer.size() - to.base.free_in_buffer)) ERREXIT(info, JERR_FILE_WRITE);
}

class Compressor {
 public:
  /// @param sink null: nothing will be written.
  explicit Compressor(ByteSink* sink = nullptr) {
    constexpr std::size_t buffer_bytes = std::size_t{1} << 17;
    info_.err = install(errors_);
    to_.sink = sink;
    if (sink != nullptr) to_.buffer.resize(buffer_bytes);
    to_.base.init_destination = start_buffer;
    to_.base.empty_output_buffer = empty_buffer;
    to_.base.term_destination = end_buffer;
    progress_.base.progress_monitor = [](j_common_ptr) {};
    progress_.arrays = &arrays_;
  }
  ~Compressor() { jpeg_destroy_compress(&info_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // The next four functions follow the rule in jpeg_errors.h.
  bool prepare(const Settings& settings) {
    if (setjmp(errors_.jump)) return false;
    jpeg_create_compress(&info_);
    info_.progress = &progress_.base;
    info_.dest = &to_.base;
    info_.image_width = static_cast<JDIMENSION>(settings.width);
    info_.image_height = static_cast<JDIMENSION>(settings.height);
    info_.input_components = settings.channels;
    info_.in_color_space = settings.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info_);
    jpeg_set_quality(&info_, settings.quality, TRUE);
    info_.dct_method = JDCT_ISLOW;
    if (settings.channels == 3) {
      info_.comp_info[0].h_samp_factor = settings.luma_h;
      info_.comp_info[0].v_samp_factor = settings.luma_v;
    }
    if (settings.is_progressive) jpeg_simple_progression(&info_);
    info_.density_unit = static_cast<UINT8>(settings.density.unit);
    info_.X_density = static_cast<UINT16>(settings.density.x);
    info_.Y_density = static_cast<UINT16>(settings.density.y);
    return true;
  }
  /// @param arrays of coefficients to write; null: rows will follow.
  bool start(const Settings& settings, JpegArrays* arrays) {
    if (setjmp(errors_.jump)) return false;
    if (arrays != nullptr) {
      arrays->install(info_);
      jpeg_write_coefficients(&info_, arrays->handles());
    } else {
      arrays_.install(info_);
      jpeg_start_compress(&info_, TRUE);
    }
    first_segment_at_ = waiting_bytes();
    for (const JpegSegment& segment : settings.segments)
      jpeg_write_marker(&info_, JPEG_APP0 + segment.application,
                        reinterpret_cast<const unsigned char*>(segment.body.data()),
                        static_cast<unsigned>(segment.body.size()));
    if (!settings.profile.empty())
      jpeg_write_icc_profile(&info_, reinterpret_cast<const JOCTET*>(settings.profile.data()),
                             static_cast<unsigned>(settings.profile.size()));
    return true;
  }
  bool write(unsigned char** rows, int count) {
    if (setjmp(errors_.jump)) return false;
    jpeg_write_scanlines(&info_, rows, static_cast<JDIMENSION>(count));
    return true;
  }
  bool finish() {
    if (setjmp(errors_.jump)) return false;
    jpeg_finish_compress(&info_);
    return true;
  }

  /// The file position at which start() has put the body of the first of its segments.
  std::size_t first_segment_body() const {
    constexpr std::size_t marker_and_length = 4;
    return first_segment_at_ + marker_and_length;
  }

  /// The layout that prepare() has set up.
  DctLayout layout() const {
    DctLayout layout;
    layout.width = static_cast<int>(info_.image_width);
    layout.height = static_cast<int>(info_.image_height);
    layout.colors = info_.num_components == 1 ? DctLayout::Colors::grey : DctLayout::Colors::ycc;
    for (int i = 0; i < info_.num_components; ++i) {
      const jpeg_component_info& from = info_.comp_info[i];
      DctComponent component;
      component.h_samples = from.h_samp_factor;
      component.v_samples = from.v_samp_factor;
      const JQUANT_TBL& table = *info_.quant_tbl_ptrs[from.quant_tbl_no];
      std::copy(std::begin(table.quantval), std::end(table.quantval), component.steps.begin());
      layout.components.push_back(component);
    }
    count_blocks(layout);
    return layout;
  }

  [[noreturn]] void fail() const {
    if (to_.failure) std::rethrow_exception(to_.failure);
    arrays_.rethrow();
    throw Error("jpeg", errors_.message);
  }

 private:
  // The number of bytes that are not yet in the sink.
  std::size_t waiting_bytes() const { return to_.buffer.size() - to_.base.free_in_buffer; }

  jpeg_compress_struct info_ = {};
  JpegErrors errors_ = {};
  JpegArrays arrays_;
  JpegProgress progress_ = {};
  Destination to_ = {};
  std::size_t first_segment_at_ = 0;
};

}  // namespace

JpegDensity jpeg_density(const Spec& spec) {
  JpegDensity s;
  const double aspect = static_cast<double>(spec.pixel_aspect);
  const double density = metadata_number(spec.metadata, "xDensity").value_or(0);
  const double vertical = density * aspect;
  if (jpeg_densities.holds(density) && jpeg_densities.holds(vertical)) {
    s = {1, static_cast<int>(std::lround(density)), static_cast<int>(std::lround(vertical))};
  } else if (aspect != 1 && aspect >= 0.01 && aspect <= 100) {
    s = {0, 500, static_cast<int>(std::lround(500 * aspect))};
  }
  return s;
}

namespace {

bool is_progressive(const EncodeOptions& options) {
  return std::string_view(options.compression).ends_with("-progressive");
}

Settings settings_for(const Spec& spec, const EncodeOptions& options, const Blob& exif) {
  const LayerSpec& layer = encodable_layer(spec, jpeg_codec());
  if (spec.data_window.width > JPEG_MAX_DIMENSION || spec.data_window.height > JPEG_MAX_DIMENSION)
    throw Error("jpeg", "the image is larger than the format's 65500 pixels a side");
  Settings s;
  s.width = spec.data_window.width;
  s.height = spec.data_window.height;
  s.channels = layer.channel_count();
  s.quality = options.quality.value();
  const std::string_view compression = options.compression;
  if (!compression.starts_with("420")) s.luma_v = 1;
  if (compression.starts_with("444")) s.luma_h = 1;
  s.is_progressive = is_progressive(options);
  s.density = jpeg_density(spec);
  s.segments = jpeg_metadata_segments(spec, exif);
  constexpr std::size_t most_pieces = 255, piece = 65519;
  if (auto profile = icc_for(spec.color, s.channels == 1); profile.size() <= most_pieces * piece)
    s.profile = std::move(profile);
  return s;
}

// Writes the thumbnail into the space that the file has for it, at the end of the first segment.
void write_thumbnail(ExifThumbnail& exif, const JpegSegment& segment, std::uint64_t body,
                     ByteSink& sink) {
  exif.finish();
  const std::uint64_t end = sink.position();
  sink.seek(body + segment.body.size() - exif.block().size());
  sink.write(exif.block());
  sink.seek(end);
}

}  // namespace

void encode_jpeg(const Image& image, const EncodeOptions& options, RowProgress& ready,
                 ByteSink& sink) {
  const Spec& spec = image.spec();
  Blob block = jpeg_exif(spec, ExifThumbnailRoom::left);
  const Settings settings = settings_for(spec, options, block);
  ExifThumbnail exif(std::move(block), spec);
  const int top = spec.data_window.y;
  const std::uint64_t start = sink.position();
  Compressor compressor(&sink);
  if (!compressor.prepare(settings) || !compressor.start(settings, nullptr)) compressor.fail();
  for (int y = 0; y < settings.height; y += band_rows) {
    const int count = std::min(band_rows, settings.height - y);
    ready.wait_for(y + count);
    unsigned char* rows[band_rows];
    for (int i = 0; i < count; ++i)
      // libjpeg takes its input through pointers to non-const and only reads.
      rows[i] = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(image.row(0, top + y + i)));
    if (!compressor.write(rows, count)) compressor.fail();
    exif.add(image, y, y + count);
    ready.release(y + count);
  }
  if (!compressor.finish()) compressor.fail();
  if (exif.is_wanted())
    write_thumbnail(exif, settings.segments.front(), start + compressor.first_segment_body(), sink);
}

std::optional<DctLayout> jpeg_block_layout(const Spec& spec, const EncodeOptions& options) {
  if (has_exif_thumbnail(spec.metadata)) return std::nullopt;
  Compressor compressor;
  if (!compressor.prepare(settings_for(spec, options, {}))) compressor.fail();
  return compressor.layout();
}

std::uint64_t jpeg_held_bytes(const Spec& spec, const EncodeOptions& options) {
  if (!is_progressive(options)) return 0;
  Compressor compressor;
  if (!compressor.prepare(settings_for(spec, options, {}))) compressor.fail();
  return compressor.layout().bytes();
}

void encode_jpeg_blocks(DctImage& image, const Spec& spec, const EncodeOptions& options,
                        ByteSink& sink) {
  const Settings settings = settings_for(spec, options, jpeg_exif(spec, ExifThumbnailRoom::none));
  Compressor compressor(&sink);
  JpegArrays arrays(image);
  if (!compressor.prepare(settings)) compressor.fail();
  if (compressor.layout() != image.layout())
    throw Error("jpeg", "the blocks belong to another file");
  if (!compressor.start(settings, &arrays) || !compressor.finish()) compressor.fail();
}

}  // namespace cuimg

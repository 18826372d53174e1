// SPDX-License-Identifier: Apache-2.0
// libjpeg's decompressor with this project's settings and checks.
#pragma once

#include "io/jpeg/jpeg_arrays.h"
#include "io/jpeg/jpeg_errors.h"
#include "io/jpeg/jpeg_markers.h"

namespace cuimg {

// A progressive file may repeat scans forever; encoders use about ten.
inline constexpr int most_scans = 500;

class Decompressor {
 public:
  Decompressor() {
    info.err = install(errors);
    progress_.base.progress_monitor = [](j_common_ptr common) {
      auto* self = reinterpret_cast<j_decompress_ptr>(common);
      if (self->input_scan_number > most_scans) ERREXIT(common, JERR_BAD_PROGRESSION);
    };
  }
  ~Decompressor() { jpeg_destroy_decompress(&info); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // The next four functions follow the rule in jpeg_errors.h.
  bool read_header(std::span<const std::byte> bytes) {
    if (setjmp(errors.jump)) return false;
    jpeg_create_decompress(&info);
    info.progress = &progress_.base;
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
    markers.install(info);
    jpeg_read_header(&info, TRUE);
    return true;
  }
  bool start(J_COLOR_SPACE colors) {
    if (setjmp(errors.jump)) return false;
    errors.in_header = false;
    info.out_color_space = colors;
    info.dct_method = JDCT_ISLOW;
    info.do_fancy_upsampling = TRUE;
    // With several scans, all coefficients are kept until the last scan is read.
    if (jpeg_has_multiple_scans(&info)) keep_in(own_arrays_);
    jpeg_start_decompress(&info);
    return true;
  }
  /// Reads all coefficients into `arrays`, which has room for them; replaces start() and read().
  bool read_blocks(JpegArrays& arrays) {
    if (setjmp(errors.jump)) return false;
    errors.in_header = false;
    keep_in(arrays);
    jpeg_read_coefficients(&info);  // to the end of the file
    return true;
  }
  /// Reads `count` rows and, after the last, the end of the file.
  bool read(unsigned char** rows, int count) {
    if (setjmp(errors.jump)) return false;
    int done = 0;
    while (done < count)
      done += static_cast<int>(
          jpeg_read_scanlines(&info, rows + done, static_cast<JDIMENSION>(count - done)));
    if (info.output_scanline == info.output_height) jpeg_finish_decompress(&info);
    return true;
  }

  jpeg_decompress_struct info = {};
  JpegErrors errors = {};
  JpegMarkers markers;

  /// Why the last call returned false. @throws the error if it was not libjpeg's.
  const char* problem() const {
    own_arrays_.rethrow();
    return errors.message;
  }

  bool is_cut_short() const { return errors.base.msg_code == JWRN_JPEG_EOF; }

 private:
  void keep_in(JpegArrays& arrays) {
    progress_.arrays = &arrays;
    arrays.install(info);
  }

  JpegArrays own_arrays_;
  JpegProgress progress_ = {};
};

}  // namespace cuimg

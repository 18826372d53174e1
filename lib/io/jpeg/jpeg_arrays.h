// SPDX-License-Identifier: Apache-2.0
// Provides the memory for libjpeg's arrays of coefficients. libjpeg allocates its own for each
// file, and clearing new memory takes longer than reading the file; they also could not be kept in
// a file if memory is short.
#pragma once

#include <deque>
#include <exception>
#include <vector>

#include "image/dct_image.h"
#include "io/jpeg/jpeg_errors.h"

namespace cuimg {

class JpegArrays {
 public:
  /// In memory of its own, once libjpeg asks for arrays.
  JpegArrays() = default;
  /// Over the image's blocks. @param image outlives this.
  explicit JpegArrays(DctImage& image);
  JpegArrays(const JpegArrays&) = delete;
  JpegArrays& operator=(const JpegArrays&) = delete;

  /// From now on `info` asks for its arrays here. @param info its `progress` is a JpegProgress that
  /// names this object.
  void install(jpeg_decompress_struct& info);
  void install(jpeg_compress_struct& info);
  /// One for each component; what libjpeg takes for its own arrays.
  jvirt_barray_ptr* handles() { return handles_.data(); }
  /// @throws why there was no memory, where that is what ended libjpeg.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Array {
    JDIMENSION width = 0, height = 0;  // in blocks
    std::vector<JBLOCKROW> rows;
    JDIMENSION cleared = 0;   // rows from the top
    bool clears = false;      // what is written for the first time
    PixelMemory memory = {};  // none where an image has the blocks
  };
  void add_array(JDIMENSION width, JDIMENSION height, JBLOCKROW first);
  bool make_array(JDIMENSION width, JDIMENSION height);
  static jvirt_barray_ptr request(j_common_ptr info, int pool, boolean clears, JDIMENSION width,
                                  JDIMENSION height, JDIMENSION most_rows);
  static JBLOCKARRAY access(j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first,
                            JDIMENSION count, boolean writes);

  std::deque<Array> arrays_;
  std::vector<jvirt_barray_ptr> handles_;
  std::size_t requested_ = 0;
  bool makes_arrays_ = true;
  std::exception_ptr failure_;
};

/// What `progress` of a decompressor or compressor points to.
struct JpegProgress {
  jpeg_progress_mgr base;  // first, so that libjpeg's pointer to it is a pointer to the whole
  JpegArrays* arrays;
};

}  // namespace cuimg

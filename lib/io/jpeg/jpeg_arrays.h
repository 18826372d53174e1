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
  /// Allocates its own memory when libjpeg requests arrays.
  JpegArrays() = default;
  /// Uses the image's blocks. @param image must outlive this.
  explicit JpegArrays(DctImage& image);
  JpegArrays(const JpegArrays&) = delete;
  JpegArrays& operator=(const JpegArrays&) = delete;

  /// Makes `info` request its arrays here. @param info its `progress` is a JpegProgress that names
  /// this object.
  void install(jpeg_decompress_struct& info);
  void install(jpeg_compress_struct& info);
  /// Makes the array of the next component, for a file that is to be written.
  /// @param width, height in blocks. @param v_samples the component's factor: libjpeg takes so many
  /// rows at a time. @throws Error if there is no memory.
  void add(JDIMENSION width, JDIMENSION height, int v_samples);
  JBLOCKROW row(std::size_t component, JDIMENSION y) { return arrays_[component].rows[y]; }
  /// One for each component; libjpeg treats them as its own arrays.
  jvirt_barray_ptr* handles() { return handles_.data(); }
  /// @throws the reason if libjpeg ended because there was no memory.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Array {
    JDIMENSION width = 0, height = 0;  // in blocks
    std::vector<JBLOCKROW> rows;
    JDIMENSION cleared = 0;   // rows from the top that have been cleared
    bool clears = false;      // whether rows are cleared when they are first used
    PixelMemory memory = {};  // empty if an image holds the blocks
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

/// The object to which `progress` of a decompressor or compressor points.
struct JpegProgress {
  jpeg_progress_mgr base;  // first, so that libjpeg's pointer to it also points to this struct
  JpegArrays* arrays;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_arrays.h"

#include <cstring>
#include <utility>

namespace cuimg {

JpegArrays::JpegArrays(DctImage& image) : makes_arrays_(false) {
  const std::vector<DctComponent>& components = image.layout().components;
  for (std::size_t i = 0; i < components.size(); ++i)
    add_array(static_cast<JDIMENSION>(components[i].stored_width_blocks),
              static_cast<JDIMENSION>(components[i].stored_height_blocks),
              reinterpret_cast<JBLOCKROW>(image.blocks(i)));
}

void JpegArrays::add_array(JDIMENSION width, JDIMENSION height, JBLOCKROW first) {
  Array& array = arrays_.emplace_back();
  array.width = width;
  array.height = height;
  for (std::size_t row = 0; row < height; ++row) array.rows.push_back(first + row * width);
  handles_.push_back(reinterpret_cast<jvirt_barray_ptr>(&array));
}

// @returns false if there is no memory: exceptions must not pass through libjpeg.
bool JpegArrays::make_array(JDIMENSION width, JDIMENSION height) {
  try {
    const std::size_t blocks = static_cast<std::size_t>(width) * height;
    PixelMemory memory = allocate_pixels(blocks * sizeof(JBLOCK), "JPEG coefficients");
    add_array(width, height, reinterpret_cast<JBLOCKROW>(memory.get()));
    arrays_.back().memory = std::move(memory);
    return true;
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

void JpegArrays::add(JDIMENSION width, JDIMENSION height, int v_samples) {
  const auto step = static_cast<JDIMENSION>(v_samples);
  if (!make_array(width, (height + step - 1) / step * step)) rethrow();
}

void JpegArrays::install(jpeg_decompress_struct& info) {
  info.mem->request_virt_barray = request;
  info.mem->access_virt_barray = access;
}

void JpegArrays::install(jpeg_compress_struct& info) {
  info.mem->request_virt_barray = request;
  info.mem->access_virt_barray = access;
}

// libjpeg requests one array for each component, in order.
jvirt_barray_ptr JpegArrays::request(j_common_ptr info, int, boolean clears, JDIMENSION width,
                                     JDIMENSION height, JDIMENSION) {
  JpegArrays& self = *reinterpret_cast<JpegProgress*>(info->progress)->arrays;
  if (self.makes_arrays_ && !self.make_array(width, height)) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
  if (self.requested_ == self.arrays_.size()) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  Array& array = self.arrays_[self.requested_];
  if (array.width != width || array.height != height) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  array.clears = clears != FALSE;
  return self.handles_[self.requested_++];
}

JBLOCKARRAY JpegArrays::access(j_common_ptr info, jvirt_barray_ptr handle, JDIMENSION first,
                               JDIMENSION count, boolean) {
  Array& array = *reinterpret_cast<Array*>(handle);
  const JDIMENSION end = first + count;
  if (end > array.height || end < first) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  if (array.clears && array.cleared < end) {
    const std::size_t blocks = static_cast<std::size_t>(end - array.cleared) * array.width;
    std::memset(array.rows[array.cleared], 0, blocks * sizeof(JBLOCK));
    array.cleared = end;
  }
  return array.rows.data() + first;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_arrays.h"

#include <cstring>

namespace cuimg {

JpegArrays::JpegArrays(DctImage& image) {
  const std::vector<DctComponent>& components = image.layout().components;
  arrays_.resize(components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    Array& array = arrays_[i];
    array.width = static_cast<JDIMENSION>(components[i].stored_width_blocks);
    array.height = static_cast<JDIMENSION>(components[i].stored_height_blocks);
    auto* const first = reinterpret_cast<JBLOCKROW>(image.blocks(i));
    for (std::size_t row = 0; row < array.height; ++row)
      array.rows.push_back(first + row * array.width);
    handles_.push_back(reinterpret_cast<jvirt_barray_ptr>(&array));
  }
}

void JpegArrays::install(jpeg_decompress_struct& info) {
  info.mem->request_virt_barray = request;
  info.mem->access_virt_barray = access;
}

void JpegArrays::install(jpeg_compress_struct& info) { info.mem->access_virt_barray = access; }

// libjpeg asks for one array a component, in their order.
jvirt_barray_ptr JpegArrays::request(j_common_ptr info, int, boolean clears, JDIMENSION width,
                                     JDIMENSION height, JDIMENSION) {
  JpegArrays& self = *reinterpret_cast<JpegProgress*>(info->progress)->arrays;
  if (self.requested_ == self.arrays_.size()) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  Array& array = self.arrays_[self.requested_];
  if (array.width != width || array.height != height) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  array.clears = clears != FALSE;
  return self.handles_[self.requested_++];
}

JBLOCKARRAY JpegArrays::access(j_common_ptr info, jvirt_barray_ptr handle, JDIMENSION first,
                               JDIMENSION count, boolean writes) {
  Array& array = *reinterpret_cast<Array*>(handle);
  const JDIMENSION end = first + count;
  if (end > array.height || end < first) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  if (array.clears && array.cleared < end) {
    if (!writes) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    const std::size_t blocks = static_cast<std::size_t>(end - array.cleared) * array.width;
    std::memset(array.rows[array.cleared], 0, blocks * sizeof(JBLOCK));
    array.cleared = end;
  }
  return array.rows.data() + first;
}

}  // namespace cuimg

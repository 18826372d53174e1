// SPDX-License-Identifier: Apache-2.0
// Strict on warnings: where data are corrupt or missing, libjpeg fills in grey but cuimg refuses
// the file. Bytes between the last block and the end only give a warning, since some cameras and
// programs write them.
#include "io/jpeg/jpeg_errors.h"

#include <algorithm>

namespace cuimg {
namespace {

JpegErrors& errors_of(j_common_ptr info) { return *reinterpret_cast<JpegErrors*>(info->err); }

[[noreturn]] void leave(j_common_ptr info) {
  JpegErrors& errors = errors_of(info);
  info->err->format_message(info, errors.message);
  std::longjmp(errors.jump, 1);
}

// Whether every block of every component has been decoded, to its last bit if the file is
// progressive. A scan that is lost to damage also leaves bytes before the end.
bool has_all_blocks(const jpeg_decompress_struct& info) {
  if (info.total_iMCU_rows == 0 || info.input_iMCU_row != info.total_iMCU_rows) return false;
  for (int i = 0; i < info.num_components; ++i) {
    if (info.comp_info[i].quant_table == nullptr) return false;  // no scan contained the component
    if (info.progressive_mode &&
        (info.coef_bits == nullptr || std::any_of(info.coef_bits[i], info.coef_bits[i] + DCTSIZE2,
                                                  [](int missing) { return missing != 0; })))
      return false;
  }
  return true;
}

bool is_before_end(j_common_ptr info) {
  // the number of bytes, and the marker after them
  const int* const numbers = info->err->msg_parm.i;
  return info->is_decompressor != FALSE && info->err->msg_code == JWRN_EXTRANEOUS_DATA &&
         numbers[1] == JPEG_EOI && has_all_blocks(*reinterpret_cast<j_decompress_ptr>(info));
}

void warn(j_common_ptr info, int level) {
  if (level >= 0) return;  // a trace message
  JpegErrors& errors = errors_of(info);
  const int code = info->err->msg_code;
  const bool harmless =
      code == JWRN_JFIF_MAJOR || (errors.in_header && code == JWRN_EXTRANEOUS_DATA);
  if (!harmless && is_before_end(info)) {
    errors.stray_bytes = info->err->msg_parm.i[0];
    return;
  }
  if (!harmless) leave(info);
  info->err->format_message(info, errors.note);
}

void keep_silent(j_common_ptr) {}

}  // namespace

jpeg_error_mgr* install(JpegErrors& errors) {
  jpeg_std_error(&errors.base);
  errors.base.error_exit = leave;
  errors.base.emit_message = warn;
  errors.base.output_message = keep_silent;
  errors.message[0] = errors.note[0] = '\0';
  errors.stray_bytes = 0;
  errors.in_header = true;
  return &errors.base;
}

void refuse(j_common_ptr common, const char* message) {
  JpegErrors& errors = errors_of(common);
  std::snprintf(errors.message, sizeof errors.message, "%s", message);
  std::longjmp(errors.jump, 1);
}

}  // namespace cuimg

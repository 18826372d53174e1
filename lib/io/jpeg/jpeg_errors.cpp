// SPDX-License-Identifier: Apache-2.0
// Strict on warnings: libjpeg fills in grey where data are corrupt or missing, cuimg refuses.
#include "io/jpeg/jpeg_errors.h"

namespace cuimg {
namespace {

JpegErrors& errors_of(j_common_ptr info) { return *reinterpret_cast<JpegErrors*>(info->err); }

[[noreturn]] void leave(j_common_ptr info) {
  JpegErrors& errors = errors_of(info);
  info->err->format_message(info, errors.message);
  std::longjmp(errors.jump, 1);
}

void warn(j_common_ptr info, int level) {
  if (level >= 0) return;  // a trace message
  JpegErrors& errors = errors_of(info);
  const int code = info->err->msg_code;
  const bool harmless = code == JWRN_JFIF_MAJOR || code == JWRN_BOGUS_ICC ||
                        (errors.in_header && code == JWRN_EXTRANEOUS_DATA);
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
  errors.in_header = true;
  return &errors.base;
}

void refuse(j_common_ptr common, const char* message) {
  JpegErrors& errors = errors_of(common);
  std::snprintf(errors.message, sizeof errors.message, "%s", message);
  std::longjmp(errors.jump, 1);
}

}  // namespace cuimg

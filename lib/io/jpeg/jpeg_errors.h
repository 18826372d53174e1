// SPDX-License-Identifier: Apache-2.0
// libjpeg reports errors by a function that must not return: here it keeps the message and jumps.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdio>
// jpeglib.h uses size_t and FILE without including what declares them. It comes before jerror.h,
// whose numbers for messages depend on the library's settings that it includes.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace cuimg {

/// Rule of use: a function that calls setjmp(errors.jump), and what it calls down to libjpeg, holds
/// no object with a destructor while a libjpeg call runs.
struct JpegErrors {
  jpeg_error_mgr base;  // first, so that libjpeg's pointer to it is a pointer to the whole
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
  char note[JMSG_LENGTH_MAX];  ///< The last harmless warning, or empty.
  int stray_bytes;  ///< Before the end, without those that were read with the last block.
  bool in_header;   ///< Junk between header segments is harmless; in data it is not.
};

/// Prepares `errors` and returns what goes into the codec struct's `err`.
jpeg_error_mgr* install(JpegErrors& errors);

/// Ends libjpeg's work with an error of the project's own. @param common its `err` was installed
/// here.
[[noreturn]] void refuse(j_common_ptr common, const char* message);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// libjpeg reports errors through a function that must not return. This one keeps the message and
// jumps.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdio>
// jpeglib.h uses size_t and FILE without including their declarations. It must come before
// jerror.h, because it includes the library's settings, on which jerror.h's message numbers depend.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace cuimg {

/// Rule of use: a function that calls setjmp(errors.jump), and what it calls down to libjpeg, holds
/// no object with a destructor during a libjpeg call.
struct JpegErrors {
  jpeg_error_mgr base;  // must be first, so that libjpeg's pointer to it also points to this struct
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
  char note[JMSG_LENGTH_MAX];  ///< The last harmless warning; may be empty.
  /// Stray bytes before the end, except those that were read with the last block.
  int stray_bytes;
  bool in_header;  ///< Junk between header segments is harmless; junk in data is not.
};

/// Prepares `errors` and returns the pointer for the codec struct's `err`.
jpeg_error_mgr* install(JpegErrors& errors);

/// Ends libjpeg's work with one of the project's own errors. @param common its `err` was installed
/// here.
[[noreturn]] void refuse(j_common_ptr common, const char* message);

}  // namespace cuimg

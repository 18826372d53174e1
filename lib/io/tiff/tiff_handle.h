// SPDX-License-Identifier: Apache-2.0
// libtiff's handle for bytes in memory or for a sink, which keeps its messages separate from those
// of other handles.
#pragma once

#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace cuimg {

class TiffHandle {
 public:
  /// For reading one page, which libtiff then treats as the first: it would reach others only from
  /// the first page each time. @param directory the position of the page's directory. @throws Error
  /// that names the source.
  TiffHandle(const ByteSource& source, std::uint64_t directory);
  /// For writing. @param mode in libtiff's form, "wl" or "wb8". @throws Error.
  TiffHandle(ByteSink& sink, const char* mode);
  ~TiffHandle();
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;

  TIFF* get() const { return tiff_; }
  /// @throws Error with libtiff's message, or the exception from the sink, unless `ok`. Also throws
  /// if any error has been reported, since libtiff continues after some.
  void check(bool ok, const char* what);
  /// @throws Error that names the file.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const;
  /// Writes the remaining data of a page; another may follow. @throws Error.
  void end_page();
  /// The position for append(): the file's end, rounded up to an even number.
  std::uint64_t end() const { return end_ + end_ % 2; }
  /// Reserves the bytes before `place` for write_at(): strips and directories come after them.
  void leave_room(std::uint64_t place) { end_ = std::max(end_, place); }
  /// Only for writing. @throws Error.
  void write_at(std::uint64_t place, std::span<const std::byte> bytes);
  /// Only for writing, after the last strip. @throws Error.
  void append(std::span<const std::byte> bytes);
  /// Writes the remaining data. @throws Error.
  void close();
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Makes warnings about damaged JPEG data errors, since libjpeg fills in grey for it.
  void be_strict() { strict_ = true; }

  /// A field with one value, or `fallback` if the file does not have it and the format has no
  /// default.
  template <class T>
  T field(std::uint32_t tag, T fallback) const {
    T value{};
    return TIFFGetFieldDefaulted(tiff_, tag, &value) ? value : fallback;
  }

 private:
  TIFF* open(const char* mode);
  static int on_error(TIFF*, void* self, const char* module, const char* format, va_list);
  static int on_warning(TIFF*, void* self, const char* module, const char* format, va_list);
  static tmsize_t read(thandle_t, void* buffer, tmsize_t size);
  static tmsize_t write(thandle_t, void* buffer, tmsize_t size);
  static toff_t seek(thandle_t, toff_t offset, int whence);
  static int close_nothing(thandle_t) { return 0; }
  static toff_t size(thandle_t);
  static int map(thandle_t, void** base, toff_t* size);
  static void unmap(thandle_t, void*, toff_t) {}

  void remember(std::uint64_t at, std::span<const std::byte> bytes);
  void recall(std::uint64_t at, std::span<std::byte> bytes) const;

  std::string name_;
  std::span<const std::byte> bytes_;
  /// For reading: the file's header, changed to make the page the first.
  std::vector<std::byte> header_;
  /// For writing: pages' directories by their position. libtiff reads them to find the last one.
  std::map<std::uint64_t, std::vector<std::byte>> directories_;
  bool remembers_ = false;
  std::uint64_t position_ = 0, end_ = 0;
  ByteSink* sink_ = nullptr;
  std::exception_ptr thrown_;  // from the sink, carried across libtiff's C code
  std::string error_;
  std::vector<std::string> warnings_;
  bool strict_ = false;
  TIFF* tiff_ = nullptr;
};

}  // namespace cuimg

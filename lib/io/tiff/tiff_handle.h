// SPDX-License-Identifier: Apache-2.0
// libtiff's handle over bytes in memory or over a sink, with its messages kept apart from those of
// other handles.
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
  /// For reading one page, which libtiff then takes for the first: it walks to others from the
  /// first one on each time. @param directory where the page's lies. @throws Error naming the
  /// source.
  TiffHandle(const ByteSource& source, std::uint64_t directory);
  /// For writing. @param mode libtiff's, "wl" or "wb8". @throws Error.
  TiffHandle(ByteSink& sink, const char* mode);
  ~TiffHandle();
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;

  TIFF* get() const { return tiff_; }
  /// @throws Error with libtiff's message, or what the sink threw, unless `ok`, or whenever an
  /// error has been reported: libtiff goes on after some.
  void check(bool ok, const char* what);
  /// @throws Error naming the file.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const;
  /// Writes what is outstanding of a page; another may follow. @throws Error.
  void end_page();
  /// Where append() will put bytes: the file's end, at an even place.
  std::uint64_t end() const { return end_ + end_ % 2; }
  /// Leaves the bytes before `place` to write_at(): strips and directories come behind them.
  void leave_room(std::uint64_t place) { end_ = std::max(end_, place); }
  /// For a file that is written. @throws Error.
  void write_at(std::uint64_t place, std::span<const std::byte> bytes);
  /// For a file that is written, after its last strip. @throws Error.
  void append(std::span<const std::byte> bytes);
  /// Writes what is outstanding. @throws Error.
  void close();
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// From now on warnings about damaged JPEG data are errors: libjpeg fills in grey for it.
  void be_strict() { strict_ = true; }

  /// A field of one value, or `fallback` where the file has none and the format no default.
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
  std::vector<std::byte> header_;  ///< For reading: the file's, with the page for the first.
  /// For writing: pages' directories by their place. libtiff reads them to find the last one.
  std::map<std::uint64_t, std::vector<std::byte>> directories_;
  bool remembers_ = false;
  std::uint64_t position_ = 0, end_ = 0;
  ByteSink* sink_ = nullptr;
  std::exception_ptr thrown_;  // by the sink, carried past libtiff's C code
  std::string error_;
  std::vector<std::string> warnings_;
  bool strict_ = false;
  TIFF* tiff_ = nullptr;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// libtiff's callbacks.
#include "io/tiff/tiff_handle.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "io/tags/tiff_tags.h"

namespace cuimg {
namespace {

TiffHandle& handle(void* self) { return *static_cast<TiffHandle*>(self); }

std::string message(const char* module, const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  return module != nullptr && *module != '\0' ? std::string(module) + ": " + text : text;
}

// For messages such as "Unknown field with tag 40091": read_tiff_metadata() reads those tags.
bool is_of_kept_tag(const char* format, va_list arguments) {
  if (std::strncmp(format, "Unknown field with tag %", 24) != 0) return false;
  va_list copy;
  va_copy(copy, arguments);
  const auto tag = static_cast<std::uint16_t>(va_arg(copy, int));
  va_end(copy);
  return subject_of_tiff_tag(tag) == TiffSubject::picture;
}

std::string compression_name(std::uint16_t number) {
  constexpr std::pair<std::uint16_t, std::string_view> names[] = {
      {6, "JPEG of TIFF 6.0"},  // replaced by 7
      {33003, "JPEG 2000"},     // Aperio's
      {33005, "JPEG 2000"},    {34661, "JBIG"}, {34712, "JPEG 2000"},
      {34715, "JBIG2"},        {34887, "LERC"}, {34892, "lossy JPEG of DNG"},
      {34925, "LZMA"},         {34933, "PNG"},  {34934, "JPEG XR"},
      {50000, "Zstandard"},    {50001, "WebP"}, {50002, "JPEG XL"},
      {52546, "JPEG XL"}};  // DNG's
  for (const auto& [known, name] : names)
    if (known == number) return std::string(name);
  return "scheme " + std::to_string(number);
}

}  // namespace

TiffHandle::TiffHandle(const ByteSource& source, std::uint64_t directory)
    : name_(source.name()), bytes_(source.bytes()) {
  end_ = bytes_.size();
  const bool big_endian = bytes_[0] == std::byte{'M'};
  const std::size_t size = bytes_[big_endian ? 3 : 2] == std::byte{43} ? 16 : 8;
  header_.assign(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
  put_number(std::span(header_).last(size / 2), directory, big_endian);
  tiff_ = open("r");
}

TiffHandle::TiffHandle(ByteSink& sink, const char* mode) : name_("tiff"), sink_(&sink) {
  tiff_ = open(mode);
}

TIFF* TiffHandle::open(const char* mode) {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  if (!options) fail("no memory");
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, this);
  // The limit for one table or strip of a malicious file.
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), tmsize_t{1} << 30);
  TIFF* tiff = TIFFClientOpenExt("TIFF", mode, this, read, write, seek, close_nothing, size, map,
                                 unmap, options.get());
  if (tiff == nullptr) check(false, "the header is malformed");
  return tiff;
}

TiffHandle::~TiffHandle() {
  // After a failed write libtiff must not use the sink again.
  if (sink_ != nullptr && tiff_ != nullptr) thrown_ = std::make_exception_ptr(0);
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

void TiffHandle::end_page() {
  // The first is linked from the file's header, others from the previous directory.
  remembers_ = true;
  check(TIFFWriteDirectory(tiff_) != 0, "the directory cannot be written");
  remembers_ = false;
}

void TiffHandle::remember(std::uint64_t at, std::span<const std::byte> bytes) {
  // The link from a directory to the next is written later.
  auto after = directories_.upper_bound(at);
  if (after != directories_.begin()) {
    auto& [start, held] = *std::prev(after);
    if (at - start + bytes.size() <= held.size()) {
      std::ranges::copy(bytes, held.begin() + static_cast<std::ptrdiff_t>(at - start));
      return;
    }
  }
  directories_[at].assign(bytes.begin(), bytes.end());
}

void TiffHandle::recall(std::uint64_t at, std::span<std::byte> bytes) const {
  const auto after = directories_.upper_bound(at);
  if (after == directories_.begin()) return;
  const auto& [start, held] = *std::prev(after);
  if (at - start + bytes.size() > held.size()) return;
  std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(at - start), bytes.size(), bytes.begin());
}

void TiffHandle::close() {
  check(TIFFFlush(tiff_) != 0, "the directory cannot be written");
  TIFFClose(tiff_);
  tiff_ = nullptr;
  check(true, "");
}

void TiffHandle::append(std::span<const std::byte> bytes) {
  // The sink fills the gap with 0.
  write_at(end(), bytes);
}

void TiffHandle::write_at(std::uint64_t place, std::span<const std::byte> bytes) {
  position_ = place;
  write(this, const_cast<std::byte*>(bytes.data()), static_cast<tmsize_t>(bytes.size()));
  check(true, "");
}

void TiffHandle::check(bool ok, const char* what) {
  if (thrown_) std::rethrow_exception(thrown_);
  if (ok && error_.empty()) return;
  // libtiff reports this only when pixels are read, in different words for each compression.
  if (tiff_ != nullptr && sink_ == nullptr)
    if (const auto number = field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
        TIFFIsCODECConfigured(number) == 0)
      fail(compression_name(number) + " is not supported as a compression",
           "convert it with another program, to LZW or ZIP");
  fail(error_.empty() ? what : error_);
}

void TiffHandle::fail(const std::string& problem, const std::string& advice) const {
  // Some of libtiff's messages contain the handle's name, which is TIFF.
  throw Error(name_, (problem.starts_with("TIFF: ") ? "" : "TIFF: ") + problem, advice);
}

int TiffHandle::on_error(TIFF*, void* self, const char* module, const char* format, va_list list) {
  // TIFF 6.0 says that readers skip fields of unknown types; libtiff does so, but complains.
  if (std::strstr(format, "thus tag is not read from file") != nullptr)
    return on_warning(nullptr, self, module, format, list);
  if (std::string& error = handle(self).error_; error.empty())
    error = message(module, format, list);
  return 1;
}

int TiffHandle::on_warning(TIFF*, void* self, const char* module, const char* format,
                           va_list list) {
  TiffHandle& tiff = handle(self);
  if (is_of_kept_tag(format, list)) return 1;
  if (tiff.strict_ && module != nullptr && std::strncmp(module, "JPEG", 4) == 0)
    return on_error(nullptr, self, module, format, list);
  constexpr std::size_t most = 8;  // a malicious file gives one for every entry
  if (tiff.warnings_.size() < most) tiff.warnings_.push_back(message(module, format, list));
  return 1;
}

tmsize_t TiffHandle::read(thandle_t self, void* buffer, tmsize_t size) {
  TiffHandle& tiff = handle(self);
  // After a failed write the file's directories are incomplete, and TIFFClose() would follow them
  // forever.
  if (tiff.sink_ != nullptr && tiff.thrown_) return 0;
  if (tiff.position_ > tiff.end_) return 0;
  const std::uint64_t count =
      std::min(static_cast<std::uint64_t>(size), tiff.end_ - tiff.position_);
  if (count == 0) return 0;
  if (tiff.sink_ != nullptr) {
    std::memset(buffer, 0, count);
    tiff.recall(tiff.position_, {static_cast<std::byte*>(buffer), count});
  } else {
    std::memcpy(buffer, tiff.bytes_.data() + tiff.position_, count);
    if (const std::uint64_t at = tiff.position_; at < tiff.header_.size())
      std::memcpy(buffer, tiff.header_.data() + at,
                  std::min<std::uint64_t>(count, tiff.header_.size() - at));
  }
  tiff.position_ += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t TiffHandle::write(thandle_t self, void* buffer, tmsize_t size) {
  TiffHandle& tiff = handle(self);
  if (tiff.sink_ == nullptr || tiff.thrown_) return 0;
  try {
    tiff.sink_->seek(tiff.position_);
    const std::span bytes(static_cast<const std::byte*>(buffer), static_cast<std::size_t>(size));
    tiff.sink_->write(bytes);
    if (tiff.remembers_) tiff.remember(tiff.position_, bytes);
  } catch (...) {
    tiff.thrown_ = std::current_exception();
    return 0;
  }
  tiff.position_ += static_cast<std::uint64_t>(size);
  tiff.end_ = std::max(tiff.end_, tiff.position_);
  return size;
}

toff_t TiffHandle::seek(thandle_t self, toff_t offset, int whence) {
  TiffHandle& tiff = handle(self);
  // Offsets are unsigned; negative ones wrap around to the right sum.
  tiff.position_ = whence == SEEK_CUR   ? tiff.position_ + offset
                   : whence == SEEK_END ? tiff.end_ + offset
                                        : offset;
  return tiff.position_;
}

toff_t TiffHandle::size(thandle_t self) { return handle(self).end_; }

int TiffHandle::map(thandle_t self, void** base, toff_t* size) {
  TiffHandle& tiff = handle(self);
  if (tiff.sink_ != nullptr) return 0;
  // libtiff only reads from a mapped file.
  *base = const_cast<std::byte*>(tiff.bytes_.data());
  *size = tiff.end_;
  return 1;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_stream.h"

#include <cstring>
#include <stdexcept>

namespace cuimg {

ExrInput::ExrInput(std::shared_ptr<const ByteSource> source)
    : Imf::IStream("input"), source_(std::move(source)) {}

char* ExrInput::readMemoryMapped(int count) {
  const auto bytes = source_->bytes();
  if (count < 0 || position_ > bytes.size() ||
      static_cast<std::uint64_t>(count) > bytes.size() - position_)
    throw std::runtime_error("the file is truncated");
  // OpenEXR's interface is not const, but it only reads.
  auto* from = const_cast<char*>(reinterpret_cast<const char*>(bytes.data() + position_));
  position_ += static_cast<std::uint64_t>(count);
  return from;
}

bool ExrInput::read(char to[], int count) {
  const char* const from = readMemoryMapped(count);
  // An attribute may have no bytes, and then both pointers may be null.
  if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count));
  return position_ < source_->bytes().size();
}

void ExrOutput::write(const char from[], int count) {
  try {
    sink_.write({reinterpret_cast<const std::byte*>(from), static_cast<std::size_t>(count)});
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    throw;
  }
}

void ExrOutput::seekp(std::uint64_t position) {
  try {
    sink_.seek(position);
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    throw;
  }
}

}  // namespace cuimg

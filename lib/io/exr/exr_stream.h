// SPDX-License-Identifier: Apache-2.0
// OpenEXR's streams over a source's bytes and over a checked sink.
#pragma once

#include <OpenEXR/ImfIO.h>

#include <exception>
#include <memory>

#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace cuimg {

/// Gives OpenEXR pointers into the source, so that compressed chunks are not copied.
class ExrInput final : public Imf::IStream {
 public:
  explicit ExrInput(std::shared_ptr<const ByteSource> source);
  bool isMemoryMapped() const override { return true; }
  char* readMemoryMapped(int count) override;
  bool read(char to[], int count) override;
  std::uint64_t tellg() override { return position_; }
  void seekg(std::uint64_t position) override { position_ = position; }

 private:
  std::shared_ptr<const ByteSource> source_;
  std::uint64_t position_ = 0;
};

/// OpenEXR writes its table of offsets in a destructor and ignores errors there, so the first error
/// is kept for rethrow().
class ExrOutput final : public Imf::OStream {
 public:
  explicit ExrOutput(ByteSink& sink) : Imf::OStream("output"), sink_(sink) {}
  void write(const char from[], int count) override;
  std::uint64_t tellp() override { return sink_.position(); }
  void seekp(std::uint64_t position) override;
  /// @throws the error of the sink, if there was one.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  ByteSink& sink_;
  std::exception_ptr failure_;
};

}  // namespace cuimg

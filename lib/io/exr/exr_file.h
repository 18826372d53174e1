// SPDX-License-Identifier: Apache-2.0
// An opened OpenEXR file, which the decoders of its parts share: its headers are read once.
#pragma once

#include <OpenEXR/ImfMultiPartInputFile.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "base/error.h"
#include "io/codec.h"
#include "io/exr/exr_stream.h"
#include "io/exr/exr_support.h"

namespace cuimg {

/// Does work that calls OpenEXR. @param name of the file. @throws Error for all that it throws.
template <class Work>
void translating_exr_errors(const std::string& name, Work work) {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(name, "no memory for decoding it");
  } catch (const std::exception& error) {
    throw Error(name, "OpenEXR: " + exr_problem(error));
  }
}

class ExrFile {
 public:
  /// Reads every header and checks that the file is as long as they say. @throws Error.
  ExrFile(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);

  const ByteSource& source() const { return *source_; }
  const DecodeOptions& options() const { return options_; }
  /// For OpenEXR; 0: in the calling thread.
  int threads() const { return threads_; }
  int parts() const { return file_->parts(); }
  const Imf::Header& header(int part) const { return file_->header(part); }
  bool is_deep(int part) const;
  /// @throws Error naming a deep part and those that are not.
  void refuse_deep(int part) const;
  /// For a file of one part, which need not state the number of its chunks. @throws Error.
  void check_only_part(std::uint64_t chunks) const;

  /// Calls work(Imf::MultiPartInputFile&). OpenEXR keeps what it needs for reading a part until
  /// that is dropped, which happens when no such call is running.
  template <class Work>
  void use(Work work) {
    const Use use(*this);
    work(*file_);
  }

 private:
  class Use {
   public:
    explicit Use(ExrFile& file) : file_(file) {
      const std::lock_guard lock(file_.mutex_);
      // Of a large table of chunks OpenEXR looks whether it fits behind the place it is at.
      if (file_.uses_++ == 0) file_.input_.seekg(file_.chunk_tables_);
    }
    ~Use() {
      const std::lock_guard lock(file_.mutex_);
      if (--file_.uses_ == 0) file_.file_->flushPartCache();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    ExrFile& file_;
  };

  void open();

  const std::shared_ptr<const ByteSource> source_;
  const DecodeOptions options_;
  const int threads_;
  ExrInput input_;
  std::size_t chunk_tables_ = 0;  ///< Where they begin in the file.
  std::unique_ptr<Imf::MultiPartInputFile> file_;
  std::mutex mutex_;  ///< Guards what follows.
  int uses_ = 0;
};

/// Reads one part. @throws Error naming the file, for deep parts too.
std::unique_ptr<Decoder> open_exr_part(std::shared_ptr<ExrFile> file, int part);

}  // namespace cuimg

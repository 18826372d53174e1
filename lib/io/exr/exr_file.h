// SPDX-License-Identifier: Apache-2.0
// An opened OpenEXR file that the decoders of its parts share: its headers are read once.
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

/// Runs work that calls OpenEXR. @param name of the file. @throws Error for everything that OpenEXR
/// throws.
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
  /// Reads every header and checks that the file is as long as the headers say. @throws Error.
  ExrFile(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);

  const ByteSource& source() const { return *source_; }
  const DecodeOptions& options() const { return options_; }
  /// For OpenEXR; 0: in the calling thread.
  int threads() const { return threads_; }
  int parts() const { return file_->parts(); }
  const Imf::Header& header(int part) const { return file_->header(part); }
  bool is_deep(int part) const;
  /// @throws Error that names a deep part and the parts that can be read.
  void refuse_deep(int part) const;
  /// For a file of one part, which need not state the number of its chunks. @throws Error.
  void check_only_part(std::uint64_t chunks) const;

  /// Calls work(Imf::MultiPartInputFile&). OpenEXR keeps data for reading a part until the file
  /// object is dropped, which happens when no such call is running.
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
      // OpenEXR checks whether a large table of chunks fits into the file after the current
      // position.
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
  std::size_t chunk_tables_ = 0;  ///< The position of the tables in the file.
  std::unique_ptr<Imf::MultiPartInputFile> file_;
  std::mutex mutex_;  ///< Guards the following members.
  int uses_ = 0;
};

/// Reads one part. @throws Error that names the file, also for deep parts.
std::unique_ptr<Decoder> open_exr_part(std::shared_ptr<ExrFile> file, int part);

}  // namespace cuimg

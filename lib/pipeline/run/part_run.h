// SPDX-License-Identifier: Apache-2.0
// One part of a file on its way: decoding, computing and encoding overlap, each a thread of its
// own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/plan.h"
#include "pipeline/run/host_memory.h"
#include "pipeline/run/run.h"

namespace cuimg {

class Clock {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the parts of one file have in common on their way.
struct FileRun {
  const std::vector<BoundStage>& stages;
  const Job& job;
  const CommonOptions& common;
  const StageContext& context;
  const BoundStage* sink = nullptr;  ///< The last stage, where it prints and there is no output.
  const Codec* codec = nullptr;      ///< The output's; null where there is none.
  std::size_t input_bytes = 0;       ///< The file's.
  std::uint64_t memory_bytes = UINT64_MAX;  ///< What pixels may take of it.
  /// Opens a part of the input again, or a mip level of it, without notes.
  std::function<std::unique_ptr<Decoder>(int part, int mip_level)> reopen = {};
  Clock clock = {};

  bool must_use_card() const;
};

/// Where pixels go that pass --max-memory.
std::string scratch_folder(const CommonOptions& common);

class PartRun {
 public:
  /// Plans; no pixel is read before run(). @param file outlives this. @param decoder null for
  /// sources and reducers. @param number the part's. @param is_one_of_several parts that are taken.
  /// @throws Error where stages and part do not fit.
  PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, int number,
          bool is_one_of_several);
  PartRun(const PartRun&) = delete;
  PartRun& operator=(const PartRun&) = delete;

  /// Of several parts one may have no layer for a stage, which then leaves it as it is: why; or
  /// nothing.
  const std::optional<Error>& left_out() const { return left_out_; }
  /// Pixels that the part has in its file.
  std::uint64_t input_pixels() const;
  /// Pixels to report on: the input's, or the output's where there is none.
  std::uint64_t pixels() const;
  /// Memory of the host that run() takes for pixels, about.
  std::uint64_t memory_bytes() const;
  /// And for what lies between the steps, while rows are made.
  std::uint64_t bytes_under_way() const;
  /// @throws Error for sizes past the limits. @param file_bytes the input file's.
  void check_limits(std::size_t file_bytes) const;
  /// How the output holds the part: as the input does, where both have one format and no option
  /// says otherwise. This outlives it. Called once.
  PartToWrite to_write();
  /// All of the output, where the stages only turn the picture and its format can do that without
  /// decoding; nothing where it must be run().
  std::optional<std::vector<std::byte>> turned();
  /// Whether --device auto chooses a card for it.
  bool may_use_card() const;

  /// @param output null for sinks. @throws Error.
  void run(Encoder* output);
  /// Of all that was done so far; the part's name in it where the file has several.
  RunReport take_report();

 private:
  std::vector<BoundStage> measured(const std::vector<BoundStage>& stages) const;
  Plan planned();
  Spec written_spec();
  void keep_storage(EncodeOptions& options);
  bool keeps_levels() const;
  void note_lost_metadata();
  bool is_large() const;
  /// Which of its images lie in memory by a few rows at a time.
  RowOrder rows_near(bool may_use_card) const;
  std::jthread start_decoding(Image& source);
  std::jthread start_computing(const Image& source, Image& target);
  Image next_made_level(const Image& finer);
  Image next_kept_level();
  void report_on(const Image& result);
  void add_time(const char* name, double milliseconds);

  const FileRun& file_;
  const std::unique_ptr<Decoder> decoder_;
  const int number_;
  const std::optional<int> part_;  ///< Its number, where it is one of several.
  RunReport report_;
  std::optional<Error> left_out_;   ///< Why a stage does not touch the part.
  std::vector<BoundStage> stages_;  ///< That touch it, as measuring passes have made them.
  const Plan plan_;
  const Spec written_;
  /// Otherwise the decoded rows are encoded as they come.
  const bool computes_;
  RowProgress decoded_, computed_;
  double decode_ms_ = 0, compute_ms_ = 0;
  int level_ = 0;  ///< The last mip level that was read.
  std::optional<std::string> difference_of_levels_;
};

}  // namespace cuimg

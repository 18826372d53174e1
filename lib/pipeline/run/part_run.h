// SPDX-License-Identifier: Apache-2.0
// Processes one part of a file: decoding, computing and encoding overlap, each on its own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/execute/host_memory.h"
#include "pipeline/plan.h"
#include "pipeline/run/file_run.h"
#include "pipeline/run/output_run.h"

namespace cuimg {

class PartRun {
 public:
  /// Plans; no pixel is read before run(). @param file outlives this. @param decoder null for
  /// sources and reducers. @throws Error where stages and part do not fit.
  PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, PartTaken part);
  PartRun(const PartRun&) = delete;
  PartRun& operator=(const PartRun&) = delete;

  /// With several parts, one may have no layer for a stage, which then leaves it unchanged: the
  /// reason, or empty.
  const std::optional<Error>& left_out() const { return left_out_; }
  /// In its file.
  int number() const { return part_.number; }
  /// Whether an output that holds the part has its frame, the display window.
  bool keeps_frame(std::size_t output) const {
    return outputs_[output] == nullptr ||
           outputs_[output]->written().display_window == input_.display_window;
  }
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
  /// One of FileRun::outputs; null where that does not hold the part.
  OutputRun* output(std::size_t index) { return outputs_[index].get(); }
  /// All of an output's file, where the stages before it only turn the picture and its format can
  /// do that without decoding. run() then leaves that output out; else nothing.
  std::optional<std::vector<std::byte>> turned(std::size_t output);
  /// What replaces its input keeps inks, and what decoding loses. Called after turned(). @throws
  /// Error where the chain's own output is made of pixels, and RGB made of CMYK or less than the
  /// file. @param source what an error calls the file.
  void check_keeps_all(const std::string& source) const;
  /// Of its input: see Decoder.
  std::vector<std::string> notes_of_read() const { return decoder_->notes_of_read(); }
  /// Whether --device auto chooses a card for it.
  bool may_use_card() const;

  /// @param encoders for each of FileRun::outputs; null for sinks, for what is turned(), and where
  /// that does not hold the part. @throws Error.
  void run(std::span<Encoder* const> encoders);
  /// Of all that was done so far; the part's name in it where the file has several.
  RunReport take_report();

 private:
  struct Between;
  bool has_tees() const { return file_.outputs.size() > 1; }
  std::vector<BoundStage> measured(const std::vector<BoundStage>& stages) const;
  void plan();
  void plan_outputs(const std::vector<std::size_t>& places);
  template <class Visit>
  void for_each_plan(const Visit& visit) const;
  bool is_large() const;
  bool source_comes_in_order() const;
  bool reads_blocks() const;
  void decode(Image& source, RowProgress& decoded, SourceBlocks* blocks);
  /// Which images, the input and the chain's own output, lie in memory by a few rows at a time.
  RowOrder rows_near() const;
  void run_outputs(RowsComing decoded, RowMaker maker, bool keeps_near,
                   std::span<Encoder* const> encoders);
  void add(RunReport report, const std::string& of);

  const FileRun& file_;
  const std::unique_ptr<Decoder> decoder_;
  const PartTaken part_;
  const Spec input_;  ///< Without layers where nothing is decoded.
  RunReport report_;
  std::optional<Error> left_out_;           ///< Why a stage does not touch the part.
  std::vector<BoundStage> stages_;          ///< That touch it, as measuring passes have made them.
  std::vector<Plan> between_;               ///< The plan that makes the pixels of each tee.
  std::vector<RunReport> between_reports_;  ///< Of making them.
  std::vector<std::unique_ptr<OutputRun>> outputs_;
  std::vector<bool> are_turned_;  ///< Of the outputs.
  double decode_ms_ = 0;
};

}  // namespace cuimg

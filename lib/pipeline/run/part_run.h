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
  /// Plans; no pixel is read before run(). @param file must outlive this. @param decoder null for
  /// sources and reducers. @throws Error if stages and part do not fit.
  PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, PartTaken part);
  PartRun(const PartRun&) = delete;
  PartRun& operator=(const PartRun&) = delete;

  /// With several parts, one may have no layer for a stage, which then leaves the part unchanged:
  /// the reason, or empty.
  const std::optional<Error>& left_out() const { return left_out_; }
  /// Its number in the file.
  int number() const { return part_.number; }
  /// Whether an output that contains the part has its frame, the display window.
  bool keeps_frame(std::size_t output) const {
    return outputs_[output] == nullptr ||
           outputs_[output]->written().display_window == input_.display_window;
  }
  /// The number of pixels of the part in its file.
  std::uint64_t input_pixels() const;
  /// The number of pixels to report: the input's, or the output's if there is no input.
  std::uint64_t pixels() const;
  /// The approximate host memory that run() takes for pixels.
  std::uint64_t memory_bytes() const;
  /// The same for data between the steps, while rows are made.
  std::uint64_t bytes_under_way() const;
  /// @throws Error for sizes that exceed the limits. @param file_bytes the input file's size.
  void check_limits(std::size_t file_bytes) const;
  /// One of FileRun::outputs; null if that does not contain the part.
  OutputRun* output(std::size_t index) { return outputs_[index].get(); }
  /// An output's whole file, if the stages before it only turn the picture and its format can do
  /// that without decoding; then run() leaves that output out. Otherwise nothing.
  std::optional<std::vector<std::byte>> turned(std::size_t output);
  /// A file that replaces its input must keep CMYK, and everything that decoding loses. Called
  /// after turned(). @throws Error if the chain's own output is made from pixels and would have RGB
  /// instead of CMYK, or less than the file. @param source the file's name in errors.
  void check_keeps_all(const std::string& source) const;
  /// The notes of its input: see Decoder.
  std::vector<std::string> notes_of_read() const { return decoder_->notes_of_read(); }
  /// Whether --device auto chooses a card for it.
  bool may_use_card() const;

  /// @param encoders for each of FileRun::outputs; null for sinks, for outputs that are turned(),
  /// and for those that do not contain the part. @throws Error.
  void run(std::span<Encoder* const> encoders);
  /// The report on everything done so far; contains the part's name if the file has several.
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
  /// Which images, the input and the chain's own output, are in memory a few rows at a time.
  RowOrder rows_near() const;
  void run_outputs(RowsComing decoded, RowMaker maker, bool keeps_near,
                   std::span<Encoder* const> encoders);
  void add(RunReport report, const std::string& of);

  const FileRun& file_;
  const std::unique_ptr<Decoder> decoder_;
  const PartTaken part_;
  const Spec input_;  ///< Without layers if nothing is decoded.
  RunReport report_;
  std::optional<Error> left_out_;  ///< The reason why a stage does not change the part.
  /// The stages that change it, with their measured parameters.
  std::vector<BoundStage> stages_;
  std::vector<Plan> between_;               ///< The plan that makes the pixels of each tee.
  std::vector<RunReport> between_reports_;  ///< The reports on making them.
  std::vector<std::unique_ptr<OutputRun>> outputs_;
  std::vector<bool> are_turned_;  ///< For each output.
  double decode_ms_ = 0;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Makes one output of a part: from the pixels of its chain, or of a tee in it, to a file.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/codec.h"
#include "pipeline/plan.h"
#include "pipeline/run/file_run.h"
#include "pipeline/run/run_report.h"

namespace cuimg {

/// An image that is being made, and the progress of its rows.
struct RowsComing {
  Image& image;
  RowProgress& ready;
  SourceBlocks* blocks = nullptr;  ///< The blocks that the image may have instead of pixels.
};

class OutputRun {
 public:
  /// Plans; no pixel is read before run().
  /// @param file, output, input must outlive this. @param input null for sources and reducers.
  /// @param start the state of the chain before `stages`. @param shares_source whether others read
  /// the same image. @throws Error if stages and image do not fit.
  OutputRun(const FileRun& file, const ChainOutput& output, PartTaken part, const Decoder* input,
            const PlanState& start, const std::vector<BoundStage>& stages, bool shares_source);
  OutputRun(const OutputRun&) = delete;
  OutputRun& operator=(const OutputRun&) = delete;

  const Plan& plan() const { return plan_; }
  const Spec& written() const { return written_; }
  /// If false, the source's rows are encoded unchanged.
  bool computes() const { return computes_; }
  /// Whether rows of the result may be freed after they are written.
  bool can_keep_near() const { return output_.codec != nullptr && !written_.mip; }
  /// Whether the source's rows are read in order, so that they can be freed.
  bool reads_in_order() const { return computes_ || can_keep_near(); }
  /// How the file stores the part: like the input's file if both have the same format and no option
  /// requires otherwise. This must outlive it. Called once.
  PartToWrite to_write();

  /// Gives the source the written spec if its rows are encoded unchanged. Called before anybody
  /// makes or reads them.
  void set_written(Image& source) const {
    if (!computes_) source.editable_spec() = written_;
  }
  /// Approximate host memory that run() takes for pixels in addition to its source.
  std::uint64_t memory_bytes(bool keeps_near) const;
  /// @param keeps_near whether rows of the result are freed after they are written; requires
  /// can_keep_near().
  /// @param encoder null for sinks. @throws Error.
  void run(RowsComing source, RowMaker maker, bool keeps_near, Encoder* encoder);
  /// Adds a line to the report.
  void explain(const std::string& line) { report_.explanation.push_back(line); }
  /// Reports what a file made without decoding cannot keep.
  void tell_of(const TurnedFile& file) {
    report_.notes.insert(report_.notes.end(), file.notes.begin(), file.notes.end());
    report_.warnings.insert(report_.warnings.end(), file.warnings.begin(), file.warnings.end());
  }
  /// Reports that a file whose pixels do not change is compressed with loss once more. Called if
  /// turned_file() made no file.
  void tell_of_recompression();
  /// The report on everything done so far.
  RunReport take_report() { return std::move(report_); }

 private:
  Plan planned(const PlanState& start, const std::vector<BoundStage>& stages) const;
  std::uint64_t encoder_bytes() const;
  bool changes_colors(const Spec& written) const;
  bool has_only(std::initializer_list<std::string_view> families) const;
  bool keeps_places(const Spec& written) const;
  void keep_true_light(Spec& written, bool changes);
  bool has_form_of_input(const Spec& written) const;
  Spec written_spec();
  void keep_storage(EncodeOptions& options);
  bool keeps_levels() const;
  void check_keeps_levels() const;
  void note_smaller_type();
  Image next_made_level(const Image& finer);
  Image kept_level(LevelId level);
  Image level_of(const Plan& plan, const Image& source, RowProgress& ready);
  void report_on(const Image& result);
  /// Milliseconds of the writing thread.
  struct Spent {
    double working = 0, waiting = 0;
  };
  Spent write(const Image& result, RowProgress& ready, RowProgress& source, Encoder* encoder,
              TargetBlocks* blocks);
  std::optional<DctLayout> block_layout(bool keeps_near, const Encoder* encoder) const;

  const FileRun& file_;
  const ChainOutput& output_;
  const CommonOptions& common_;
  const PartTaken part_;
  const Decoder* const input_;
  RunReport report_;
  const bool has_stages_;
  const Plan plan_;
  const Spec written_;
  const bool computes_;
  std::optional<std::string> difference_of_levels_;
};

}  // namespace cuimg

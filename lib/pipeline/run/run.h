// SPDX-License-Identifier: Apache-2.0
// Running one image through bound stages.
#pragma once

#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/trace.h"
#include "options/name_pattern.h"
#include "pipeline/grammar.h"
#include "pipeline/run/card_choice.h"
#include "pipeline/run/card_shares.h"
#include "pipeline/run/run_report.h"
#include "pipeline/run/shared_parts.h"
#include "stages/run_cache.h"

namespace cuimg {

/// What the images of one command share; outlives their runs.
struct SharedByImages {
  RunCache files;  ///< That options name, read once.
  MemoryBudget memory{UINT64_MAX};
  Trace* trace = nullptr;  ///< Where their work is recorded; null: nowhere.
  CardChoice card{1, 0};
  CardShares cards{{}};
  WorkPlaces* places = nullptr;  ///< Of the threads that run several images; else null.
  SharedFiles parts = {};        ///< Of which several images are parts.
};

/// What a file that an option of a stage names is for one input.
struct StageFile {
  std::string path;
  bool is_own = false;          ///< It is read for this input; else for all of them.
  std::string black_form = {};  ///< The file is missing: its image is black, and else as this one.
  friend bool operator==(const StageFile&, const StageFile&) = default;
};

/// The inputs of one output: usually one. A source has none, a reducer has all of them. A sink has
/// no output.
struct Job {
  std::vector<std::string> inputs;
  std::string output;
  bool makes_folders = false;    ///< The output's folder is made when it is missing.
  bool keeps_extension = false;  ///< The output's extension is its input's.
  bool black = false;  ///< A frame that is missing: as the input is, but every value is 0.
  std::string mark;    ///< A mark stored with the output to recognise it later; empty: none.
  bool alone = true;   ///< The only one of its command.
  std::optional<int> part = {};  ///< The one of the input's that is taken; else as --part has it.
  ImageName image = {};      ///< The input's name for text in the picture, if there is one input.
  std::string problem = {};  ///< The reason why it fails, if that is known before it begins.
  /// Outputs in the middle of the chain, one for each of its tees, made of the same inputs.
  std::vector<Job> tees = {};
  /// What options of stages name for this input, as files_of() lists them; none where they name
  /// the same files for all.
  std::vector<StageFile> stage_files = {};

  /// Its name in reports.
  const std::string& name() const { return inputs.size() == 1 ? inputs.front() : output; }
  friend bool operator==(const Job&, const Job&) = default;
};

/// The job itself, where it has an output, and its tees.
std::vector<const Job*> outputs_of(const Job& job);

/// Decodes the input, runs the stages, encodes the outputs. May be called from several threads.
/// A file named "-" is standard input or output.
/// @param invocation its stages, tees and common options; its files are the job's.
/// @throws Error; the outputs are then as they were before.
RunReport run_image(const Invocation& invocation, const Job& job, SharedByImages& shared);

}  // namespace cuimg

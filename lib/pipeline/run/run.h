// SPDX-License-Identifier: Apache-2.0
// Runs one image through bound stages.
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

/// Data that the images of one command share; it must outlive their runs.
struct SharedByImages {
  RunCache files;  ///< Files that options name, which are read once.
  MemoryBudget memory{UINT64_MAX};
  Trace* trace = nullptr;  ///< The recording of their work; null: none.
  CardChoice card{1, 0};
  CardShares cards{{}};
  WorkPlaces* places = nullptr;  ///< For the threads that run several images; otherwise null.
  SharedFiles parts = {};        ///< Files of which several images are parts.
};

/// The file that an option of a stage names, for one input.
struct StageFile {
  std::string path;
  /// Whether it is read for this input only, instead of for all of them.
  bool is_own = false;
  /// The file is missing: its image is black, and otherwise like this one.
  std::string black_form = {};
  friend bool operator==(const StageFile&, const StageFile&) = default;
};

/// The inputs of one output: usually one. A source has none, a reducer has all of them. A sink has
/// no output.
struct Job {
  std::vector<std::string> inputs;
  std::string output;
  bool makes_folders = false;    ///< Whether the output's folder is created if it is missing.
  bool keeps_extension = false;  ///< Whether the output has its input's extension.
  bool black = false;            ///< A missing frame: like the input, but every value is 0.
  std::string mark;   ///< A mark stored with the output to recognise it later; empty: none.
  bool alone = true;  ///< Whether it is the only job of its command.
  std::optional<int> part = {};  ///< The part of the input to use; absent: according to --part.
  ImageName image = {};      ///< The input's name for text in the picture, if there is one input.
  std::string problem = {};  ///< The reason why it fails, if that is known before it begins.
  /// Outputs in the middle of the chain, one for each of its tees, made from the same inputs.
  std::vector<Job> tees = {};
  /// The files that options of stages name for this input, in the order of files_of(); empty if
  /// they are the same for all inputs.
  std::vector<StageFile> stage_files = {};

  /// Its name in reports.
  const std::string& name() const { return inputs.size() == 1 ? inputs.front() : output; }
  friend bool operator==(const Job&, const Job&) = default;
};

/// The job itself, if it has an output, and its tees.
std::vector<const Job*> outputs_of(const Job& job);

/// Decodes the input, runs the stages, encodes the outputs. May be called from several threads.
/// A file named "-" is standard input or output.
/// @param invocation its stages, tees and common options are used; the files are the job's.
/// @throws Error; then the outputs are as before.
RunReport run_image(const Invocation& invocation, const Job& job, SharedByImages& shared);

}  // namespace cuimg

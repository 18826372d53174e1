// SPDX-License-Identifier: Apache-2.0
// State that the parts and outputs of one image share while it is processed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/codec.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/near_rows.h"
#include "pipeline/run/run.h"

namespace cuimg {

inline double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

class Clock {
 public:
  double milliseconds() const {
    return cuimg::milliseconds(std::chrono::steady_clock::now() - start_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The output of a tee, or of the chain's end, which may be a sink that prints.
struct ChainOutput {
  /// The number of the chain's stages before it, not counting a sink.
  std::size_t stages;
  const Job& job;               ///< Names the file.
  const CommonOptions& common;  ///< Including the options of this output.
  const Codec* codec;           ///< Null if there is no file.
  const BoundStage* sink = nullptr;
};

/// One of the parts of the input that are used.
struct PartTaken {
  int number = 0;      ///< Its number in the file.
  int part_count = 1;  ///< The file's number of parts.
  bool is_one_of_several = false;
  /// Whether each of the chain's outputs contains it; empty: all do.
  std::vector<bool> outputs = {};
  /// The names in --layers that apply to it, if other parts have the rest.
  std::vector<std::string> layers = {};
  bool is_left_alone = false;  ///< Whether --layers only names layers of other parts.

  bool is_wanted_by(std::size_t output) const { return outputs.empty() || outputs[output]; }
};

struct FileRun {
  const Invocation& invocation;
  const Job& job;
  const CommonOptions& common;
  const StageContext& context;
  std::vector<ChainOutput> outputs;  ///< Those of tees in order, then the chain's own.
  ExecutionContext execution;
  std::size_t input_bytes = 0;              ///< The file's size.
  std::uint64_t memory_bytes = UINT64_MAX;  ///< The memory that pixels may take.
  /// Opens a part of the input again, without notes.
  std::function<std::unique_ptr<Decoder>(int part)> reopen = {};

  /// The facts about a part that stages need.
  StageContext context_of(const PartTaken& part) const {
    StageContext own = context;
    if (!part.layers.empty() || part.is_left_alone) own.layers = part.layers;
    return own;
  }
  /// Whether --device names a card.
  bool must_use_card() const {
    const DeviceChoice::Kind kind = common.device.kind;
    return kind == DeviceChoice::Kind::cuda || kind == DeviceChoice::Kind::both;
  }
  /// If images share the threads and this one has only one, passing rows between threads costs more
  /// than it gains. @param keeps_near whether only some rows are in memory at a time.
  RowMaker row_maker(bool keeps_near) const {
    return execution.card.has_several_images() && common.threads == 1 && !keeps_near
               ? RowMaker::caller
               : RowMaker::thread;
  }
};

}  // namespace cuimg

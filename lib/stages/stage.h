// SPDX-License-Identifier: Apache-2.0
// What a stage is to the pipeline: an operation prepared for one input, run on frames of any
// region.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/frame.h"
#include "device/queue.h"
#include "image/spec.h"
#include "io/codec.h"

namespace cuimg {

/// How a stage wants its input's values.
enum class Values : std::uint8_t {
  stored,  ///< The frame's own type, as it lies: stages that only move pixels, and raw texture
           ///< reads.
  linear,  ///< float, light-linear, premultiplied (with --raw: float, values as they are).
};

/// What the run as a whole has decided, for stages that need to know.
struct StageContext {
  bool raw = false;      ///< --raw: values are taken and mixed as they are stored.
  DecodeOptions decode;  ///< For a stage's second image: limits, threads, notes.
};

/// A stage with its parameters, prepared for one input: tables are made, geometry is known.
/// Immutable once made; run() may be called from several threads at once.
class Operation {
 public:
  virtual ~Operation() = default;

  /// The output for the whole input: windows, layers, types as run() writes them.
  virtual const Spec& output() const = 0;
  /// Which input pixels `output_region` depends on, absolute, inside the input's data window.
  virtual Rect needed(const Rect& output_region) const = 0;
  virtual Values values(int layer) const = 0;
  /// The input's layer that an output's layer is made of.
  virtual int source_layer(int layer) const { return layer; }
  /// Whether small output regions read all over the input, so that the whole input is made first.
  virtual bool reads_scattered() const { return false; }
  /// Whether it works on the display window: what the data window lacks of it is then zero.
  virtual bool wants_display_window() const { return false; }
  /// Estimated nanoseconds of one CPU core for each output pixel, for choosing a device.
  virtual double cost_ns() const { return 5; }
  /// How a card's frame should lie to be read.
  virtual Storage storage(int layer) const {
    (void)layer;
    return Storage::pitched;
  }
  /// Computes target's region of a layer. `source` covers needed(target.region()) at least.
  /// With Values::linear both are float of the layer's channel count; with Values::stored both
  /// have the types of the input's and output()'s layer.
  virtual void run(const Queue& queue, int layer, const Frame& source,
                   const Frame& target) const = 0;
  /// Decisions worth telling with --explain, a line each.
  virtual std::vector<std::string> explanation() const { return {}; }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What a stage is to the pipeline: an operation prepared for one input, run on frames of any
// region.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/frame.h"
#include "device/queue.h"
#include "image/spec.h"
#include "io/codec.h"

namespace cuimg {

struct PixelPass;
class RunCache;

/// How a stage wants its input's values. Colour layers are meant; others are float as they lie, or
/// stored. With --raw every kind but `stored` is float, values as they are.
enum class Values : std::uint8_t {
  stored,    ///< The frame's own type, as it lies: stages that only move pixels, and raw texture
             ///< reads.
  linear,    ///< float, light-linear, premultiplied: whatever mixes pixels or scales light.
  straight,  ///< float, light-linear, alpha not premultiplied: curves over light.
  encoded,   ///< float, as the input file encodes colour, alpha not premultiplied: what is defined
             ///< on code values, such as levels or a display look.
};

/// What the run as a whole has decided, for stages that need to know.
struct StageContext {
  bool raw = false;      ///< --raw: values are taken and mixed as they are stored.
  DecodeOptions decode;  ///< For a stage's second image: limits, threads, notes.
  /// --layers: those that stages touch; empty: each stage's own.
  std::vector<std::string> layers = {};
  ColorEncoding home = {};               ///< How the input file encodes colour: Values::encoded.
  std::vector<std::string> inputs = {};  ///< For reducers: the files they take.
  RunCache* run = nullptr;  ///< What the run's inputs share; null: each reads files by itself.
  bool dry_run =
      false;  ///< Nothing will be run: of a file that an option names the form is enough.
};

/// Layers of one region, in the order of Operation::source_layers().
using Frames = std::span<const Frame>;

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
  /// The input's layers that an output's layer is made of; the first one passes on its type.
  /// Sources have none.
  virtual std::vector<int> source_layers(int layer) const { return {layer}; }
  /// Of a layer that is made of none of the input's: the type that it is stored in where the format
  /// has it.
  virtual PixelType stored_type(int layer) const {
    return output().layers[static_cast<std::size_t>(layer)].type;
  }
  /// Whether small output regions read all over the input, so that the whole input is made first.
  virtual bool reads_scattered() const { return false; }
  /// Whether it wants to run once on the CPU too, over whole frames, sharing the work out with
  /// Queue::for_each by itself. Else it is run on bands of rows.
  virtual bool runs_whole() const { return false; }
  /// Whether it works on the display window: what the data window lacks of it is then zero.
  virtual bool wants_display_window() const { return false; }
  /// Estimated nanoseconds of one CPU core for each output pixel, for choosing a device.
  virtual double cost_ns() const { return 5; }
  /// How a card's frames should lie to be read.
  virtual Storage storage(int layer) const {
    (void)layer;
    return Storage::pitched;
  }
  /// Where a pixel depends on the same pixel alone: what is done to it. Such operations in a row
  /// become one. Null for all others. run() does the same.
  virtual const PixelPass* pixel_pass(int layer) const {
    (void)layer;
    return nullptr;
  }
  /// Computes target's region of a layer. Each source covers needed(target.region()) at least.
  /// Where values() is not `stored` all are float of the layers' channel counts; else they have
  /// the types of the input's and output()'s layers.
  virtual void run(const Queue& queue, int layer, Frames sources, const Frame& target) const = 0;
  /// Decisions worth telling with --explain, a line each.
  virtual std::vector<std::string> explanation() const { return {}; }
};

}  // namespace cuimg

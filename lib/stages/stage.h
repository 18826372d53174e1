// SPDX-License-Identifier: Apache-2.0
// What a stage is to the pipeline: an operation prepared for one input, run on frames of any
// region.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/frame.h"
#include "device/queue.h"
#include "image/spec.h"
#include "io/decode_options.h"
#include "options/name_pattern.h"

namespace cuimg {

struct PixelPass;
class StoredForm;
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
  /// The input's, and its number among its file's parts: second images are taken from the part that
  /// belongs to it, as SharedImage::open() says.
  std::string part_name = {};
  int part = 0, parts = 1;
  ImageName image = {};  ///< What texts in the picture call the input.
  /// --layers: those that stages touch; empty: each stage's own.
  std::vector<std::string> layers = {};
  ColorEncoding home = {};               ///< How the input file encodes colour: Values::encoded.
  std::vector<std::string> inputs = {};  ///< For reducers: the files they take.
  /// For reducers: gets that one part of a file of several is taken; empty where --part says which.
  Notify warn_of_parts = {};
  RunCache* run = nullptr;  ///< What the run's inputs share; null: each reads files by itself.
  bool dry_run =
      false;  ///< Nothing will be run: of a file that an option names the form is enough.
  bool refuses_nearest_mattes = false;  ///< --cryptomatte refuse.
};

/// How an operation makes one layer of its output.
struct LayerPlan {
  Values values = Values::stored;  ///< How it wants its sources' values.
  /// The input's layers that it is made of; the first one passes on its type. None for what no
  /// input has: generated pictures, sheets.
  std::vector<int> sources = {};
  /// Without sources: the type to store it in where the format has it; absent: the layer's own.
  std::optional<PixelType> stored_type = {};
  Storage storage = Storage::pitched;  ///< How a card's frames should lie to be read.
  /// Ids that would be mixed are copied from the nearest pixel instead.
  bool takes_nearest_ids = false;
  /// Where a pixel depends on the same pixel alone: what is done to it. Such operations in a row
  /// become one. Null for all others. run() does the same.
  std::shared_ptr<const PixelPass> pixel_pass = {};
  /// The pass as what a card's kernel before it, or after it, does by itself; else null.
  std::shared_ptr<const StoredForm> encodes = {}, decodes = {};
  /// Whether run() on a card takes sources in rows, or a target in rows, that are seen as floats
  /// (Frame::seen_as_floats).
  bool loads_stored_forms = false, stores_stored_forms = false;
  /// Whether it takes sources that are FormKind::srgb8 in rows for a target that is the same,
  /// whatever `storage` it reads floats from.
  bool maps_srgb8_codes = false;
};

/// What an operation gives, reads and wants.
struct OperationPlan {
  /// The output for the whole input: windows, layers, types as run() writes them.
  Spec output;
  std::vector<LayerPlan> layers;  ///< One for each of the output's.
  /// Small output regions read all over the input, so that the whole input is made first.
  bool reads_scattered = false;
  /// It wants to run once on the CPU too, over whole frames, sharing the work out with
  /// Queue::for_each by itself. Else it is run on bands of rows.
  bool runs_whole = false;
  /// What reads_scattered or runs_whole would make whole may be made in small tiles instead, each
  /// from needed() of it, which is then little more than the tile: for pictures larger than memory.
  bool works_in_tiles = false;
  /// Which pixels of its input there are to be, where not those of the data window: what that lacks
  /// of them is zero.
  std::optional<Rect> window = {};
  /// Estimated nanoseconds of one CPU core for each output pixel, for choosing a device.
  double cost_ns = 5;
  std::vector<std::string> explanation = {};  ///< Decisions to print with --explain, a line each.

  OperationPlan() = default;
  /// Every layer is made of the input's in its place, as that is stored.
  explicit OperationPlan(Spec made) : output(std::move(made)), layers(output.layers.size()) {
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i].sources = {static_cast<int>(i)};
  }
  const LayerPlan& layer(int i) const { return layers[static_cast<std::size_t>(i)]; }
};

/// Layers of one region, in the order of LayerPlan::sources.
using Frames = std::span<const Frame>;

/// A stage with its parameters, prepared for one input: tables are made, geometry is known.
/// Immutable once made; run() may be called from several threads at the same time.
class Operation {
 public:
  virtual ~Operation() = default;

  const OperationPlan& plan() const { return plan_; }
  const Spec& output() const { return plan_.output; }
  /// Which input pixels `output_region` depends on, absolute, inside the input's data window.
  virtual Rect needed(const Rect& output_region) const = 0;
  /// Computes target's region of a layer. Each source covers needed(target.region()) at least.
  /// Where the plan's values are not `stored` all are float of the layers' channel counts; else
  /// they have the types of the input's and the output's layers.
  virtual void run(const Queue& queue, int layer, Frames sources, const Frame& target) const = 0;

 protected:
  Operation() = default;
  explicit Operation(OperationPlan plan) : plan_(std::move(plan)) {}

  OperationPlan plan_;  ///< Complete when the constructor returns.
};

/// An operation of a plan and two functions. @param needed (const Rect& output_region) -> Rect.
/// @param run (const Queue&, int layer, Frames sources, const Frame& target).
template <class Needed, class Run>
std::unique_ptr<Operation> make_operation(OperationPlan plan, Needed needed, Run run) {
  class Made final : public Operation {
   public:
    Made(OperationPlan of, Needed region_needed, Run run_layer)
        : Operation(std::move(of)), needed_(std::move(region_needed)), run_(std::move(run_layer)) {}
    Rect needed(const Rect& region) const override { return needed_(region); }
    void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
      run_(queue, layer, sources, target);
    }

   private:
    Needed needed_;
    Run run_;
  };
  return std::make_unique<Made>(std::move(plan), std::move(needed), std::move(run));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A stage for the pipeline: an operation that is prepared for one input and runs on frames of any
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

/// The form in which a stage needs the values of colour layers. Other layers are float without
/// conversion, or stored. With --raw every kind except `stored` is float without conversion.
enum class Values : std::uint8_t {
  /// The frame's own type, unchanged: for stages that only move pixels, and for raw texture reads.
  stored,
  linear,    ///< float, linear light, premultiplied: for stages that mix pixels or scale light.
  straight,  ///< float, linear light, alpha not premultiplied: for curves on light.
  /// float, encoded as in the input file, alpha not premultiplied: for operations that are defined
  /// on code values, such as levels or a display look.
  encoded,
};

/// Decisions of the whole run, for stages that need them.
struct StageContext {
  bool raw = false;      ///< --raw: stored values are used and mixed unchanged.
  DecodeOptions decode;  ///< For a stage's second image: limits, threads, notes.
  /// The input's part name, and its number among the file's parts. A second image is taken from the
  /// matching part; see SharedImage::open().
  std::string part_name = {};
  int part = 0, parts = 1;
  ImageName image = {};  ///< The input's name for text in the picture.
  /// --layers: the layers that stages change; empty: each stage decides.
  std::vector<std::string> layers = {};
  /// How the input file encodes colour, for Values::encoded.
  ColorEncoding home = {};
  std::vector<std::string> inputs = {};  ///< For reducers: the files they take.
  /// For reducers: receives a note if only one part of a file with several is used; empty if --part
  /// chooses it.
  Notify warn_of_parts = {};
  RunCache* run =
      nullptr;  ///< Objects that the run's inputs share; null: each input reads files separately.
  bool dry_run =
      /// Whether nothing will be run: then only the form of a file that an option names is needed.
      false;
  bool refuses_nearest_mattes = false;  ///< --cryptomatte refuse.
};

/// How an operation computes one layer of its output.
struct LayerPlan {
  Values values = Values::stored;  ///< The form in which it needs its sources' values.
  /// The input layers from which it is computed; it gets the type of the first. None for layers
  /// without an input: generated pictures, sheets.
  std::vector<int> sources = {};
  /// Without sources: the type in which the format should store it, if supported; absent: the
  /// layer's own.
  std::optional<PixelType> stored_type = {};
  Storage storage = Storage::pitched;  ///< The kind of memory on a card from which it reads frames.
  /// Ids that would be mixed are copied from the nearest pixel instead.
  bool takes_nearest_ids = false;
  /// The operation on a pixel if a pixel depends only on the same pixel of the input. Consecutive
  /// operations of this kind are joined. Null for all others. run() does the same.
  std::shared_ptr<const PixelPass> pixel_pass = {};
  /// The pass in a form that the card's kernel before or after it can include; else null.
  std::shared_ptr<const StoredForm> encodes = {}, decodes = {};
  /// Whether run() on a card accepts sources, or a target, in rows of another type that is read as
  /// float (Frame::seen_as_floats).
  bool loads_stored_forms = false, stores_stored_forms = false;
  /// Whether run() on the CPU accepts both. It must read the source's rows, and make the target's,
  /// in order from the top.
  bool takes_stored_rows = false;
  /// Whether it accepts sources that are FormKind::srgb8 in rows for a target of the same form,
  /// whatever `storage` it uses for floats.
  bool maps_srgb8_codes = false;
};

/// An operation's output, input and requirements.
struct OperationPlan {
  /// The output for the whole input: windows, layers, and the types that run() writes.
  Spec output;
  std::vector<LayerPlan> layers;  ///< One for each of the output's layers.
  /// Even a small output region may read the whole input, which is therefore completed first.
  bool reads_scattered = false;
  /// On the CPU it runs only once, on whole frames, and distributes its work with Queue::for_each
  /// itself. Otherwise it runs on bands of rows.
  bool runs_whole = false;
  /// For pictures larger than memory: although reads_scattered or runs_whole is set, the output may
  /// be made in small tiles. Each needs only needed() of the input, which is then little more than
  /// the tile.
  bool works_in_tiles = false;
  /// The input pixels that must exist, if they are not those of the data window; pixels outside the
  /// data window are zero.
  std::optional<Rect> window = {};
  /// Estimated nanoseconds of one CPU core for each output pixel, for choosing a device.
  double cost_ns = 5;
  std::vector<std::string> explanation = {};  ///< Decisions to print with --explain, one per line.
  /// For values that are no colours: what formats of integers would cut off, as they hold 0 to 1.
  std::string needs_floats = {};
  /// For a reducer whose result continues its first input: how that input's file encodes colour.
  std::optional<ColorEncoding> home = {};

  OperationPlan() = default;
  /// Every layer is made from the input's layer with the same number, in its stored form.
  explicit OperationPlan(Spec made) : output(std::move(made)), layers(output.layers.size()) {
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i].sources = {static_cast<int>(i)};
  }
  const LayerPlan& layer(int i) const { return layers[static_cast<std::size_t>(i)]; }
};

/// Layers of one region, in the order of LayerPlan::sources.
using Frames = std::span<const Frame>;

/// A stage with its parameters, prepared for one input: tables are computed and the geometry is
/// known. Immutable; run() may be called from several threads at the same time.
class Operation {
 public:
  virtual ~Operation() = default;

  const OperationPlan& plan() const { return plan_; }
  const Spec& output() const { return plan_.output; }
  /// The input pixels on which `output_region` depends, absolute, inside the input's data window.
  virtual Rect needed(const Rect& output_region) const = 0;
  /// Computes target's region of a layer. Each source covers at least needed(target.region()). If
  /// the plan's values are not `stored`, all frames are float with the layers' channel counts;
  /// otherwise they have the types of the input's and the output's layers.
  virtual void run(const Queue& queue, int layer, Frames sources, const Frame& target) const = 0;

 protected:
  Operation() = default;
  explicit Operation(OperationPlan plan) : plan_(std::move(plan)) {}

  OperationPlan plan_;  ///< Complete when the constructor returns.
};

/// An operation made from a plan and two functions. @param needed (const Rect& output_region) ->
/// Rect.
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

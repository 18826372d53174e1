// SPDX-License-Identifier: Apache-2.0
// What all stages share whose pixels depend on those around: the windows, the border, and layers of
// ids, which are never mixed.
#pragma once

#include <vector>

#include "stages/stage.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// How far a pixel looks, in pixels; none is negative.
struct Reach {
  int left = 0, up = 0, right = 0, down = 0;
};

/// `data` grown by the reach where it ends inside the display window, but not past that.
Rect grown_window(const Rect& data, const Rect& display, const Reach& reach);

/// What stages want that only compare values, channel by channel: the values as they are stored,
/// since order is the same in light; but premultiplied light where colours have straight alpha, so
/// that those of transparent pixels do not show.
std::vector<Values> values_for_order(const Spec& input, bool raw);

/// The output's data window is the input's, grown by the reach where it ends inside the display
/// window: the picture is the same as if it were stored with the zeros around it.
class StencilOperation : public Operation {
 public:
  /// All layers but ids as light.
  StencilOperation(const Spec& input, Border border, const Reach& reach, bool raw);
  /// @param values for each layer.
  StencilOperation(const Spec& input, Border border, const Reach& reach, std::vector<Values> values,
                   bool raw);

  const Spec& output() const final { return output_; }
  Rect needed(const Rect& region) const final;
  Values values(int layer) const final { return values_[static_cast<std::size_t>(layer)]; }
  /// Tall neighbourhoods: bands would make most of what lies before them twice.
  bool reads_scattered() const override { return reach_.up + reach_.down > 64; }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const final;

 protected:
  /// Of layers other than ids, in the form that values() says. @param source covers
  /// needed(target.region()).
  virtual void filter(const Queue& queue, int layer, const Frame& source,
                      const Frame& target) const = 0;

  const BorderSampler& surround() const { return surround_; }
  const Reach& reach() const { return reach_; }

 private:
  bool is_id(int layer) const;

  Spec output_;
  BorderSampler surround_;
  Reach reach_;
  std::vector<Values> values_;
};

}  // namespace cuimg

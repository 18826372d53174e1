// SPDX-License-Identifier: Apache-2.0
// Code shared by all stages whose pixels depend on neighbouring pixels: the windows, the border,
// and layers of ids, which are never mixed.
#pragma once

#include <functional>
#include <memory>
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

/// All layers but ids as light.
std::vector<Values> light_but_ids(const Spec& input);

/// What such stages start from. The output's data window is the input's, grown by the reach where
/// it ends inside the display window: the picture is the same as if it were stored with the zeros
/// around it.
struct Stencil {
  BorderSampler borders;
  Reach reach;
  /// Tall neighbourhoods read scattered: bands would make most of what lies before them twice.
  OperationPlan plan;

  /// @param values for each layer.
  Stencil(const Spec& input, Border border, const Reach& reach, const std::vector<Values>& values,
          bool raw);
  /// Says that on a card the filter takes light in frames of any stored form.
  void convert_on_card();
};

/// Makes a layer other than ids, in the form that the plan's values say.
/// @param source covers what the target's region needs.
using StencilFilter =
    std::function<void(const Queue& queue, int layer, const Frame& source, const Frame& target)>;

std::unique_ptr<Operation> make_stencil(Stencil stencil, StencilFilter filter);

/// The same plan for a source of which only its region is there, as a card's kernels want it, whose
/// blocks reach beyond what they make.
template <class Plan>
Plan within(Plan plan, const Frame& source) {
  plan.borders = plan.borders.within(source.region());
  return plan;
}

}  // namespace cuimg

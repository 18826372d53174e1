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

/// The reach of a pixel, in pixels; no value is negative.
struct Reach {
  int left = 0, up = 0, right = 0, down = 0;
};

/// `data` grown by the reach where it ends inside the display window, but not beyond that.
Rect grown_window(const Rect& data, const Rect& display, const Reach& reach);

/// The form for stages that only compare values, channel by channel: stored values, since linear
/// light has the same order; but premultiplied light if colours have straight alpha, so that
/// colours of transparent pixels have no effect.
std::vector<Values> values_for_order(const Spec& input, bool raw);

/// Linear light for all layers except ids.
std::vector<Values> light_but_ids(const Spec& input);

/// The common start of such stages. The output's data window is the input's, grown by the reach
/// where it ends inside the display window: the picture is the same as if it were stored with the
/// zeros around it.
struct Stencil {
  BorderSampler borders;
  Reach reach;
  /// Tall neighbourhoods count as scattered reads: bands would compute most of their inputs twice.
  OperationPlan plan;

  /// @param values for each layer.
  Stencil(const Spec& input, Border border, const Reach& reach, const std::vector<Values>& values,
          bool raw);
  /// Declares that on a card the filter accepts light in frames of any stored form.
  void convert_on_card();
};

/// Computes a layer other than ids, in the form of the plan's values.
/// @param source covers the pixels that the target's region needs.
using StencilFilter =
    std::function<void(const Queue& queue, int layer, const Frame& source, const Frame& target)>;

std::unique_ptr<Operation> make_stencil(Stencil stencil, StencilFilter filter);

/// The same plan for a source that only has its region, for a card's kernels, whose blocks read
/// beyond the pixels that they make.
template <class Plan>
Plan within(Plan plan, const Frame& source) {
  plan.borders = plan.borders.within(source.region());
  return plan;
}

}  // namespace cuimg

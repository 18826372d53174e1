// SPDX-License-Identifier: Apache-2.0
// An operation on the picture and a second image, pixel by pixel: shared by over, add, mix, mask
// and similar stages.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "kernels/color/combine_op.h"
#include "stages/combine/second_image.h"
#include "stages/stage.h"

namespace cuimg {

using CombineOp =
    std::variant<PorterDuff, Each<Sum>, Each<Difference>, Each<Product>, Each<Quotient>,
                 Each<Smaller>, Each<Larger>, Each<Distance>, Mix, MaskBy>;

/// What happens to one layer.
struct Combination {
  CombineOp op;
  /// Pixels in neither of these windows are left as they are; absent: they are combined with zero.
  std::optional<std::array<Rect, 2>> only_within = {};
};

/// @name Pixels of target's region: where a source's region does not reach it is zero.
/// @param first the channels of target. @param second as many, or as many as the operation asks.
/// All are float; on a card they may be seen as such, all three lying in rows.
/// @{
void combine_on_cpu(const Combination& what, const Frame& first, const Frame& second,
                    const Frame& target);
void combine_on_cuda(const Queue& queue, const Combination& what, const Frame& first,
                     const Frame& second, const Frame& target);
/// @}

/// Which channels of the second image an operation sees.
enum class SecondChannels : std::uint8_t {
  same,        ///< Those of the output's layer.
  with_alpha,  ///< The same, and an alpha in any case: opaque when it has none.
  one,         ///< Its first channel.
};

/// When a picture without alpha gets one.
enum class AlphaAdded : std::uint8_t { never, where_second_has_one, always };

/// How a stage combines two images.
struct CombineRules {
  /// What is done to one layer. @param layer the output's. @param second its channels in the second
  /// image.
  std::function<CombineOp(const LayerSpec& layer, const LayerSpec& second)> op;
  SecondChannels channels = SecondChannels::same;
  /// The result shows where only the second image has pixels.
  bool grows = true;
  /// Beyond the second image's frame the picture stays as it is.
  bool leaves_outside = false;
  /// A picture without alpha gets one; what it had is opaque.
  AlphaAdded adds_alpha = AlphaAdded::never;
  /// The images are compared as their files hold them, in linear light: straight colours where the
  /// picture's file has such. The result's alpha covers nothing.
  bool compares_channels = false;
  /// --at or --gravity was given: right and down of where its own coordinates put it. Else the
  /// images' display windows must say where, being of one size or apart from each other.
  bool is_placed = false;
  int shift_x = 0, shift_y = 0;
};

/// @throws Error where the second image is of another size than the picture and its windows do not
/// say where it lies. @param place the stage. @param frame the picture's display window.
void check_place(const std::string& place, const Rect& frame, const Spec& second);

/// An operator for a layer; colours are what alphas cover. @param second its channels in the second
/// image.
PorterDuff porter_duff(Share share_of_second, Share share_of_first, const LayerSpec& layer,
                       const LayerSpec& second);

/// Of the input such a stage sees the layers of colour, or those that --layers names: its
/// description says on_color_layers(). Ids stay. Grey combined with colour becomes RGB.
/// @param raw how the second image's values are taken, most often context.raw.
/// @throws Error when the second image has nothing to combine with a layer, or is of another size
/// and nothing says where it lies.
std::unique_ptr<Operation> make_combine_operation(const std::string& place, const Spec& input,
                                                  const StageContext& context,
                                                  const SecondImage& second, bool raw,
                                                  const CombineRules& rules);

}  // namespace cuimg

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

/// What is done to one layer.
struct Combination {
  CombineOp op;
  /// Pixels in neither of these windows do not change; absent: they are combined with zero.
  std::optional<std::array<Rect, 2>> only_within = {};
};

/// @name Combines the pixels of target's region. A source is zero outside its region.
/// @param first has target's channels. @param second has as many, or as many as the operation
/// needs. All are float, or on a card other types that are read as float, if all three are stored
/// in rows.
/// @{
void combine_on_cpu(const Combination& what, const Frame& first, const Frame& second,
                    const Frame& target);
void combine_on_cuda(const Queue& queue, const Combination& what, const Frame& first,
                     const Frame& second, const Frame& target);
/// @}

/// Which channels of the second image an operation sees.
enum class SecondChannels : std::uint8_t {
  same,        ///< The channels of the output's layer.
  with_alpha,  ///< The same plus an alpha, which is opaque if the image has none.
  one,         ///< The image's first channel.
};

/// When a picture without alpha gets one.
enum class AlphaAdded : std::uint8_t { never, where_second_has_one, always };

/// How a stage combines two images.
struct CombineRules {
  /// The operation for one layer. @param layer the output's layer. @param second its channels in
  /// the second image.
  std::function<CombineOp(const LayerSpec& layer, const LayerSpec& second)> op;
  SecondChannels channels = SecondChannels::same;
  /// Whether the result includes pixels that only the second image has.
  bool grows = true;
  /// Whether the picture is unchanged beyond the second image's frame.
  bool leaves_outside = false;
  /// A picture that gets an alpha is opaque where it had pixels.
  AlphaAdded adds_alpha = AlphaAdded::never;
  /// The images are compared as their files hold them, in linear light, with straight colours if
  /// the picture's file has straight colours. The result's alpha does not cover anything.
  bool compares_channels = false;
  /// Whether --at or --gravity was given. The shift moves the second image right and down from the
  /// position that its own coordinates give. Without a given place the images' display windows must
  /// determine it, by having one size or being separate.
  bool is_placed = false;
  int shift_x = 0, shift_y = 0;
};

/// @throws Error if the second image's size differs from the picture's and its windows do not give
/// its position. @param place the stage. @param frame the picture's display window.
void check_place(const std::string& place, const Rect& frame, const Spec& second);

/// An operator for a layer; colours are premultiplied. @param second its channels in the second
/// image.
PorterDuff porter_duff(Share share_of_second, Share share_of_first, const LayerSpec& layer,
                       const LayerSpec& second);

/// Such a stage processes the input's colour layers, or those that --layers names: its description
/// calls on_color_layers(). Ids do not change. Grey combined with colour becomes RGB.
/// @param raw whether the second image's values are taken as stored, usually context.raw.
/// @throws Error if the second image has nothing to combine with a layer, or if its size differs
/// and nothing gives its position.
std::unique_ptr<Operation> make_combine_operation(const std::string& place, const Spec& input,
                                                  const StageContext& context,
                                                  const SecondImage& second, bool raw,
                                                  const CombineRules& rules);

}  // namespace cuimg

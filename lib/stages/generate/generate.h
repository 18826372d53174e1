// SPDX-License-Identifier: Apache-2.0
// Code that the sources of pictures share. Each source has a generator
// (kernels/generate/generators.h), and its picture has a size and channels.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "kernels/generate/generators.h"
#include "options/values.h"
#include "stages/stage.h"

namespace cuimg {

/// --channels, for sources whose colours do not determine the channels.
enum class ChannelSet : std::uint8_t { y, ya, rgb, rgba };
std::span<const Choice<ChannelSet>> choices_of(ChannelSet);

inline constexpr Size default_picture_size = pixels(640, 480);

/// One float layer at the origin, linear and premultiplied.
/// @param place the stage, for errors. @throws Error unless both sides are given in pixels.
Spec generated_spec(const std::string& place, const Size& size, ChannelSet channels);

/// The channels that can hold all of these colours: grey unless one has three values, with alpha if
/// one has it.
ChannelSet channels_for(std::span<const Paint> colors);

/// Puts a colour's values in the order of the channels; grey goes to each colour, and a missing
/// alpha is 1.
void lay_out(const Paint& color, ChannelSet channels, float (&values)[4]);

/// Makes a source's operation.
/// @param cost_ns nanoseconds of a CPU core for each pixel.
std::unique_ptr<Operation> make_source(Spec spec, const Generator& generator, double cost_ns);

/// Fills every pixel of a float frame on a card.
void generate_on_cuda(const Queue& queue, const Generator& generator, const Frame& target);

}  // namespace cuimg

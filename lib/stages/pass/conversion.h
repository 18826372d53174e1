// SPDX-License-Identifier: Apache-2.0
// Conversion between the stored form of pixels and the form that stages need: an operation that the
// pipeline inserts where two steps differ in type, curve, alpha, primaries, channels or window.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kernels/color/encoding.h"
#include "stages/stage.h"

namespace cuimg {

/// @param raw no curve, alpha or primaries are touched; types are converted alone.
/// @param sources for each of the target's layers, the source's it is made of.
/// @param background linear RGB that shows where alpha is dropped.
/// @returns an operation from `source` to `target`; target's data window may be any: pixels
/// outside the source's are zero.
std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw);

/// For a stage that adds channels: its input, already float and encoded as its output, in the
/// output's channels. Grey goes to each colour, an alpha that was missing is opaque.
std::unique_ptr<Operation> make_widening(const Spec& input, const Spec& output, bool raw);

/// Whether a layer's stored values may be filtered as they are: they are light already, or need not
/// be light.
bool is_light_as_stored(const Spec& spec, const LayerSpec& layer, bool raw);

/// Converts one pixel of premultiplied light to the form that a layer stores. @param light as many
/// floats as the layer has channels. @param stored with room for 64 bytes.
void store_light(const Spec& spec, const LayerSpec& layer, bool raw, const float* light,
                 void* stored);

/// The encoding of what a stage that mixes light makes: premultiplied light, or premultiplied
/// values of a curve where an earlier stage has encoded them.
ColorEncoding mixed_color(const Spec& input, bool raw);

/// The encoding of an image's colour for a stage that needs `values`.
ColorEncoding working_color(const Spec& spec, Values values, const StageContext& context);

/// What a stage wants that takes colours as the input's file has them, in its curve and as it
/// multiplies them by alpha, whatever the stages before have made of them. `stored` where they lie
/// so already, and where there is no such file: a reducer's are several.
Values values_in_file(const Spec& spec, const StageContext& context);

/// The same for each layer; those without colour stay as they are stored.
std::vector<Values> layers_in_file(const Spec& spec, const StageContext& context);

/// `spec` as a stage wants it: layers that want other than `stored` values are float, and colour is
/// encoded as the first such colour layer wants it.
/// @param wanted for each layer.
Spec working_spec(const Spec& spec, const std::vector<Values>& wanted, const StageContext& context);

}  // namespace cuimg

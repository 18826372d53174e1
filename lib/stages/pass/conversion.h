// SPDX-License-Identifier: Apache-2.0
// Conversion between the stored form of pixels and the form that stages need: an operation that the
// pipeline inserts if two steps differ in type, curve, alpha, primaries, channels or window.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kernels/color/encoding.h"
#include "stages/stage.h"

namespace cuimg {

/// @param raw curve, alpha and primaries are not changed, only types.
/// @param sources for each of the target's layers, the source's layer from which it is made.
/// @param background linear RGB behind transparent pixels if alpha is dropped.
/// @returns an operation from `source` to `target`, whose data window may differ: pixels outside
/// the source's are zero.
std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw);

/// For a stage that adds channels: converts its input, which is already float and encoded like its
/// output, to the output's channels. Grey goes to each colour; a missing alpha is opaque.
std::unique_ptr<Operation> make_widening(const Spec& input, const Spec& output, bool raw);

/// Whether a layer's stored values may be filtered directly: they are linear light, or need not be.
bool is_light_as_stored(const Spec& spec, const LayerSpec& layer, bool raw);

/// Converts one pixel of premultiplied light to the form that a layer stores. @param light as many
/// floats as the layer has channels. @param stored with room for 64 bytes.
void store_light(const Spec& spec, const LayerSpec& layer, bool raw, const float* light,
                 void* stored);

/// The encoding of the result of a stage that mixes light: premultiplied light, or premultiplied
/// values of a curve if an earlier stage has encoded them.
ColorEncoding mixed_color(const Spec& input, bool raw);

/// The encoding of an image's colour for a stage that needs `values`.
ColorEncoding working_color(const Spec& spec, Values values, const StageContext& context);

/// The form for a stage that needs colours as in the input's file, with its curve and alpha
/// association, whatever earlier stages have done. `stored` if they already have this form. After a
/// reducer, its first input's file counts, or none: a sheet is light.
Values values_in_file(const Spec& spec, const StageContext& context);

/// The same for each layer; layers without colour keep their stored form.
std::vector<Values> layers_in_file(const Spec& spec, const StageContext& context);

/// Sets LayerSpec::stays_premultiplied for a layer that is moved from one image to another.
void keep_premultiplied(const Spec& before, const Spec& after, LayerSpec& layer);

/// `spec` in the form that a stage needs: layers that need a form other than `stored` are float,
/// and colour is encoded as the first such colour layer needs it.
/// @param wanted for each layer.
Spec working_spec(const Spec& spec, const std::vector<Values>& wanted, const StageContext& context);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// --layers: the layers that a name, or a pattern of names, selects.
#pragma once

#include <string_view>

namespace cuimg {

/// Whether `wanted` names the layer of that label: the label itself, or a pattern of it, in which
/// `*` is any text, `?` any character and `[a-z]` one of these.
bool names_layer(std::string_view wanted, std::string_view label);

}  // namespace cuimg

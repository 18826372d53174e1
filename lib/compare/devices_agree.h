// SPDX-License-Identifier: Apache-2.0
// Checks whether two devices gave the same figures, for --device both and the tests of cards.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "compare/comparison.h"

namespace cuimg {

/// The first figure that differs in any bit between two comparisons of the same pictures, with both
/// its values; nothing if all are the same. FLIP's maps are included.
/// @param first, second the devices' names in the text: "cpu", "cuda:0".
std::optional<std::string> figure_that_differs(const Comparison& a, const Comparison& b,
                                               const std::string& first, const std::string& second);

/// --device both found different figures.
class DevicesDisagree : public Error {
 public:
  explicit DevicesDisagree(const std::string& what) : Error("--device both", what) {}
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// --layers for a file with several parts: a part need not have all of the named layers, or any.
#pragma once

#include <string>
#include <vector>

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

class LayersOfParts {
 public:
  /// If --layers is given and --part does not select one part of several, reads their headers.
  /// @throws Error for a name or pattern for which no part has a layer.
  LayersOfParts(ImageFile& file, const CommonOptions& common);

  /// Whether --layers has different effects on different parts.
  bool apply() const { return !parts_.empty(); }
  /// The names in --layers for which the part has a layer. Only call it if apply() is true.
  const std::vector<std::string>& names(int part) const {
    return parts_.at(static_cast<std::size_t>(part));
  }
  /// The parts that have a layer with one of the names, in the file's order.
  std::vector<int> parts_with_any() const;

 private:
  std::vector<std::vector<std::string>> parts_;
};

}  // namespace cuimg

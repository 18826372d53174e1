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
  /// Where --layers is given and --part takes no single part of several, reads their headers.
  /// @throws Error for a name or pattern that no part has a layer for.
  LayersOfParts(ImageFile& file, const CommonOptions& common);

  /// Whether parts differ in what --layers means to them.
  bool apply() const { return !parts_.empty(); }
  /// Which names of --layers the part has a layer for. Call it where they apply.
  const std::vector<std::string>& names(int part) const {
    return parts_.at(static_cast<std::size_t>(part));
  }
  /// Those that have a layer of the names, in the file's order.
  std::vector<int> parts_with_any() const;

 private:
  std::vector<std::vector<std::string>> parts_;
};

}  // namespace cuimg

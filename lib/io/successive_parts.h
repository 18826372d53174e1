// SPDX-License-Identifier: Apache-2.0
// Files in which each picture depends on the previous ones, such as an animation's frames.
#pragma once

#include <cstddef>

namespace cuimg {

/// An ImageFile that derives from this decodes a part based on the result of the previous one. If
/// it is opened once for all parts, each is decoded once; if it is opened again for each part, all
/// previous parts are decoded every time.
class SuccessiveParts {
 public:
  virtual ~SuccessiveParts() = default;
  /// Called before the first open(). Then open() and the decoders may be called from several
  /// threads that take the parts nearly in order: the latest pictures are kept.
  /// @param most_bytes limit on the kept pictures; a larger picture is not kept.
  virtual void keep_latest(std::size_t most_bytes) = 0;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Files in which each picture depends on the ones before it, such as an animation's frames.
#pragma once

#include <cstddef>

namespace cuimg {

/// An ImageFile that derives from this decodes a part from what the one before it left. Opened once
/// for all of its parts it decodes each once; opened anew for each it decodes all before that one.
class SuccessiveParts {
 public:
  virtual ~SuccessiveParts() = default;
  /// To be called before the first open(). Then open() and the decoders may be called from several
  /// threads, which take the parts nearly in their order: the latest pictures are kept.
  /// @param most_bytes of kept pictures; one that is larger is not kept.
  virtual void keep_latest(std::size_t most_bytes) = 0;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The software texture unit's results for the captures of a real one.
#pragma once

#include <string>

#include "kernels/texture_captures.h"

namespace cuimg::test {

/// The number of samples that were compared and that differed, and the first difference as text.
struct Tally {
  std::size_t samples = 0, different = 0;
  std::string first_difference;

  void compare(const std::string& name, std::size_t index, const float* point,
               std::size_t coordinates, const float* expected, const float* got,
               std::size_t components);
  void fail(const std::string& why);
};

/// Replays every sample of a capture with the software unit, and those of 2D textures also with the
/// row readers.
Tally replay(const Capture& capture);

}  // namespace cuimg::test

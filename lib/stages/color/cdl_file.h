// SPDX-License-Identifier: Apache-2.0
// Colour decisions of the American Society of Cinematographers, in the files of its "Color Decision
// List (ASC CDL) Transfer Functions and Interchange Syntax", version 1.2.
#pragma once

#include <string>
#include <vector>

namespace cuimg {

/// One correction: (x * slope + offset) ^ power, then saturation.
struct Grade {
  std::vector<float> slope = {1}, offset = {0}, power = {1};
  float saturation = 1;
};

/// The correction of a .cc, .cdl or .ccc file whose ColorCorrection has that id; of an empty id the
/// only one that the file has. @throws Error where the file holds what is not understood, or no
/// such correction. Numbers are finite, and not checked otherwise.
Grade read_grade(const std::string& path, const std::string& id);

}  // namespace cuimg

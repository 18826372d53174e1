// SPDX-License-Identifier: Apache-2.0
// Colour decisions of the American Society of Cinematographers, as files of its "Color Decision
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

/// The correction in a .cc, .cdl or .ccc file whose ColorCorrection has that id; for an empty id
/// the file's only correction. @throws Error if the file cannot be understood or has no such
/// correction. Numbers are finite, and not checked otherwise.
Grade read_grade(const std::string& path, const std::string& id);

}  // namespace cuimg

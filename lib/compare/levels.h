// SPDX-License-Identifier: Apache-2.0
// The mip and rip levels of a file's pictures, which are compared like parts.
#pragma once

#include <string>
#include <vector>

#include "io/codec.h"

namespace cuimg {

/// Every level of a picture, beginning with the full-size picture. One level if the picture has no
/// others.
std::vector<LevelId> levels_of(const Spec& spec);
/// "1 level", "9 mip levels", "6x5 rip levels".
std::string levels_text(const Spec& spec);
/// A level's name in reports: "3" of a mip map, "2,1" of a rip map.
std::string level_name(const Spec& spec, LevelId level);

/// All pixels of a level, for a picture that was read. @throws Error that names the file.
Image level_of(const Decoder& picture, LevelId level);

}  // namespace cuimg

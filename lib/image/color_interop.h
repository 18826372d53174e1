// SPDX-License-Identifier: Apache-2.0
// The names that the ASWF's Color Interop Forum gives to colour spaces, which an EXR may state as
// its colorInteropID, with or without chromaticities.
#pragma once

#include <optional>
#include <string_view>

#include "image/primaries.h"

namespace cuimg {

inline constexpr const char* interop_id_key = "colorInteropID";

/// The primaries of a scene's linear light, such as those of lin_ap1_scene: the names for which
/// the Forum recommends chromaticities in EXR files. Nothing for others.
inline std::optional<Chromaticities> primaries_of_interop_id(std::string_view id) {
  if (id == "lin_rec709_scene") return primaries::rec709;
  if (id == "lin_p3d65_scene") return primaries::p3_d65;
  if (id == "lin_rec2020_scene") return primaries::rec2020;
  if (id == "lin_ap0_scene") return primaries::aces_ap0;
  if (id == "lin_ap1_scene") return primaries::aces_ap1;
  // Adobe RGB (1998), version 2005-05, 4.3.1.1.
  if (id == "lin_adobergb_scene")
    return Chromaticities{0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.3290f};
  return std::nullopt;
}

}  // namespace cuimg

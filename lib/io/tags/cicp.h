// SPDX-License-Identifier: Apache-2.0
// Coding-independent code points, ITU-T H.273: one byte for primaries, one for the curve. PNG
// stores them in cICP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// ColourPrimaries; nothing for codes without chromaticities and for unknown codes.
std::optional<Chromaticities> primaries_of_code(std::uint8_t code);
/// The code of chromaticities that agree within 0.001, as those from ICC profiles do.
std::optional<std::uint8_t> code_of_primaries(const Chromaticities& primaries);

/// Sets curve and gamma if an encoding can represent the curve of `code`.
bool set_curve(CurveCode code, ColorEncoding& color);
/// "PQ", or "curve 9" for a code without a name here.
std::string name_of(CurveCode code);
/// BT.709's curve, and those of BT.601 and BT.2020, which are the same.
bool is_rec709_curve(CurveCode code);
/// The name in `decode --curve` of a curve that set_curve() does not support; empty if it has none.
std::string decoder_of(CurveCode code);

/// The description for a file with values in that encoding: its tag, otherwise its curve and
/// primaries.
ColorTag tag_of(const ColorEncoding& color);

}  // namespace cuimg

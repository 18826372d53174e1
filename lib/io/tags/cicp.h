// SPDX-License-Identifier: Apache-2.0
// Coding-independent code points, ITU-T H.273: one byte for primaries, one for the curve. PNG's
// cICP holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// ColourPrimaries; nothing for codes without chromaticities and those of no known set.
std::optional<Chromaticities> primaries_of_code(std::uint8_t code);
/// The code of chromaticities that agree within 0.001, as those taken from ICC profiles do.
std::optional<std::uint8_t> code_of_primaries(const Chromaticities& primaries);

/// Sets curve and gamma where `code` is a curve that an encoding can say.
bool set_curve(CurveCode code, ColorEncoding& color);
/// "PQ", or "curve 9" for one that has no name here.
std::string name_of(CurveCode code);
/// BT.709's curve, and those of BT.601 and BT.2020, which are the same.
bool is_rec709_curve(CurveCode code);
/// How `decode --curve` spells a curve that set_curve() does not know; empty where it has none.
std::string decoder_of(CurveCode code);

/// What a file should say of values in that encoding: its tag, else what curve and primaries are.
ColorTag tag_of(const ColorEncoding& color);

}  // namespace cuimg

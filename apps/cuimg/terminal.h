// SPDX-License-Identifier: Apache-2.0
// What the terminal behind standard output can show.
#pragma once

#include <cstdint>
#include <span>

#include "options/values.h"

namespace cuimg {

/// How a picture gets onto a terminal.
enum class Protocol : std::uint8_t {
  automatic,
  kitty,   ///< kitty's graphics protocol
  sixel,   ///< DEC's
  blocks,  ///< half blocks in 24-bit colours: any terminal of today
};
std::span<const Choice<Protocol>> choices_of(Protocol);

struct Terminal {
  bool is_one = false;                   ///< Standard output is a terminal.
  int columns = 80, rows = 0;            ///< rows 0: no end.
  int cell_width = 8, cell_height = 16;  ///< In pixels; where it does not say, rather too small.
};

/// Its size, as it says, with the usual guesses for what it does not.
Terminal look_at_terminal();

/// What the environment or the terminal itself, asked and given a moment to answer, says it can.
/// Nothing is asked where standard output is no terminal.
Protocol best_protocol(const Terminal& terminal);

}  // namespace cuimg

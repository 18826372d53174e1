// SPDX-License-Identifier: Apache-2.0
// The picture protocols of the terminal on standard output.
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
  int cell_width = 8, cell_height = 16;  ///< In pixels; unreported: rather too small.
};

/// Its size, with the usual guesses for what it does not report.
Terminal look_at_terminal();

/// The best protocol by the environment, or by what the terminal answers within a moment. If
/// standard output is not a terminal, it is not queried.
Protocol best_protocol(const Terminal& terminal);

}  // namespace cuimg

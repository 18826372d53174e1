// SPDX-License-Identifier: Apache-2.0
// The picture protocols of the terminal on standard output.
#pragma once

#include <cstdint>
#include <span>

#include "options/values.h"

namespace cuimg {

/// How a picture is drawn on a terminal.
enum class Protocol : std::uint8_t {
  automatic,
  kitty,   ///< kitty's graphics protocol
  sixel,   ///< DEC's protocol
  blocks,  ///< half blocks in 24-bit colours: for any present terminal
};
std::span<const Choice<Protocol>> choices_of(Protocol);

struct Terminal {
  bool is_one = false;                   ///< Whether standard output is a terminal.
  int columns = 80, rows = 0;            ///< rows 0: unlimited.
  int cell_width = 8, cell_height = 16;  ///< In pixels; if unknown, a rather small guess.
};

/// The terminal's size, with the usual guesses for unknown values.
Terminal look_at_terminal();

/// The best protocol according to the environment, or to the terminal's answer within a moment. If
/// standard output is not a terminal, it is not queried.
Protocol best_protocol(const Terminal& terminal);

}  // namespace cuimg

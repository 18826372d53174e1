// SPDX-License-Identifier: Apache-2.0
// The terminal on which the progress line is redrawn, and its width.
#pragma once

#include <cstddef>
#include <string>

namespace cuimg {

/// Whether standard error is a terminal on which a line can be written over.
bool can_rewrite_lines();

/// Characters of a line of the terminal; 0: unknown.
std::size_t terminal_columns();

/// `head` and `name` together, of at most `columns` characters where those are not 0: a longer line
/// goes on in the next row, and only that is written over. Of a name that is too long the end
/// stays, behind "...". Characters of East Asia count twice, as most terminals show them.
std::string fitted_line(const std::string& head, const std::string& name, std::size_t columns);

}  // namespace cuimg

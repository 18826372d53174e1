// SPDX-License-Identifier: Apache-2.0
// The terminal on which the progress line is redrawn, and its width.
#pragma once

#include <cstddef>
#include <string>

namespace cuimg {

/// Whether standard error is a terminal on which a line can be overwritten.
bool can_rewrite_lines();

/// The width of the terminal in characters; 0: unknown.
std::size_t terminal_columns();

/// `head` and `name` together, in at most `columns` characters unless that is 0: a longer line
/// would continue in the next row, and only that row is overwritten. If the name is too long, only
/// its end is kept, after "...". East Asian characters count twice, as most terminals display them.
std::string fitted_line(const std::string& head, const std::string& name, std::size_t columns);

}  // namespace cuimg

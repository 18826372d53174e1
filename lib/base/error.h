// SPDX-License-Identifier: Apache-2.0
// The exception type of the library: an error names the place, the value and what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cuimg {

/// Thrown for every error, both for wrong use of the library and for failures. `what()` is one
/// line, "place: problem" or "place: problem: advice", as the program prints it after "cuimg: ".
/// There are three exceptions: std::bad_alloc if there is no memory for something small (for pixels
/// it is an Error); std::logic_error from bind() for a struct of another stage; and what a caller's
/// own function, sink or RowProgress::fail() throws, which is passed on as it is.
class Error : public std::runtime_error {
 public:
  /// @param place a stage, a codec or a file name; control characters are escaped.
  /// @param problem what is wrong, with the offending value.
  /// @param advice what is allowed instead; may be empty.
  Error(const std::string& place, const std::string& problem, const std::string& advice = "");
};

/// Thrown when the caller has requested a stop.
class Cancelled : public Error {
 public:
  Cancelled() : Error("apply", "the caller stopped it") {}
};

/// An error's line with `name` before it, unless the line already begins with one of `names`.
/// Errors of stages, formats, devices and memory do not contain the name of the file.
std::string naming(const std::string& name, const std::string& line,
                   const std::vector<std::string>& names);

/// `text` made safe for one line on a terminal: control characters and invalid UTF-8 become \xNN,
/// so a file's name cannot break the line or the terminal.
std::string printable(const std::string& text);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What help says about patterns in names, and about patterns that choose files.
#pragma once

namespace cuimg {

inline constexpr const char* about_patterns =
    "In a pattern, {name} is the input's file name, {stem} that name without its extension, and "
    "{ext} the extension; with --format it is that format's extension. {dir} is the input's "
    "folder. For a file on the command line or in --files-from it is the folder as given, without "
    "a leading / or ..; for a file found in an INPUT folder it is the path below that folder; if "
    "there is none it is a dot. {index} counts the sorted inputs from 0, and {frame} is the number "
    "of a sequence's frame. {index:03} and {frame:05} pad them with zeros to that many digits; "
    "{index+1001} and {frame-1000:04} add an offset. If {part} is in a pattern, each part of a "
    "file (an EXR's part, a TIFF's page, a GIF's frame) becomes an output of its own, named by its "
    "number. {{ and }} are braces.\n\nThe name of a stage's file may contain these keys too, "
    "except {index}, and {part} only if an output's name contains it: mask --with "
    "'masks/{stem}.png' reads a mask with the name of each input. A "
    "file whose name has the braces themselves is read instead.\n\n--include and --exclude are "
    "matched against the path below the INPUT folder. A pattern without / matches names at any "
    "depth, such as '*.exr'; other "
    "patterns match the whole path, such as 'beauty/**' or /top.exr. * and ? stop at /, ** does "
    "not, and [a-z] is one of these characters. A folder that matches includes everything below "
    "it; a pattern that ends in / matches folders only. A file that is named on the command line "
    "or in a list is always used.";

}  // namespace cuimg

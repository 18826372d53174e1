// SPDX-License-Identifier: Apache-2.0
// Outputs that are made from a file without decoding it.
#pragma once

#include <optional>

#include "io/codec.h"
#include "pipeline/run/file_run.h"

namespace cuimg {

/// Whether the stages before an output, if any, only turn the picture, no option requires other
/// pixels or another compression, and the output has the input's format.
bool only_turns(const FileRun& file, const ChainOutput& output, const Decoder& input,
                const Spec& written);

/// An output's whole file, if it only turns the picture and the format can do that without
/// decoding; otherwise nothing. @param written the output's content, with its metadata.
std::optional<TurnedFile> turned_file(const FileRun& file, const ChainOutput& output,
                                      const Decoder& input, const Spec& written);

}  // namespace cuimg

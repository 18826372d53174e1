// SPDX-License-Identifier: Apache-2.0
// Reports the metadata that an output's format cannot hold.
#pragma once

#include "io/codec.h"
#include "pipeline/run/run_report.h"

namespace cuimg {

/// Adds a note with their names, and a warning if XMP is among them because it is too large.
/// @param written the output with its metadata.
void note_lost_entries(const Codec& codec, const Spec& written, RunReport& report);

}  // namespace cuimg

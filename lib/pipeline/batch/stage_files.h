// SPDX-License-Identifier: Apache-2.0
// Files that options of stages name and that differ from input to input: those of a sequence,
// `--with bg.####.exr`, or those named after the input, `--with 'masks/{stem}.png'`.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/bound_stage.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Whether its file depends on the input: its name is a sequence or has keys in braces, and no file
/// has this literal name.
bool depends_on_input(const FileOfStage& file);

/// The files of files_of() for each input; empty if none of them depends on the input.
/// @param inputs with --missing skip, inputs that lack a file are removed.
/// @throws Error if a file is missing, unless --missing gives a replacement: with hold, the file of
/// the previous frame, or if there is none, of the first.
std::vector<std::vector<StageFile>> stage_files_of(const Invocation& invocation,
                                                   std::vector<Input>& inputs);

}  // namespace cuimg

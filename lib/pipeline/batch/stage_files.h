// SPDX-License-Identifier: Apache-2.0
// Files that options of stages name and that differ from input to input: of a sequence,
// `--with bg.####.exr`, or named after the input, `--with 'masks/{stem}.png'`.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/bound_stage.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Whether its file depends on the input: it names a sequence or has keys in braces, and no file
/// is literally named so.
bool depends_on_input(const FileOfStage& file);

/// What each of files_of() is for each of the inputs; nothing at all where none of them depends on
/// the input.
/// @param inputs with --missing skip, those that lack a file are taken out.
/// @throws Error where a file is missing, unless --missing says what takes its place: of a frame,
/// with hold that of the frame before it, or else the first.
std::vector<std::vector<StageFile>> stage_files_of(const Invocation& invocation,
                                                   std::vector<Input>& inputs);

}  // namespace cuimg

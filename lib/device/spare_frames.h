// SPDX-License-Identifier: Apache-2.0
// Memory that host frames leave for the next ones of their thread.
#pragma once

namespace cuimg {

/// Frees what this thread keeps for its next host frames.
void free_spare_frames();

}  // namespace cuimg

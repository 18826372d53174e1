// SPDX-License-Identifier: Apache-2.0
// The share of the inputs that this process handles, among processes that do not communicate.
#pragma once

#include <cstddef>

#include "base/environment.h"
#include "pipeline/options.h"

namespace cuimg {

struct InputShare {
  std::size_t index = 0, count = 1;
  /// Whether the input at that position in the sorted list belongs to this share.
  bool holds(std::size_t place) const { return place % count == index; }
};

/// Resolves --shard. `auto` takes the first of these that exists: the tasks of Open MPI, MPICH or
/// srun, combined with a Slurm array's, or either of the two; AWS Batch arrays; Kubernetes indexed
/// jobs (whose size must be given: auto/N). Variables that sbatch inherited from another job's step
/// are ignored.
/// @throws Error if the environment has none of them, or a number of shares other than that of
/// auto/N.
InputShare resolve_shard(const ShardChoice& choice, const Environment& environment);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Reading a scheduler's variables.
#include "pipeline/batch/shard.h"

#include "base/error.h"

namespace cuimg {
namespace {

std::optional<std::size_t> number(const Environment& environment, const std::string& name) {
  const auto text = environment(name);
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  try {
    parse_value(*text, {}, value);
  } catch (const BadValue&) {
    throw Error("--shard auto", name + "=" + *text + " is no whole number",
                "give --shard I/N instead");
  }
  return static_cast<std::size_t>(value);
}

// A scheduler's pair of index and size; the size may be left to the user.
std::optional<InputShare> pair(const Environment& environment, const std::string& index,
                               const std::string& size) {
  const auto i = number(environment, index);
  if (!i) return std::nullopt;
  return InputShare{*i, number(environment, size).value_or(0)};
}

// An array's tasks are numbered from MIN by STEP. A resubmitted or listed array (--array=3,7) keeps
// its numbers while COUNT and MIN change: what no longer fits is refused here, and what fits by
// chance is why an explicit I/N always wins.
std::optional<InputShare> slurm_array(const Environment& environment) {
  const auto id = number(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return std::nullopt;
  const std::size_t first = number(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t step = number(environment, "SLURM_ARRAY_TASK_STEP").value_or(1);
  if (step == 0 || *id < first || (*id - first) % step != 0 || (*id - first) / step >= *count)
    throw Error("--shard auto", "the array's task numbers are not evenly spaced",
                "give --shard I/N instead");
  return InputShare{(*id - first) / step, *count};
}

// A batch script has SLURM_PROCID=0 without srun, so it counts in a step only.
std::optional<InputShare> slurm(const Environment& environment) {
  const std::optional<InputShare> array = slurm_array(environment);
  std::optional<InputShare> tasks;
  if (environment("SLURM_STEP_ID")) tasks = pair(environment, "SLURM_PROCID", "SLURM_NTASKS");
  if (!array || !tasks) return array ? array : tasks;
  return InputShare{array->index * tasks->count + tasks->index, array->count * tasks->count};
}

}  // namespace

InputShare resolve_shard(const ShardChoice& choice, const Environment& environment) {
  if (choice.kind == ShardChoice::Kind::all) return {};
  if (choice.kind == ShardChoice::Kind::given)
    return {static_cast<std::size_t>(choice.index), static_cast<std::size_t>(choice.count)};
  std::optional<InputShare> share = slurm(environment);
  if (!share) share = pair(environment, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  if (!share) share = pair(environment, "PMI_RANK", "PMI_SIZE");
  if (!share) share = pair(environment, "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE");
  if (!share) share = pair(environment, "JOB_COMPLETION_INDEX", "");
  if (!share)
    throw Error("--shard auto", "neither Slurm, MPI, AWS Batch nor Kubernetes has set a share",
                "give --shard I/N instead");
  if (choice.count != 0) share->count = static_cast<std::size_t>(choice.count);
  if (share->count == 0)
    throw Error("--shard auto", "the number of shares is not known", "give --shard auto/N");
  if (share->index >= share->count)
    throw Error("--shard auto",
                "share " + std::to_string(share->index) + " of " + std::to_string(share->count) +
                    " does not exist",
                "give --shard I/N instead");
  return *share;
}

}  // namespace cuimg

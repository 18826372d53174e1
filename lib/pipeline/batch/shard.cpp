// SPDX-License-Identifier: Apache-2.0
// Reads a scheduler's variables.
#include "pipeline/batch/shard.h"

#include <algorithm>

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

// A scheduler's pair of index and size; the user may have to give the size.
std::optional<InputShare> pair(const Environment& environment, const std::string& index,
                               const std::string& size) {
  const auto i = number(environment, index);
  if (!i) return std::nullopt;
  return InputShare{*i, number(environment, size).value_or(0)};
}

// An array's tasks are numbered from MIN to MAX by STEP. A list (--array=3,7) has the same MIN, MAX
// and COUNT in all of its tasks, so all of them refuse it, not only the last.
std::optional<InputShare> slurm_array(const Environment& environment) {
  const auto id = number(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return std::nullopt;
  const std::size_t first = number(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t last = number(environment, "SLURM_ARRAY_TASK_MAX").value_or(*id);
  const std::size_t step = number(environment, "SLURM_ARRAY_TASK_STEP").value_or(1);
  const bool is_even = step > 0 && first <= *id && *id <= last && (*id - first) % step == 0 &&
                       (*id - first) / step < *count;
  const bool is_whole =
      !environment("SLURM_ARRAY_TASK_MAX") || (is_even && (last - first) / step + 1 == *count);
  if (!is_even || !is_whole)
    throw Error("--shard auto", "the array's task numbers are not evenly spaced",
                "give --shard I/N instead");
  return InputShare{(*id - first) / step, *count};
}

// Whether srun started this process. If sbatch is called within a step, it passes that step's
// variables to the script that it submits. Slurm then sets some again: SLURM_TASKS_PER_NODE to the
// job's, and SLURM_GTIDS, the tasks on this node, to "0".
bool is_in_slurm_step(const Environment& environment) {
  if (!environment("SLURM_STEP_ID")) return false;
  const auto of_step = environment("SLURM_STEP_TASKS_PER_NODE");  // for example 2 or 2(x3),1
  const auto per_node = environment("SLURM_TASKS_PER_NODE");
  const auto on_this_node = environment("SLURM_GTIDS");
  if (!of_step) return true;
  if (per_node && *per_node != *of_step) return false;
  if (!on_this_node || environment("SLURM_NODEID").value_or("0") != "0") return true;
  const auto count = 1 + std::ranges::count(*on_this_node, ',');
  return of_step->substr(0, of_step->find_first_of("(,")) == std::to_string(count);
}

// Under srun --preserve-env, SLURM_NTASKS is the job's, not the step's. A batch script has
// SLURM_PROCID=0 without srun.
std::optional<InputShare> slurm_tasks(const Environment& environment) {
  if (!is_in_slurm_step(environment)) return std::nullopt;
  const bool has_own = environment("SLURM_STEP_NUM_TASKS").has_value();
  return pair(environment, "SLURM_PROCID", has_own ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS");
}

// mpirun starts a daemon on each node with srun: the ranks inherit their daemon's SLURM_PROCID.
std::optional<InputShare> tasks(const Environment& environment) {
  if (auto rank = pair(environment, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")) return rank;
  if (auto rank = pair(environment, "PMI_RANK", "PMI_SIZE")) return rank;
  return slurm_tasks(environment);
}

std::optional<InputShare> tasks_of_array(const Environment& environment) {
  const std::optional<InputShare> array = slurm_array(environment);
  const std::optional<InputShare> task = tasks(environment);
  if (!array || !task) return array ? array : task;
  return InputShare{array->index * task->count + task->index, array->count * task->count};
}

}  // namespace

InputShare resolve_shard(const ShardChoice& choice, const Environment& environment) {
  if (choice.kind == ShardChoice::Kind::all) return {};
  if (choice.kind == ShardChoice::Kind::given)
    return {static_cast<std::size_t>(choice.index), static_cast<std::size_t>(choice.count)};
  std::optional<InputShare> share = tasks_of_array(environment);
  if (!share) share = pair(environment, "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE");
  if (!share) share = pair(environment, "JOB_COMPLETION_INDEX", "");
  if (!share)
    throw Error("--shard auto", "no share is set by Slurm, MPI, AWS Batch or Kubernetes",
                "give --shard I/N instead");
  // Otherwise a resubmitted task (--array=3) would be share 0 of N.
  const auto given = static_cast<std::size_t>(choice.count);
  if (given != 0 && share->count != 0 && share->count != given)
    throw Error("--shard auto/" + std::to_string(given),
                "the scheduler counts " + std::to_string(share->count),
                "give --shard I/" + std::to_string(given) + " instead");
  if (given != 0) share->count = given;
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

// SPDX-License-Identifier: Apache-2.0
// Shares of the inputs, according to each scheduler's variables.
#include "pipeline/batch/shard.h"

#include <gtest/gtest.h>

#include <map>

#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Variables = std::map<std::string, std::string>;

InputShare resolve(const std::string& text, const Variables& variables) {
  ShardChoice choice;
  parse_value(text, {}, choice);
  return resolve_shard(choice, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::pair<std::size_t, std::size_t> pair(const std::string& text, const Variables& variables) {
  const InputShare share = resolve(text, variables);
  return {share.index, share.count};
}

using P = std::pair<std::size_t, std::size_t>;

TEST(Shard, SharesTogetherHoldEveryInputOnce) {
  for (std::size_t place = 0; place < 20; ++place) {
    int holders = 0;
    for (int i = 0; i < 3; ++i)
      holders += resolve(std::to_string(i) + "/3", {}).holds(place) ? 1 : 0;
    EXPECT_EQ(holders, 1);
  }
}

TEST(Shard, AnExplicitShareWinsOverTheEnvironment) {
  EXPECT_EQ(pair("1/4", {{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}}), P(1, 4));
}

TEST(Shard, WrongSharesAreRefused) {
  for (const char* text : {"3/3", "-1/3", "1", "1/0", "a/b", "auto/0", "1/2/3", ""})
    EXPECT_THROW(resolve(text, {}), BadValue) << text;
}

TEST(Shard, SlurmTasksCountInAStepOnly) {
  const Variables batch = {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}};
  EXPECT_NE(error_of([&] { resolve("auto", batch); }).find("no share is set by Slurm"),
            std::string::npos);
  Variables step = batch;
  step["SLURM_STEP_ID"] = "0";
  step["SLURM_PROCID"] = "3";
  EXPECT_EQ(pair("auto", step), P(3, 4));
}

TEST(Shard, AnIndexBeyondTheCountIsRefused) {
  const auto advice = [](const std::string& text) {
    ShardChoice choice;
    try {
      parse_value(text, {}, choice);
    } catch (const BadValue& bad) {
      return bad.advice;
    }
    return std::string();
  };
  EXPECT_EQ(advice("1/1"), "use 0/1");
  EXPECT_EQ(advice("3/3"), "use 0/3 to 2/3");
}

TEST(Shard, SlurmArraysCombineWithTasks) {
  Variables v = {{"SLURM_ARRAY_TASK_ID", "14"},
                 {"SLURM_ARRAY_TASK_MIN", "10"},
                 {"SLURM_ARRAY_TASK_STEP", "2"},
                 {"SLURM_ARRAY_TASK_COUNT", "3"}};
  EXPECT_EQ(pair("auto", v), P(2, 3));
  v.insert({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}});
  EXPECT_EQ(pair("auto", v), P(9, 12));
  v["SLURM_ARRAY_TASK_ID"] = "13";
  EXPECT_NE(error_of([&] { resolve("auto", v); }).find("not evenly spaced"), std::string::npos);
}

// The variables that Slurm 22.05 sets, recorded with `env`.
TEST(Shard, AStepThatSbatchWasCalledFromIsNotOurs) {
  // srun -n2 sbatch script: SLURM_NTASKS is the step's as well.
  Variables batch = {{"SLURM_STEP_ID", "0"},        {"SLURM_PROCID", "0"},
                     {"SLURM_NTASKS", "2"},         {"SLURM_STEP_NUM_TASKS", "2"},
                     {"SLURM_TASKS_PER_NODE", "1"}, {"SLURM_STEP_TASKS_PER_NODE", "2"},
                     {"SLURM_GTIDS", "0"},          {"SLURM_NODEID", "0"}};
  EXPECT_NE(error_of([&] { resolve("auto", batch); }).find("no share is set by Slurm"),
            std::string::npos);
  batch["SLURM_TASKS_PER_NODE"] = "2";  // sbatch -n2
  EXPECT_NE(error_of([&] { resolve("auto", batch); }).find("no share is set by Slurm"),
            std::string::npos);
  batch.insert({{"SLURM_ARRAY_TASK_ID", "1"},
                {"SLURM_ARRAY_TASK_MIN", "0"},
                {"SLURM_ARRAY_TASK_MAX", "3"},
                {"SLURM_ARRAY_TASK_STEP", "1"},
                {"SLURM_ARRAY_TASK_COUNT", "4"}});
  EXPECT_EQ(pair("auto", batch), P(1, 4));
  batch["SLURM_GTIDS"] = "0,1";  // and srun -n2 runs in this batch
  EXPECT_EQ(pair("auto", batch), P(2, 8));
}

TEST(Shard, AStepOfSeveralNodesIsOursOnEachOfThem) {
  Variables step = {{"SLURM_STEP_ID", "0"},
                    {"SLURM_PROCID", "0"},
                    {"SLURM_STEP_NUM_TASKS", "5"},
                    {"SLURM_TASKS_PER_NODE", "2(x2),1"},
                    {"SLURM_STEP_TASKS_PER_NODE", "2(x2),1"},
                    {"SLURM_GTIDS", "0,1"},
                    {"SLURM_NODEID", "0"}};
  EXPECT_EQ(pair("auto", step), P(0, 5));
  step["SLURM_PROCID"] = step["SLURM_GTIDS"] = "4";
  step["SLURM_NODEID"] = "2";
  EXPECT_EQ(pair("auto", step), P(4, 5));
}

TEST(Shard, AStepsOwnNumberOfTasksCounts) {
  EXPECT_EQ(pair("auto", {{"SLURM_STEP_ID", "0"},
                          {"SLURM_PROCID", "1"},
                          {"SLURM_NTASKS", "8"},  // of the job, because of srun --preserve-env
                          {"SLURM_STEP_NUM_TASKS", "2"}}),
            P(1, 2));
}

TEST(Shard, EveryTaskOfAListRefusesIt) {
  for (const char* id : {"1", "3", "7"})
    EXPECT_NE(error_of([&] {
                resolve("auto", {{"SLURM_ARRAY_TASK_ID", id},
                                 {"SLURM_ARRAY_TASK_MIN", "1"},
                                 {"SLURM_ARRAY_TASK_MAX", "7"},
                                 {"SLURM_ARRAY_TASK_STEP", "1"},
                                 {"SLURM_ARRAY_TASK_COUNT", "3"}});
              }).find("not evenly spaced"),
              std::string::npos);
}

TEST(Shard, ANumberOfSharesThatContradictsTheSchedulersIsRefused) {
  const Variables resubmitted = {{"SLURM_ARRAY_TASK_ID", "2"},
                                 {"SLURM_ARRAY_TASK_MIN", "2"},
                                 {"SLURM_ARRAY_TASK_MAX", "2"},
                                 {"SLURM_ARRAY_TASK_STEP", "1"},
                                 {"SLURM_ARRAY_TASK_COUNT", "1"}};
  EXPECT_EQ(pair("auto", resubmitted), P(0, 1));
  EXPECT_EQ(error_of([&] { resolve("auto/4", resubmitted); }),
            "--shard auto/4: the scheduler counts 1: give --shard I/4 instead");
  EXPECT_EQ(pair("auto/5", {{"PMI_RANK", "4"}, {"PMI_SIZE", "5"}}), P(4, 5));
}

// mpirun's daemons form their own step, with one daemon on each node.
TEST(Shard, MpiRanksUnderSlurmAreTheTasks) {
  Variables v = {{"SLURM_STEP_ID", "0"},
                 {"SLURM_PROCID", "1"},
                 {"SLURM_STEP_NUM_TASKS", "2"},
                 {"OMPI_COMM_WORLD_RANK", "5"},
                 {"OMPI_COMM_WORLD_SIZE", "8"}};
  EXPECT_EQ(pair("auto", v), P(5, 8));
  v.insert({{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "2"}});
  EXPECT_EQ(pair("auto", v), P(13, 16));
}

TEST(Shard, MpiAndTheCloudsGiveShares) {
  EXPECT_EQ(pair("auto", {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), P(1, 2));
  EXPECT_EQ(pair("auto", {{"PMI_RANK", "0"}, {"PMI_SIZE", "5"}}), P(0, 5));
  EXPECT_EQ(pair("auto", {{"AWS_BATCH_JOB_ARRAY_INDEX", "7"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "9"}}),
            P(7, 9));
  const Variables kubernetes = {{"JOB_COMPLETION_INDEX", "4"}};
  EXPECT_EQ(pair("auto/6", kubernetes), P(4, 6));
  EXPECT_EQ(error_of([&] { resolve("auto", kubernetes); }),
            "--shard auto: the number of shares is not known: give --shard auto/N");
  EXPECT_EQ(error_of([&] { resolve("auto/4", kubernetes); }),
            "--shard auto: share 4 of 4 does not exist: give --shard I/N instead");
  EXPECT_NE(error_of([] {
              resolve("auto", {{"PMI_RANK", "x"}});
            }).find("PMI_RANK=x"),
            std::string::npos);
}

}  // namespace
}  // namespace cuimg::test

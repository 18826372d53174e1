// SPDX-License-Identifier: Apache-2.0
// Shares of the inputs, as each scheduler tells them.
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
  EXPECT_NE(error_of([&] { resolve("auto", batch); }).find("neither Slurm"), std::string::npos);
  Variables step = batch;
  step["SLURM_STEP_ID"] = "0";
  step["SLURM_PROCID"] = "3";
  EXPECT_EQ(pair("auto", step), P(3, 4));
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

TEST(Shard, MpiAndTheCloudsTellTheirs) {
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

// SPDX-License-Identifier: Apache-2.0
// The scripts of samples/cluster under a real Slurm.
#include "cluster_folder.h"
#include "slurm_cluster.h"

namespace cuimg::test {
namespace {

class Slurm : public ClusterFolder {
 protected:
  void SetUp() override {
    if (const std::string reason = SlurmCluster::why_not(); !reason.empty()) GTEST_SKIP() << reason;
    slurm.emplace();
  }
  std::string submit(std::vector<std::string> words) const {
    return slurm->submit(std::move(words), folder.path().string());
  }
  std::size_t count_of_share(int share) const {
    std::size_t count = 0;
    for (const auto& [name, bytes] : files_in("out")) count += std::stoi(name) % 4 == share;
    return count;
  }

  std::optional<SlurmCluster> slurm;
};

TEST_F(Slurm, AnArrayWhoseTaskWasKilledAndResubmittedMakesWhatOneRunMakes) {
  make_images(2);
  const std::string job = submit({sample("slurm_array.sh"), "in", "out"});
  for (int i = 0; i < 2000 && count_of_share(2) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  slurm->call({"scancel", "--signal=KILL", "--full", job + "_2"});
  ASSERT_TRUE(slurm->wait()) << logs();
  EXPECT_NE(slurm->state(job + "_2"), "COMPLETED") << logs();
  const std::size_t before = count_of_share(2);
  EXPECT_GT(before, 0u) << logs();
  EXPECT_LT(before, 10u) << "killed too late";
  EXPECT_EQ(files_in("out").size(), 30 + before);

  const auto made = std::filesystem::last_write_time(folder / "out/00.jpg");
  const std::string again = submit({"--array=2", sample("slurm_array.sh"), "in", "out"});
  ASSERT_TRUE(slurm->wait()) << logs();
  EXPECT_EQ(slurm->state(again), "COMPLETED") << logs();
  expect_same_as_one_run("out");
  EXPECT_EQ(std::filesystem::last_write_time(folder / "out/00.jpg"), made);
}

TEST_F(Slurm, TasksOfSrunShareTheImages) {
  make_images();
  const std::string job = submit({sample("slurm_srun.sh"), "in", "out"});
  ASSERT_TRUE(slurm->wait()) << logs();
  EXPECT_EQ(slurm->state(job), "COMPLETED") << logs();
  expect_same_as_one_run("out");
}

// srun passes its step's variables to sbatch, which passes them to the script.
TEST_F(Slurm, AnArrayThatAStepHasSubmittedIsWhole) {
  make_images();
  const Outcome outer =
      slurm->call({"srun", "-n2", "bash", "-c", "[ $SLURM_PROCID = 0 ] || sbatch \"$0\" in out",
                   sample("slurm_array.sh")},
                  folder.path().string());
  ASSERT_EQ(outer.exit, 0) << outer.err;
  ASSERT_TRUE(slurm->wait()) << logs();
  expect_same_as_one_run("out");
}

TEST_F(Slurm, TasksOfAnArrayOfStepsShareTheImages) {
  make_images();
  submit({"--array=10-14:2", "--ntasks=2", sample("slurm_srun.sh"), "in", "out"});
  ASSERT_TRUE(slurm->wait()) << logs();
  expect_same_as_one_run("out");
}

TEST_F(Slurm, AListOfNumbersIsRefusedByAllItsTasks) {
  make_images();
  const std::string job = submit({"--array=1,3,7", sample("slurm_array.sh"), "in", "out"});
  ASSERT_TRUE(slurm->wait());
  for (const char* task : {"_1", "_3", "_7"}) {
    EXPECT_EQ(slurm->state(job + task), "FAILED");
    EXPECT_NE(read_file(folder / ("cuimg-" + job + task + ".log")).find("give --shard I/N"),
              std::string::npos)
        << logs();
  }
  EXPECT_EQ(files_in("out").size(), 0u);
}

}  // namespace
}  // namespace cuimg::test

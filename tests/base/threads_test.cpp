// SPDX-License-Identifier: Apache-2.0
// Threads that a container grants.
#include "base/threads.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cuimg {
namespace {

class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "cuimg_cgroups_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root_;
};

TEST_F(ControlGroups, WithoutALimitThereIsNone) {
  EXPECT_EQ(cgroup_thread_limit("0::/user.slice\n", root_), 0);
  EXPECT_EQ(cgroup_thread_limit("", root_), 0);
  EXPECT_EQ(cgroup_thread_limit("nonsense", root_), 0);
  write("cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_thread_limit("0::/\n", root_), 0);
}

TEST_F(ControlGroups, AQuotaIsRoundedUpToWholeThreads) {
  write("job/cpu.max", "150000 100000\n");
  EXPECT_EQ(cgroup_thread_limit("0::/job\n", root_), 2);
  write("job/cpu.max", "20000 100000\n");
  EXPECT_EQ(cgroup_thread_limit("0::/job\n", root_), 1);
}

TEST_F(ControlGroups, AParentsLimitCounts) {
  write("a/cpu.max", "300000 100000\n");
  write("a/b/cpu.max", "800000 100000\n");
  write("a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_thread_limit("0::/a/b/c\n", root_), 3);
}

TEST_F(ControlGroups, VersionOneIsRead) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_thread_limit("5:memory:/job\n4:cpu,cpuacct:/job\n", root_), 4);
}

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace cuimg

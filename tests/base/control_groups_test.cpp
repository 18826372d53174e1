// SPDX-License-Identifier: Apache-2.0
// The limits that a container sets.
#include "base/control_groups.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cuimg {
namespace {

class InAControlGroup : public testing::Test {
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

TEST_F(InAControlGroup, WithoutALimitThereIsNone) {
  EXPECT_EQ((ControlGroups{"0::/user.slice\n", root_}.threads()), 0);
  EXPECT_EQ((ControlGroups{"", root_}.threads()), 0);
  EXPECT_EQ((ControlGroups{"nonsense", root_}.threads()), 0);
  write("cpu.max", "max 100000\n");
  EXPECT_EQ((ControlGroups{"0::/\n", root_}.threads()), 0);
}

TEST_F(InAControlGroup, AQuotaIsRoundedUpToWholeThreads) {
  write("job/cpu.max", "150000 100000\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.threads()), 2);
  write("job/cpu.max", "20000 100000\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.threads()), 1);
}

TEST_F(InAControlGroup, AParentsLimitCounts) {
  write("a/cpu.max", "300000 100000\n");
  write("a/b/cpu.max", "800000 100000\n");
  write("a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ((ControlGroups{"0::/a/b/c\n", root_}.threads()), 3);
}

TEST_F(InAControlGroup, VersionOneIsRead) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ((ControlGroups{"5:memory:/job\n4:cpu,cpuacct:/job\n", root_}.threads()), 4);
}

TEST_F(InAControlGroup, ProcessesThatAreLeft) {
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.processes_left()), std::nullopt);
  write("pids.max", "max\n");
  write("job/pids.max", "100\n");
  write("job/pids.current", "30\n");
  write("job/step/pids.max", "50\n");
  write("job/step/pids.current", "60\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.processes_left()), 70u);
  EXPECT_EQ((ControlGroups{"0::/job/step\n", root_}.processes_left()), 0u);
  write("pids/job/pids.max", "7\n");
  write("pids/job/pids.current", "2\n");
  EXPECT_EQ((ControlGroups{"8:pids:/job\n", root_}.processes_left()), 5u);
}

TEST_F(InAControlGroup, MemoryThatIsLeftCountsCachedFilesAsFree) {
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.memory_left()), std::nullopt);
  write("job/memory.max", "max\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.memory_left()), std::nullopt);
  write("job/memory.max", "1000\n");
  write("job/memory.current", "990\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.memory_left()), 10u);
  write("job/memory.stat", "anon 90\nfile 900\ninactive_anon 40\ninactive_file 850\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.memory_left()), 860u);
  write("memory.max", "500\n");
  EXPECT_EQ((ControlGroups{"0::/job\n", root_}.memory_left()), 500u);
}

TEST_F(InAControlGroup, MemoryOfVersionOneIsRead) {
  write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("memory/job/memory.limit_in_bytes", "1000\n");
  write("memory/job/memory.usage_in_bytes", "600\n");
  write("memory/job/memory.stat", "cache 300\ninactive_file 1\ntotal_inactive_file 200\n");
  EXPECT_EQ((ControlGroups{"4:memory:/job\n3:cpu:/\n", root_}.memory_left()), 600u);
}

}  // namespace
}  // namespace cuimg

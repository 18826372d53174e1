// SPDX-License-Identifier: Apache-2.0
// The temporary files of outputs when their process is killed.
#include "io/temporary_file.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/process.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

class TemporaryFileTest : public testing::Test {
 protected:
  void TearDown() override {
    if (child_ > 0) end_child();
  }
  std::string target() const { return folder_ / "o.png"; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_.path()), {}); }

  // Begins a file in another process, which then waits.
  void begin_in_child(TemporaryFile::Name has_name) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      const TemporaryFile file(target(), "o.png", nullptr, has_name);
      if (::write(ready[1], "r", 1) == 1 && ::write(file.descriptor(), "part", 4) == 4) pause();
      _exit(9);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  void end_child() {
    kill(child_, SIGKILL);
    ASSERT_EQ(waitpid(child_, nullptr, 0), child_);
    child_ = -1;
  }
  // Acts as a later run. This is in another process, because each process looks only once.
  void begin_another() const {
    const pid_t other = fork();
    if (other == 0) {
      { const TemporaryFile file(folder_ / "p.png", "p.png", nullptr); }
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(other, &status, 0), other);
    ASSERT_EQ(status, 0);
  }

  const test::TempDir folder_;
  pid_t child_ = -1;
};

TEST_F(TemporaryFileTest, OfAKilledProcessNothingIsLeft) {
  begin_in_child(TemporaryFile::Name::where_needed);
  if (files() != 0) GTEST_SKIP() << "this file system has no files without names";
  end_child();
  EXPECT_EQ(files(), 0);
}

TEST_F(TemporaryFileTest, ANameThatAKilledProcessLeftIsRemovedByTheNextRun) {
  begin_in_child(TemporaryFile::Name::always);
  EXPECT_EQ(files(), 1);
  begin_another();
  EXPECT_EQ(files(), 1) << "its process lives";
  end_child();
  EXPECT_EQ(files(), 1);
  begin_another();
  EXPECT_EQ(files(), 0);
}

TEST_F(TemporaryFileTest, NamesOfOtherMachinesAndOfOthersStay) {
  for (const char* name :
       {".o.png.cuimg-0123456789abcdef-77-0.tmp", ".o.png.tmp", ".cuimg-", ".o.png.cuimg-77-0.tmp"})
    std::ofstream(folder_ / name) << "of somebody else";
  begin_another();
  EXPECT_EQ(files(), 4);
}

// As after a loss of power.
TEST_F(TemporaryFileTest, ANameOfAnEarlierBootOfThisMachineIsRemoved) {
  begin_in_child(TemporaryFile::Name::always);
  ASSERT_EQ(files(), 1);
  const std::string own = fs::directory_iterator(folder_.path())->path().filename();
  end_child();
  begin_another();
  ASSERT_EQ(files(), 0);
  const std::string mark = ".cuimg-";
  const std::size_t boot = own.find(mark) + mark.size(), host = own.find('-', boot) + 1;
  std::string of_earlier_boot = own, of_another_host = own;
  of_earlier_boot.replace(boot, host - 1 - boot, "0123456789abcdef");
  of_another_host = of_earlier_boot;
  of_another_host[host] = of_another_host[host] == '0' ? '1' : '0';
  const fs::file_time_type now = fs::file_time_type::clock::now();
  const auto leave = [&](const std::string& name, fs::file_time_type time) {
    std::ofstream(folder_ / name) << "part";
    fs::last_write_time(folder_ / name, time);
  };
  const auto long_ago = now - std::chrono::hours(24 * 365 * 20);
  leave(of_another_host, long_ago);
  leave(of_earlier_boot, now);  // as if made on this machine
  begin_another();
  EXPECT_EQ(files(), 2);
  leave(of_earlier_boot, long_ago);
  begin_another();
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(fs::exists(folder_ / of_another_host));
}

TEST_F(TemporaryFileTest, ReplacesWithAndWithoutAName) {
  for (const auto has_name : {TemporaryFile::Name::where_needed, TemporaryFile::Name::always})
    for (int time = 0; time < 2; ++time) {
      TemporaryFile file(target(), "o.png", nullptr, has_name);
      ASSERT_EQ(::write(file.descriptor(), "whole", 5), 5);
      file.put_in_place(false);
      EXPECT_EQ(fs::file_size(target()), 5u);
      EXPECT_EQ(files(), 1);
    }
}

TEST_F(TemporaryFileTest, RefusesToReplaceWithAndWithoutAName) {
  std::ofstream(target()) << "before";
  for (const auto has_name : {TemporaryFile::Name::where_needed, TemporaryFile::Name::always}) {
    {
      TemporaryFile file(target(), "o.png", nullptr, has_name);
      EXPECT_THROW(file.put_in_place(true), std::exception);
    }
    EXPECT_EQ(fs::file_size(target()), 6u);
    EXPECT_EQ(files(), 1);
  }
}

// What happens to a file of another user (uid 70001, gid `group`) when a user with groups 70002 and
// 70003 replaces it.
class ReplacedByAnother : public TemporaryFileTest {
 protected:
  struct stat replaced(gid_t group, mode_t mode) {
    struct stat status = {};
    fs::permissions(folder_.path(), fs::perms::all);
    std::ofstream(target()) << "before";
    EXPECT_EQ(chown(target().c_str(), 70001, group), 0);
    EXPECT_EQ(chmod(target().c_str(), mode), 0);
    EXPECT_EQ(stat(target().c_str(), &status), 0);
    const pid_t other = fork();
    if (other == 0) {
      const gid_t groups[] = {70002, 70003};
      if (setgroups(2, groups) != 0 || setgid(70002) != 0 || setuid(70002) != 0) _exit(9);
      TemporaryFile file(target(), "o.png", &status);
      file.put_in_place(false);
      _exit(0);
    }
    int ended = -1;
    EXPECT_EQ(waitpid(other, &ended, 0), other);
    EXPECT_EQ(ended, 0);
    EXPECT_EQ(stat(target().c_str(), &status), 0);
    return status;
  }
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  }
};

TEST_F(ReplacedByAnother, KeepsAGroupThatIsTheirsToo) {
  const struct stat status = replaced(70003, 0660);
  EXPECT_EQ(status.st_uid, 70002u);
  EXPECT_EQ(status.st_gid, 70003u);
  EXPECT_EQ(status.st_mode & 07777u, 0660u);
}

TEST_F(ReplacedByAnother, GivesTheirOwnGroupNoMoreThanEverybody) {
  const struct stat status = replaced(70004, 0664);
  EXPECT_EQ(status.st_gid, 70002u);
  EXPECT_EQ(status.st_mode & 07777u, 0644u);
}

}  // namespace
}  // namespace cuimg

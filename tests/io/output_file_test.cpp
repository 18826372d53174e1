// SPDX-License-Identifier: Apache-2.0
// Every way in which writing a file can end: complete, or as if it had never begun.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "io/byte_source.h"
#include "io/output_file.h"
#include "io/signals.h"
#include "memory_images.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of_text(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cuimg-output-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  static void write(const std::string& target, const std::string& text, bool no_clobber = false) {
    OutputFile file(target, no_clobber);
    file.sink().write(bytes_of_text(text));
    file.commit();
  }
  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsCompleteAndLeavesNothingElse) {
  write(path("a.bin"), "hello");
  EXPECT_EQ(content(path("a.bin")), "hello");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, ReplacesItsTargetOnlyAtCommitAndKeepsItsMode) {
  write(path("a"), "old");
  fs::permissions(path("a"), fs::perms(0640));
  {
    OutputFile file(path("a"));
    file.sink().write(bytes_of_text("new and longer"));
    EXPECT_EQ(content(path("a")), "old");
    file.commit();
  }
  EXPECT_EQ(content(path("a")), "new and longer");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, KeepsAttributesThatUsersGaveTheTarget) {
  const std::string target = path("a");
  write(target, "old");
  if (setxattr(target.c_str(), "user.project", "scans", 5, 0) != 0)
    GTEST_SKIP() << "this file system has no attributes";
  setxattr(target.c_str(), "user.cuimg.recipe", "old", 3, 0);
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  write(target, "new");
  EXPECT_EQ(content(target), "new");
  char value[16] = {};
  EXPECT_EQ(getxattr(target.c_str(), "user.project", value, sizeof value), 5);
  EXPECT_STREQ(value, "scans");
  EXPECT_LT(getxattr(target.c_str(), "user.cuimg.recipe", value, sizeof value), 0);
}

// An access control list in the kernel's form: owner, user 33, group, mask and others.
std::string access_list(std::uint16_t group, std::uint16_t mask) {
  struct Entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  constexpr std::uint32_t version = 2, nobody = 0xffffffffu;
  const Entry entries[] = {
      {1, 6, nobody}, {2, 6, 33}, {4, group, nobody}, {16, mask, nobody}, {32, 0, nobody}};
  std::string list(reinterpret_cast<const char*>(&version), sizeof version);
  return list.append(reinterpret_cast<const char*>(entries), sizeof entries);
}

std::string access_list_of(const std::string& path) {
  char value[256];
  const ssize_t size = getxattr(path.c_str(), "system.posix_acl_access", value, sizeof value);
  return size < 0 ? "" : std::string(value, static_cast<std::size_t>(size));
}

TEST_F(OutputFileTest, KeepsWhomAnAccessControlListLetsIn) {
  const std::string target = path("a"), list = access_list(0, 6);
  write(target, "old");
  if (setxattr(target.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "this file system has no access control lists";
  write(target, "new");
  EXPECT_EQ(content(target), "new");
  EXPECT_EQ(access_list_of(target), list);
}

// The folder gives new files a list that would let in users whom the replaced file kept out.
TEST_F(OutputFileTest, LetsNobodyInWhomTheReplacedFileKeptOut) {
  const std::string target = path("a"), list = access_list(6, 6);
  write(target, "old");
  fs::permissions(target, fs::perms(0660));
  if (setxattr(path(".").c_str(), "system.posix_acl_default", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "this file system has no access control lists";
  write(path("new"), "x");
  EXPECT_NE(access_list_of(path("new")), "") << "the folder's list is not given to new files";
  write(target, "new");
  EXPECT_EQ(access_list_of(target), "");
  EXPECT_EQ(fs::status(target).permissions(), fs::perms(0660));
}

TEST_F(OutputFileTest, GivesANewFileTheModeOfTheUmask) {
  const mode_t before = umask(027);
  write(path("a"), "x");
  umask(before);
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, WithoutCommitChangesNothing) {
  write(path("a"), "old");
  {
    OutputFile file(path("a"));
    file.sink().write(bytes_of_text("half a fi"));
  }
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, SeeksBackToFillInWhatWasLeftOpen) {
  OutputFile file(path("a"));
  const std::string large(1 << 20, 'x');
  file.sink().write(bytes_of_text("????"));
  file.sink().write(bytes_of_text(large));
  file.sink().seek(0);
  file.sink().write(bytes_of_text("head"));
  file.sink().seek(4 + large.size());
  file.sink().write(bytes_of_text("tail"));
  EXPECT_EQ(file.sink().position(), large.size() + 8);
  file.commit();
  EXPECT_EQ(content(path("a")), "head" + large + "tail");
}

TEST_F(OutputFileTest, WritesWhereALinkPoints) {
  write(path("real"), "old");
  fs::create_symlink("real", path("link"));
  fs::create_symlink("absent", path("dangling"));
  write(path("link"), "new");
  write(path("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("real")), "new");
  EXPECT_EQ(content(path("absent")), "made");
  fs::create_symlink("loop", path("loop"));
  EXPECT_NE(error_of([&] { write(path("loop"), "x"); }), "");
}

TEST_F(OutputFileTest, TakesTheLongestNamesAndLeadingDashes) {
  const std::string longest(255, 'n'), dashes = "--help";
  write(path(longest), "x");
  write(path(dashes), "y");
  EXPECT_EQ(content(path(longest)), "x");
  EXPECT_EQ(content(path(dashes)), "y");
  EXPECT_NE(error_of([&] { write(path(longest + "n"), "x"); }), "");
}

TEST_F(OutputFileTest, RefusesAnExistingTargetUnderNoClobber) {
  write(path("a"), "old");
  EXPECT_EQ(error_of([&] { write(path("a"), "new", true); }),
            path("a") + ": exists already: --no-clobber keeps it");
  // Also if the target was created in the meantime.
  OutputFile file(path("b"), true);
  file.sink().write(bytes_of_text("late"));
  std::ofstream(path("b")) << "first";
  EXPECT_NE(error_of([&] { file.commit(); }), "");
  EXPECT_EQ(content(path("b")), "first");
  EXPECT_EQ(files(), 2u);
}

TEST_F(OutputFileTest, LetsOneOfManyWinUnderNoClobber) {
  std::atomic<int> won{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      if (error_of([&] { write(path("a"), "x", true); }).empty()) ++won;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(won, 1);
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, RefusesFoldersAndMissingFoldersByName) {
  EXPECT_EQ(error_of([&] { OutputFile file(folder_.string()); }),
            folder_.string() + ": is a directory, not a file");
  EXPECT_EQ(error_of([&] { OutputFile file(path("no/such/a")); }),
            path("no/such/a") + ": no folder '" + path("no/such") + "'");
  EXPECT_NE(error_of([&] { OutputFile file(path("new/")); }), "");
  EXPECT_NE(error_of([&] { OutputFile file(""); }), "");
}

TEST_F(OutputFileTest, RefusesAFolderThatMayNotBeWritten) {
  fs::permissions(folder_, fs::perms(0555));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    constexpr uid_t nobody = 65534;  // root may write anywhere
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
    const std::string error = error_of([&] { OutputFile file(path("a")); });
    _exit(error.find("ermission denied") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(OutputFileTest, ReportsAFullDevice) {
  EXPECT_EQ(error_of([] { write("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(error_of([] { write("/dev/null", "x"); }), "");
}

TEST_F(OutputFileTest, WritesIntoPipes) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content(path("pipe")); });
  const std::string large(300000, 'p');
  write(path("pipe"), large);
  reader.join();
  EXPECT_EQ(received, large);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(OutputFileTest, LeavesTheTargetAloneOnAFullDisk) {
  if (mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "a small file system cannot be mounted here";
  write(path("a"), "old");
  for (std::string_view format : {"exr", "png"}) {
    const PixelType type = format == "exr" ? PixelType::half : PixelType::u8;
    const Image image = textured(simple_spec(600, 400, {"R", "G", "B"}, type));
    EXPECT_NE(error_of([&] {
                write_image(path("a"), image, *codec_named(format));
              }).find("No space left"),
              std::string::npos);
    EXPECT_EQ(content(path("a")), "old");
    EXPECT_EQ(files(), 1u);
  }
  // Smaller than every buffer, yet larger than the free space.
  std::ofstream(path("filler")) << std::string(60000, 'f');
  const Image small = textured(simple_spec(60, 40, {"R", "G", "B"}, PixelType::half));
  EXPECT_NE(error_of([&] { write_image(path("a"), small, *codec_named("exr")); }), "");
  EXPECT_EQ(content(path("a")), "old");
  umount(folder_.c_str());
}

TEST_F(OutputFileTest, SignalsRemoveTheTemporaryAndEndTheProcess) {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGHUP, SIG_DFL);
      std::signal(SIGINT, SIG_DFL);
      remove_temporaries_on_signals();
      OutputFile file(path("a"));
      file.sink().write(bytes_of_text(std::string(1 << 20, 'x')));
      if (::write(ready[1], "r", 1) == 1) pause();
      _exit(9);
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    kill(child, signal_number);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal_number);
    EXPECT_EQ(files(), 0u);
    close(ready[0]);
    close(ready[1]);
  }
}

// As `timeout` does: the signal goes to a process and then to its group, while files are written.
TEST_F(OutputFileTest, ASignalThatComesAgainAndAgainLeavesNoTemporary) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGTERM, SIG_DFL);
      remove_temporaries_on_signals();
      std::vector<std::unique_ptr<OutputFile>> files;
      for (int i = 0; i < 200; ++i)
        files.push_back(std::make_unique<OutputFile>(path("a" + std::to_string(i))));
      std::vector<std::jthread> others;
      for (const char* name : {"b", "c"})
        others.emplace_back([&, name] {
          for (;;) OutputFile(path(name)).commit();
        });
      if (::write(ready[1], "r", 1) == 1) pause();
      _exit(9);
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) kill(child, SIGTERM);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos) << entry.path();
    close(ready[0]);
    close(ready[1]);
  }
}

TEST_F(OutputFileTest, MayReplaceTheFileThatIsBeingRead) {
  const Image image = textured(simple_spec(300, 200, {"R", "G", "B"}, PixelType::u8));
  write_image(path("a.png"), image, *codec_named("png"));
  const auto source = ByteSource::open(path("a.png"));
  const auto decoder = open_image(source, {});
  Image read(decoder->spec());
  RowProgress progress;
  write_image(path("a.png"), textured(simple_spec(9, 9, {"Y"}, PixelType::u8)),
              *codec_named("png"));
  decoder->read(read, progress);
  EXPECT_TRUE(same_pixels(read, image));
}

TEST_F(OutputFileTest, SourcesNameWhatIsWrongWithThem) {
  EXPECT_EQ(error_of([&] { ByteSource::open(path("absent")); }), path("absent") + ": no such file");
  EXPECT_EQ(error_of([&] { ByteSource::open(folder_.string()); }),
            folder_.string() + ": is a directory, not an image");
  std::ofstream(path("empty")).close();
  EXPECT_EQ(error_of([&] { ByteSource::open(path("empty")); }), path("empty") + ": is empty");
  EXPECT_EQ(ByteSource::open("/proc/self/status")->bytes().size() > 100, true);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Outputs that cannot be written, or not completely.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "cli/failing/bad_input.h"
#include "support/child.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

const Words endings = {"exr", "png", "jpg", "tif", "hdr", "pfm", "ppm", "tga", "bmp"};

class BadOutput : public BadInput {
 protected:
  // Mounts a file system in the folder `name`. @returns false if that is not permitted.
  bool mount_at(const std::string& name, const char* options, unsigned long flags = 0) {
    fs::create_directory(folder / name);
    if (mount("none", (folder / name).c_str(), "tmpfs", flags, options) != 0) return false;
    mounted_ = folder / name;
    return true;
  }
  void TearDown() override {
    if (!mounted_.empty()) umount(mounted_.c_str());
  }
  std::string mounted_;
};

TEST_F(BadOutput, AFullDeviceIsNamedInEveryFormatAndSize) {
  make_picture("tiny.ppm", 1, 1);
  make_picture("large.ppm", 400, 300);
  for (const std::string& format : endings)
    for (const char* input : {"tiny.ppm", "large.ppm"})
      expect_refused({"convert", "--format", format, input, "/dev/full"},
                     {"/dev/full: cannot write: No space left on device"});
  expect_one_line(cuimg({"convert", "tiny.ppm", "-"}, {.out_file = "/dev/full"}),
                  {"standard output: ", "No space left on device"});
  expect_one_line(cuimg({"info", "tiny.ppm"}, {.out_file = "/dev/full"}),
                  {"standard output: ", "No space left on device"});
}

TEST_F(BadOutput, AReportLargerThanABufferSaysWhyItFailed) {
  make_picture("tiny.ppm", 1, 1);
  expect_one_line(cuimg({"histogram", "--bins", "65536", "tiny.ppm"}, {.out_file = "/dev/full"}),
                  {"standard output: ", "No space left on device"});
  const std::string command = std::string(CUIMG_PROGRAM) +
                              " histogram --bins 65536 tiny.ppm | head -c1; echo ${PIPESTATUS[0]}";
  const Outcome outcome = run({"bash", "-c", command}, {.folder = folder.path().string()});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "t2\n");  // the first letter of the line, and the exit code
}

TEST_F(BadOutput, AFullDiskKeepsWhatWasThereInEveryFormatAndSize) {
  if (!mount_at("disk", "size=64k")) GTEST_SKIP() << "a small disk cannot be mounted here";
  make_picture("tiny.ppm", 1, 1);
  make_picture("large.ppm", 400, 300);
  for (const std::string& format : endings) {
    SCOPED_TRACE(format);
    folder.write("disk/present." + format, "what was there before");
    for (const std::string name : {"disk/absent.", "disk/present."}) {
      Words words = {"convert", "large.ppm", name + format};
      if (format == "jpg") words.insert(words.begin() + 1, {"--quality", "100"});
      expect_refused(words, {name + format + ": cannot write: No space left on device"});
    }
    // Fill the disk completely, so that even one pixel does not fit.
    std::ofstream(folder / "disk/filler", std::ios::binary) << std::string(1 << 17, 'f');
    for (const std::string name : {"disk/absent.", "disk/present."})
      expect_refused({"convert", "tiny.ppm", name + format},
                     {name + format + ": cannot write: No space left on device"});
    fs::remove(folder / "disk/filler");
    expect_done({"convert", "tiny.ppm", "disk/present." + format});
    fs::remove(folder / ("disk/present." + format));
  }
}

TEST_F(BadOutput, AReadOnlyFolderIsRefused) {
  make_picture("in.ppm", 9, 9);
  if (geteuid() != 0) {
    fs::create_directory(folder / "ro");
    chmod((folder / "ro").c_str(), 0555);
    expect_refused({"convert", "in.ppm", "ro/o.png"},
                   {"ro/o.png: cannot write: Permission denied"});
    for (const Words& words : {Words{"flip", "in.ppm"}, {"flip", "--dry-run", "in.ppm"}}) {
      Words into_new = words;
      into_new.insert(into_new.end(), {"-o", "ro/new/"});
      expect_refused(into_new, {"ro/new: Permission denied"});
    }
    chmod((folder / "ro").c_str(), 0755);
    return;
  }
  if (!mount_at("ro", "size=64k", MS_RDONLY)) GTEST_SKIP() << "root writes into every folder";
  expect_refused({"convert", "in.ppm", "ro/o.png"},
                 {"ro/o.png: cannot write: Read-only file system"});
  expect_refused({"flip", "in.ppm", "-o", "ro/new/"}, {"ro/new: Read-only file system"});
  expect_refused({"flip", "--dry-run", "in.ppm", "-o", "ro/new/"},
                 {"ro/new: Read-only file system"});
}

TEST_F(BadOutput, FilesLargerThanTheShellAllowsAreRefused) {
  make_picture("in.ppm", 400, 300);
  folder.write("o.png", "what was there before");
  const auto before = content();
  const Outcome outcome = run(
      {"sh", "-c", std::string("ulimit -f 8; exec '") + CUIMG_PROGRAM + "' convert in.ppm o.png"},
      {.folder = folder.path().string()});
  expect_one_line(outcome, {"o.png: cannot write: File too large"});
  EXPECT_TRUE(content() == before);
}

TEST_F(BadOutput, FoldersThatAreNoneAreRefused) {
  make_picture("in.ppm", 9, 9);
  folder.write("file", "x");
  expect_refused({"convert", "in.ppm", "none/o.png"}, {"none/o.png: no folder 'none'"});
  expect_refused({"convert", "in.ppm", "file/o.png"}, {"file/o.png: ", "Not a directory"});
  expect_refused({"convert", "in.ppm", "/proc/o.png"}, {"/proc/o.png: cannot write: "});
  make_picture("there.ppm", 9, 9);
  expect_refused({"convert", "--no-clobber", "in.ppm", "there.ppm"}, {"there.ppm: exists already"});
}

TEST_F(BadOutput, AnInputIsReplacedInPlaceAlone) {
  make_picture("in.ppm", 300, 200);
  for (const std::string ending : {"exr", "png", "tif", "ppm", "tga"}) {
    SCOPED_TRACE(ending);
    const std::string name = "a." + ending, link = "link." + ending, other = "other." + ending;
    expect_done({"convert", "in.ppm", name});
    expect_done({"resize", "--size", "50%", name, other});
    const std::string expected = read_file(folder / other);
    const std::string whole = read_file(folder / name);
    expect_refused({"resize", "--size", "50%", name, name}, {name + ": it is an input too"});
    EXPECT_EQ(read_file(folder / name), whole);
    expect_done({"resize", "--size", "50%", "--in-place", name});
    EXPECT_EQ(read_file(folder / name), expected);
    // A link must remain a link.
    fs::create_symlink(name, folder / link);
    folder.write(name, whole);
    for (const auto& [input, output] : {std::pair{name, link}, {link, name}, {link, "./" + link}})
      expect_refused({"resize", "--size", "50%", input, output}, {output + ": it is an input too"});
    EXPECT_EQ(read_file(folder / name), whole);
    expect_done({"resize", "--size", "50%", "--in-place", link});
    EXPECT_EQ(read_file(folder / name), expected);
    EXPECT_TRUE(fs::is_symlink(folder / link));
  }
  folder.write("a.png", "no picture");
  expect_refused({"resize", "--in-place", "a.png"}, {"a.png: is not an image"});
}

TEST_F(BadOutput, SignalsRemoveTheTemporaryAndKeepTheTarget) {
  make_picture("in.ppm", 100, 100);
  folder.write("o.exr", "what was there before");
  const auto before = content();
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string input = folder / "in.ppm", output = folder / "o.exr";
    Words words = {CUIMG_PROGRAM, "resize", "--size",        "12000x12000", "--filter", "lanczos4",
                   "--device",    "cpu",    "--compression", "piz",         input,      output};
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, CUIMG_PROGRAM, nullptr, nullptr, pointers.data(), environ), 0);
    // Wait until the program has begun the output.
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && count_unfinished_outputs(child, folder.path().string()) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ended = waitpid(child, &status, WNOHANG);
    }
    ASSERT_EQ(ended, 0) << "it ended before it could be stopped";
    kill(child, signal_number);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal_number);
    EXPECT_EQ(content(), before);
  }
}

class ClosedDescriptors : public BadInput {
 protected:
  // Runs cuimg in a shell that first closes file descriptors.
  Outcome shell(const std::string& arguments) const {
    return run({"sh", "-c", std::string("exec '") + CUIMG_PROGRAM + "' " + arguments},
               {.folder = folder.path().string()});
  }
};

TEST_F(ClosedDescriptors, StandardOutputMustBeThere) {
  make_picture("in.ppm", 9, 9);
  for (const char* arguments : {"info in.ppm >&-", "convert in.ppm - >&-", "--help >&-"})
    expect_one_line(shell(arguments), {"standard output: ", "Bad file descriptor"});
  expect_one_line(shell("convert - o.png <&-"),
                  {"standard input: cannot read: Bad file descriptor"});
}

TEST_F(ClosedDescriptors, AreNeverTakenForTheOutput) {
  make_picture("in.ppm", 9, 9);
  expect_done({"convert", "in.ppm", "expected.png"});
  // With -v and --timing both streams would be printed to, and that must not get into the image.
  shell("convert -v --timing --explain in.ppm o.png <&- >&- 2>&-");
  EXPECT_EQ(read_file(folder / "o.png"), read_file(folder / "expected.png"));
}

TEST_F(ClosedDescriptors, AReaderThatLeavesEndsItQuietly) {
  make_picture("in.ppm", 600, 400);
  const Outcome outcome = shell("convert in.ppm - | true");
  EXPECT_LE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(content().size(), 1u);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Outputs that do not fit on the disk: the error, and the remaining files.
#include <algorithm>
#include <sstream>

#include "batch/mixed_images.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class FullDisk : public FolderRuns {
 protected:
  void SetUp() override {
    make_mixed_images(folder / "in", mixed_image_count());
    const Outcome one = run_to("one");
    damaged = names_in_errors(one.err);
    expected = files_of("one");
  }

  std::uintmax_t bytes_expected() const {
    std::uintmax_t bytes = 0;
    for (const auto& [name, content] : expected) bytes += content.size();
    return bytes;
  }

  // Every image is either complete, or an error names it and the cause; there are no other files.
  // @returns the number of undamaged images that were not written because the disk was full.
  std::size_t expect_made_or_named(const Outcome& outcome, const std::string& out,
                                   const std::string& reason) const {
    EXPECT_EQ(outcome.exit, 2);
    const std::set<std::string> named = names_in_errors(outcome.err);
    Files made = expected;
    for (const std::string& name : named) made.erase(name);
    expect_same_files(out, made);
    EXPECT_TRUE(std::includes(named.begin(), named.end(), damaged.begin(), damaged.end()));
    const auto lines = std::count(outcome.err.begin(), outcome.err.end(), '\n');
    EXPECT_EQ(static_cast<std::size_t>(lines), named.size() + 1)
        << "a line for each, and their number: " << outcome.err;
    // A damaged image may fill the disk before its own damage is found.
    std::size_t without_room = 0;
    std::istringstream all(outcome.err);
    for (std::string line; std::getline(all, line);)
      for (const std::string& name : names_in_errors(line))
        if (!damaged.contains(name)) {
          EXPECT_NE(line.find(reason), std::string::npos) << line;
          ++without_room;
        }
    return without_room;
  }

  // Runs the command with its outputs on a file system of this size, and copies the files that
  // remain to out/.
  Outcome run_on_small_disk(std::uintmax_t bytes, const Words& options) const {
    Words words = namespace_words();
    const std::string script = "mkdir disk && mount -t tmpfs -o size=" + std::to_string(bytes) +
                               " none disk && { \"$@\"; code=$?; cp -a disk out; exit $code; }";
    words.insert(words.end(), {"bash", "-c", script, "-"});
    const Words all = command("disk", options);
    words.insert(words.end(), all.begin(), all.end());
    std::filesystem::remove_all(folder / "disk");
    std::filesystem::remove_all(folder / "out");
    return run(words, {.folder = folder.path().string()});
  }

  // The command that runs a program in its own mount namespace. Empty if that is not permitted.
  static Words namespace_words() {
    const Words ways[] = {{"unshare", "--mount"},
                          {"unshare", "--user", "--map-root-user", "--mount"}};
    for (Words way : ways) {
      Words trial = way;
      trial.insert(trial.end(), {"mount", "-t", "tmpfs", "none", "/mnt"});
      if (run(trial).exit == 0) return way;
    }
    return {};
  }

  std::set<std::string> damaged;
  Files expected;
};

TEST_F(FullDisk, HalfWayThroughAFolderNamesWhatDoesNotFitAndKeepsTheRest) {
  if (namespace_words().empty()) GTEST_SKIP() << "no file system may be mounted here";
  for (const Words& way : {Words{}, {"--jobs", "1"}, {"--jobs", "4", "--threads", "2"}}) {
    SCOPED_TRACE(testing::PrintToString(way));
    const Outcome outcome = run_on_small_disk(bytes_expected() / 2, way);
    EXPECT_GT(expect_made_or_named(outcome, "out", "No space left on device"), 0u);
    EXPECT_GT(files_of("out").size(), damaged.size()) << outcome.err;
  }
}

TEST_F(FullDisk, ThatHasRoomAgainIsContinued) {
  if (namespace_words().empty()) GTEST_SKIP() << "no file system may be mounted here";
  run_on_small_disk(bytes_expected() / 2, {});
  const Outcome outcome = run_to("out", {"--skip-existing", "--quiet"});
  EXPECT_EQ(names_in_errors(outcome.err), damaged) << outcome.err;
  expect_same_files("out", expected);
}

TEST_F(FullDisk, ByALimitOnFilesNamesThoseThatAreLarger) {
  std::vector<std::size_t> sizes;
  for (const auto& [name, bytes] : expected) sizes.push_back(bytes.size());
  std::sort(sizes.begin(), sizes.end());
  const std::size_t kilobytes = sizes[sizes.size() * 2 / 3] / 1024 + 1;
  Words words = {"bash", "-c", "ulimit -f " + std::to_string(kilobytes) + "; exec \"$@\"", "-"};
  const Words all = command("out");
  words.insert(words.end(), all.begin(), all.end());
  const Outcome outcome = run(words, {.folder = folder.path().string()});
  const std::size_t too_large = static_cast<std::size_t>(std::count_if(
      sizes.begin(), sizes.end(), [&](std::size_t size) { return size > kilobytes * 1024; }));
  EXPECT_EQ(expect_made_or_named(outcome, "out", "File too large"), too_large);
  EXPECT_GT(too_large, 0u);
}

// libtiff searches for a page's directory from the first page on, even if one was never written.
TEST(FullDiskPages, OfATiffEndWithAnError) {
  const TempDir folder;
  make_mixed_images(folder / "in", 20);
  const std::string pages = folder / "in/019.tif", target = folder / "out.tif";
  const Words words = {CUIMG_PROGRAM, "convert", "--compression", "none", pages, target};
  ASSERT_EQ(run(words).exit, 0);
  const std::size_t kilobytes = std::filesystem::file_size(target) / 1024;
  std::filesystem::remove(target);
  for (std::size_t limit = 1; limit <= kilobytes; limit += 1 + kilobytes / 40) {
    Words limited = {
        "timeout", "20", "bash", "-c", "ulimit -f " + std::to_string(limit) + "; exec \"$@\"", "-"};
    limited.insert(limited.end(), words.begin(), words.end());
    const Outcome outcome = run(limited);
    EXPECT_EQ(outcome.exit, 2) << limit << " KB: " << outcome.err;
    EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(target));
  }
}

}  // namespace
}  // namespace cuimg::test

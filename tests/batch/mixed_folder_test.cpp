// SPDX-License-Identifier: Apache-2.0
// A folder of mixed images: the bytes and errors do not depend on how the work is divided, and
// memory does not grow with the number of images.
#include "batch/mixed_images.h"
#include "support/child.h"

namespace cuimg::test {
namespace {

class MixedFolder : public FolderRuns {
 protected:
  void SetUp() override { damaged = make_mixed_images(folder / "in", count); }

  // --max-memory: less than the larger images need, so they are processed in tiles.
  static constexpr const char* memory = "16M";

  // The lines of errors except the last one, which counts the failures of one process.
  static std::set<std::string> lines_of(const std::string& err) {
    std::set<std::string> lines;
    for (std::size_t start = 0, end; (end = err.find('\n', start)) != std::string::npos;
         start = end + 1)
      if (const std::string line = err.substr(start, end - start);
          line.find(" images failed") == std::string::npos)
        lines.insert(line);
    return lines;
  }

  std::size_t peak_of(const Words& options) const {
    std::size_t peak = 0;
    Child child(command("out", options), folder.path().string(), {});
    child.until(
        [&] {
          peak = std::max(peak, child.peak_bytes());
          return false;
        },
        std::chrono::minutes(10));
    EXPECT_TRUE(child.exit() == 0 || child.exit() == 2) << child.err();  // some images are damaged
    return peak;
  }

  const int count = mixed_image_count();
  std::set<std::string> damaged;
};

TEST_F(MixedFolder, GivesTheSameBytesAndErrorsHoweverItIsDivided) {
  const Outcome one = run_to("one", {"--jobs", "1", "--threads", "1"});
  const Files expected = files_of("one");
  EXPECT_EQ(one.exit, 2);
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(count) - damaged.size());
  EXPECT_EQ(names_in_errors(one.err), damaged) << one.err;
  EXPECT_TRUE(one.err.ends_with("cuimg: " + std::to_string(damaged.size()) + " of " +
                                std::to_string(count) + " images failed\n"))
      << one.err;

  const std::vector<Words> ways = {
      {"--jobs", "1", "--threads", "2"},      {"--jobs", "2", "--threads", "1"},
      {"--jobs", "2", "--threads", "2"},      {},
      {"--jobs", "9", "--threads", "3"},      {"--max-memory", memory},
      {"--max-memory", memory, "--jobs", "1"}};
  for (const Words& way : ways) {
    SCOPED_TRACE(testing::PrintToString(way));
    const Outcome outcome = run_to("out", way);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, one.err);
    expect_same_files("out", expected);
    std::filesystem::remove_all(folder / "out");
  }

  std::set<std::string> lines;
  for (const char* share : {"0/3", "1/3", "2/3"}) {
    const Outcome outcome = run_to("out", {"--shard", share});
    lines.merge(lines_of(outcome.err));
  }
  EXPECT_EQ(lines, lines_of(one.err));
  expect_same_files("out", expected);
}

TEST_F(MixedFolder, TakesNoMoreMemoryForAllThanForTheTwentyLargest) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer takes memory of its own";
  // The largest images, compared with all of them: the same ones may be in memory together.
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "in"))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(mixed_image_rank(std::stoi(a)), a) <
           std::pair(mixed_image_rank(std::stoi(b)), b);
  });
  names.resize(20);
  std::filesystem::rename(folder / "in", folder / "all");
  std::filesystem::create_directory(folder / "in");
  for (const std::string& name : names)
    std::filesystem::create_symlink(folder / ("all/" + name), folder / ("in/" + name));
  const std::vector<Words> ways = {
      {"--jobs", "1"}, {"--jobs", "3", "--max-memory", memory}, {"--max-memory", memory}};
  std::vector<std::size_t> of_twenty;
  for (const Words& way : ways) of_twenty.push_back(peak_of(way));
  std::filesystem::remove_all(folder / "in");
  std::filesystem::rename(folder / "all", folder / "in");
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::size_t of_all = peak_of(ways[i]);
    RecordProperty("peak_of_20_" + std::to_string(i), std::to_string(of_twenty[i] >> 20) + " MB");
    RecordProperty("peak_of_all_" + std::to_string(i), std::to_string(of_all >> 20) + " MB");
    std::printf("%-30s %4zu MB for 20 images, %4zu MB for %d\n",
                testing::PrintToString(ways[i]).c_str(), of_twenty[i] >> 20, of_all >> 20, count);
    EXPECT_LE(of_all, of_twenty[i] + of_twenty[i] / 4 + (std::size_t{16} << 20))
        << testing::PrintToString(ways[i]);
  }
}

}  // namespace
}  // namespace cuimg::test

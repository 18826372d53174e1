// SPDX-License-Identifier: Apache-2.0
// A run over a folder that is killed and then continued.
#include <random>

#include "batch/mixed_images.h"
#include "support/child.h"

namespace cuimg::test {
namespace {

using std::chrono::microseconds;

class KilledRun : public FolderRuns {
 protected:
  static constexpr int images = 12;

  void SetUp() override {
    std::filesystem::create_directories(folder / "in");
    const char* const endings[] = {".exr", ".png", ".jpg", ".tif"};
    for (int i = 0; i < images; ++i) {
      const Outcome made = run({CUIMG_PROGRAM, "noise", "--seed", std::to_string(i), "--size",
                                "200x150", folder / ("in/" + std::to_string(i) + endings[i % 4])});
      ASSERT_EQ(made.exit, 0) << made.err;
    }
    const auto start = Child::Clock::now();
    const Outcome one = run_to("one");
    ASSERT_EQ(one.exit, 0) << one.err;
    undisturbed = std::chrono::duration_cast<microseconds>(Child::Clock::now() - start);
    expected = files_of("one");
  }

  // Kills a run at a random moment between start and end, then continues it. @returns whether some
  // outputs, but not all, existed when it was killed.
  bool kill_and_continue(std::minstd_rand& random) {
    const auto moment = microseconds(random() % static_cast<unsigned>(undisturbed.count()));
    const Files before = files_of("out");
    {
      Child child(command("out", {"--skip-existing"}), folder.path().string(), {});
      std::this_thread::sleep_for(moment);
      child.signal(SIGKILL);
      EXPECT_TRUE(child.wait(std::chrono::seconds(10)));
    }
    int complete = 0;
    for (const auto& [name, bytes] : files_of("out")) {
      if (name.starts_with(".")) continue;  // the next run must remove it
      const bool is_new = bytes == expected.at(name);
      complete += is_new ? 1 : 0;
      EXPECT_TRUE(is_new || (before.contains(name) && bytes == before.at(name))) << name;
    }
    const Outcome outcome = run_to("out", {"--skip-existing", "--quiet"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    expect_same_files("out", expected);
    return complete > 0 && complete < images;
  }

  microseconds undisturbed{};
  Files expected;
};

TEST_F(KilledRun, IsCompletedByTheSameCommandAndLeavesNothing) {
  std::minstd_rand random(20261123);
  int under_way = 0;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    std::filesystem::remove_all(folder / "out");
    // Every other time there are outputs to replace, which needs a temporary name for a moment.
    if (i % 2 == 1)
      for (const auto& [name, bytes] : expected) folder.write("out/" + name, "an older picture");
    under_way += kill_and_continue(random) ? 1 : 0;
  }
  EXPECT_GE(under_way, 5) << "too few of the moments were between the first output and the last";
}

TEST_F(KilledRun, ManyTimesOverKeepsWhatItHasMade) {
  std::minstd_rand random(7);
  for (int kills = 0; kills < 10; ++kills) {
    Child child(command("out", {"--skip-existing"}), folder.path().string(), {});
    std::this_thread::sleep_for(
        microseconds(random() % static_cast<unsigned>(undisturbed.count())));
    child.signal(SIGKILL);
    EXPECT_TRUE(child.wait(std::chrono::seconds(10)));
  }
  EXPECT_EQ(run_to("out", {"--skip-existing"}).exit, 0);
  expect_same_files("out", expected);
}

}  // namespace
}  // namespace cuimg::test

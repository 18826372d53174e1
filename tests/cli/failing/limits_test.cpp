// SPDX-License-Identifier: Apache-2.0
// Limits that a shell or a batch system sets: open files, threads.
#include <sys/stat.h>
#include <unistd.h>

#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

class Limits : public BadInput {
 protected:
  // Each with its own name, since equal names count as one input.
  Words inputs(int count) const {
    Words names;
    for (int i = 0; i < count; ++i)
      names.push_back(make_picture("in" + std::to_string(i) + ".ppm", 64, 48));
    return names;
  }
  // Runs cuimg in a shell that first runs `before`.
  Outcome limited(const std::string& before, const Words& words) const {
    Words all = {"bash", "-c", before + " && exec \"$@\"", "-", CUIMG_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    return run(all, {.folder = folder.path().string()});
  }
  std::ptrdiff_t files_in(const std::string& name) const {
    return std::distance(std::filesystem::directory_iterator(folder.path() / name), {});
  }
};

TEST_F(Limits, OfOpenFilesAreRaisedAsFarAsTheSystemAllows) {
  Words words = {"flip", "--jobs", "24"};
  const Words names = inputs(48);
  words.insert(words.end(), names.begin(), names.end());
  words.insert(words.end(), {"-o", "out/"});
  const Outcome outcome = limited("ulimit -S -n 10", words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files_in("out"), 48);
}

TEST_F(Limits, OfOpenFilesLimitTheImagesAtATime) {
  for (const std::string jobs : {"0", "200"})
    for (const std::string limit : {"12", "24", "64"}) {
      Words words = {"flip", "-v", "--device", "cpu"};
      if (jobs != "0") words.insert(words.end(), {"--jobs", jobs});
      const Words names = inputs(200);
      words.insert(words.end(), names.begin(), names.end());
      const std::string out = "out" + jobs + "_" + limit;
      words.insert(words.end(), {"-o", out + "/"});
      const Outcome outcome = limited("ulimit -n " + limit, words);
      EXPECT_EQ(outcome.exit, 0) << outcome.err.substr(0, 300);
      EXPECT_EQ(files_in(out), 200);
      if (jobs != "0") {
        EXPECT_NE(outcome.err.find(" at a time: the limit on open files allows no more"),
                  std::string::npos);
      }
    }
}

// As a user without other processes: the limit counts all threads of a user, and does not apply to
// root.
class ThreadLimits : public Limits {
 protected:
  void SetUp() override {
    if (under_sanitizer) GTEST_SKIP() << "the sanitizers have threads of their own";
    chmod(folder.path().c_str(), 0777);
    if (geteuid() != 0 || as_nobody(64, {"version"}).exit != 0)
      GTEST_SKIP() << "only root can run it as another user";
  }
  Outcome as_nobody(int threads, const Words& words) const {
    Words all = {
        "setpriv", "--reuid",    "70005",
        "--regid", "70005",      "--clear-groups",
        "bash",    "-c",         "ulimit -u " + std::to_string(threads) + " && exec \"$@\"",
        "-",       CUIMG_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    return run(all, {.folder = folder.path().string()});
  }
};

TEST_F(ThreadLimits, FewThreadsDoSmallImagesToo) {
  Words words = {"flip", "--jobs", "4"};
  const Words names = inputs(6);
  words.insert(words.end(), names.begin(), names.end());
  words.insert(words.end(), {"-o", "out/"});
  for (const int threads : {1, 2, 3, 4}) {
    SCOPED_TRACE(threads);
    std::filesystem::remove_all(folder.path() / "out");
    const Outcome outcome = as_nobody(threads, words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(files_in("out"), 6);
  }
}

TEST_F(ThreadLimits, FewThreadsCompareFoldersToo) {
  std::filesystem::create_directory(folder.path() / "golden");
  std::filesystem::create_directory(folder.path() / "result");
  for (int i = 0; i < 6; ++i) {
    make_picture("golden/" + std::to_string(i) + ".ppm", 64, 48);
    make_picture("result/" + std::to_string(i) + ".ppm", 64, 48);
    expect_done({"gain", "--value", "0.5", "--in-place", "result/" + std::to_string(i) + ".ppm"});
  }
  for (const int threads : {1, 2, 3}) {
    const Outcome outcome =
        as_nobody(threads, {"compare", "--jobs", "4", "--threads", "1", "golden", "result"});
    EXPECT_EQ(outcome.exit, 1) << threads << ": " << outcome.err;
    EXPECT_NE(outcome.out.find("6 differ"), std::string::npos) << outcome.out << outcome.err;
  }
}

// oneTBB throws an exception if it cannot start a thread, either on the caller's thread or on its
// own.
TEST_F(ThreadLimits, NeverEndInACrash) {
  make_picture("large.ppm", 1200, 900);
  const auto before = content();
  for (int threads = 1; threads <= 10; ++threads) {
    SCOPED_TRACE(threads);
    const Outcome outcome = as_nobody(threads, {"blur", "--threads", "8", "large.ppm", "out.png"});
    if (outcome.exit == 0) {
      std::filesystem::remove(folder / "out.png");
    } else {
      EXPECT_EQ(outcome.exit, 2);
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
      EXPECT_NE(outcome.err.find("Resource temporarily unavailable"), std::string::npos)
          << outcome.err;
    }
    EXPECT_TRUE(content() == before);
  }
}

}  // namespace
}  // namespace cuimg::test

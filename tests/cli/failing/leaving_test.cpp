// SPDX-License-Identifier: Apache-2.0
// The process's end while a card's context is being created: whatever fails, and whatever signal
// arrives, the process ends within a second of the creation and leaves no temporary file. The fake
// runtime's creation takes a while, and never ends once exit handlers run.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <optional>
#include <sstream>

#include "support/child.h"
#include "support/images.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;
using std::chrono::milliseconds;

constexpr milliseconds creation{400}, allowed_after{1000}, limit{10000};

std::int64_t now_ms() {
  return std::chrono::duration_cast<milliseconds>(Child::Clock::now().time_since_epoch()).count();
}

// The times at which the creation of the context began and ended, recorded by the fake runtime.
struct Creation {
  std::optional<std::int64_t> began, ended;

  explicit Creation(const std::string& log) {
    std::istringstream lines(read_file(log));
    std::int64_t time = 0;
    for (std::string what; lines >> what >> time;) (what == "began" ? began : ended) = time;
  }
};

enum class Creates {
  never,
  when_asked_for,  ///< With --device cuda or both: from the start, before the input is opened.
  always,          ///< With --device auto as well, which begins when planning is done.
};

struct Failure {
  const char* name;
  Words words;
  const char* message;
  Creates creates = Creates::when_asked_for;
  int exit = 2;
  const char* rules = "kernels=skip";
  int blocks = 0;  ///< The maximum size of its files in KB; 0 for no limit.
};

class Leaving : public testing::Test {
 protected:
  Leaving() {
    write("in.exr", noise(spec_of({0, 0, 90, 70}, PixelType::half, 4)));
    write("in2.exr", noise(spec_of({0, 0, 91, 70}, PixelType::half, 4)));
    write("opaque.png", noise(spec_of({0, 0, 90, 70}, PixelType::u8, 3)));
    const std::string whole = read_file(folder / "opaque.png");
    folder.write("cut.png", whole.substr(0, whole.size() / 2));
    folder.write("no.png", "no picture");
    folder.write("there.exr", "what was there before");
  }
  void write(const std::string& name, const Image& image) {
    write_image(folder / name, image, *codec_named(name.substr(name.size() - 3)));
  }

  Words environment(const std::string& log, const std::string& rules,
                    milliseconds context = creation) const {
    return {"CUIMG_FAKE_CUDA=" + rules + ",context_ms=" + std::to_string(context.count()) +
                ",context_log=" + log,
            "CUIMG_AUTO_CARD_MS=0", "XDG_CACHE_HOME=" + (folder / "cache")};
  }

  void expect_no_temporary() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      EXPECT_EQ(entry.path().string().find(".cuimg-"), std::string::npos) << entry.path();
  }

  // @param device empty for a command without this option.
  void expect_end(const Failure& failure, const std::string& device) const {
    SCOPED_TRACE(std::string(failure.name) + ", --device " + device);
    const TempDir own;
    const std::string log = own / "log";
    Words words = {CUIMG_FAULTS_PROGRAM};
    if (failure.blocks != 0)
      words = {"bash", "-c", "ulimit -f " + std::to_string(failure.blocks) + "; exec \"$@\"", "-",
               CUIMG_FAULTS_PROGRAM};
    words.insert(words.end(), failure.words.begin(), failure.words.end());
    if (!device.empty()) words.insert(words.end(), {"--device", device});
    Child child(words, folder.path().string(), environment(log, failure.rules));
    ASSERT_TRUE(child.wait(limit)) << "it hangs; standard error: " << child.err();
    const std::int64_t end = now_ms();

    EXPECT_EQ(child.exit(), failure.exit) << child.err();
    if (*failure.message == '\0') {
      EXPECT_EQ(child.err(), "");
    } else {
      EXPECT_NE(child.err().find(failure.message), std::string::npos) << child.err();
      EXPECT_EQ(child.err().find("fake CUDA"), std::string::npos) << child.err();
    }
    const Creation context(log);
    const bool creates = failure.creates == Creates::always ||
                         (failure.creates == Creates::when_asked_for && device != "auto");
    EXPECT_EQ(context.began.has_value(), creates);
    EXPECT_EQ(context.ended.has_value(), creates) << "it was cut off";
    if (context.ended) {
      EXPECT_LE(end - *context.ended, allowed_after.count());
    }
  }

  // Runs each failure with each device, a few at a time, because they mostly wait.
  void expect_ends(const std::vector<Failure>& failures, const Words& devices) const {
    constexpr std::size_t at_once = 6;
    std::vector<std::future<void>> running;
    for (const Failure& failure : failures)
      for (const std::string& device : devices) {
        if (running.size() == at_once) {
          running.front().get();
          running.erase(running.begin());
        }
        running.push_back(std::async(std::launch::async,
                                     [this, &failure, &device] { expect_end(failure, device); }));
      }
    for (std::future<void>& one : running) one.get();
    expect_no_temporary();
  }

  const TempDir folder;
};

TEST_F(Leaving, EndsAfterEveryFailureBeforeAnythingIsWritten) {
  const std::vector<Failure> failures = {
      {"an option's value", {"resize", "--size", "0x0", "in.exr", "o.exr"}, "0x0", Creates::never},
      {"no such stage", {"resizes", "in.exr", "o.exr"}, "unknown stage", Creates::never},
      {"output's format", {"flip", "in.exr", "o.abc"}, "o.abc", Creates::never},
      {"nothing to do", {"flip", "in.exr", "o.exr", "--dry-run"}, "", Creates::never, 0},
      {"no input", {"flip", "none.exr", "o.exr"}, "none.exr: no such file"},
      {"no image", {"flip", "no.png", "o.exr"}, "no.png: is not an image"},
      {"too large", {"flip", "--limit-pixels", "100", "in.exr", "o.exr"}, "in.exr"},
      {"no second image",
       {"over", "--with", "none.exr", "in.exr", "o.exr"},
       "none.exr: no such",
       Creates::never},
      {"second image's kind", {"over", "--with", "no.png", "in.exr", "o.exr"}, "no.png: is not an"},
      // Its pixels are read after the creation of the context has begun.
      {"second image is cut",
       {"over", "--at", "0,0", "--with", "cut.png", "in.exr", "o.exr"},
       "cut.png",
       Creates::always},
      {"second image's channels",
       {"mask", "--with", "opaque.png", "--channel", "alpha", "+", "flip", "in.exr", "o.tif"},
       "alpha"},
      {"planning", {"crop", "--region", "5x5+900+900", "in.exr", "o.exr"}, "crop"},
      {"no channel", {"channels", "--pick", "Q", "in.exr", "o.exr"}, "Q"},
      {"a sink's input", {"stats", "none.exr"}, "none.exr"},
  };
  expect_ends(failures, {"cuda", "both", "auto"});
}

TEST_F(Leaving, EndsAfterEveryFailureUnderWay) {
  const std::vector<Failure> failures = {
      {"no folder", {"flip", "in.exr", "none/o.exr"}, "none", Creates::always},
      {"exists", {"flip", "--no-clobber", "in.exr", "there.exr"}, "exists", Creates::always},
      {"decoding", {"flip", "cut.png", "o1.exr"}, "cut.png", Creates::always},
      {"encoding",
       {"flip", "--compression", "none", "in.exr", "o2.exr"},
       "File too large",
       Creates::always,
       2,
       "kernels=skip",
       4},
      {"committing",
       {"flip", "in.exr", "--format", "png", "/dev/full"},
       "No space left",
       Creates::always},
      {"some of several",
       {"flip", "-j", "3", "in.exr", "none.exr", "in2.exr", "cut.png", "-o", "out/{stem}.exr"},
       "2 of 4 images failed",
       Creates::always},
      {"all of several",
       {"flip", "-j", "3", "none.exr", "none2.exr", "no.png", "-o", "out/{stem}.exr"},
       "3 of 3 images failed"},
      {"the first of several",
       {"flip", "-j", "1", "--fail-fast", "absent.exr", "in.exr", "-o", "out/{stem}.exr"},
       "absent.exr: no such file"},
  };
  expect_ends(failures, {"cuda", "auto"});
}

TEST_F(Leaving, EndsAfterTheCardFails) {
  // Its pixels are pinned while the first kernels are being loaded.
  write("large.exr", noise(spec_of({0, 0, 1100, 1100}, PixelType::half, 4)));
  const std::vector<Failure> failures = {
      {"computing", {"flip", "in.exr", "o1.exr"}, "no kernel image", Creates::always, 2, ""},
      {"a launch",
       {"flip", "in.exr", "o2.exr"},
       "launch failure",
       Creates::always,
       2,
       "launch=719"},
      {"its queue",
       {"flip", "in.exr", "o3.exr"},
       "out of memory",
       Creates::always,
       2,
       "cudaStreamCreateWithFlags=2"},
      {"its context", {"flip", "in.exr", "o4.exr"}, "busy", Creates::always, 2, "cudaSetDevice=46"},
      {"pinning",
       {"flip", "large.exr", "o6.exr"},
       "launch failure",
       Creates::always,
       2,
       "kernels=skip,calls=overlap,cudaHostRegister=719"},
      {"loading kernels",
       {"flip", "large.exr", "o7.exr"},
       "launch failure",
       Creates::always,
       2,
       "kernels=skip,calls=overlap,launch=719"},
      {"unasked for",
       {"flip", "none.exr", "o5.exr"},
       "none.exr",
       Creates::always,
       2,
       "cudaStreamCreateWithFlags=2"},
  };
  expect_ends(failures, {"cuda", "both"});
}

TEST_F(Leaving, EndsAfterSuccess) {
  expect_ends(
      {
          {"one", {"flip", "in.exr", "o1.exr"}, "", Creates::always, 0},
          {"several",
           {"flip", "-j", "3", "in.exr", "in2.exr", "opaque.png", "-o", "out/{stem}.exr"},
           "",
           Creates::always,
           0},
      },
      {"cuda", "auto"});
  expect_ends({{"cards", {"devices"}, "", Creates::always, 0}}, {""});
  expect_ends({{"a difference", {"flip", "in.exr", "o2.exr"}, "values differ", Creates::always, 1}},
              {"both"});
}

TEST_F(Leaving, ADriverThatNeverAnswersIsLeftBehind) {
  const std::string log = folder / "log";
  Child child({CUIMG_FAULTS_PROGRAM, "flip", "--device", "cuda", "none.exr", "o.exr"},
              folder.path().string(), environment(log, "kernels=skip", std::chrono::hours(1)));
  EXPECT_TRUE(child.until([&] { return !child.err().empty(); }, milliseconds(2000)))
      << "the error is printed before the wait";
  ASSERT_TRUE(child.wait(limit));
  EXPECT_EQ(child.exit(), 2);
  EXPECT_EQ(child.err(), "cuimg: none.exr: no such file\n");
  EXPECT_FALSE(Creation(log).ended);
}

class LeavingBySignal : public Leaving {
 protected:
  // Starts the program, sends the signal when `moment` has come, and expects it to end by the
  // signal within a second.
  template <class Moment>
  // @param finishes_at_first the program first finishes the images in progress, and reports this.
  void expect_end(int signal_number, const Words& words, const Moment& moment,
                  bool finishes_at_first = false) {
    SCOPED_TRACE(testing::Message() << "signal " << signal_number);
    const TempDir own;
    const std::string log = own / "log";
    Words all = {CUIMG_FAULTS_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    Child child(all, folder.path().string(),
                environment(log, "kernels=skip", std::chrono::hours(1)));
    ASSERT_TRUE(child.until([&] { return Creation(log).began && moment(child); }, limit))
        << child.err();
    // The signal arrives twice, as from a tool that signals a process and then its group.
    child.signal(signal_number);
    if (finishes_at_first) {
      EXPECT_TRUE(child.until([&] { return !child.err().empty(); }, limit));
    }
    child.signal(signal_number);
    ASSERT_TRUE(child.wait(allowed_after));
    EXPECT_EQ(child.exit(), 128 + signal_number);
    expect_no_temporary();
    EXPECT_EQ(read_file(folder / "there.exr"), "what was there before");
  }

  // Whether the program has this number of incomplete outputs.
  auto has_outputs(std::ptrdiff_t count) const {
    return [this, count](const Child& child) {
      return child.unfinished_outputs(folder.path().string()) == count;
    };
  }
};

TEST_F(LeavingBySignal, EndsWhileTheOutputWaitsForTheContext) {
  for (const int signal_number : {SIGINT, SIGTERM})
    for (const char* device : {"cuda", "both", "auto"})
      expect_end(signal_number, {"flip", "--device", device, "in.exr", "there.exr"},
                 has_outputs(1));
}

TEST_F(LeavingBySignal, EndsWhileSeveralOutputsWaitForTheContext) {
  for (const int signal_number : {SIGINT, SIGTERM})
    expect_end(signal_number,
               {"flip", "--device", "cuda", "-j", "3", "in.exr", "in2.exr", "opaque.png", "-o",
                "{stem}-o.exr"},
               has_outputs(3), signal_number == SIGINT);
}

TEST_F(LeavingBySignal, EndsWhileAFailureWaitsForTheContext) {
  for (const int signal_number : {SIGINT, SIGTERM})
    expect_end(signal_number, {"flip", "--device", "cuda", "none.exr", "there.exr"},
               [](const Child& child) { return !child.err().empty(); });
}

TEST_F(LeavingBySignal, AtAnyMomentTheOutputIsWholeOrAsItWas) {
  std::vector<std::future<void>> running;
  int number = 0;
  for (const int signal_number : {SIGINT, SIGTERM})
    for (const int after_ms : {0, 5, 10, 20, 40, 80, 160, 300, 390, 400, 410, 420, 440, 480})
      running.push_back(std::async(
          std::launch::async, [&, signal_number, after_ms, n = std::to_string(number++)] {
            const std::string target = "target" + n + ".exr";
            folder.write(target, "before");
            Child child({CUIMG_FAULTS_PROGRAM, "flip", "--device", "cuda", "in.exr", target},
                        folder.path().string(), environment(folder / ("log" + n), "kernels=skip"));
            child.wait(milliseconds(after_ms));
            child.signal(signal_number);
            ASSERT_TRUE(child.wait(limit));
            EXPECT_TRUE(child.exit() == 0 || child.exit() == 128 + signal_number) << child.exit();
            if (child.exit() == 0) {
              EXPECT_NE(read_file(folder / target), "before");
            }
            EXPECT_EQ(child.err(), "");
          }));
  for (std::future<void>& one : running) one.get();
  expect_no_temporary();
}

}  // namespace
}  // namespace cuimg::test

#endif

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` on a card that fails: an error where the card was asked for and never worked, and
// else the CPU's figures.
#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

class CompareFaults : public testing::Test {
 protected:
  CompareFaults() {
    for (const char* folder : {"golden", "result"})
      for (const char* name : {"a.exr", "b.exr", "c.exr", "d.exr"}) {
        std::filesystem::create_directories(folder_ / folder);
        write_image(folder_ / (std::string(folder) + "/" + name),
                    noise(spec_of({0, 0, 60, 40}, PixelType::half, 4), folder[0] + name[0]),
                    *codec_named("exr"));
      }
  }
  Outcome compare(const std::string& rules, std::vector<std::string> words,
                  const std::string& milliseconds = "300") const {
    words.insert(words.begin(), {CUIMG_FAULTS_PROGRAM, "compare", "--json"});
    return run(words,
               {.folder = folder_.path().string(),
                .environment = {"CUIMG_FAKE_CUDA=" + rules, "CUIMG_AUTO_CARD_MS=" + milliseconds,
                                "XDG_CACHE_HOME=" + (folder_ / "cache")}});
  }

  const std::string golden_ = "golden/a.exr", result_ = "result/a.exr";

 private:
  TempDir folder_;
};

struct Fault {
  const char* rules;
  const char* reason;
};

TEST_F(CompareFaults, OfTheFirstPairOfANamedCardAreErrorsThatNameTheCall) {
  constexpr Fault faults[] = {{"devices=0", "there is none"},
                              {"cudaSetDevice=46", "cudaSetDevice: "},
                              {"launch=700", "illegal memory access"},
                              {"cudaMemcpy2DAsync=700", "cudaMemcpy2DAsync: "}};
  for (const auto& [rules, reason] : faults)
    for (const char* device : {"cuda", "both"}) {
      const Outcome outcome = compare(rules, {"--device", device, golden_, result_});
      EXPECT_EQ(outcome.exit, 2) << rules << " " << device << ": " << outcome.err;
      EXPECT_NE(outcome.err.find(reason), std::string::npos) << rules << ": " << outcome.err;
      EXPECT_EQ(outcome.out.find("rmse"), std::string::npos) << outcome.out;
    }
}

TEST_F(CompareFaults, OfACardThatAutoTookLeaveThePairToTheCpu) {
  const std::string cpu = compare("", {"--device", "cpu", golden_, result_}).out;
  EXPECT_NE(cpu, "");
  for (const char* rules : {"devices=0", "cudaSetDevice=46", "cudaMalloc=2", "launch=700",
                            "cudaMemcpy2DAsync=700", "kernels=skip,widen=719"})
    for (const char* milliseconds : {"0", "300"}) {
      const Outcome outcome = compare(rules, {"--device", "auto", golden_, result_}, milliseconds);
      EXPECT_EQ(outcome.out, cpu) << rules << " " << milliseconds;
      EXPECT_EQ(outcome.err, "") << rules << " " << milliseconds;
      EXPECT_EQ(outcome.exit, 1) << rules << " " << milliseconds;
    }
}

TEST_F(CompareFaults, OfAPairThatACardHasNoRoomForLeaveItToTheCpuWithANote) {
  const std::string cpu = compare("", {"--device", "cpu", golden_, result_}).out;
  // Those after what opening the card takes.
  const Outcome outcome = compare("kernels=skip,cudaMallocAsync=2,cudaMallocPitch=2",
                                  {"--device", "cuda", golden_, result_});
  EXPECT_EQ(outcome.out, cpu);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("cuimg: result/a.exr: cudaMalloc"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; the CPU measures it, with the same figures\n"), std::string::npos)
      << outcome.err;
}

TEST_F(CompareFaults, HalfWayLeaveTheRestToTheCpuWithOneWarning) {
  const auto last_line = [](const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  const std::vector<std::string> words = {"--jobs", "1", "golden", "result"};
  const auto on = [&](const std::string& rules, const char* device) {
    std::vector<std::string> all = words;
    all.insert(all.begin(), {"--device", device});
    return compare(rules, all, "0");
  };
  const std::string cpu = on("", "cpu").out;
  for (const char* device : {"cuda", "auto"}) {
    // The first pair is measured by kernels that do nothing.
    const Outcome outcome = on("kernels=skip,find_row_figures=719:3", device);
    EXPECT_EQ(outcome.exit, 1) << device;
    EXPECT_EQ(last_line(outcome.out), last_line(cpu)) << device;
    const std::string rest = "; the CPU does the rest\n";
    EXPECT_TRUE(outcome.err.starts_with("cuimg: cuda:0: ")) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with(rest)) << outcome.err;
    EXPECT_EQ(outcome.err.find(rest), outcome.err.rfind(rest)) << outcome.err;
  }
}

TEST_F(CompareFaults, AreNoneWhereExplainSaysWhyTheCpuIsTaken) {
  const Outcome outcome = compare("", {"--explain", golden_, result_});
  EXPECT_NE(outcome.out.find("\"device\":\"auto: the CPU, not a card: for 1 such pair it would "
                             "save about 0 ms, and to begin with it takes 300 ms\""),
            std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace cuimg::test

#endif

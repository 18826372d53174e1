// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` on a card that fails: it says what failed and gives no figure. By itself it takes
// no card.
#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

struct Fault {
  const char* rules;
  const char* reason;
};

TEST(CompareFaults, AreErrorsThatNameTheCall) {
  const TempDir folder;
  const Spec spec = spec_of({0, 0, 60, 40}, PixelType::half, 4);
  write_image(folder / "a.exr", noise(spec, 1), *codec_named("exr"));
  write_image(folder / "b.exr", noise(spec, 2), *codec_named("exr"));
  const auto compare = [&](const std::string& rules, const std::string& device) {
    return run(
        {CUIMG_FAULTS_PROGRAM, "compare", "--json", "--device", device, folder / "a.exr",
         folder / "b.exr"},
        {.environment = {"CUIMG_FAKE_CUDA=" + rules, "XDG_CACHE_HOME=" + (folder / "cache")}});
  };
  constexpr Fault faults[] = {{"devices=0", "there is none"},
                              {"cudaSetDevice=46", "cudaSetDevice: "},
                              {"cudaMalloc=2", "cudaMalloc: out of memory"},
                              {"launch=700", "illegal memory access"},
                              {"cudaMemcpy2DAsync=700", "cudaMemcpy2DAsync: "}};
  const std::string cpu = compare("", "cpu").out;
  EXPECT_NE(cpu, "");
  for (const auto& [rules, reason] : faults) {
    for (const char* device : {"cuda", "both"}) {
      const Outcome outcome = compare(rules, device);
      EXPECT_EQ(outcome.exit, 2) << rules << " " << device << ": " << outcome.err;
      EXPECT_NE(outcome.err.find(reason), std::string::npos) << rules << ": " << outcome.err;
      EXPECT_EQ(outcome.out.find("rmse"), std::string::npos) << outcome.out;
    }
    EXPECT_EQ(compare(rules, "auto").out, cpu);
  }
}

}  // namespace
}  // namespace cuimg::test

#endif

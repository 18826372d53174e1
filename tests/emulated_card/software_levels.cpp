// SPDX-License-Identifier: Apache-2.0
// A card that does not filter between levels like the software unit: its kernels compute the
// weighted sums themselves.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "device/cuda/cuda_queue.h"
#include "fake_cudart/fake_cudart.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// @returns a description of the differences.
std::string reads_on_a_card_that_differs() {
  fake_cuda_rules("differ=levels");
  const Queue card = Queue::cuda(0), cpu = Queue::cpu();
  if (card.card().filters_levels_exactly()) return "the self-check saw nothing";
  if (!card.card().filters_exactly(PixelType::f32)) return "the self-check saw too much";
  std::vector<std::string> chains;
  for (const std::string border : {"clamp", "wrap", "mirror", "border"})
    chains.push_back("perspective --corners 20,9,35,10,70,47,-9,40 --border " + border);
  chains.push_back("envmap --from latlong --to cube-cross --size 30%");
  chains.push_back("envmap --from cube-faces --to latlong --size 30%");
  for (const std::string& words : chains)
    for (const int channels : {1, 2, 4}) {
      const bool is_strip = words.find("cube-faces") != std::string::npos;
      const Rect window = is_strip ? Rect{0, 0, 21, 126} : Rect{0, 0, 61, 47};
      const Image source = noise(spec_of(window, PixelType::f32, channels));
      const Plan plan = plan_of(parse_chain(words + " --filter trilinear"), source.spec());
      ChainOptions options;
      options.queue = &cpu;
      const Image expected = run_plan(plan, source, options);
      options.queue = &card;
      if (!same_pixels(run_plan(plan, source, options), expected)) return words + " differs";
    }
  return "nothing";
}

// In a separate process, because each process runs the self-check only once.
TEST(SoftwareLevels, GiveTheSameBytes) {
  const TempDir folder;
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    std::cerr << reads_on_a_card_that_differs() << " is wrong" << std::endl;
    std::_Exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "nothing is wrong\n$");
}

}  // namespace
}  // namespace cuimg::test

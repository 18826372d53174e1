// SPDX-License-Identifier: Apache-2.0
// A card that fails after the encoder has read some rows: the CPU makes the rest, and rows that
// were delivered are not written again. Also a card that fails between the pairs that it compares.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "compare/trees/compare_trees.h"
#include "fake_cudart/fake_cudart.h"
#include "io/codec.h"
#include "pipeline/run/execution.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// The rows as an encoder reads them, each when it is complete.
Image rows_as_they_come(const Image& target, RowProgress& done) {
  Image seen(target.spec());
  for (int y = 0; y < target.spec().data_window.height; ++y) {
    done.wait_for(y + 1);
    std::memcpy(seen.row(0, y), target.row(0, y), target.row_bytes(0));
  }
  return seen;
}

TEST(LateFailure, LeavesTheRowsThatWereDeliveredAndTheCpuMakesTheRest) {
  setenv("CUIMG_AUTO_CARD_MS", "0", 1);
  const Image source = noise(spec_of({0, 0, 40, 1200}, PixelType::u8, 3));
  Plan plan = plan_of(parse_chain("exposure --stops 1 + blur --sigma 1"), source.spec());
  plan.takes_card = true;
  const Image expected = execute(plan, Queue::cpu(2), source);
  fake_cuda_rules("");
  { const Queue opened = Queue::cuda(0); }  // its self-check makes calls of its own
  int failures = 0, successes = 0;
  for (int call = 1; call < 40; call += 3) {
    fake_cuda_rules(("cudaMemcpy2DAsync=46:" + std::to_string(call)).c_str());
    const CommonOptions common;
    CardChoice choice(1, 2);
    CardShares cards{{}};
    const ImageTrace trace;
    Image target(plan.output());
    RowProgress ready, done;
    ready.finish();
    RunReport report;
    Image seen;
    std::thread encoder([&] { seen = rows_as_they_come(target, done); });
    execute_where_asked(plan, {common, choice, cards, trace}, {source, ready, target, done},
                        report);
    encoder.join();
    EXPECT_TRUE(same_pixels(seen, expected)) << call;
    EXPECT_TRUE(same_pixels(target, expected)) << call;
    ++(report.fallback.reason.empty() ? successes : failures);
  }
  fake_cuda_rules("");
  // A band is copied to the card and back, so at least three of the five failures are late ones.
  EXPECT_GE(failures, 3);
  EXPECT_GE(successes, 1);
}

// All figures of the comparisons of a folder, one line each.
std::string figures_of(const std::string& golden, const std::string& result,
                       const TreeOptions& options) {
  std::string lines;
  compare_trees(golden, result, options, [&](const Comparison& comparison) {
    lines += comparison.name + ":";
    for (const MetricValue& metric : comparison.metrics)
      lines += fmt::format(" {} {}", metric.name, metric.value.value_or(-1));
    lines += "\n";
  });
  return lines;
}

TEST(LateFailure, OfACardThatComparesLeavesTheRestToTheCpu) {
  const TempDir folder;
  constexpr int pairs = 6;
  for (int i = 0; i < pairs; ++i)
    for (const char* side : {"golden", "result"}) {
      std::filesystem::create_directories(folder / side);
      write_image(folder / (std::string(side) + "/" + std::to_string(i) + ".png"),
                  noise(spec_of({0, 0, 19, 13}, PixelType::u8, 3), i + (side[0] == 'r' ? 10 : 0)),
                  *codec_named("png"));
    }
  TreeOptions options;
  options.threads = options.jobs = 1;
  options.compare.metrics = {"rmse", "ssim", "delta_e_2000"};
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& line) { warnings.push_back(line); };
  const std::string golden = folder / "golden", result = folder / "result";
  const std::string expected = figures_of(golden, result, options);
  EXPECT_NE(expected.find("5.png: rmse 0."), std::string::npos) << expected;

  // This test has its own card, because the card stays lost for this process.
  options.devices = {MeasuringChoice::Kind::cards, {1}};
  fake_cuda_rules("devices=2");
  EXPECT_EQ(figures_of(golden, result, options), expected);
  EXPECT_TRUE(warnings.empty());
  const int copies = fake_cuda_calls("cudaMemcpy2DAsync");
  EXPECT_GE(copies, 2 * pairs);

  // The failure is in the middle, after some pairs were measured on the card.
  fake_cuda_rules(("devices=2 cudaMemcpy2DAsync@1=700:" + std::to_string(copies / 2)).c_str());
  EXPECT_EQ(figures_of(golden, result, options), expected);
  fake_cuda_rules("");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("cuda:1: ")) << warnings[0];
  EXPECT_TRUE(warnings[0].ends_with("; the CPU does the rest")) << warnings[0];
}

}  // namespace
}  // namespace cuimg::test

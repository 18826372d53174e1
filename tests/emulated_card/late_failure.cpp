// SPDX-License-Identifier: Apache-2.0
// A card that fails when the encoder has read some rows already: the CPU makes the rest, and rows
// that were delivered are not written again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "fake_cudart/fake_cudart.h"
#include "pipeline/run/execution.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// What an encoder sees: each row once it is complete.
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
  { const Queue opened = Queue::cuda(0); }  // its check makes calls of its own
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
    ++(report.fallback.empty() ? successes : failures);
  }
  fake_cuda_rules("");
  // A band is copied in and out: the later failures came after some of the five.
  EXPECT_GE(failures, 3);
  EXPECT_GE(successes, 1);
}

}  // namespace
}  // namespace cuimg::test

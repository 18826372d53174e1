// SPDX-License-Identifier: Apache-2.0
// The device that measures a pair, and the reason that --explain gives. Failing cards are tested in
// cli's compare_fault_test.cpp.
#include "compare/measurer.h"

#include "pictures.h"

namespace cuimg::test {
namespace {

using Kind = MeasuringChoice::Kind;

// The explanation that run() gives for a pair that takes `milliseconds`.
std::string explained(MeasuringDevices& devices, double milliseconds, double copied_bytes = 0) {
  Measurer measurer(devices, 0, 1);
  int calls = 0;
  const std::string why =
      measurer.run("a.png", {milliseconds, copied_bytes}, [&](const Queue& queue) {
        ++calls;
        EXPECT_FALSE(queue.is_cuda());
      });
  EXPECT_EQ(calls, 1);
  devices.end_pair();
  return why;
}

TEST(Measurer, OfTheProcessorNamesIt) {
  MeasuringDevices devices({Kind::processor}, 1, 1, nullptr);
  EXPECT_EQ(explained(devices, 1e9), "cpu (1 thread)");
}

TEST(Measurer, ByItselfTakesNoCardForAPairThatIsQuickOnTheProcessor) {
  MeasuringDevices devices({Kind::automatic, {}, 300}, 1, 2, nullptr);
  EXPECT_EQ(explained(devices, 100),
            "auto: the CPU, not a card: for 1 such pair it would save about 50 ms, and "
            "starting it takes 300 ms");
}

TEST(Measurer, ByItselfCountsThePairsThatAreLeft) {
  MeasuringDevices devices({Kind::automatic, {}, 300}, 3, 1, nullptr);
  EXPECT_EQ(explained(devices, 90),
            "auto: the CPU, not a card: for 3 such pairs it would save about 270 ms, and "
            "starting it takes 300 ms");
  EXPECT_NE(explained(devices, 1e-9).find("for 2 such pairs"), std::string::npos);
  EXPECT_NE(explained(devices, 1e-9).find("for 1 such pair it"), std::string::npos);
}

TEST(Measurer, ByItselfCountsTheCopiesToACard) {
  MeasuringDevices devices({Kind::automatic, {}, 300}, 1, 1, nullptr);
  EXPECT_EQ(explained(devices, 400, 6e8),
            "auto: the CPU, not a card: for 1 such pair it would save about 300 ms, and "
            "starting it takes 300 ms");
}

TEST(Measurer, ByItselfSaysWhereThereIsNoCard) {
  if (may_have_cuda()) GTEST_SKIP() << "there may be a card";
  MeasuringDevices devices({Kind::automatic, {}, 300}, 1, 1, nullptr);
  EXPECT_EQ(explained(devices, 1e6), "auto: the CPU, since there is no card");
}

TEST(Measurer, LearnsHowLongThePairsTake) {
  MeasuringDevices devices({Kind::automatic, {}, 1e6}, 2, 1, nullptr);
  explained(devices, 4e5);  // too short for a card, and adds nothing to the estimate
  EXPECT_NE(explained(devices, 4e5).find("about 0 ms"), std::string::npos);
}

TEST(Measurer, LeavesErrorsOfWhatItMeasuresToTheCaller) {
  Measurer measurer;
  EXPECT_THROW(measurer.run("a", {}, [](const Queue&) { throw Error("compare", "no"); }), Error);
}

}  // namespace
}  // namespace cuimg::test

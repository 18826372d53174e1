// SPDX-License-Identifier: Apache-2.0
// Queues that are created ahead and kept, and the end of a session, while cards are slow or fail.
#include <filesystem>
#include <thread>

#include "device/card_session.h"
#include "faults.h"

namespace cuimg {
namespace {

TEST_F(Faults, WarmingUpMakesTheQueueThatIsThenAskedFor) {
  EXPECT_OUTCOME("", ([] {
                   const CardSession session;
                   warm_up_cuda(0);
                   warm_up_cuda(0);
                   { const Queue queue = Queue::cuda(0); }
                   std::cerr << fake_cuda_calls("cudaStreamCreateWithFlags") << " stream, ";
                 }),
                 "^1 stream, done\n$");
  EXPECT_OUTCOME("cudaGetDeviceCount=100", ([] {
                   const CardSession session;
                   warm_up_cuda(0);
                   Queue::cuda(0);
                 }),
                 "^DeviceError 100: .*\n$");
}

TEST_F(Faults, NothingIsMadeAheadWithoutASession) {
  EXPECT_OUTCOME("", ([] {
                   warm_up_cuda(0);
                   { const CardSession session; }
                   warm_up_cuda(0);
                   std::this_thread::sleep_for(std::chrono::milliseconds(50));
                   std::cerr << fake_cuda_calls("cudaGetDeviceCount") << " calls, ";
                 }),
                 "^0 calls, done\n$");
}

// The resources that end() leaves to the process. With the address sanitizer there are none, so
// that leaks are detected.
#if defined(__SANITIZE_ADDRESS__)
constexpr const char* after_end = "by main, done\n$";
#else
constexpr const char* after_end = "by quick_exit, done(; [0-9]+ resources leaked)?\n$";
#endif

// How a program that called end() must exit.
void say_how_to_leave(bool may_return) {
  std::cerr << (may_return ? "by main, " : "by quick_exit, ");
}

TEST_F(Faults, ASessionWaitsForWhatIsMadeAheadAndFreesIt) {
  for (const char* rules : {"context_ms=200", "context_ms=200,cudaStreamCreateWithFlags=2"})
    EXPECT_OUTCOME(rules, ([] {
                     {
                       const CardSession session;
                       warm_up_cuda(0);
                     }
                     std::cerr << fake_cuda_calls("cudaStreamCreateWithFlags") << " stream, ";
                   }),
                   "^1 stream, done\n$");
}

TEST_F(Faults, ASessionFreesTheQueuesThatAreKept) {
  EXPECT_OUTCOME("", ([] {
                   {
                     const CardSession session;
                     for (int i = 0; i < 3; ++i) round_trip(*CardQueueLease(0, 1), Storage::array);
                     if (fake_cuda_live_resources() > 0) std::cerr << "kept, ";
                   }
                   std::cerr << fake_cuda_calls("cudaStreamCreateWithFlags") << " stream, ";
                 }),
                 "^kept, 1 stream, done\n$");
}

TEST_F(Faults, ASessionsEndWaitsForWhatIsMadeAheadAndLeavesItToTheProcess) {
  for (const char* rules : {"context_ms=200", "context_ms=200,cudaStreamCreateWithFlags=2"})
    EXPECT_OUTCOME(rules, ([] {
                     CardSession session;
                     warm_up_cuda(0);
                     const bool may_return = session.end(std::chrono::seconds(60));
                     std::cerr << fake_cuda_calls("cudaStreamCreateWithFlags") << " stream, ";
                     say_how_to_leave(may_return);
                   }),
                   std::string("^1 stream, ") + after_end);
}

TEST_F(Faults, ASessionsEndLeavesTheQueuesThatAreKeptToTheProcess) {
  EXPECT_OUTCOME("", ([] {
                   CardSession session;
                   for (int i = 0; i < 3; ++i) round_trip(*CardQueueLease(0, 1), Storage::array);
                   say_how_to_leave(session.end(std::chrono::seconds(60)));
                 }),
                 std::string("^") + after_end);
}

TEST_F(Faults, ASessionsEndThatFoundNoCardInUseLetsMainReturn) {
  EXPECT_OUTCOME("", ([] {
                   CardSession session;
                   say_how_to_leave(session.end(std::chrono::seconds(60)));
                 }),
                 "^by main, done\n$");
}

TEST_F(Faults, ASessionsEndIsPatientOnlyAsLongAsItIsAsked) {
  EXPECT_OUTCOME("context_ms=3600000", ([] {
                   CardSession session;
                   warm_up_cuda(0);
                   if (!session.end(std::chrono::milliseconds(50))) std::cerr << "given up, ";
                 }),
                 "^given up, done\n$");
}

}  // namespace
}  // namespace cuimg

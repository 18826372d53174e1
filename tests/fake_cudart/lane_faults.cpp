// SPDX-License-Identifier: Apache-2.0
// Ways in which two lanes of one picture can fail, through execute(): it ends with an error, and no
// CUDA resource is left. Kernels do nothing here.
#include "faults.h"
#include "pipeline/execute/execute.h"
#include "pipeline/grammar.h"
#include "pipeline/plan.h"

namespace cuimg {
namespace {

// Makes a picture in bands of 256 rows.
void make_in_bands() {
  const Image source = small_image(3, PixelType::u8, 40, 1200);
  const std::vector<std::string> words = {"blur",  "--sigma", "1",      "+",
                                          "sobel", "in.exr",  "out.exr"};
  const Invocation invocation = parse_pipeline(words);
  const Plan plan =
      make_plan(source.spec(), invocation.stages, nullptr, std::nullopt, {0, 0, 0}, {});
  const Queue queue = Queue::cuda(0);
  Image target(plan.output());
  RowProgress ready, done;
  ready.finish();
  execute(plan, queue, {source, ready, target, done}, {UINT64_MAX, true, 0});
}

std::string rule(const char* call, int code, int from_call) {
  return std::string("kernels=skip,calls=overlap,") + call + "=" + std::to_string(code) + ":" +
         std::to_string(from_call);
}

TEST_F(Faults, TwoLanesLeaveNothing) {
  EXPECT_OUTCOME("kernels=skip", ([] {
                   make_in_bands();
                   std::cerr << fake_cuda_calls("cudaStreamCreateWithFlags") << " streams, ";
                 }),
                 "^2 streams, done\n$");
}

TEST_F(Faults, TwoLanesNeedNoMorePinnedMemoryThanOne) {
  EXPECT_OUTCOME("kernels=skip,cudaMallocHost=2:2", make_in_bands, "^done\n$");
}

TEST_F(Faults, WhicheverCopyFailsEndsBothLanes) {
  EXPECT_OUTCOME("kernels=skip", make_in_bands, "^done\n$");  // fills the self-check's cache
  for (int call = 1; call <= 9; call += 2) {
    EXPECT_OUTCOME(rule("cudaMemcpy2DAsync", 46, call).c_str(), make_in_bands,
                   "^DeviceError 46: cudaMemcpy2DAsync: [^;]*\n$");
    // Every lane that calls a broken context gets its error.
    EXPECT_OUTCOME(rule("cudaMemcpy2DAsync", 719, call).c_str(), make_in_bands,
                   "^DeviceError 719: cuda[^;]*\n$");
  }
}

TEST_F(Faults, WhicheverAllocationFailsEndsBothLanes) {
  EXPECT_OUTCOME("kernels=skip", make_in_bands, "^done\n$");
  for (int call = 1; call <= 7; call += 2)
    EXPECT_OUTCOME(rule("cudaMalloc", 46, call).c_str(), make_in_bands,
                   "^DeviceError 46: cudaMalloc: [^;]*\n$");
}

// After this number of allocations there is no more memory. Either the existing blocks are reused
// from band to band, or an error gives the reason.
TEST_F(Faults, LanesThatGetNoMoreMemoryGoOnWithWhatTheyHaveOrSayWhy) {
  EXPECT_OUTCOME("kernels=skip", make_in_bands, "^done\n$");
  for (int call = 1; call <= 12; ++call)
    EXPECT_OUTCOME(rule("cudaMalloc", 2, call).c_str(), make_in_bands,
                   "^(done|DeviceError 2: cudaMalloc: out of memory [^;]*)\n$");
}

// Makes a single large image, which is pinned while the first kernels are loaded. @param fails the
// decoder fails.
void make_large_or_fail(bool fails) {
  const Image source = small_image(4, PixelType::f32, 1100, 1100);
  const Invocation invocation =
      parse_pipeline(std::vector<std::string>{"blur", "--sigma", "1", "in.exr", "out.exr"});
  const Plan plan =
      make_plan(source.spec(), invocation.stages, nullptr, std::nullopt, {0, 0, 0}, {});
  const Queue queue = Queue::cuda(0);
  Image target(plan.output());
  RowProgress ready, done;
  if (fails)
    ready.fail(std::make_exception_ptr(Error("decoder", "truncated")));
  else
    ready.finish();
  execute(plan, queue, {source, ready, target, done}, {UINT64_MAX, true});
}
void make_large() { make_large_or_fail(false); }

void make_large_and_count() {
  make_large();
  std::cerr << fake_cuda_calls("cudaHostRegister") << " pinned, "
            << fake_cuda_calls("cudaHostUnregister") << " let go, ";
}

TEST_F(Faults, AnImageAloneIsPinnedAndLetGo) {
  EXPECT_OUTCOME("kernels=skip", make_large_and_count, "^2 pinned, 2 let go, done\n$");
}

TEST_F(Faults, WherePinningIsRefusedAnImageAlonePassesTheRing) {
  EXPECT_OUTCOME("kernels=skip,cudaHostRegister=2", make_large_and_count,
                 "^1 pinned, 0 let go, done\n$");
  EXPECT_OUTCOME("kernels=skip,cudaHostRegister=2:2", make_large_and_count,
                 "^2 pinned, 1 let go, done\n$");
}

TEST_F(Faults, ACardThatBreaksWhileItPinsIsAnError) {
  EXPECT_OUTCOME("kernels=skip", make_large, "^done\n$");  // fills the self-check's cache
  for (const int call : {1, 2})
    EXPECT_OUTCOME(rule("cudaHostRegister", 719, call).c_str(), make_large,
                   "^DeviceError 719: cuda[^;]*\n$");
}

// Any call may fail while the first kernels are loaded, and after that.
TEST_F(Faults, AnImageAloneEndsWhicheverCallFails) {
  EXPECT_OUTCOME("kernels=skip", make_large, "^done\n$");
  for (const char* call : {"launch", "cudaMalloc", "cudaMemcpy2DAsync", "cudaEventRecord"})
    for (int from_call = 1; from_call <= 4; ++from_call) {
      EXPECT_OUTCOME(rule(call, 46, from_call).c_str(), make_large, "^DeviceError 46: [^;]*\n$");
      EXPECT_OUTCOME(rule(call, 719, from_call).c_str(), make_large, "^DeviceError 719: [^;]*\n$");
    }
}

// A lack of memory for the corner that loads the kernels is no failure, but for the result it is.
TEST_F(Faults, AnImageAloneThatFindsNoRoomSaysSo) {
  EXPECT_OUTCOME("kernels=skip", make_large, "^done\n$");
  EXPECT_OUTCOME("kernels=skip,cudaMalloc=2", make_large,
                 "^DeviceError 2: cudaMalloc: out of memory [^;]*\n$");
}

TEST_F(Faults, ADecoderThatFailsEndsAnImageAlone) {
  EXPECT_OUTCOME(
      "kernels=skip", [] { make_large_or_fail(true); }, "^other error: decoder: truncated\n$");
}

}  // namespace
}  // namespace cuimg

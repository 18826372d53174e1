// SPDX-License-Identifier: Apache-2.0
// OpenEXR's threads, which all files of a process share.
#include <ImfThreading.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/threads.h"
#include "io/exr/exr_support.h"

namespace cuimg::test {
namespace {

// Otherwise two threads would decompress eight images that may use two threads each.
TEST(ExrPool, HasWhatFilesUnderWayWantTogether) {
  const ExrPoolThreads one(ExrUse::decode, 1);
  EXPECT_GE(Imf::globalThreadCount(), 1);
  const ExrPoolThreads other(ExrUse::decode, 1);
  EXPECT_GE(Imf::globalThreadCount(), std::min(2, hardware_threads()));
  const ExrPoolThreads many(ExrUse::encode, hardware_threads() + 1);
  EXPECT_GE(Imf::globalThreadCount(), hardware_threads() + 1);
}

// Else images with one thread each would all be decompressed by the pool of the first with two.
TEST(ExrPool, OnceStartedHasAThreadForEachFileOfACallersThread) {
  const int before = Imf::globalThreadCount();
  const ExrPoolThreads callers(ExrUse::decode, 0);
  EXPECT_EQ(Imf::globalThreadCount(), before);
  const ExrPoolThreads other(ExrUse::decode, 1);
  EXPECT_GE(Imf::globalThreadCount(), std::min(2, hardware_threads()));
}

TEST(ExrPool, ForgetsFilesThatAreDone) {
  for (int i = 0; i < 1000; ++i) const ExrPoolThreads one(ExrUse::decode, 1);
  const int before = Imf::globalThreadCount();
  const ExrPoolThreads one(ExrUse::decode, 1);
  EXPECT_EQ(Imf::globalThreadCount(), before);
}

// --threads limits one image, whose rows are encoded while others are decoded.
TEST(ExrPool, IsSharedByAnImagesInputAndOutput) {
  const ExrPoolThreads input(ExrUse::decode, 1);
  const int before = Imf::globalThreadCount();
  const ExrPoolThreads output(ExrUse::encode, 1);
  EXPECT_EQ(Imf::globalThreadCount(), before);
}

}  // namespace
}  // namespace cuimg::test

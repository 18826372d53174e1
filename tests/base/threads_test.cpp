// SPDX-License-Identifier: Apache-2.0
// The number of threads to use.
#include "base/threads.h"

#include <gtest/gtest.h>

namespace cuimg {
namespace {

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace cuimg

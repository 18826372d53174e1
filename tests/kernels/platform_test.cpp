// SPDX-License-Identifier: Apache-2.0
// Transformations that the compiler must not apply to the kernels.
#include <gtest/gtest.h>

namespace {

// For these values a*b + c with a rounded product differs from the fused result.
TEST(Compiler, DoesNotContractProductsIntoSums) {
  volatile float a = 1.0f + 0x1p-12f, b = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
  EXPECT_EQ(a * b + c, 0.0f);
}

}  // namespace

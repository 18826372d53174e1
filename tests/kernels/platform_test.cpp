// SPDX-License-Identifier: Apache-2.0
// Transformations that the compiler must not apply to the kernels.
#include <gtest/gtest.h>

namespace {

// a*b + c with a rounding after the product differs from the fused form for these values.
TEST(Compiler, DoesNotContractProductsIntoSums) {
  volatile float a = 1.0f + 0x1p-12f, b = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
  EXPECT_EQ(a * b + c, 0.0f);
}

}  // namespace

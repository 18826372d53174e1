// SPDX-License-Identifier: Apache-2.0
// EXPECT_IMAGE_NEAR for programs that test with GoogleTest: `#include
// <cuimg/compare/gtest_matcher.h>`.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "compare/compare.h"
#include "io/codec.h"

namespace cuimg {

/// Success if a comparison's verdict is `same`; otherwise its reasons, one line each.
inline ::testing::AssertionResult as_assertion(const Comparison& comparison) {
  if (comparison.verdict == Verdict::same) return ::testing::AssertionSuccess();
  ::testing::AssertionResult failure = ::testing::AssertionFailure();
  failure << (comparison.golden.empty() ? "the image" : comparison.golden) << " "
          << name_of(comparison.verdict);
  for (const Reason& reason : comparison.reasons) failure << "\n  " << reason.text;
  return failure;
}

/// Whether `image` equals `golden` within limits. An Error of the comparison is a failure.
inline ::testing::AssertionResult image_near(const Image& golden, const Image& image,
                                             const Limits& limits = {},
                                             const CompareOptions& options = {}) {
  try {
    return as_assertion(compare(golden, image, limits, options));
  } catch (const Error& error) {
    return ::testing::AssertionFailure() << error.what();
  }
}

/// The same with the golden in a file of any format that cuimg reads. If it has several parts,
/// Limits::part selects one, otherwise the first is used.
inline ::testing::AssertionResult image_near(const std::string& golden_file, const Image& image,
                                             const Limits& limits = {},
                                             const CompareOptions& options = {}) {
  try {
    DecodeOptions decode;
    if (!limits.part.empty()) decode.part = limits.part;
    Limits of_image = limits;  // the selected part is now the only one
    of_image.part.clear();
    Comparison comparison = compare(read_image(golden_file, decode), image, of_image, options);
    comparison.golden = golden_file;
    return as_assertion(comparison);
  } catch (const Error& error) {
    return ::testing::AssertionFailure() << error.what();
  }
}

}  // namespace cuimg

/// Expects an image to equal its golden (an Image or a file's name) within limits. With a mask or
/// other CompareOptions: EXPECT_TRUE(image_near(golden, image, limits, options)).
#define EXPECT_IMAGE_NEAR(golden, image, limits) \
  EXPECT_TRUE(::cuimg::image_near(golden, image, limits))
#define ASSERT_IMAGE_NEAR(golden, image, limits) \
  ASSERT_TRUE(::cuimg::image_near(golden, image, limits))

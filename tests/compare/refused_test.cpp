// SPDX-License-Identifier: Apache-2.0
// compare() refuses options that the program refuses, and pictures without pixels.
#include "base/error.h"
#include "compare/aligned_pair.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

const Image& golden() {
  static const Image image = pattern_of_light(16, 12, 0, false);
  return image;
}
const Image& result() {
  static const Image image = pattern_of_light(16, 12, 0, true);
  return image;
}

template <class Work>
std::string problem_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string problem_with(const Limits& limits, const CompareOptions& options = {}) {
  return problem_of([&] { compare(golden(), result(), limits, options); });
}

TEST(CompareRefuses, PicturesWithoutMemory) {
  const Image without = Image::without_memory(golden().spec());
  const std::string wanted = "compare: the image has no memory: call Image::allocate() first";
  EXPECT_EQ(problem_of([&] { compare(without, result()); }), wanted);
  EXPECT_EQ(problem_of([&] { compare(golden(), without); }), wanted);
  std::vector<Image> parts(1);
  parts.front() = Image::without_memory(golden().spec());
  EXPECT_EQ(problem_of([&] { compare(parts, parts); }), wanted);
}

TEST(CompareRefuses, AMaskWithoutPixels) {
  const Image without = Image::without_memory(golden().spec()), empty;
  Spec no_layers = golden().spec();
  no_layers.layers.clear();
  const Image layerless(no_layers);
  for (const Image* mask : {&without, &empty, &layerless}) {
    CompareOptions options;
    options.mask = mask;
    EXPECT_THROW(compare(golden(), result(), {}, options), UnusableMask);
  }
  CompareOptions options;
  options.mask = &without;
  EXPECT_EQ(problem_with(Limits{}, options),
            "--mask: the image has no memory: call Image::allocate() first");
  options.mask = &layerless;
  EXPECT_EQ(problem_with(Limits{}, options), "--mask: the mask has no layer");
}

}  // namespace
}  // namespace cuimg::test

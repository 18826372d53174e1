// SPDX-License-Identifier: Apache-2.0
// thumbnail INPUT OUTPUT: reads an image, scales it to 64 pixels wide, writes it.
#include <cuimg/cuimg.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    cuimg::Resize resize;
    resize.size = cuimg::pixels(64, 0);
    resize.filter = cuimg::resize_filter_named("mitchell");

    const cuimg::Image input = cuimg::read_image(argv[1]);
    const cuimg::Codec& codec = cuimg::codec_for_output(argv[2], "");
    const cuimg::Image output = cuimg::apply(
        input, {cuimg::bind(*cuimg::find_stage("resize"), resize)}, cuimg::Queue::cpu(), &codec);
    cuimg::write_image(argv[2], output, codec);
  } catch (const cuimg::Error& error) {
    std::fprintf(stderr, "thumbnail: %s\n", error.what());
    return 2;
  }
  return 0;
}

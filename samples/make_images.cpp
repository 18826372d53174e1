// SPDX-License-Identifier: Apache-2.0
// Makes the pictures in samples/images, or checks that those files equal what it would make.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "io/codec.h"
#include "kernels/math/half.h"
#include "patterns.h"
#include "spheres.h"

namespace {

using namespace cuimg;

struct Picture {
  std::string_view file;
  std::function<Image()> make;
};

const Picture pictures[] = {
    {"spheres.exr", [] { return samples::spheres(320, 240); }},
    {"layers.exr", [] { return samples::spheres_with_layers(160, 120); }},
    {"zoneplate.png", [] { return samples::zoneplate(256); }},
    {"checker.png", [] { return samples::checker(208, 128); }},
    {"stops.hdr", [] { return samples::stops(257, 64); }},
    {"rotate17.exr", [] { return samples::rotation_map(320, 240, 17); }},
    {"swirl.exr", [] { return samples::swirl_map(160, 120); }},
};

// The values after the format's rounding: pixels of an HDR file share exponents.
Image through_codec(const Image& image, const Codec& codec, const std::string& name) {
  MemorySink sink;
  RowProgress ready;
  ready.finish();
  codec.encode(image, {}, ready, sink);
  return read_image(ByteSource::from_memory(sink.bytes(), name));
}

void expect_equal(const std::string& path, const Image& stored, const Image& made) {
  const Spec& a = stored.spec();
  const Spec& b = made.spec();
  if (a.layers != b.layers || a.data_window != b.data_window ||
      a.display_window != b.display_window)
    throw Error(path, "its layers or windows are not those that make_images makes");
  for (int layer = 0; layer < a.layer_count(); ++layer)
    for (int y = a.data_window.y; y < a.data_window.bottom(); ++y)
      if (std::memcmp(stored.row(layer, y), made.row(layer, y), stored.row_bytes(layer)) != 0)
        throw Error(path, "row " + std::to_string(y) + " is not what make_images makes");
}

// Checks what samples/README.md says about spheres.exr.
void expect_highlights_and_alpha(const Image& image) {
  float brightest = 0, least_alpha = 1, most_alpha = 0;
  for (int y = 0; y < image.spec().data_window.height; ++y) {
    const auto* row = reinterpret_cast<const Half*>(image.row(0, y));
    for (int x = 0; x < image.spec().data_window.width; ++x) {
      for (int c = 0; c < 3; ++c) brightest = std::max(brightest, half_to_float(row[4 * x + c]));
      least_alpha = std::min(least_alpha, half_to_float(row[4 * x + 3]));
      most_alpha = std::max(most_alpha, half_to_float(row[4 * x + 3]));
    }
  }
  if (!(brightest > 100) || least_alpha != 0 || most_alpha != 1)
    throw Error("spheres.exr", "it lacks highlights over 100 or alpha from 0 to 1");
}

void run(const std::string& folder, bool check) {
  for (const Picture& picture : pictures) {
    const std::string path = folder + "/" + std::string(picture.file);
    const Codec& codec = codec_for_output(path, "");
    const Image made = picture.make();
    if (picture.file == "spheres.exr") expect_highlights_and_alpha(made);
    if (!check) write_image(path, made, codec);
    expect_equal(path, read_image(path), through_codec(made, codec, path));
    std::printf("%s: %dx%d, %s\n", path.c_str(), made.spec().display_window.width,
                made.spec().display_window.height, check ? "as made" : "written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
  if (argc != 2 + check || std::string_view(argv[1]) == "--help") {
    std::puts(
        "make_images FOLDER          writes the sample images there\n"
        "make_images --check FOLDER  compares the pixels of those there with what it would write");
    return argc == 2 ? 0 : 2;
  }
  try {
    run(argv[1 + check], check);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_images: %s\n", error.what());
    return 1;
  }
  return 0;
}

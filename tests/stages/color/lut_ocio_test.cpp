// SPDX-License-Identifier: Apache-2.0
// Look-up tables compared with OpenColorIO, where its Python module is installed: the same files
// applied to the same values.
#include "support/cubes.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// Reads and writes rows of float32 R, G, B.
const std::string apply_script = R"(
import array, sys
import PyOpenColorIO as ocio
cube, how, source, target = sys.argv[1:]
values = array.array('f', open(source, 'rb').read())
transform = ocio.FileTransform(cube, interpolation=getattr(ocio, how))
processor = ocio.Config.CreateRaw().getProcessor(transform)
made = processor.getOptimizedCPUProcessor(ocio.OPTIMIZATION_NONE).applyRGB(values.tolist())
open(target, 'wb').write(array.array('f', made).tobytes())
)";

void expect_as_ocio(const std::string& text, const std::string& interpolation,
                    const std::string& name = "t.cube") {
  const TempDir folder;
  const std::string cube = folder.write(name, text);
  std::mt19937 random(3);
  const Image source = image_of(
      spec_of({0, 0, 64, 50}, PixelType::f32, 3),
      [&](int, int, int, int) { return static_cast<float>(random() >> 8) * 0x1.8p-24f - 0.25f; });
  const std::size_t bytes = source.row_bytes(0) * 50;
  folder.write("in", std::string(reinterpret_cast<const char*>(source.row(0, 0)), bytes));
  const std::string how = interpolation == "trilinear" ? "INTERP_LINEAR" : "INTERP_TETRAHEDRAL";
  const Outcome outcome =
      run({"python3", "-c", apply_script, cube, how, folder / "in", folder / "out"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::string theirs = read_file(folder / "out");
  ASSERT_EQ(theirs.size(), bytes);

  const Image ours = run_chain("lut --interpolation " + interpolation + " --file " + cube, source);
  double largest = 0;
  for (std::size_t i = 0; i < bytes / sizeof(float); ++i) {
    float a, b;
    std::memcpy(&a, ours.row(0, 0) + i * sizeof(float), sizeof a);
    std::memcpy(&b, theirs.data() + i * sizeof(float), sizeof b);
    largest = std::max(largest, std::abs(static_cast<double>(a) - static_cast<double>(b)));
    ASSERT_FALSE(a != a || b != b);
  }
  EXPECT_LE(largest, 1e-5) << name << " " << interpolation;
}

class LutOcio : public testing::Test {
 protected:
  void SetUp() override {
    if (run({"python3", "-c", "import PyOpenColorIO"}).exit != 0)
      GTEST_SKIP() << "python3 has no PyOpenColorIO";
  }
};

// Changes every channel and mixes all of them.
Rgb look(const Rgb& v) {
  return {v[0] * v[0] + 0.1f * v[1], std::sqrt(v[1]) - 0.2f * v[2] * v[0],
          1.5f * v[2] - v[0] * v[1]};
}
Rgb curve(float v) { return {v * v, std::sqrt(v), 1 - v * v * v}; }

TEST_F(LutOcio, GridsAreOpenColorIosInBothInterpolations) {
  for (const std::string how : {"tetrahedral", "trilinear"})
    for (const int size : {2, 17, 33}) expect_as_ocio(grid_text(size, look), how);
}

TEST_F(LutOcio, CurvesAreOpenColorIos) {
  for (const int size : {2, 33, 4096}) expect_as_ocio(curves_text(size, curve), "trilinear");
}

TEST_F(LutOcio, DomainsAreOpenColorIos) {
  const std::string domain = "DOMAIN_MIN -0.2 0 -0.1\nDOMAIN_MAX 1 1.1 0.9\n";
  expect_as_ocio(domain + grid_text(9, look), "tetrahedral");
  expect_as_ocio(domain + curves_text(40, curve), "trilinear");
}

TEST_F(LutOcio, CurvesBeforeAGridAreOpenColorIos) {
  const std::string grid = grid_text(5, look), curves = curves_text(50, curve);
  const auto line = [](const std::string& text) { return text.substr(0, text.find('\n') + 1); };
  expect_as_ocio(line(curves) + "LUT_1D_INPUT_RANGE -0.1 1.2\n" + line(grid) +
                     "LUT_3D_INPUT_RANGE 0 1\n" + curves.substr(line(curves).size()) +
                     grid.substr(line(grid).size()),
                 "tetrahedral");
}

// The entries of a grid with their positions, with blue or red fastest.
template <class Line>
std::string grid_lines(int size, bool blue_fastest, const Line& line) {
  std::string text;
  const auto at = [&](int i) { return static_cast<float>(i) / static_cast<float>(size - 1); };
  for (int slow = 0; slow < size; ++slow)
    for (int g = 0; g < size; ++g)
      for (int fast = 0; fast < size; ++fast) {
        const int r = blue_fastest ? slow : fast, b = blue_fastest ? fast : slow;
        text += line(std::array{r, g, b}, look({at(r), at(g), at(b)})) + "\n";
      }
  return text;
}
std::string text_of(const Rgb& v) {
  return format_value(v[0]) + " " + format_value(v[1]) + " " + format_value(v[2]);
}

TEST_F(LutOcio, OtherFormatsAreOpenColorIos) {
  const auto placed = [](const std::array<int, 3>& at, const Rgb& v) {
    return std::to_string(at[0]) + " " + std::to_string(at[1]) + " " + std::to_string(at[2]) + " " +
           text_of(v);
  };
  const auto plain = [](const std::array<int, 3>&, const Rgb& v) { return text_of(v); };
  std::string curves;
  for (int i = 0; i < 40; ++i) curves += text_of(curve(static_cast<float>(i) / 39)) + "\n";
  for (const std::string how : {"tetrahedral", "trilinear"}) {
    expect_as_ocio("SPILUT 1.0\n3 3\n9 9 9\n" + grid_lines(9, true, placed), how, "t.spi3d");
    expect_as_ocio("CSPLUTV100\n3D\n\n2\n0 1\n0 1\n\n2\n-1 1\n0 1\n\n2\n0 2\n0.2 0.9\n\n9 9 9\n" +
                       grid_lines(9, false, plain),
                   how, "t.csp");
    for (const int white : {255, 1023, 4095, 65535}) {
      std::string places;
      for (int i = 0; i < 5; ++i) places += std::to_string(white * i / 4) + " ";
      const auto coded = [&](const std::array<int, 3>&, const Rgb& v) {
        std::string text;
        for (const float c : v)
          text += std::to_string(
                      std::clamp(static_cast<int>(c * static_cast<float>(white)), 0, white)) +
                  " ";
        return text;
      };
      expect_as_ocio(places + "\n" + grid_lines(5, true, coded), how, "t.3dl");
    }
  }
  expect_as_ocio("Version 1\nFrom -0.2 1.1\nLength 40\nComponents 3\n{\n" + curves + "}\n",
                 "trilinear", "t.spi1d");
  expect_as_ocio("CSPLUTV100\n1D\n\n2\n0 1\n0 1\n\n2\n0 1\n0 1\n\n2\n0 1\n0 1\n\n40\n" + curves,
                 "trilinear", "t.csp");
}

}  // namespace
}  // namespace cuimg::test

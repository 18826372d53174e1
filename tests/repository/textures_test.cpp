// SPDX-License-Identifier: Apache-2.0
// docs/TEXTURES.md: its commands do what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "io/codec.h"
#include "pipeline/recipe.h"
#include "repository/tree.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

constexpr int side = 32;

class Textures : public testing::Test {
 protected:
  void write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named("png"));
  }
  Image read(const std::string& name) const { return read_image(folder_ / name); }
  static int code(const Image& image, int x, int y, int channel = 0) {
    return value_at<std::uint8_t>(image, x, y, channel);
  }
  void run_command(const std::string& line) const {
    std::vector<std::string> words = recipe_words(line, "TEXTURES.md");
    words.front() = CUIMG_PROGRAM;
    const Outcome outcome = run(words, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 0) << line << outcome.err;
  }
  // The document's commands in order.
  static std::vector<std::string> commands() {
    std::istringstream document(text_of(project_folder() / "docs/TEXTURES.md"));
    std::vector<std::string> found;
    for (std::string line; std::getline(document, line);)
      if (line.starts_with("    cuimg ")) found.push_back(line.substr(4));
    return found;
  }
  static std::string command_for(const std::string& output) {
    for (const std::string& line : commands())
      if (line.ends_with(" " + output)) return line;
    ADD_FAILURE() << "no command makes " << output;
    return "";
  }
  void expect_unit_normals(const std::string& name) const {
    const Image image = read(name);
    const Rect& r = image.spec().data_window;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x) {
        double sum = 0;
        for (int c = 0; c < 3; ++c) sum += std::pow(code(image, x, y, c) / 127.5 - 1, 2);
        ASSERT_NEAR(std::sqrt(sum), 1, 0.01) << name << " " << x << "," << y;
      }
  }
  const TempDir folder_;
};

TEST_F(Textures, AreMadeByTheCommandsOfTheDocument) {
  const Spec grey = spec_of({0, 0, side, side}, PixelType::u8, 1),
             rgb = spec_of({0, 0, side, side}, PixelType::u8, 3),
             rgba = spec_of({0, 0, side, side}, PixelType::u8, 4);
  const Image ao = noise(grey, 1), rough = noise(grey, 2), metal = noise(grey, 3);
  write("ao.png", ao);
  write("rough.png", rough);
  write("metal.png", metal);
  const Image normal = image_of(rgb, [](int, int x, int y, int c) {
    const double dx = 0.6 * std::sin(x), dy = 0.6 * std::cos(y * 2.0);
    const double vector[] = {dx, dy, std::sqrt(1 - dx * dx - dy * dy)};
    return static_cast<float>(vector[c] / 2 + 0.5);
  });
  write("normal.png", normal);
  write("height.png", noise(spec_of({0, 0, side, side}, PixelType::u16, 1)));
  // A disk; pixels outside of it are transparent black.
  const auto is_leaf = [](int x, int y) { return std::hypot(x - 15.5, y - 15.5) < 8; };
  const Image leaf = image_of(rgba, [&](int, int x, int y, int c) {
    return !is_leaf(x, y) ? 0 : c == 3 ? 1 : 0.25f * static_cast<float>(c + 1);
  });
  write("leaf.png", leaf);
  write("tile.png", noise(rgba, 7));
  for (const std::string& command : commands()) run_command(command);

  const Image orm = read("orm.png"), g = read("g.png"), directx = read("directx.png"),
              filled = read("filled.png"), atlas = read("atlas.png");
  EXPECT_TRUE(same_pixels(g, rough));
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      EXPECT_EQ(code(orm, x, y, 0), code(ao, x, y));
      EXPECT_EQ(code(orm, x, y, 2), code(metal, x, y));
      EXPECT_EQ(code(directx, x, y, 0), code(normal, x, y, 0));
      EXPECT_EQ(code(directx, x, y, 1), 255 - code(normal, x, y, 1));
      EXPECT_EQ(code(filled, x, y, 3), code(leaf, x, y, 3));
      const bool is_near = std::hypot(x - 15.5, y - 15.5) < 16;
      for (int c = 0; c < 3 && is_near; ++c)
        EXPECT_NEAR(code(filled, x, y, c), 64 * (c + 1), 1) << x << "," << y;
    }
  expect_unit_normals("small.png");
  EXPECT_EQ(read("half.png").spec().data_window, (Rect{0, 0, side / 2, side / 2}));
  EXPECT_EQ(atlas.spec().data_window, (Rect{0, 0, 2 * side, 2 * side}));
  EXPECT_EQ(code(read("seam.png"), 16, 16), code(read("tile.png"), 0, 0));
  EXPECT_EQ(code(atlas, 16 + side, 16, 3), code(read("tile.png"), 0, 0, 3));
  EXPECT_EQ(code(atlas, 5 + side, 5 + side, 3), 0);  // the empty place

  // The normals of the height map, which is the last n.exr.
  run_command(command_for("length.exr"));
  run_command(command_for("small.png"));
  expect_unit_normals("small.png");
  EXPECT_EQ(read("small.png").spec().data_window, (Rect{0, 0, side, side}));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// A GIF's only frame is given row by row, without a canvas; an animation's canvas is counted.
#include <gtest/gtest.h>

#include "io/made_gif.h"
#include "io/memory_images.h"
#include "io/successive_parts.h"

namespace cuimg::test {
namespace {

// Frames that cover the canvas, lie within it, partly outside it, and outside it, with and without
// transparent pixels.
std::vector<MadeGif> single_frames(bool interlaced) {
  std::vector<MadeGif> made;
  for (const Rect& place : {Rect{0, 0, 11, 19}, Rect{3, 2, 5, 9}, Rect{7, 12, 9, 30},
                            Rect{0, 15, 40, 2}, Rect{30, 3, 4, 4}, Rect{2, 40, 3, 5}})
    for (const bool has_transparent : {false, true}) {
      MadeGif gif{11, 19, gif_colors(3, 5)};
      MadeGifFrame frame{place.x, place.y, place.width, place.height};
      frame.interlaced = interlaced;
      if (has_transparent) frame.transparent = 6;
      for (int i = 0; i < place.width * place.height; ++i)
        frame.indices.push_back(static_cast<std::uint8_t>((i * 5 + i / 7) % 8));
      gif.frames = {frame};
      made.push_back(std::move(gif));
    }
  return made;
}

class OpenedGif {
 public:
  explicit OpenedGif(const MadeGif& gif)
      : bytes_(gif.bytes()), file_(open_file(ByteSource::from_memory(bytes_, "made"), {})) {}
  ImageFile& operator*() const { return *file_; }
  ImageFile* operator->() const { return file_.get(); }

 private:
  const MadeBytes bytes_;
  const std::unique_ptr<ImageFile> file_;
};

TEST(GifRows, OfASingleFrameAreThoseOfTheFirstOfTwo) {
  for (const bool interlaced : {false, true})
    for (const MadeGif& gif : single_frames(interlaced)) {
      MadeGif two = gif;
      two.frames.push_back(gif.frames.front());
      EXPECT_TRUE(same_pixels(read_part(*OpenedGif(gif), 0), read_part(*OpenedGif(two), 0)));
    }
}

TEST(GifRows, OfASingleFrameAreCompleteOneAfterTheOther) {
  const OpenedGif gif(single_frames(false)[2]);
  const auto decoder = gif->open(0);
  EXPECT_TRUE(decoder->reads_in_order());
  Image image(decoder->spec());
  RowProgress progress;
  std::vector<int> complete;
  progress.watch([&](int rows) { complete.push_back(rows); });
  decoder->read(image, progress);
  ASSERT_GE(complete.size(), 19u);
  for (int y = 0; y < 19; ++y) EXPECT_EQ(complete[static_cast<std::size_t>(y)], y + 1);
}

TEST(GifRows, NeedMemoryForTheCanvasOfAnAnimation) {
  MadeGif gif = single_frames(true).front();
  EXPECT_EQ(OpenedGif(gif)->open(0)->held_bytes(), 0u);
  EXPECT_FALSE(OpenedGif(gif)->open(0)->reads_in_order());  // it is interlaced
  gif.frames.push_back(gif.frames.front());
  constexpr std::size_t canvas = 4 * 11 * 19;
  EXPECT_EQ(OpenedGif(gif)->open(0)->held_bytes(), canvas);
  gif.frames[1] = {0, 0, 5, 2, 3};  // whose area is restored
  gif.frames[1].indices.assign(10, 1);
  EXPECT_EQ(OpenedGif(gif)->open(0)->held_bytes(), canvas + 4 * 5 * 2);
  const OpenedGif file(gif);
  dynamic_cast<SuccessiveParts&>(*file).keep_latest(10 * canvas);
  EXPECT_EQ(file->open(0)->held_bytes(), canvas + 4 * 5 * 2 + 2 * canvas);
  EXPECT_FALSE(file->open(0)->reads_in_order());
}

}  // namespace
}  // namespace cuimg::test

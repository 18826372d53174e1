// SPDX-License-Identifier: Apache-2.0
// GIF: frames as displayed. Expected pictures are computed here according to GIF89a.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "io/successive_parts.h"
#include "io/tags/icc.h"
#include "io/tags/xmp.h"
#include "made_gif.h"
#include "made_profiles.h"
#include "memory_images.h"

namespace cuimg::test {
namespace {

const GifColors letters = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 9, 9}};  // a b c d

// The picture as letters for the colours above, '.' for transparent pixels, '
// ' between rows.
std::string letters_of(const Image& image) {
  std::string text;
  const Rect window = image.spec().data_window;
  const int channels = image.spec().layers[0].channel_count();
  for (int y = 0; y < window.height; ++y) {
    if (y > 0) text += '|';
    for (int x = 0; x < window.width; ++x) {
      char letter = '?';
      for (std::size_t i = 0; i < letters.size(); ++i)
        if (value_at<std::uint8_t>(image, 0, x, y, 0) == letters[i][0] &&
            value_at<std::uint8_t>(image, 0, x, y, 1) == letters[i][1] &&
            value_at<std::uint8_t>(image, 0, x, y, 2) == letters[i][2])
          letter = static_cast<char>('a' + i);
      if (channels == 4 && value_at<std::uint8_t>(image, 0, x, y, 3) == 0) letter = '.';
      text += letter;
    }
  }
  return text;
}

MadeGifFrame lettered(int x, int y, int width, const std::string& text, unsigned disposal) {
  MadeGifFrame frame{x, y, width, static_cast<int>(text.size()) / width, disposal};
  for (const char c : text)
    frame.indices.push_back(static_cast<std::uint8_t>(c == '.' ? 3 : c - 'a'));
  if (text.find('.') != std::string::npos) frame.transparent = 3;
  return frame;
}

std::vector<std::string> pictures(const MadeBytes& bytes) {
  const auto file = open_file(ByteSource::from_memory(bytes, "made"), {});
  std::vector<std::string> result;
  for (int part = 0; part < file->part_count(); ++part) {
    const auto decoder = file->open(part);
    Image image(decoder->spec());
    RowProgress progress;
    decoder->read(image, progress);
    result.push_back(letters_of(image));
  }
  return result;
}

TEST(Gif, DrawsEachFrameOverWhatTheOneBeforeLeaves) {
  using Texts = std::vector<std::string>;
  MadeGif gif{4, 2, letters};
  gif.frames = {lettered(0, 0, 4, "aaaaaaaa", 1), lettered(1, 0, 2, "b.bb", 0),
                lettered(3, 1, 1, "c", 1)};
  gif.background = 3;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"aaaa|aaaa", "abaa|abba", "abaa|abbc"}));
  // The frame's area becomes transparent, whatever colour it had.
  gif.frames[1].disposal = 2;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"aaaa|aaaa", "abaa|abba", "a..a|a..c"}));
  // The pixels that it covered come back.
  gif.frames[1].disposal = 3;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"aaaa|aaaa", "abaa|abba", "aaaa|aaac"}));
  // After several such frames the state before the first one comes back: the background.
  for (MadeGifFrame& frame : gif.frames) frame.disposal = 3;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"aaaa|aaaa", "dbdd|dbbd", "dddd|dddc"}));
  // Undefined numbers leave the frame's pixels there.
  for (MadeGifFrame& frame : gif.frames) frame.disposal = 5;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"aaaa|aaaa", "abaa|abba", "abaa|abbc"}));
}

TEST(Gif, ShowsItsBackgroundUnlessTheFirstFrameIsTransparent) {
  using Texts = std::vector<std::string>;
  MadeGif gif{3, 1, letters};
  gif.frames = {lettered(1, 0, 1, "a", 1), lettered(2, 0, 1, "b", 1)};
  for (const unsigned number : {2u, 200u}) {  // the last colour if there are fewer
    gif.background = number;
    EXPECT_EQ(pictures(gif.bytes()), number == 2 ? (Texts{"cac", "cab"}) : (Texts{"dad", "dab"}));
  }
  gif.frames[1].transparent = 0;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"dad", "dab"}));
  gif.frames[0].transparent = 1;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{".a.", ".ab"}));
  // White, next to a frame with its own colours.
  gif.frames[0].transparent.reset();
  gif.frames[0].colors = letters;
  EXPECT_EQ(pictures(gif.bytes()), (Texts{"?a?", "?ab"}));
  EXPECT_EQ(value_at<std::uint8_t>(decoded(gif.bytes()), 0, 0, 0, 1), 255);
}

TEST(Gif, ClipsFramesToTheCanvas) {
  MadeGif gif{3, 2, letters};
  gif.background = 3;
  gif.frames = {lettered(2, 1, 3, "abcabc", 3), lettered(7, 0, 1, "bb", 2),
                lettered(0, 9, 2, "bb", 3), lettered(0, 1, 9, "cccccccccccccccccc", 1)};
  EXPECT_EQ(pictures(gif.bytes()),
            (std::vector<std::string>{"ddd|dda", "ddd|ddd", "ddd|ddd", "ddd|ccc"}));
}

TEST(Gif, TakesTheFirstFramesSizeWhereTheCanvasHasNone) {
  MadeGif gif{0, 0, letters};
  gif.frames = {lettered(0, 0, 2, "abcd", 0), lettered(0, 0, 3, "aaabbb", 0)};
  EXPECT_EQ(pictures(gif.bytes()), (std::vector<std::string>{"ab|cd", "aa|bb"}));
}

TEST(Gif, IsRgbWhereNothingShowsThrough) {
  MadeGif gif{2, 1, letters};
  gif.frames = {lettered(0, 0, 2, "ab", 3)};
  const auto channels = [&] { return decoded(gif.bytes()).spec().layers[0].channel_count(); };
  EXPECT_EQ(channels(), 3);
  gif.frames.push_back(lettered(0, 0, 1, "c", 1));
  EXPECT_EQ(channels(), 3);  // drawn over the background
  gif.frames[0].transparent = 2;
  EXPECT_EQ(channels(), 4);  // drawn over nothing
  gif.frames[0].transparent.reset();
  gif.frames[0].disposal = 1;
  EXPECT_EQ(channels(), 3);
  gif.frames[1].disposal = 2;
  EXPECT_EQ(channels(), 3);  // no frame follows it
  gif.frames.push_back(lettered(1, 0, 1, "c", 1));
  EXPECT_EQ(channels(), 4);
  EXPECT_EQ(pictures(gif.bytes()).back(), ".c");
}

// The pixels of frame k by the definition. What is below it depends on how the frame before is
// disposed of.
class Definition {
 public:
  explicit Definition(const MadeGif& gif) : gif_(gif) {}
  using Canvas = std::vector<std::uint32_t>;

  Canvas seen(std::size_t k) const {
    Canvas canvas = under(k);
    const MadeGifFrame& frame = gif_.frames[k];
    const GifColors& colors = frame.colors.empty() ? gif_.colors : frame.colors;
    each_pixel(frame, [&](std::size_t at, std::uint8_t index) {
      if (index == frame.transparent) return;
      canvas[at] = opaque(colors[index]);
    });
    return canvas;
  }

 private:
  Canvas under(std::size_t k) const {
    if (k == 0)
      return Canvas(static_cast<std::size_t>(gif_.width * gif_.height), background(gif_.frames[0]));
    const MadeGifFrame& before = gif_.frames[k - 1];
    if (before.disposal == 3) return under(k - 1);
    Canvas canvas = seen(k - 1);
    if (before.disposal == 2) each_pixel(before, [&](std::size_t at, int) { canvas[at] = 0; });
    return canvas;
  }
  std::uint32_t background(const MadeGifFrame& first) const {
    if (first.transparent) return 0;
    return first.colors.empty() ? opaque(gif_.colors[gif_.background]) : 0xffffffffu;
  }
  static std::uint32_t opaque(const std::array<std::uint8_t, 3>& c) {
    return c[0] | c[1] << 8 | c[2] << 16 | 255u << 24;
  }
  template <class Change>
  void each_pixel(const MadeGifFrame& frame, const Change& change) const {
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x)
        if (frame.x + x < gif_.width && frame.y + y < gif_.height)
          change(static_cast<std::size_t>((frame.y + y) * gif_.width + frame.x + x),
                 frame.indices[static_cast<std::size_t>(y * frame.width + x)]);
  }
  const MadeGif& gif_;
};

MadeGif forty_frames(unsigned seed) {
  std::uint32_t state = seed;
  const auto below = [&](int limit) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(limit));
  };
  MadeGif gif{23, 17, seed % 2 == 0 ? GifColors{} : gif_colors(4, seed), 3, "forty of them"};
  for (unsigned i = 0; i < 40; ++i) {
    const bool whole = below(8) == 0;
    MadeGifFrame frame;
    frame.width = whole ? gif.width : 1 + below(gif.width + 5);
    frame.height = whole ? gif.height : 1 + below(gif.height + 5);
    if (!whole) frame.x = below(gif.width + 3), frame.y = below(gif.height + 3);
    frame.disposal = static_cast<unsigned>(below(4));
    frame.interlaced = below(2) == 0;
    frame.delay = i;
    if (gif.colors.empty() || below(3) == 0) frame.colors = gif_colors(1 + below(8), i);
    const auto& colors = frame.colors.empty() ? gif.colors : frame.colors;
    const int count = static_cast<int>(colors.size());
    if (below(2) == 0) frame.transparent = static_cast<unsigned>(below(count));
    for (int p = 0; p < frame.width * frame.height; ++p)
      frame.indices.push_back(static_cast<std::uint8_t>(below(count)));
    gif.frames.push_back(frame);
  }
  return gif;
}

void expect_seen(Decoder& decoder, const Definition::Canvas& expected, int part) {
  Image image(decoder.spec());
  RowProgress progress;
  decoder.read(image, progress);
  const int channels = image.spec().layers[0].channel_count();
  const Rect window = image.spec().data_window;
  for (int y = 0; y < window.height; ++y)
    for (int x = 0; x < window.width; ++x)
      for (int c = 0; c < 4; ++c) {
        const auto at = static_cast<std::size_t>(y * window.width + x);
        const auto value = c < channels ? value_at<std::uint8_t>(image, 0, x, y, c) : 255;
        ASSERT_EQ(value, expected[at] >> 8 * c & 255)
            << "part " << part << " at " << x << ',' << y << ',' << c;
      }
}

TEST(Gif, ComposesFortyFramesAsTheFormatDefinesThem) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const MadeGif gif = forty_frames(seed);
    const MadeBytes bytes = gif.bytes();
    const Definition definition(gif);
    const auto file = open_file(ByteSource::from_memory(bytes, "made"), {});
    ASSERT_EQ(file->part_count(), 40);
    // In order, and then in random order: earlier requests must not matter.
    for (int i = 0; i < 80; ++i) {
      const int part = i < 40 ? i : i * 7 % 40;
      expect_seen(*file->open(part), definition.seen(static_cast<std::size_t>(part)), part);
    }
    for (const int part : {0, 13, 39}) {
      DecodeOptions options;
      options.part = part;
      const auto alone = open_image(ByteSource::from_memory(bytes, "made"), options);
      expect_seen(*alone, definition.seen(static_cast<std::size_t>(part)), part);
    }
  }
}

TEST(Gif, KeepsDelaysLoopAndComment) {
  const MadeBytes bytes = forty_frames(1).bytes();
  DecodeOptions options;
  options.part = 12;
  const Metadata metadata =
      open_image(ByteSource::from_memory(bytes, "made"), options)->spec().metadata;
  EXPECT_EQ(metadata.at("gif:delay_ms"), MetadataValue(std::int64_t{120}));
  EXPECT_EQ(metadata.at("gif:loop"), MetadataValue(std::int64_t{3}));
  EXPECT_EQ(metadata.at("comments"), MetadataValue(std::string("forty of them")));
  MadeGif still{1, 1, letters};
  still.frames = {lettered(0, 0, 1, "a", 0)};
  EXPECT_TRUE(decoded(still.bytes()).spec().metadata.empty());
}

// Two pixels in a file with a profile and XMP.
MadeGif described_gif(const MadeBytes& profile, std::string_view xmp) {
  MadeGif gif{2, 1, letters};
  gif.icc_profile = profile;
  gif.xmp = xmp;
  gif.frames = {lettered(0, 0, 2, "ab", 0)};
  return gif;
}

TEST(Gif, KeepsXmpOfAnyLength) {
  for (std::size_t length = 1; length < 800; length += length < 300 ? 1 : 37) {
    std::string text = "<x:xmpmeta>";
    while (text.size() < length) text += static_cast<char>('!' + text.size() % 90);
    const Image image = decoded(described_gif({}, text).bytes());
    EXPECT_EQ(image.spec().metadata.at("xmp"), MetadataValue(bytes_of_text(text))) << length;
  }
  // Some programs write it in blocks.
  MadeBytes bytes = described_gif({}, "").bytes(), extension;
  put_le(extension, 0xff21, 2), put_le(extension, 11, 1), put_text(extension, "XMP DataXMP");
  const MadeBytes text = bytes_of_text(std::string(400, 'x'));
  put_gif_blocks(extension, text);
  bytes.insert(std::find(bytes.begin(), bytes.end(), std::byte{0x21}), extension.begin(),
               extension.end());
  EXPECT_EQ(decoded(bytes).spec().metadata.at("xmp"), MetadataValue(text));
}

TEST(Gif, ItsProfileSaysWhatColoursAre) {
  const MadeBytes matrix = rgb_profile(p3_colors, power_curve(1.8));
  const Image image = decoded(described_gif(matrix, "").bytes());
  EXPECT_EQ(image.spec().color.primaries, primaries::p3_d65);
  EXPECT_EQ(image.spec().color.curve, Curve::gamma);
  ASSERT_TRUE(image.spec().color.profile);
  EXPECT_EQ(image.spec().color.profile->bytes, matrix);
  DecodeOptions raw;
  raw.raw = true;
  EXPECT_EQ(decoded(described_gif(matrix, "").bytes(), raw).spec().color.profile->bytes, matrix);
  // Profiles with tables are converted, as in other formats with the same codes.
  const MadeBytes tables = table_profile(false);
  const Image converted = decoded(described_gif(tables, "").bytes());
  ASSERT_EQ(converted.spec().layers[0].type, PixelType::u16);
  const Image codes = decoded(described_gif({}, "").bytes());
  std::vector<std::byte> row;
  for (int i = 0; i < 2 * converted.spec().layers[0].channel_count(); ++i)
    row.insert(row.end(), 2, codes.row(0, 0)[i]);
  interpret_icc(tables, IccPixels::rgb)
      .conversion->convert(row.data(), 2, converted.spec().layers[0].channel_count());
  EXPECT_EQ(std::memcmp(converted.row(0, 0), row.data(), row.size()), 0);
  EXPECT_EQ(decoded(described_gif(bytes_of_text("garbage"), "").bytes()).spec().color.curve,
            Curve::srgb);
}

std::string problem_of(const MadeBytes& bytes, const DecodeOptions& options = {}) {
  return error_of([&] { decoded(bytes, options); });
}

TEST(Gif, RefusesWhatIsMalformed) {
  MadeGif gif{2, 1, letters};
  EXPECT_EQ(problem_of(gif.bytes()), "memory: GIF: no picture");
  gif.frames = {lettered(0, 0, 2, "ab", 0)};
  EXPECT_EQ(problem_of(gif.bytes()), "");
  gif.colors.clear();
  gif.frames[0].colors = {{1, 2, 3}, {4, 5, 6}};
  gif.frames[0].indices = {1, 2};
  EXPECT_EQ(problem_of(gif.bytes()), "memory: GIF: colour 2 is not in the colour map");
  gif.frames[0].colors.clear();
  EXPECT_EQ(problem_of(gif.bytes()), "memory: GIF: a frame has no colour map");
  gif.colors = letters;
  gif.frames[0].width = 0;
  EXPECT_NE(problem_of(gif.bytes()), "");
}

TEST(Gif, ChecksSizesBeforeItTakesMemory) {
  MadeGif gif{40000, 40000, letters};
  gif.frames = {lettered(0, 0, 2, "ab", 0)};
  EXPECT_NE(problem_of(gif.bytes()).find("40000x40000"), std::string::npos);
  gif.width = gif.height = 20;
  MadeBytes bytes = gif.bytes();
  EXPECT_EQ(problem_of(bytes), "");
  // A frame of 20000 x 20000 with codes for only two pixels.
  const auto comma = std::find(bytes.begin(), bytes.end(), std::byte{','});
  for (const int i : {5, 7}) comma[i] = std::byte{0x20}, comma[i + 1] = std::byte{0x4e};
  EXPECT_EQ(problem_of(bytes), "memory: GIF: a frame is cut short");
}

TEST(Gif, RefusesMoreFramesThanAFileMayHaveParts) {
  MadeGif gif{1, 1, letters};
  gif.frames.assign(static_cast<std::size_t>(most_parts), lettered(0, 0, 1, "a", 0));
  EXPECT_EQ(problem_of(gif.bytes()), "");
  gif.frames.push_back(gif.frames[0]);
  EXPECT_EQ(problem_of(gif.bytes()), "memory: GIF: more than 10000 frames");
}

TEST(Gif, ChangedBytesOfItsExtensionsDoNoHarm) {
  MadeBytes whole = described_gif(rgb_profile(p3_colors, srgb_curve()), "<x:xmpmeta/>").bytes();
  for (std::size_t i = 13; i < whole.size(); ++i)
    for (const int value : {0, 1, 0x7f, 0xff}) {
      MadeBytes changed = whole;
      changed[i] = static_cast<std::byte>(value);
      problem_of(changed);
    }
}

TEST(Gif, ShowsTheSameFramesInAnyOrder) {
  const MadeBytes bytes = forty_frames(2).bytes();
  const auto image_of = [](ImageFile& file, int part) { return read_part(file, part); };
  const auto in_order = open_file(ByteSource::from_memory(bytes, "made"), {});
  std::vector<Image> expected;
  for (int part = 0; part < in_order->part_count(); ++part)
    expected.push_back(image_of(*in_order, part));
  const std::size_t frame_bytes =
      4 * static_cast<std::size_t>(expected[0].spec().data_window.pixels());
  // The number of kept frames: none, one, a few, all.
  for (const std::size_t kept : {0, 1, 3, 1000}) {
    const auto file = open_file(ByteSource::from_memory(bytes, "made"), {});
    dynamic_cast<SuccessiveParts&>(*file).keep_latest(kept * frame_bytes);
    const int count = file->part_count();
    for (int i = 0; i < count; ++i)
      for (const int part : {(i + 2) % count, i, i * 7 % count})
        EXPECT_TRUE(same_pixels(image_of(*file, part), expected[static_cast<std::size_t>(part)]))
            << part << " with " << kept;
  }
}

TEST(Gif, RefusesFilesCutShort) {
  const MadeBytes whole = forty_frames(2).bytes();
  for (std::size_t i = 0; i < 60; ++i) {
    const std::size_t length = i < 30 ? whole.size() * i / 30 : whole.size() - (i - 29);
    if (length == 0) continue;
    const MadeBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(problem_of(cut), "") << length << " of " << whole.size();
  }
}

}  // namespace
}  // namespace cuimg::test

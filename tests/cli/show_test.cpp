// SPDX-License-Identifier: Apache-2.0
// show: half blocks if no terminal answers, sixels and kitty's graphics if the terminal supports
// them.
#include <atomic>
#include <filesystem>
#include <sstream>
#include <thread>

#include "support/images.h"
#include "support/process.h"
#include "support/terminal.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::string kitty_question = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";
const std::string question = kitty_question + "\x1b[c";

class Show : public testing::Test {
 protected:
  void SetUp() override {
    // Red and green above, blue and white below.
    write("four.png",
          image_of(spec_of({0, 0, 2, 2}, PixelType::u8, 3), [](int, int x, int y, int c) {
            return x == 1 && y == 1 ? 1.0f : c == x + 2 * y ? 1.0f : 0.0f;
          }));
  }
  void write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named(name.substr(name.rfind('.') + 1)));
  }
  Outcome show(Words words, RunOptions options = {}) const {
    words.insert(words.begin(), {CUIMG_PROGRAM, "show"});
    options.folder = folder_.path().string();
    // Unset what the environment of the test run has set.
    for (const char* const unset : {"KITTY_WINDOW_ID=", "TMUX=", "STY=", "TERM=xterm-256color"})
      options.environment.insert(options.environment.begin(), unset);
    return run(words, options);
  }
  // The program's output on a terminal of this size that sends `answer` to its question.
  std::string shown(const Words& words, const std::string& answer,
                    const Words& environment = {}) const {
    const Terminal terminal;
    terminal.resize(80, 24, 800, 480);
    // A terminal always reads. Unread output would block the program.
    std::string text;
    std::atomic<bool> done = false;
    std::thread reading([&] {
      bool answered = answer.empty();
      while (!done) {
        text += terminal.shown(10);
        if (answered || !text.ends_with("\x1b[c")) continue;
        EXPECT_EQ(text, question);
        text.clear();
        terminal.type(answer);
        answered = true;
      }
      EXPECT_TRUE(answered) << "nothing was asked";
    });
    const Outcome outcome = show(words, {.environment = environment, .out_file = terminal.name()});
    done = true;
    reading.join();
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return text + terminal.shown();
  }
  const TempDir folder_;
};

TEST_F(Show, OffATerminalIsHalfBlocksAndAsksNothing) {
  const Outcome outcome = show({"four.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "\x1b[38;2;255;0;0m\x1b[48;2;0;0;255m\u2580"
            "\x1b[38;2;0;255;0m\x1b[48;2;255;255;255m\u2580\x1b[0m\n");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST_F(Show, IsAsWideAsTheTerminalAndEightyColumnsWithoutOne) {
  write("wide.png", flat(spec_of({0, 0, 320, 100}, PixelType::u8, 3), 0.5f));
  const std::string out = show({"wide.png"}).out;
  EXPECT_EQ(count_of(out, "\u2580"), 80u * 13);  // 80x25 pixels
  EXPECT_EQ(count_of(out, "\n"), 13u);
  EXPECT_EQ(count_of(show({"--columns", "40", "wide.png"}).out, "\u2580"), 40u * 7);  // 40x13
  // A terminal with 24 lines has space for 46 pixels.
  write("tall.png", flat(spec_of({0, 0, 100, 460}, PixelType::u8, 3), 0.5f));
  EXPECT_EQ(count_of(shown({"--protocol", "blocks", "tall.png"}, ""), "\u2580"), 10u * 23);
}

TEST_F(Show, ATerminalThatAnswersWithFourGetsSixels) {
  const std::string text = shown({"four.png"}, "\x1b[?62;4;22c");
  EXPECT_EQ(text.substr(0, 4), "\x1bP0;");
  EXPECT_NE(text.find("q\"1;1;2;2#0;2;0;0;0"), std::string::npos) << text;
  EXPECT_NE(text.find("#251;2;100;100;100"), std::string::npos) << text;
  // Red at the top left is colour 5*42; white at the bottom right is the last colour.
  EXPECT_NE(text.find("#210@"), std::string::npos) << text;
  EXPECT_NE(text.find("#251?A-"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\x1b\\\r\n")) << text;
}

TEST_F(Show, ATerminalThatKnowsKittysGraphicsGetsAPng) {
  const std::string text = shown({"four.png"}, "\x1b_Gi=31;OK\x1b\\\x1b[?62c");
  EXPECT_TRUE(text.starts_with("\x1b_Ga=T,f=100,q=2,m=0;iVBORw0KGgo")) << text;
  EXPECT_TRUE(text.ends_with("\x1b\\\r\n")) << text;
}

TEST_F(Show, ATerminalThatKnowsNeitherOrIsSilentGetsBlocks) {
  EXPECT_EQ(count_of(shown({"four.png"}, "\x1b[?62;22c"), "\u2580"), 2u);
  EXPECT_EQ(count_of(shown({"four.png"}, "\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1b[?1;2c"), "\u2580"),
            2u);
  EXPECT_EQ(count_of(shown({"four.png"}, ""), "\u2580"), 2u);
}

TEST_F(Show, TheEnvironmentAndTheOptionGoFirst) {
  const auto asks = [](const std::string& text) {
    return text.find("\x1b[c") != std::string::npos;
  };
  const std::string by_window = shown({"four.png"}, "", {"KITTY_WINDOW_ID=1"});
  EXPECT_TRUE(by_window.starts_with("\x1b_Ga=T")) << by_window;
  EXPECT_TRUE(shown({"four.png"}, "", {"TERM=xterm-kitty"}).starts_with("\x1b_Ga=T"));
  EXPECT_FALSE(asks(shown({"four.png"}, "", {"TERM=dumb"})));
  EXPECT_TRUE(asks(shown({"four.png"}, "", {"KITTY_WINDOW_ID=1", "TMUX=/tmp/tmux-0/default"})));
  const std::string by_option =
      shown({"--protocol", "sixel", "four.png"}, "", {"KITTY_WINDOW_ID=1"});
  EXPECT_TRUE(by_option.starts_with("\x1bP")) << by_option;
  EXPECT_FALSE(asks(by_option));
  EXPECT_TRUE(show({"--protocol", "kitty", "four.png"}).out.starts_with("\x1b_Ga=T"));
}

TEST_F(Show, LeavesTheTerminalAsItWas) {
  const Terminal terminal;
  const int fd = open(terminal.name().c_str(), O_RDWR | O_NOCTTY);
  termios before = {}, after = {};
  tcgetattr(fd, &before);
  EXPECT_EQ(show({"four.png"}, {.out_file = terminal.name()}).exit, 0);
  tcgetattr(fd, &after);
  close(fd);
  EXPECT_EQ(after.c_lflag, before.c_lflag);
  EXPECT_EQ(after.c_cc[VMIN], before.c_cc[VMIN]);
}

TEST_F(Show, PicturesFillTheTerminalsPixelsAndNoMore) {
  write("large.png", noise(spec_of({0, 0, 1000, 500}, PixelType::u8, 3)));
  const std::string text = shown({"--protocol", "sixel", "large.png"}, "");
  EXPECT_NE(text.find("\"1;1;800;400"), std::string::npos) << text.substr(0, 60);
  // kitty's chunks have 4096 characters, and all except the last announce another one.
  const std::string chunks = show({"--protocol", "kitty", "large.png"}).out;
  EXPECT_TRUE(chunks.starts_with("\x1b_Ga=T,f=100,q=2,m=1;"));
  EXPECT_EQ(chunks.find("\x1b\\"), std::string("\x1b_Ga=T,f=100,q=2,m=1;").size() + 4096);
  EXPECT_EQ(count_of(chunks, "m=0;"), 1u);
}

TEST_F(Show, GreyGetsMoreGreysInSixels) {
  write("grey.png", flat(spec_of({0, 0, 6, 6}, PixelType::u8, 1), 1));
  const std::string text = show({"--protocol", "sixel", "grey.png"}).out;
  EXPECT_NE(text.find("#63;2;100;100;100#63!6~-"), std::string::npos) << text;
}

TEST_F(Show, LightPastWhiteIsToneMapped) {
  const auto color = [&](const Words& words) {
    const std::string out = show(words).out;
    return std::stoi(out.substr(out.find("38;2;") + 5));
  };
  write("hdr.exr", image_of(spec_of({0, 0, 2, 1}, PixelType::f32, 3),
                            [](int, int x, int, int) { return x == 0 ? 0.9f : 50.0f; }));
  write("sdr.exr", flat(spec_of({0, 0, 2, 1}, PixelType::f32, 3), 0.9f));
  EXPECT_EQ(color({"sdr.exr"}), 243);
  EXPECT_LT(color({"hdr.exr"}), 243);  // compressed to make room for 50
  EXPECT_EQ(color({"--curve", "off", "hdr.exr"}), 243);
  EXPECT_EQ(color({"--exposure", "-1", "sdr.exr"}), 179);
  EXPECT_NE(color({"--curve", "hable", "hdr.exr"}), color({"hdr.exr"}));
}

TEST_F(Show, WhatIsTranslucentShowsABoard) {
  write("clear.exr", flat(spec_of({0, 0, 16, 2}, PixelType::f32, 4), 0));
  const std::string out = show({"clear.exr"}).out;
  EXPECT_EQ(count_of(out, "38;2;"), 2u) << out;  // two squares of 8 pixels
  write("opaque.exr", flat(spec_of({0, 0, 16, 2}, PixelType::f32, 4), 1));
  EXPECT_EQ(count_of(show({"opaque.exr"}).out, "38;2;255;255;255"), 1u);
}

TEST_F(Show, RefusesIdsAlone) {
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::u32, 1);
  spec.layers[0].channels = {"id"};
  write("id.exr", flat(spec, 7));
  const Outcome outcome = show({"id.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "cuimg: id.exr: it holds only ids, which are not a picture: cuimg stats "
            "describes them\n");
}

TEST_F(Show, FramesOfASequenceAndPicturesOfAFolderAreNamed) {
  for (const char* name : {"in.1.png", "in.2.png", "in.12.png", "sub/a.png"}) {
    std::filesystem::create_directories(folder_ / "sub");
    write(name, flat(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 1));
  }
  const auto names = [&](const Words& words) {
    std::string found;
    std::istringstream lines(show(words).out);
    for (std::string line; std::getline(lines, line);)
      if (line.ends_with(".png:")) found += line;
    return found;
  };
  EXPECT_EQ(names({"--missing", "skip", "in.%d.png"}), "in.1.png:in.2.png:in.12.png:");
  EXPECT_EQ(names({"--frames", "2,12", "in.%d.png"}), "in.2.png:in.12.png:");
  EXPECT_EQ(names({"sub"}), "sub/a.png:");
  EXPECT_EQ(names({"in.1.png"}), "");
  EXPECT_EQ(show({"in.%d.png"}).exit, 2);
  EXPECT_TRUE(show({"in.%d.png"}).err.starts_with("cuimg: in.%d.png: frames 3, 4, 5"))
      << show({"in.%d.png"}).err;
}

TEST_F(Show, RefusesBadUse) {
  const Outcome curve = show({"--curve", "filmic", "four.png"});
  EXPECT_EQ(curve.exit, 2);
  EXPECT_TRUE(curve.err.starts_with("cuimg: show: --curve filmic is unknown")) << curve.err;
  EXPECT_EQ(show({"absent.png"}).err, "cuimg: absent.png: no such file\n");
  EXPECT_EQ(show({}).err, "cuimg: show: no FILE: name one or more, or - for a pipe\n");
  EXPECT_EQ(show({"--columns", "0", "four.png"}).exit, 2);
  EXPECT_EQ(show({"--protocol", "ascii", "four.png"}).exit, 2);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The progress line: on a terminal it is written over, elsewhere it stays away unless asked for.
#include <fcntl.h>
#include <poll.h>

#include "bad_input.h"

namespace cuimg::test {
namespace {

// A terminal of which the program has one end and the test the other.
class Terminal {
 public:
  Terminal() : fd_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    char name[128];
    if (fd_ < 0 || grantpt(fd_) != 0 || unlockpt(fd_) != 0 ||
        ptsname_r(fd_, name, sizeof name) != 0)
      throw std::runtime_error("no terminal");
    name_ = name;
    // With nobody at the other end what was written could be lost.
    program_end_ = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Terminal() {
    close(program_end_);
    close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& name() const { return name_; }
  /// All that was written so far.
  std::string shown() const {
    std::string text;
    pollfd ready = {fd_, POLLIN, 0};
    while (poll(&ready, 1, 100) == 1) {
      char buffer[4096];
      const ssize_t count = read(fd_, buffer, sizeof buffer);
      if (count <= 0) break;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int fd_ = -1, program_end_ = -1;
  std::string name_;
};

class ProgressLine : public BadInput {
 protected:
  void SetUp() override {
    make_picture("a.ppm", 5, 4);
    make_picture("c.ppm", 5, 4);
    folder.write("b.ppm", "no picture");
  }
  std::string shown(const Words& words) const {
    const Terminal terminal;
    cuimg(words, {.err_file = terminal.name()});
    return terminal.shown();
  }
};

TEST_F(ProgressLine, OnATerminalItIsWrittenOverAndErrorsStay) {
  EXPECT_EQ(shown({"convert", "a.ppm", "b.ppm", "c.ppm", "-o", "out/"}),
            "\r\x1b[K[1/3] a.ppm"
            "\r\x1b[Kcuimg: b.ppm: is not an image of a known format: exr, png, jpeg, tiff, hdr, "
            "pfm, pnm, bmp, tga are read\r\n"
            "\r\x1b[K[2/3] b.ppm"
            "\r\x1b[K[3/3] c.ppm"
            "\r\x1b[Kcuimg: 1 of 3 images failed\r\n");
}

TEST_F(ProgressLine, OnATerminalTheLastOneEndsItsLine) {
  EXPECT_EQ(shown({"convert", "a.ppm", "c.ppm", "-o", "out/"}),
            "\r\x1b[K[1/2] a.ppm\r\x1b[K[2/2] c.ppm\r\n");
}

TEST_F(ProgressLine, OneImageOrAWishForQuietShowsNone) {
  EXPECT_EQ(shown({"convert", "a.ppm", "o.png"}), "");
  EXPECT_EQ(shown({"convert", "-q", "a.ppm", "c.ppm", "-o", "out/"}), "");
  EXPECT_EQ(shown({"convert", "--progress", "never", "a.ppm", "c.ppm", "-o", "out/"}), "");
  EXPECT_EQ(shown({"convert", "--progress", "always", "a.ppm", "o.png"}),
            "\r\x1b[K[1/1] a.ppm\r\n");
}

TEST_F(ProgressLine, ElsewhereItIsPlainLinesAndOnlyOnRequest) {
  expect_done({"convert", "a.ppm", "c.ppm", "-o", "out/"});
  const Outcome asked = cuimg({"convert", "--progress", "always", "a.ppm", "c.ppm", "-o", "out/"});
  EXPECT_EQ(asked.err, "[1/2] a.ppm\n[2/2] c.ppm\n");
}

}  // namespace
}  // namespace cuimg::test

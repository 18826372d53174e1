// SPDX-License-Identifier: Apache-2.0
// The images that are found in a folder, those that are left out, and the messages about them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "io/codec.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class FolderInputs : public ProgramFolder {
 protected:
  void make(const std::string& path) const {
    fs::create_directories(fs::path(folder_ / path).parent_path());
    write_image(folder_ / path, noise(spec_of({0, 0, 9, 7}, PixelType::u8, 3)),
                *codec_named("png"));
  }
  std::vector<std::string> made(const std::string& below) const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / below))
      if (!entry.is_directory())
        files.push_back(entry.path().lexically_relative(folder_ / below).string());
    std::ranges::sort(files);
    return files;
  }
};

TEST_F(FolderInputs, HiddenFilesAndFoldersAreLeftOut) {
  make("in/a.png");
  make("in/._a.png");
  make("in/.thumbnails/a.png");
  make("in/sub/.checkpoints/deep/b.png");
  make("in/sub/b.png");
  EXPECT_EQ(cuimg({"convert", "-r", "in", "-o", "out/"}).err, "");
  EXPECT_EQ(made("out"), (Words{"a.png", "sub/b.png"}));
  // A hidden folder that is named explicitly is an INPUT like any other.
  EXPECT_EQ(cuimg({"convert", "in/.thumbnails", "-o", "hidden/"}).exit, 0);
  EXPECT_EQ(made("hidden"), Words{"a.png"});
}

TEST_F(FolderInputs, PicturesThatAreNotReadAreCounted) {
  make("in/a.png");
  folder_.write("in/notes.txt", "x");
  folder_.write("in/.hidden.webp", "x");
  EXPECT_EQ(cuimg({"convert", "in", "-o", "out/"}).err, "");
  folder_.write("in/b.WebP", "x");
  EXPECT_EQ(cuimg({"convert", "in", "-o", "out/"}).err,
            "cuimg: in/b.WebP is left out: .webp is not read\n");
  folder_.write("in/c.heic", "x");
  folder_.write("in/d.webp", "x");
  const Outcome outcome = cuimg({"convert", "in", "-o", "out/"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(
      outcome.err,
      "cuimg: in: 3 files are left out, since their formats cannot be read: 1 .heic, 2 .webp\n");
  EXPECT_EQ(cuimg({"convert", "-q", "in", "-o", "out/"}).err, "");
}

TEST_F(FolderInputs, PatternsChooseAmongTheFilesOfFolders) {
  for (const char* name : {"in/a.png", "in/b_proxy.png", "in/sub/c.png", "in/sub/d_proxy.png",
                           "in/cache/e.png", "in/sub/cache/f.png"})
    make(name);
  const auto chosen = [&](Words words) {
    fs::remove_all(folder_ / "out");
    words.insert(words.begin(), {"convert", "-r", "in", "-o", "out/"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return made("out");
  };
  EXPECT_EQ(chosen({"--exclude", "*_proxy.png", "--exclude", "cache"}),
            (Words{"a.png", "sub/c.png"}));
  EXPECT_EQ(chosen({"--include", "sub/**", "--exclude", "sub/cache/"}),
            (Words{"sub/c.png", "sub/d_proxy.png"}));
  EXPECT_EQ(chosen({"--include", "/[a-c]*.png", "--include", "f.png"}),
            (Words{"a.png", "b_proxy.png", "sub/cache/f.png"}));
  // A file that is named explicitly is always used.
  EXPECT_EQ(chosen({"--include", "c.png", "in/a.png"}), (Words{"a.png", "sub/c.png"}));
  EXPECT_EQ(cuimg({"convert", "-r", "--include", "*.exr", "in", "-o", "none/"}).err,
            "cuimg: in: --include and --exclude select no images in the folder\n");
  EXPECT_EQ(cuimg({"convert", "--exclude", "a*", "in/a.png", "b.png"}).err,
            "cuimg: --exclude a*: no INPUT is a folder: it selects files in folders\n");
  EXPECT_EQ(cuimg({"convert", "--include", "", "in", "-o", "none/"}).exit, 2);
}

TEST_F(FolderInputs, WhatAPatternLeavesOutIsNotCounted) {
  make("in/a.png");
  folder_.write("in/b.webp", "x");
  EXPECT_EQ(cuimg({"convert", "--exclude", "*.webp", "in", "-o", "out/"}).err, "");
  EXPECT_EQ(cuimg({"convert", "--include", "*.png", "in", "-o", "out/"}).err, "");
}

TEST_F(FolderInputs, AFolderThatMayNotBeReadDoesNotStopTheRest) {
  make("in/a.png");
  make("in/locked/b.png");
  make("in/z/c.png");
  fs::create_directory(folder_ / "out");
  for (const char* path : {"", "in", "in/z", "out"}) chmod((folder_ / path).c_str(), 0777);
  chmod((folder_ / "in/locked").c_str(), 0);
  const auto given = without_root({CUIMG_PROGRAM, "convert", "-r", "in", "-o", "out/"});
  if (!given) GTEST_SKIP() << "root may read everything, and the user nobody cannot start cuimg";
  Words words = *given;
  const Outcome outcome = run(words, {.folder = folder_.path().string()});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("cuimg: in/locked: Permission denied\n"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("1 of 3 images failed"), std::string::npos) << outcome.err;
  EXPECT_EQ(made("out"), (Words{"a.png", "z/c.png"}));
  // An unreadable folder's name takes no output's place, and is not checked like an image's name.
  std::filesystem::rename(folder_ / "in/locked", folder_ / "in/a");
  words.back() = "out/{stem}{part}.png";
  EXPECT_NE(run(words, {.folder = folder_.path().string()}).err.find("in/a: Permission denied\n"),
            std::string::npos);
  words.back() = "out/{stem}.png";
  const Outcome beside = run(words, {.folder = folder_.path().string()});
  EXPECT_EQ(beside.exit, 2);
  EXPECT_NE(beside.err.find("cuimg: in/a: Permission denied\n"), std::string::npos) << beside.err;
  fs::remove(folder_ / "in/a.png");
  fs::remove_all(folder_ / "in/z");
  words.back() = "out/";
  EXPECT_EQ(run(words, {.folder = folder_.path().string()}).err,
            "cuimg: in/a: Permission denied\n");
  fs::rename(folder_ / "in/a", folder_ / "in/locked");
  chmod((folder_ / "in/locked").c_str(), 0777);
}

TEST_F(FolderInputs, OutputsThatAreMadeAnewAreNamedOnceAndCounted) {
  for (const char* name : {"a", "b", "c"}) make("in/" + std::string(name) + ".png");
  ASSERT_EQ(cuimg({"flip", "in", "-o", "out/"}).exit, 0);
  const Outcome other = cuimg({"flop", "--skip-existing", "in", "-o", "out/"});
  EXPECT_EQ(other.err,
            "cuimg: out/a.png exists, but was made by another command or from other files; it is "
            "made anew\n"
            "cuimg: 2 more outputs made anew; -v names all\n");
  const Outcome kept = cuimg({"flip", "--skip-existing", "--no-clobber", "in", "-o", "out/"});
  EXPECT_EQ(kept.exit, 2);
  EXPECT_NE(kept.err.find("out/a.png exists, but was made by another command"), std::string::npos)
      << kept.err;
  EXPECT_EQ(kept.err.find("made anew"), std::string::npos) << kept.err;
  const Outcome verbose = cuimg({"flip", "--skip-existing", "-v", "in", "-o", "out/"});
  EXPECT_NE(verbose.err.find("out/c.png exists, but"), std::string::npos) << verbose.err;
  EXPECT_EQ(verbose.err.find("2 more"), std::string::npos) << verbose.err;
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// info and checksum for folders, sequences and lists, and checking a list of checksums.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Listing : public testing::Test {
 protected:
  void make(const std::string& path, unsigned seed = 1) const {
    fs::create_directories(fs::path(folder / path).parent_path());
    write_image(folder / path, noise(spec_of({0, 0, 9, 7}, PixelType::u8, 3), seed),
                *codec_named("png"));
  }
  Outcome cuimg(Words words, const std::string& input = "") const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.input = input, .folder = folder.path().string()});
  }
  // The files in the lines that a command prints, in order.
  Words named(const Words& words, const std::string& input = "") const {
    Words all = words;
    all.insert(all.begin() + 1, "--json");
    const Outcome outcome = cuimg(all, input);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    Words names;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);)
      names.push_back(Json::parse(line)["file"].get<std::string>());
    return names;
  }
  const TempDir folder;
};

TEST_F(Listing, TakesFoldersSequencesAndLists) {
  for (const char* name : {"in/b.png", "in/a.png", "in/sub/c.png", "s.0001.png", "s.0002.png"})
    make(name);
  folder.write("list", "in/b.png\n\ns.0001.png\n");
  for (const std::string command : {"info", "checksum"}) {
    EXPECT_EQ(named({command, "in"}), (Words{"in/a.png", "in/b.png"})) << command;
    EXPECT_EQ(named({command, "-r", "in"}), (Words{"in/a.png", "in/b.png", "in/sub/c.png"}));
    EXPECT_EQ(named({command, "-r", "in", "--exclude", "b*"}), (Words{"in/a.png", "in/sub/c.png"}));
    EXPECT_EQ(named({command, "s.####.png", "in/b.png", "in/b.png"}),
              (Words{"s.0001.png", "s.0002.png", "in/b.png", "in/b.png"}));
    EXPECT_EQ(named({command, "--frames", "2", "s.%04d.png"}), (Words{"s.0002.png"}));
    EXPECT_EQ(named({command, "--files-from", "list"}), (Words{"in/b.png", "s.0001.png"}));
    EXPECT_EQ(named({command, "--files-from", "-", "-0"}, std::string("in/a.png\0s.0002.png", 19)),
              (Words{"in/a.png", "s.0002.png"}));
  }
}

TEST_F(Listing, OneBadFileDoesNotStopTheRest) {
  make("in/a.png");
  folder.write("in/b.png", "no picture");
  make("in/c.png");
  for (const std::string command : {"info", "checksum"}) {
    const Outcome outcome = cuimg({command, "in", "absent.png"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.out.find("in/a.png"), std::string::npos);
    EXPECT_NE(outcome.out.find("in/c.png"), std::string::npos);
    EXPECT_NE(outcome.err.find("cuimg: in/b.png: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("cuimg: absent.png: no such file"), std::string::npos);
  }
}

TEST_F(Listing, RefusesWhatNamesNoFiles) {
  make("s.0001.png");
  make("s.0003.png");
  fs::create_directory(folder / "empty");
  EXPECT_EQ(cuimg({"info"}).err, "cuimg: info: no FILE: name one or more, or - for a pipe\n");
  EXPECT_EQ(cuimg({"info", "empty"}).err, "cuimg: empty: the folder holds no images\n");
  fs::create_directory(folder / "empty/sub");
  EXPECT_EQ(cuimg({"info", "empty"}).err,
            "cuimg: empty: the folder holds no images: -r descends into its folders\n");
  make("other/a.png");
  fs::rename(folder / "other/a.png", folder / "other/uuid1234");
  EXPECT_EQ(cuimg({"info", "other"}).err,
            "cuimg: other: the folder holds no images: files without an image's extension are left "
            "out; name them one by one\n");
  EXPECT_EQ(cuimg({"info", "--files-from", "-", "-"}).err,
            "cuimg: info: - is named twice: standard input can be read only once\n");
  EXPECT_NE(cuimg({"checksum", "s.####.png"}).err.find("frame 2 is missing"), std::string::npos);
  EXPECT_EQ(named({"checksum", "--missing", "skip", "s.####.png"}),
            (Words{"s.0001.png", "s.0003.png"}));
  EXPECT_EQ(cuimg({"checksum", "--missing", "hold", "s.####.png"}).exit, 2);
}

TEST_F(Listing, CharactersThatTurnTheTextAroundThemAreEscaped) {
  const std::string name = "in/\u202egnp.a.png", escaped = "in/\\xe2\\x80\\xaegnp.a.png";
  make(name);
  EXPECT_NE(cuimg({"info", name}).out.find(escaped), std::string::npos);
  const std::string sums = cuimg({"checksum", name}).out;
  EXPECT_NE(sums.find(escaped), std::string::npos) << sums;
  EXPECT_EQ(cuimg({"checksum", "--check", "-"}, sums).exit, 0);
  // Other characters of three bytes are not escaped.
  make("in/\u2030.png");
  EXPECT_NE(cuimg({"info", "in/\u2030.png"}).out.find("in/\u2030.png"), std::string::npos);
}

TEST_F(Listing, AFileOfSeveralNamesIsNotedWhereOneIsReplaced) {
  make("a.png");
  fs::create_hard_link(folder / "a.png", folder / "b.png");
  const std::string before = read_file(folder / "b.png");
  const Outcome outcome = cuimg({"flip", "-v", "--in-place", "a.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("its other name (a hard link) keeps the file as it was"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(read_file(folder / "b.png"), before);
  EXPECT_EQ(cuimg({"flip", "-v", "--in-place", "a.png"}).err.find("hard link"), std::string::npos);
}

TEST_F(Listing, AListOfSumsIsChecked) {
  make("in/a.png", 1);
  make("in/sub/b.png", 2);
  folder.write("sums", cuimg({"checksum", "-r", "in"}).out);
  const Outcome same = cuimg({"checksum", "--check", "sums"});
  EXPECT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.out, "in/a.png: OK\nin/sub/b.png: OK\n");
  EXPECT_EQ(same.err, "");
  EXPECT_EQ(cuimg({"checksum", "-c", "-q", "-"}, read_file(folder / "sums")).out, "");
  // The same pixels in another file have the same checksum; other pixels have another one.
  make("in/sub/b.png", 3);
  const Outcome other = cuimg({"checksum", "--check", "sums"});
  EXPECT_EQ(other.exit, 1);
  EXPECT_EQ(other.out, "in/a.png: OK\nin/sub/b.png: FAILED\n");
  EXPECT_EQ(other.err, "cuimg: checksum: 1 of 2 sums differs\n");
  fs::remove(folder / "in/a.png");
  const Outcome missing = cuimg({"checksum", "--check", "sums"});
  EXPECT_EQ(missing.exit, 2);
  EXPECT_EQ(missing.out, "in/a.png: FAILED open or read\nin/sub/b.png: FAILED\n");
  EXPECT_NE(missing.err.find("cuimg: in/a.png: no such file\n"), std::string::npos);
  const Json line = Json::parse(
      cuimg({"checksum", "--json", "-c", "-"}, std::string(64, '0') + " *in/sub/b.png\n").out);
  EXPECT_EQ(line["same"], false);
  EXPECT_EQ(line["expected"], std::string(64, '0'));
}

TEST_F(Listing, SumsOfPartsAreCheckedPartByPart) {
  const Spec spec = spec_of({0, 0, 9, 7}, PixelType::u8, 3);
  std::vector<Image> parts;
  for (const unsigned seed : {1u, 2u}) parts.push_back(noise(spec, seed));
  write_parts(folder / "p.tif", parts, *codec_named("tif"));
  const std::string sums = cuimg({"checksum", "p.tif"}).out;
  EXPECT_EQ(std::ranges::count(sums, '\n'), 2);
  EXPECT_EQ(cuimg({"checksum", "--check", "-"}, sums).out,
            "p.tif: part 0: OK\np.tif: part 1: OK\n");
  // A file that no longer has a part, and one that has an additional part.
  write_image(folder / "p.tif", parts.front(), *codec_named("tif"));
  EXPECT_EQ(cuimg({"checksum", "--check", "-"}, sums).out,
            "p.tif: part 0: OK\np.tif: part 1: FAILED\n");
  parts.push_back(noise(spec, 3));
  write_parts(folder / "p.tif", parts, *codec_named("tif"));
  const Outcome added = cuimg({"checksum", "--check", "-"}, sums);
  EXPECT_EQ(added.exit, 1);
  EXPECT_EQ(added.out,
            "p.tif: part 0: OK\np.tif: part 1: OK\np.tif: part 2: FAILED not in the list\n");
  EXPECT_EQ(added.err, "cuimg: checksum: 1 part is not in the list\n");
  EXPECT_EQ(cuimg({"checksum", "-q", "--check", "-"}, sums).out,
            "p.tif: part 2: FAILED not in the list\n");
  const std::string lines = cuimg({"checksum", "--json", "--check", "-"}, sums).out;
  const Json last = Json::parse(lines.substr(lines.rfind('{')));
  EXPECT_EQ(last["part"], 2);
  EXPECT_EQ(last["expected"], nullptr);
  EXPECT_EQ(last["same"], false);
  // With --part the list names all that is checked.
  const std::string first = cuimg({"checksum", "--part", "0", "p.tif"}).out;
  EXPECT_EQ(cuimg({"checksum", "--part", "0", "--check", "-"}, first).exit, 0);
}

TEST_F(Listing, NamesOfAnySortComeBackFromAList) {
  const Words names = {"a\nb.png",     "back\\slash.png",   "latin\xe4.png",   "umlaut\xc3\xa4.png",
                       " leading.png", "x.png: part 1.png", "tab\tand\x1b.png"};
  Words words = {"checksum", "--"};
  for (const std::string& name : names) {
    make(name);
    words.push_back(name);
  }
  const Outcome listed = cuimg(words);
  EXPECT_EQ(listed.exit, 0) << listed.err;
  EXPECT_EQ(std::ranges::count(listed.out, '\n'), std::ssize(names));
  EXPECT_EQ(listed.out.find('\x1b'), std::string::npos);
  const Outcome checked = cuimg({"checksum", "--check", "-"}, listed.out);
  EXPECT_EQ(checked.exit, 0) << checked.out << checked.err;
  EXPECT_EQ(std::ranges::count(checked.out, '\n'), std::ssize(names));
}

TEST_F(Listing, OtherFilesThanListsOfSumsAreAnErrorThatNamesTheLine) {
  make("a.png");
  EXPECT_EQ(cuimg({"checksum", "--check", "a.png"}).exit, 2);
  folder.write("sums", cuimg({"checksum", "a.png"}).out + "0123  b.png\n");
  EXPECT_EQ(cuimg({"checksum", "--check", "sums"}).err,
            "cuimg: sums:2: it is no line of cuimg checksum: use SHA-256, two spaces and a file's "
            "name\n");
  folder.write("none", "\n");
  EXPECT_EQ(cuimg({"checksum", "--check", "none"}).err,
            "cuimg: none: it lists no sums: use what cuimg checksum prints\n");
  EXPECT_EQ(cuimg({"checksum", "--check", "-r", "sums"}).exit, 2);
}

TEST_F(Listing, NamesThatAreNoUtf8AreUnambiguousInJson) {
  make("a\xff.png");
  make("a\xfe.png", 2);
  const Outcome outcome = cuimg({"info", "--json", "a\xff.png", "a\xfe.png"});
  std::istringstream lines(outcome.out);
  for (const char* bytes : {"Yf8ucG5n", "Yf4ucG5n"}) {
    std::string line;
    std::getline(lines, line);
    const Json object = Json::parse(line);
    EXPECT_EQ(object["file"], "a\xef\xbf\xbd.png");
    EXPECT_EQ(object["file_base64"], bytes);
  }
  const std::string report = cuimg({"convert", "--json", "a\xff.png", "b\xfd.png"}).out;
  const Json made = Json::parse(report.substr(0, report.find('\n')));
  EXPECT_EQ(made["input_base64"], "Yf8ucG5n");
  EXPECT_EQ(made["output_base64"], "Yv0ucG5n");
}

}  // namespace
}  // namespace cuimg::test

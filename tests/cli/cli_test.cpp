// SPDX-License-Identifier: Apache-2.0
// The program itself, run in a separate folder for each test: help, errors, exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/instruction_set.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

Outcome cuimg(Words words, RunOptions options = {}) {
  words.insert(words.begin(), CUIMG_PROGRAM);
  const TempDir folder;
  if (options.folder.empty()) options.folder = folder.path().string();
  return run(words, options);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Expects exit code 2, one line of error, and no standard output.
void expect_error(const Words& words, const std::string& line) {
  const Outcome outcome = cuimg(words);
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, line + "\n");
  EXPECT_EQ(outcome.out, "");
}

TEST(Program, AlonePrintsUsageOnStandardErrorAndFails) {
  const Outcome outcome = cuimg({});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("Usage: cuimg STAGE [options]")) << outcome.err;
}

TEST(Program, HelpGoesToStandardOutput) {
  const Outcome outcome = cuimg({"--help"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(has(outcome.out, "\nCommands (cuimg help COMMAND):\n"));
  EXPECT_EQ(cuimg({"-h"}).out, outcome.out);
  EXPECT_EQ(cuimg({"help"}).out, outcome.out);
}

TEST(Program, HelpOnATopicIsTheSameByEitherWay) {
  for (const char* topic : {"convert", "info", "checksum", "devices", "version"}) {
    const Outcome outcome = cuimg({"help", topic});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_TRUE(has(outcome.out, std::string("Usage: cuimg ") + topic)) << outcome.out;
    EXPECT_EQ(cuimg({topic, "--nonsense", "--help"}).out, outcome.out);
  }
}

TEST(Program, HelpOfEveryStageFitsEightyColumns) {
  const auto json = nlohmann::json::parse(cuimg({"stages", "--json"}).out);
  ASSERT_FALSE(json["stages"].empty());
  for (const auto& stage : json["stages"]) {
    const Outcome outcome = cuimg({"help", stage["name"]});
    EXPECT_EQ(outcome.exit, 0);
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    for (const auto& p : stage["parameters"])
      EXPECT_TRUE(has(outcome.out, p["name"])) << stage["name"] << " --" << p["name"];
  }
}

TEST(Program, HelpSaysWhatLiesBeyondTheEdges) {
  const auto json = nlohmann::json::parse(cuimg({"stages", "--json"}).out);
  for (const auto& stage : json["stages"]) {
    bool has_color = false;
    std::string black;
    for (const auto& p : stage["parameters"]) {
      has_color = has_color || p["name"] == "color" || p["name"] == "border-color";
      if (p["name"] == "border")
        for (const auto& choice : p["choices"])
          if (choice["name"] == "border") black = choice["help"];
    }
    if (black.empty()) continue;
    EXPECT_EQ(black, has_color ? "a colour" : "black, transparent where there is alpha")
        << stage["name"];
  }
}

TEST(Program, HelpSaysOfAllStagesWhatHoldsForAll) {
  const auto details = [](const std::string& stage) {
    std::string text = cuimg({"help", stage}).out;
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  for (const char* stage : {"blur", "unsharp", "convolve", "box", "median", "sobel", "laplacian",
                            "bilateral", "dilate", "erode", "open", "close"})
    EXPECT_TRUE(has(details(stage), "A data window grows by the stage's reach")) << stage;
  for (const char* stage : {"exposure", "gain", "clamp", "gamma", "levels", "contrast"})
    EXPECT_TRUE(has(details(stage), "With as many values as channels the last one is for alpha"))
        << stage;
  EXPECT_TRUE(has(details("trim"), "; at least 0"));
}

TEST(Program, VersionNamesTheLibrariesWhenAsked) {
  const Outcome brief = cuimg({"--version"});
  EXPECT_EQ(brief.exit, 0);
  EXPECT_EQ(brief.out, cuimg({"version"}).out);
  EXPECT_EQ(std::count(brief.out.begin(), brief.out.end(), '\n'), 1);
  const Outcome full = cuimg({"--version", "-v"});
  for (const char* name : {"OpenEXR", "libpng", "libtiff", "lcms2", "CUDA driver"})
    EXPECT_TRUE(has(full.out, name)) << full.out;
}

TEST(Program, UsesTheInstructionsThatTheVariableAllowsAndSaysWhich) {
  const auto with_cpu = [](const std::string& value, const Words& words) {
    return cuimg(words, {.environment = {"CUIMG_CPU=" + value}});
  };
  const auto line = [](InstructionSet set) {
    return "CPU instructions     " + std::string(name_of(set)) + "\n";
  };
  EXPECT_TRUE(has(with_cpu("baseline", {"version", "-v"}).out, line(InstructionSet::baseline)));
  EXPECT_TRUE(has(with_cpu("native", {"version", "-v"}).out, line(native_instruction_set())));
  const Outcome wrong = with_cpu("avx2", {"version"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_EQ(wrong.err, "cuimg: CUIMG_CPU: \"avx2\" is not known: use native or baseline\n");
}

TEST(Program, UnknownWordsAreOneLineWithTheNearest) {
  expect_error({"convrt", "a", "b"},
               "cuimg: convrt: unknown stage or command: did you mean convert?");
  expect_error({"chekcsum", "a"},
               "cuimg: chekcsum: unknown stage or command: did you mean checksum?");
  expect_error({"sharpen", "a", "b"}, "cuimg: sharpen: unknown stage or command: use unsharp");
  expect_error({"blur", "+", "sharpen", "a", "b"}, "cuimg: sharpen: unknown stage: use unsharp");
  expect_error({"blur", "+", "info", "a"},
               "cuimg: info: it is a command, but a stage is expected here: run it alone, on the "
               "chain's output");
  expect_error({"help", "montage"}, "cuimg: help: montage is unknown: use contact or append");
  expect_error({"convert", "--qualty", "3", "a", "b"},
               "cuimg: convert: unknown option --qualty: did you mean --quality?");
  expect_error({"info", "--jsn", "a"}, "cuimg: info: unknown option --jsn: did you mean --json?");
  expect_error({"convert", "--quality", "101", "a", "b"},
               "cuimg: convert: --quality 101 is out of range: use 1 to 100");
  expect_error({"convert", "--quality", "9x", "a", "b"},
               "cuimg: convert: --quality 9x is not a whole number: use 1 to 100");
  expect_error({"convert", "a"}, "cuimg: convert: no OUTPUT: name it last, or with -o");
  expect_error({"info"}, "cuimg: info: no FILE: name one or more, or - for a pipe");
  expect_error({"devices", "x"}, "cuimg: devices: x is left over: it takes no files");
  expect_error({"help", "convret"}, "cuimg: help: convret is unknown: did you mean convert?");
}

TEST(Program, AFileInTheStagesPlaceIsExplained) {
  const TempDir folder;
  folder.write("in.png", "x");
  const Outcome outcome = cuimg({"in.png", "out.png"}, {.folder = folder.path().string()});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(
      outcome.err,
      "cuimg: in.png: it is a file, but a stage or command is expected here: use cuimg convert "
      "INPUT OUTPUT\n");
}

TEST(Program, SaysWhichFoldersItLeavesOut) {
  const TempDir folder;
  const RunOptions here = {.folder = folder.path().string()};
  std::filesystem::create_directories(folder / "in/sub");
  ASSERT_EQ(cuimg({"noise", "--size", "4x4", "in/sub/a.png"}, here).exit, 0);
  std::filesystem::create_directory_symlink("sub", folder / "in/link");
  const std::string warning =
      "cuimg: in/link is a link to a folder, which -r does not follow: name it as an INPUT\n";
  const Words command = {"flip", "-r", "in", "-o", "in/out/"};
  const auto with = [&](const char* option) {
    Words words = command;
    words.emplace_back(option);
    return cuimg(words, here);
  };
  EXPECT_EQ(cuimg(command, here).err, warning);
  EXPECT_EQ(with("--quiet").err, "");
  // The folder may also hold someone's pictures, which outputs of the same names replace.
  EXPECT_EQ(cuimg(command, here).err,
            warning + "cuimg: in/out is left out: outputs are written there\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "in/out/out"));
  // The reason if no input is left.
  std::filesystem::create_directory(folder / "links");
  std::filesystem::create_directory_symlink("../in", folder / "links/in");
  EXPECT_EQ(cuimg({"flip", "-r", "links", "-o", "o/"}, here).err,
            "cuimg: links/in is a link to a folder, which -r does not follow: name it as an INPUT\n"
            "cuimg: links: the folder holds no images\n");
}

TEST(Program, ReadsAListFromAPipeToItsEnd) {
  const TempDir folder;
  const RunOptions here = {.folder = folder.path().string()};
  ASSERT_EQ(cuimg({"noise", "--size", "4x4", "a.png"}, here).exit, 0);
  std::string list;
  for (int i = 0; i < 40000; ++i) list += "./a.png\n";
  const std::string command = std::string("cat list | ") + CUIMG_PROGRAM +
                              " flip --dry-run --files-from - -o 'o/{index}.png'";
  folder.write("list", list + "a.png\n");
  const Outcome outcome = run({"sh", "-c", command}, here);
  EXPECT_EQ(outcome.out, "./a.png -> o/0.png: flip\na.png -> o/1.png: flip\n");
}

TEST(Program, ControlCharactersInNamesDoNotReachTheTerminal) {
  expect_error({"a\x1b[31m\nb"},
               "cuimg: a\\x1b[31m\\nb: unknown stage or command: see cuimg --help");
}

TEST(Program, AFullDiskUnderStandardOutputIsAnError) {
  const Outcome outcome = cuimg({"--help"}, {.out_file = "/dev/full"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "cuimg: standard output: No space left on device\n");
}

TEST(Program, AClosedPipeEndsItQuietly) {
  const Outcome outcome = run(
      {"bash", "-c", std::string("(sleep 0.2; ") + CUIMG_PROGRAM + " man; echo $? >&2) | true"});
  EXPECT_EQ(outcome.err, "2\n");
}

TEST(Program, TextDoesNotDependOnTheLocale) {
  const Outcome plain = cuimg({"stages", "--json"});
  EXPECT_EQ(cuimg({"stages", "--json"}, {.environment = {"LC_ALL=de_DE.UTF-8"}}).out, plain.out);
}

// Only stages have --part all and a summary of all images.
TEST(Program, CommandsSayWhatACommonOptionIsToThem) {
  for (const char* command : {"info", "checksum", "compare", "probe", "devices", "stages"}) {
    const std::string help = cuimg({"help", command}).out;
    EXPECT_TRUE(has(help, "\n      --json  ")) << command;
    EXPECT_FALSE(has(help, "a summary")) << command;
  }
  for (const char* command : {"show", "probe"})
    EXPECT_TRUE(has(cuimg({"help", command}).out, "\n      --part N|NAME  ")) << command;
  for (const char* command : {"info", "checksum"})
    EXPECT_TRUE(has(cuimg({"help", command}).out, "default all\n")) << command;
  EXPECT_TRUE(
      has(cuimg({"help", "version"}).out, "-v, --verbose           also print the libraries'"));
}

TEST(Program, AFileThatFailsIsALineOfJsonToo) {
  const TempDir folder;
  const RunOptions there = {.folder = folder.path().string()};
  ASSERT_EQ(cuimg({"constant", "--size", "2x2", "a.png"}, there).exit, 0);
  for (const char* command : {"info", "checksum"}) {
    const Outcome outcome = cuimg({command, "--json", "no.exr", "a.png"}, there);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, "cuimg: no.exr: no such file\n");
    std::istringstream lines(outcome.out);
    std::string first, second;
    ASSERT_TRUE(std::getline(lines, first) && std::getline(lines, second)) << outcome.out;
    EXPECT_EQ(first, R"({"file":"no.exr","error":"no.exr: no such file"})");
    EXPECT_EQ(nlohmann::json::parse(second)["file"], "a.png");
    EXPECT_FALSE(has(second, "error"));
  }
}

TEST(Program, CompletionKnowsWhatACommandTakes) {
  const std::string bash = cuimg({"completions", "bash"}).out;
  EXPECT_TRUE(has(bash, "    help) options='--help -h'; operands='resize remap "));
  EXPECT_TRUE(has(bash, " version options' ;;\n"));
  for (const char* command : {"man", "version", "devices", "stages"}) {
    const std::size_t at = bash.find(std::string("    ") + command + ") options=");
    ASSERT_NE(at, std::string::npos);
    EXPECT_TRUE(bash.substr(at, bash.find('\n', at) - at).ends_with("; operands='' ;;")) << command;
  }
  EXPECT_TRUE(has(bash, "    info) options="));
  EXPECT_TRUE(has(bash, "'show --part') values=''; return 0 ;;"));
  EXPECT_TRUE(has(bash, "'info --part') values='all'; return 0 ;;"));
}

TEST(Program, CompletionsAndManAreThere) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_TRUE(has(cuimg({"completions", shell}).out, "checksum")) << shell;
  EXPECT_TRUE(cuimg({"man"}).out.starts_with(".TH CUIMG 1"));
  expect_error({"completions", "csh"},
               "cuimg: completions: csh is unknown: use one of bash, zsh, fish");
}

TEST(Program, DevicesAreListedWithAndWithoutACard) {
  const Outcome outcome = cuimg({"devices", "--json", "--no-check"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_GE(json["cpu"]["threads"], 1);
  EXPECT_TRUE(!json["cuda"].empty() || json["problem"] != "");
}

}  // namespace
}  // namespace cuimg::test

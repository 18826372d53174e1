// SPDX-License-Identifier: Apache-2.0
// The texts derived from the tables: nothing is missing, nothing is too wide, and the shells and
// man read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "io/codec.h"
#include "pipeline/derive/program.h"
#include "pipeline/segments.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

struct Greeting {
  std::string name = "world";
};

const Program& test_program() {
  static const Description greeting =
      describe<Greeting>("greet", "says 'hello': it's polite")
          .param("name", &Greeting::name, "whom to greet, isn't it");
  static const Description silence =
      describe<NoOptions>("hush", "says nothing")
          .example("cuimg hush --with a-long-name-of-a-file.exr 'and a name, with spaces.exr' now");
  static const std::vector<Command> commands = {
      {greeting,
       "WORD",
       {"json", "help"},
       [](const auto*, const auto&, const auto&) { return 0; },
       {with_own_help("json", "greet a program")},
       [](const Program&) {
         return std::vector<std::string>{"one", "two"};
       }},
      {silence, "", {"help"}, [](const auto*, const auto&, const auto&) { return 0; }}};
  static const std::vector<StageFamily> families = {
      {"Test", {test_stages().begin(), test_stages().end()}}};
  static const Program program = {families, commands};
  return program;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool installed(const std::string& program) {
  return run({"sh", "-c", "command -v " + program}).exit == 0;
}

TEST(Help, FitsEightyColumns) {
  EXPECT_LE(widest_line(usage_text(test_program())), 80u);
  EXPECT_LE(widest_line(overview_text(test_program())), 80u);
  for (const std::string& topic : topics(test_program()))
    EXPECT_LE(widest_line(topic_text(test_program(), topic)), 80u) << topic;
}

TEST(Help, NamesEveryOption) {
  const std::string stage = topic_text(test_program(), "everything");
  for (const Parameter& p : everything_stage().parameters) {
    EXPECT_TRUE(has(stage, parameter_usage(p))) << p.name;
    EXPECT_FALSE(p.help.empty()) << p.name;
    for (const Choice<int>& choice : p.choices) EXPECT_TRUE(has(stage, std::string(choice.name)));
  }
  const std::string overview = overview_text(test_program());
  for (const Parameter& p : common_options().parameters) {
    EXPECT_TRUE(has(overview, "--" + p.name)) << p.name;
    EXPECT_TRUE(has(stage, "--" + p.name)) << p.name;
    EXPECT_FALSE(p.help.empty()) << p.name;
  }
  for (const std::string& topic : topics(test_program()))
    EXPECT_TRUE(has(overview, topic)) << topic;
}

TEST(Help, OfAStageReadsLikeThis) {
  const std::string text = topic_text(test_program(), "everything");
  const std::string start = R"(everything: one parameter of every type

Usage: cuimg everything [options] INPUT OUTPUT

A stage that does nothing, in as many ways as there are.

Options:
      --count N           how many times it is done; 1 to 9 (default 3)
      --sigma X           standard deviation, in pixels; 0.1 to 200 (default
                          1.5)
      --angle X           clockwise, in degrees (default 0)
      --[no-]antialias    widen the filter where the image shrinks (on by
                          default)
      --clip              limit the result to what the taps hold
      --map FILE          a second image
      --shape NAME        of the brush (default square)
                            round   a disc (or disc circle)
                            square  a box (or box)

Options of place:
      --border NAME       what lies outside the image (default clamp)
)";
  EXPECT_EQ(text.substr(0, start.size()), start);
  EXPECT_TRUE(has(text, "\nExample:\n  cuimg everything --sigma 2 in.exr out.exr\n"));
}

TEST(Help, OfTeeHasALineForEachPlaceInAChain) {
  EXPECT_TRUE(
      has(topic_text(test_program(), "tee"),
          "Usage: cuimg STAGE [options] + tee [options] OUT + STAGE [options] INPUT OUTPUT\n"
          "       cuimg STAGE [options] + tee [options] OUT INPUT...\n\n"));
  EXPECT_TRUE(has(man_page(test_program()), "INPUT OUTPUT\n.br\ncuimg STAGE"));
}

TEST(Help, OfACommandHasItsOwnWordsForACommonOption) {
  const std::string text = topic_text(test_program(), "greet");
  EXPECT_TRUE(has(text, "      --json              greet a program\n")) << text;
  EXPECT_TRUE(has(man_page(test_program()), "\\fB\\-\\-json\\fR\ngreet a program\n"));
  EXPECT_TRUE(has(man_page(test_program()), "Of the common options it takes \\-\\-help.\n"));
  EXPECT_FALSE(has(topic_text(test_program(), "options"), "greet"));
}

TEST(Help, OfOptionsListsWhatEveryCodecWrites) {
  const std::string text = topic_text(test_program(), "options"), page = man_page(test_program());
  const std::string list =
      text.substr(std::min(text.find("Formats that are written"), text.size()));
  std::istringstream rest(list);
  std::string words;
  for (std::string word; rest >> word;) words += " " + word;
  for (const Codec& codec : codecs()) {
    EXPECT_EQ(has(list, "\n  " + std::string(codec.name)), codec.is_written()) << codec.name;
    if (!codec.is_written()) continue;
    EXPECT_TRUE(has(page, "\\fB" + std::string(codec.name))) << codec.name;
    if (codec.compressions.size() < 2) continue;
    for (const std::string_view name : codec.compressions)
      EXPECT_TRUE(has(words, " " + std::string(name))) << codec.name << " " << name;
  }
  EXPECT_TRUE(has(list, "\n  pnm, pam, ppm, pgm      --type u8, u16 (half and float become u8)\n"))
      << list;
  EXPECT_FALSE(has(list, "pbm"));
  EXPECT_TRUE(has(words, "--type half, float (u8 becomes half, u16 becomes float)")) << list;
}

TEST(Help, OnAnUnknownTopicSuggestsTheNearest) {
  EXPECT_EQ(error_of([] { topic_text(test_program(), "everyting"); }),
            "help: everyting is unknown: did you mean everything?");
}

TEST(Wrapping, BreaksBetweenWordsOnly) {
  EXPECT_EQ(wrapped("aa bb cc", 2, 2, 7), "aa bb\n  cc");
  EXPECT_EQ(wrapped("averylongword b", 2, 2, 7), "averylongword\n  b");
  EXPECT_EQ(wrapped("a b\n\nc", 0, 0, 80), "a b\n\nc");
}

TEST(StagesJson, HoldsEveryParameterWithItsDefault) {
  const auto json = nlohmann::json::parse(stages_json(test_program()));
  ASSERT_EQ(json["stages"].size(), test_stages().size() + plain_segments().size());
  const auto& stage = json["stages"][0];
  ASSERT_EQ(stage["parameters"].size(), everything_stage().parameters.size());
  EXPECT_EQ(stage["kind"], "filter");
  EXPECT_EQ(stage["parameters"][1]["default"], "1.5");
  EXPECT_EQ(stage["parameters"][1]["unit"], "pixels");
  EXPECT_EQ(stage["parameters"][3]["default"], true);
  EXPECT_TRUE(stage["parameters"][5]["default"].is_null());
  EXPECT_EQ(stage["parameters"][6]["choices"][0]["name"], "round");
  EXPECT_EQ(json["common_options"].size(), common_options().parameters.size());
}

TEST(StagesMarkdown, HasARowForEachStage) {
  const std::string text = stages_markdown(test_program());
  for (const StageDescription* stage : test_stages())
    EXPECT_TRUE(has(text, "| `" + stage->name + "` | " + stage->summary + " |"));
  EXPECT_TRUE(has(text, "`--[no-]antialias`, `--clip`, `--map`, `--shape` (square)"));
}

// The words that bash suggests after these words, of which the last one is incomplete.
std::vector<std::string> bash_offers(const std::vector<std::string>& words) {
  const TempDir folder;
  for (const char* name : {"picture.exr", "two words.exr", "a*"}) folder.write(name, "");
  folder.write("cuimg.bash", completion_script(test_program(), "bash"));
  std::string line = "COMP_WORDS=(";
  for (const std::string& word : words) line += quoted(word) + " ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1);
  const Outcome outcome =
      run({"bash", "-c",
           "set -u; source ./cuimg.bash; " + line + "; _cuimg; printf '%s\\n' \"${COMPREPLY[@]}\""},
          {.folder = folder.path().string()});
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> offers;
  std::istringstream lines(outcome.out);
  for (std::string offer; std::getline(lines, offer);)
    if (!offer.empty()) offers.push_back(offer);
  return offers;
}

TEST(BashCompletion, OffersStagesOptionsValuesAndFiles) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(bash_offers({"cuimg", "ever"}), Words{"everything"});
  EXPECT_EQ(bash_offers({"cuimg", "--v"}), Words{"--version"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--ant"}), Words{"--antialias"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--no-a"}), Words{"--no-antialias"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--skip"}), Words{"--skip-existing"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--shape", ""}), (Words{"round", "square"}));
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--shape", "=", "r"}), Words{"round"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "--map", "pic"}), Words{"picture.exr"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "pic"}), Words{"picture.exr"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "+", "fl"}), Words{"flip"});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "+", "gre"}), Words{});
  EXPECT_EQ(bash_offers({"cuimg", "everything", "+", "flip", "--sha"}), Words{"--shard"});
  EXPECT_EQ(bash_offers({"cuimg", "greet", "t"}), Words{"two"});
  EXPECT_EQ(bash_offers({"cuimg", "greet", "--"}), (Words{"--name", "--json", "--help"}));
  EXPECT_EQ(bash_offers({"cuimg", "hush", ""}), Words{});
  EXPECT_EQ(bash_offers({"cuimg", "flip", "--", "--"}), Words{});
  EXPECT_EQ(bash_offers({"cuimg", "flip", "--device", "b"}), Words{"both"});
}

TEST(BashCompletion, OffersFilesWithBlanksAndWildcardsAsTheyAre) {
  using Words = std::vector<std::string>;
  for (const Words& before : {Words{}, {"--map"}, {"--"}}) {
    Words words = {"cuimg", "everything"};
    words.insert(words.end(), before.begin(), before.end());
    words.emplace_back("two");
    EXPECT_EQ(bash_offers(words), Words{"two words.exr"});
    words.back() = "a";
    EXPECT_EQ(bash_offers(words), Words{"a*"});
  }
  EXPECT_EQ(bash_offers({"cuimg", "@two"}), Words{"@two words.exr"});
  EXPECT_EQ(bash_offers({"cuimg", "@a"}), Words{"@a*"});
  // As bash splits the words of a line.
  EXPECT_EQ(bash_offers({"cuimg", "@", "two"}), Words{"@two words.exr"});
  EXPECT_EQ(bash_offers({"cuimg", "@", "a", "+", "@", "a"}), Words{"@a*"});
  EXPECT_EQ(bash_offers({"cuimg", "@", "a", "+", "fl"}), Words{"flip"});
}

TEST(ZshCompletion, IsReadByZsh) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const TempDir folder;
  const std::string script = folder.write("_cuimg", completion_script(test_program(), "zsh"));
  const Outcome outcome = run({"zsh", "-n", script});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const Outcome loaded =
      run({"zsh", "-f", "-c",
           "autoload -U compinit; compinit -D -u; source " + script + "; print $_comps[cuimg]"});
  EXPECT_EQ(loaded.out, "_cuimg\n") << loaded.err;
}

TEST(FishCompletion, OffersStagesOptionsAndValues) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  const TempDir folder;
  const std::string script = folder.write("c.fish", completion_script(test_program(), "fish"));
  const auto offers = [&](const std::string& line) {
    const Outcome outcome =
        run({"fish", "--no-config", "-c", "source " + script + "; complete -C " + quoted(line)},
            {.environment = {"HOME=" + folder.path().string()}});
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  };
  EXPECT_TRUE(has(offers("cuimg ever"), "everything\tone parameter of every type"));
  EXPECT_TRUE(has(offers("cuimg gre"), "greet\tsays 'hello': it's polite"));
  EXPECT_TRUE(has(offers("cuimg everything --si"), "--sigma\t"));
  EXPECT_FALSE(has(offers("cuimg flip --si"), "--sigma\t"));
  EXPECT_TRUE(has(offers("cuimg everything --shape r"), "round"));
  EXPECT_TRUE(has(offers("cuimg everything + fl"), "flip\t"));
  EXPECT_FALSE(has(offers("cuimg everything + gre"), "greet"));
  EXPECT_TRUE(has(offers("cuimg everything --no-ant"), "--no-antialias\t"));
  EXPECT_EQ(offers("cuimg hush "), "");
  const std::string recipe = "@" + folder.write("grade.txt", "");
  EXPECT_TRUE(has(offers("cuimg " + recipe.substr(0, recipe.size() - 5)), recipe));
  EXPECT_TRUE(has(offers("cuimg flip + " + recipe.substr(0, recipe.size() - 5)), recipe));
  EXPECT_EQ(offers("cuimg flip " + recipe), "");
}

TEST(Completion, ForAnotherShellIsAnError) {
  EXPECT_EQ(error_of([] { completion_script(test_program(), "csh"); }),
            "completions: csh is unknown: use one of bash, zsh, fish");
}

TEST(ManPage, NamesEverythingAndTroffHasNoComplaint) {
  const std::string page = man_page(test_program());
  EXPECT_TRUE(has(page, ".SS everything\n"));
  EXPECT_TRUE(has(page, "\\fB\\-\\-[no\\-]antialias\\fR"));
  EXPECT_TRUE(has(page, "it\\(aqs polite"));
  if (!installed("groff")) GTEST_SKIP() << "groff is not installed";
  const Outcome outcome = run({"groff", "-man", "-Tutf8", "-ww", "-P-cbou"}, {.input = page});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "");
  for (const Parameter& p : everything_stage().parameters)
    EXPECT_TRUE(has(outcome.out, parameter_usage(p))) << p.name;
}

TEST(ManPage, SaysWhatHelpSaysOfEveryChain) {
  const std::string page = man_page(test_program()), overview = overview_text(test_program());
  EXPECT_TRUE(has(page,
                  ".SH SYNOPSIS\n"
                  "\\fBcuimg\\fR \\fISTAGE\\fR [options] [+ \\fISTAGE\\fR [options]]... "
                  "\\fIINPUT\\fR \\fIOUTPUT\\fR\n.br\n"
                  "\\fBcuimg\\fR \\fISTAGE\\fR [options] [+ ...] \\fB\\-o\\fR \\fIDIR\\fR/ "
                  "\\fIINPUT\\fR...\n"));
  EXPECT_TRUE(has(page, ".SH DESCRIPTION\n.PP\nA chain is several stages joined by +;"));
  EXPECT_TRUE(has(page, "A file that is read is never replaced"));
  for (const std::string_view usage : usages) EXPECT_TRUE(has(overview, std::string(usage)));
  EXPECT_TRUE(has(overview, wrapped(about_chains, 0, 0)));
}

// Lines between .nf and .fi are not wrapped, and are indented by eleven columns.
TEST(ManPage, ExamplesFitEightyColumns) {
  const std::string page = man_page(test_program());
  EXPECT_TRUE(has(page,
                  "cuimg hush \\-\\-with a\\-long\\-name\\-of\\-a\\-file.exr \\e\n"
                  "    \\(aqand a name, with spaces.exr\\(aq now\n"))
      << page;
  std::istringstream lines(page);
  bool is_example = false;
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == ".nf" || line == ".fi") {
      is_example = line == ".nf";
    } else if (is_example) {
      // Each of troff's escapes is printed as one character.
      const std::regex escape(R"(\\(\(..|.))");
      EXPECT_LE(std::regex_replace(line, escape, "x").size(), 69u) << line;
      ++examples;
    }
  }
  EXPECT_GT(examples, 2);
}

}  // namespace
}  // namespace cuimg::test

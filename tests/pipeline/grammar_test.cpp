// SPDX-License-Identifier: Apache-2.0
// Parsing of command lines: chains, options, files, recipes, and the errors for wrong ones.
#include "pipeline/grammar.h"

#include <gtest/gtest.h>

#include "pipeline/batch/plan_jobs.h"
#include "pipeline/recipe.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

Invocation parse(const Words& words) { return parse_pipeline(words, test_stages()); }
std::string error(const Words& words) {
  return error_of([&] { parse(words); });
}
const Everything& values(const BoundStage& stage) {
  return *static_cast<const Everything*>(stage.parameters.get());
}
const Everything& first(const Invocation& invocation) { return values(invocation.stages.at(0)); }

TEST(Grammar, TakesAStageItsOptionsAndTwoFiles) {
  const Invocation i = parse({"everything", "--sigma", "2.5", "--count=7", "in.exr", "out.exr"});
  ASSERT_EQ(i.stages.size(), 1u);
  EXPECT_EQ(first(i).sigma, 2.5f);
  EXPECT_EQ(first(i).count, 7);
  EXPECT_EQ(first(i).size, percent(50));
  EXPECT_EQ(i.inputs, Words{"in.exr"});
  EXPECT_EQ(i.output, "out.exr");
  EXPECT_FALSE(i.output_by_option);
}

TEST(Grammar, FilesMayBeAmongTheLastSegmentsOptions) {
  const Invocation i = parse({"flip", "+", "everything", "in", "--clip", "out", "--sigma", "3"});
  ASSERT_EQ(i.stages.size(), 2u);
  EXPECT_TRUE(values(i.stages[1]).clip);
  EXPECT_EQ(values(i.stages[1]).sigma, 3.0f);
  EXPECT_EQ(i.inputs, Words{"in"});
  EXPECT_EQ(i.output, "out");
}

TEST(Grammar, ChainsStagesAndPrintsThemBack) {
  const Invocation i = parse({"everything", "--no-antialias", "--map", "a b", "+", "flip", "+",
                              "everything", "--size", "40x0", "in", "out"});
  EXPECT_EQ(chain_words(i.stages),
            "everything --no-antialias --map 'a b' + flip + everything --size 40x0");
  EXPECT_EQ(chain_words(cuimg::Chain{}), "convert");
}

TEST(Grammar, WordsPrintedInFullParseBackToTheSameValues) {
  const Invocation once = parse({"everything", "--weights", "1,-2.5", "--points", "1,2 3,4.5",
                                 "--region", "8x9-1+2", "--seed", "4", "in", "out"});
  const std::string printed = chain_words(once.stages, true);
  Words words = recipe_words(printed, "printed");
  words.insert(words.end(), {"in", "out"});
  EXPECT_EQ(chain_words(parse(words).stages, true), printed);
  EXPECT_NE(printed.find("--points '1,2 3,4.5'"), std::string::npos) << printed;
}

TEST(Grammar, CommonOptionsMayBeInAnySegment) {
  const Invocation i = parse(
      {"flip", "--raw", "-j", "3", "+", "everything", "-rv", "--device", "cuda:2", "in", "out"});
  EXPECT_TRUE(i.common.raw && i.common.recursive && i.common.verbose);
  EXPECT_EQ(i.common.jobs, 3);
  EXPECT_EQ(i.common.device, (DeviceChoice{DeviceChoice::Kind::cuda, {2}}));
}

TEST(Grammar, OneChoiceOfLayersAndPartsHoldsForAllSegments) {
  EXPECT_EQ(error({"flip", "--layers", "RGB", "+", "flip", "--layers", "Z", "in", "out"}),
            "--layers: RGB and Z are given in two segments: the whole chain uses one value: run "
            "two commands");
  EXPECT_EQ(error({"flip", "--part", "0", "+", "tee", "t", "--part", "2", "+", "flip", "a", "b"}),
            "--part: 0 and 2 are given in two segments: the whole chain uses one value: run two "
            "commands");
  const Invocation same =
      parse({"flip", "--layers", "RGB", "+", "flip", "+", "flip", "--layers", "RGB", "a", "b"});
  EXPECT_EQ(same.common.layers, (Words{"RGB"}));
}

TEST(Grammar, NegativeNumbersAreValues) {
  EXPECT_EQ(first(parse({"everything", "--angle", "-5", "a", "b"})).angle, -5.0);
  EXPECT_EQ(first(parse({"everything", "--weights", "-1,2", "a", "b"})).weights,
            (std::vector<float>{-1, 2}));
}

TEST(Grammar, LongNamesMayBeOneLetter) {
  const auto words = [](const std::vector<std::string>& all) {
    return parse_pipeline(all).stages.front().words();
  };
  EXPECT_EQ(words({"offset", "--x", "-7", "--y=3", "a.exr", "b.exr"}), "offset --x -7 --y 3");
}

TEST(Grammar, TheLastOfARepeatedOptionCounts) {
  EXPECT_EQ(first(parse({"everything", "--count", "2", "--count", "5", "a", "b"})).count, 5);
}

TEST(Grammar, FlagsTakeNoWordButMayBeGivenAValue) {
  EXPECT_FALSE(first(parse({"everything", "--clip=false", "a", "b"})).clip);
  EXPECT_FALSE(first(parse({"everything", "--no-antialias", "a", "b"})).antialias);
  EXPECT_EQ(parse({"everything", "--clip", "a", "b"}).inputs, Words{"a"});
  EXPECT_EQ(error({"everything", "--clip=maybe", "a", "b"}),
            "everything: --clip maybe is neither true nor false: give the option without a value");
  EXPECT_EQ(error({"everything", "--no-clip", "a", "b"}),
            "everything: unknown option --no-clip: did you mean --clip?");
}

TEST(Grammar, AfterTwoDashesEverythingIsAFile) {
  const Invocation i = parse({"flip", "--raw", "--", "--sigma", "+"});
  EXPECT_EQ(i.inputs, Words{"--sigma"});
  EXPECT_EQ(i.output, "+");
  EXPECT_EQ(parse({"flip", "-o", "d/", "--", "-", "@a"}).inputs, (Words{"-", "@a"}));
}

TEST(Grammar, NamesMayHoldCommasBlanksNewlinesAndBytesThatAreNoText) {
  const Words names = {"a,b.exr", "a b", "a\nb", "\xff\xfe.exr", "=", "a=b"};
  Words words = {"flip", "-o", "x/"};
  words.insert(words.end(), names.begin(), names.end());
  EXPECT_EQ(parse(words).inputs, names);
  EXPECT_EQ(first(parse({"everything", "--map=a,b\nc\xff", "a", "b"})).map, "a,b\nc\xff");
}

TEST(Grammar, ShortOptionsTakeTheirValueApartOrJoined) {
  EXPECT_EQ(parse({"flip", "-o", "x.png", "a"}).output, "x.png");
  EXPECT_EQ(parse({"flip", "-ox.png", "a"}).output, "x.png");
  EXPECT_EQ(parse({"flip", "-o-", "a"}).output, "-");
  EXPECT_EQ(parse({"flip", "-j4", "a", "b"}).common.jobs, 4);
}

TEST(Grammar, ADashIsAPipe) {
  const Invocation i = parse({"flip", "-", "-"});
  EXPECT_EQ(i.inputs, Words{"-"});
  EXPECT_EQ(i.output, "-");
  EXPECT_EQ(error({"flip", "-o", "x/", "-", "-"}),
            "flip: - is named twice: standard input can be read only once");
}

TEST(Grammar, SourcesTakeNoInputAndSinksGiveNoOutput) {
  const Invocation source = parse({"noise", "+", "flip", "out"});
  EXPECT_TRUE(source.inputs.empty());
  EXPECT_EQ(source.output, "out");
  const Invocation sink = parse({"flip", "+", "stats", "a", "b", "c"});
  EXPECT_EQ(sink.inputs.size(), 3u);
  EXPECT_FALSE(sink.output.has_value());
  const Invocation reducer = parse({"append", "a", "b", "c", "-o", "out"});
  EXPECT_EQ(reducer.inputs.size(), 3u);
  EXPECT_EQ(reducer.output, "out");
  EXPECT_EQ(error({"noise", "in", "out"}), "noise: in is left over: this chain takes no INPUT");
  EXPECT_EQ(error({"flip", "+", "noise", "a", "b"}),
            "noise: it takes no image from the stage before it: make it the first stage");
  EXPECT_EQ(error({"stats", "+", "flip", "a", "b"}),
            "stats: it gives no image to the stage after it: make it the last stage");
  EXPECT_EQ(error({"stats", "-o", "x", "a"}), "stats: -o is given: this stage writes no image");
  EXPECT_EQ(error({"flip", "--type", "u8", "+", "stats", "a"}),
            "stats: --type is given: this stage writes no image");
  EXPECT_EQ(error({"stats", "--set", "Author=x", "a"}),
            "stats: --set is given: this stage writes no image");
  EXPECT_EQ(parse({"flip", "+", "tee", "--type", "u8", "out", "+", "stats", "a"}).inputs.size(),
            1u);
}

TEST(Grammar, ConvertIsTheEmptyPipeline) {
  const Invocation i = parse({"convert", "--type", "half", "in", "out"});
  EXPECT_TRUE(i.stages.empty());
  EXPECT_EQ(i.common.type, PixelType::half);
  EXPECT_EQ(error({"convert", "+", "flip", "a", "b"}),
            "convert: it is only a pipeline without other stages: leave it out of the chain");
}

TEST(Grammar, ErrorsNameThePlaceTheValueAndWhatIsAllowed) {
  EXPECT_EQ(error({"everything", "--size", "0x0", "a", "b"}),
            "everything: --size 0x0: width must be at least 1");
  EXPECT_EQ(error({"everything", "--sigma", "1.5x", "a", "b"}),
            "everything: --sigma 1.5x is not a number: use 0.1 to 200");
  EXPECT_EQ(error({"everything", "--sigma", "-1", "a", "b"}),
            "everything: --sigma -1 is out of range: use 0.1 to 200");
  EXPECT_EQ(error({"everything", "--fliter", "x", "a", "b"}).substr(0, 37),
            "everything: unknown option --fliter: ");
  EXPECT_EQ(error({"everything", "--sigm", "2", "a", "b"}),
            "everything: unknown option --sigm: did you mean --sigma?");
  EXPECT_EQ(error({"everything", "--wieghts", "2", "a", "b"}),
            "everything: unknown option --wieghts: did you mean --weights?");
  EXPECT_EQ(error({"flip", "-x", "a", "b"}), "flip: unknown option -x: see cuimg flip --help");
  EXPECT_EQ(error({"everything", "-sigma", "2", "a", "b"}),
            "everything: unknown option -sigma: did you mean --sigma?");
  EXPECT_EQ(error({"everything", "-size=50%", "a", "b"}),
            "everything: unknown option -size: did you mean --size?");
  for (const char* word : {"-output", "-output=b"})  // no -o utput
    EXPECT_EQ(error({"flip", word, "b", "a"}),
              "flip: unknown option -output: did you mean --output?");
  EXPECT_EQ(error({"flip", "--quiett=1", "a", "b"}),
            "flip: unknown option --quiett: did you mean --quiet?");
  EXPECT_EQ(error({"flpi", "a", "b"}), "flpi: unknown stage: did you mean flip?");
  EXPECT_EQ(error({"zzzzzz", "a"}), "zzzzzz: unknown stage: see cuimg --help for all of them");
  EXPECT_EQ(error({"everything", "a", "b", "--size"}),
            "everything: --size needs a value: see cuimg everything --help");
  EXPECT_EQ(
      error({"everything", "--shape", "squre", "a", "b"}),
      "everything: --shape squre is unknown: did you mean square? It is one of round, square");
}

TEST(Grammar, MissingAndLeftOverFilesAreNamed) {
  EXPECT_EQ(error({"flip"}), "flip: no INPUT and no OUTPUT: name it last, or with -o");
  EXPECT_EQ(error({"flip", "a"}), "flip: no OUTPUT: name it last, or with -o");
  EXPECT_EQ(error({"flip", "-o", "x"}), "flip: no INPUT: name a file, or - for a pipe");
  EXPECT_EQ(
      error({"flip", "a", "b", "c"}),
      "flip: 3 files are named, the first a: give INPUT OUTPUT, or several inputs and -o DIR/");
  EXPECT_EQ(error({"flip", "a", "+", "flip", "b"}),
            "flip: a is a file before +: files follow the last stage");
  EXPECT_EQ(error({"flip", "+"}), "+: a stage is missing before or after it");
  EXPECT_EQ(error({"+", "flip", "a", "b"}), "+: a stage is missing before or after it");
  EXPECT_EQ(
      error({"--raw", "flip", "a", "b"}),
      "--raw: it is an option, but a stage is expected here: options follow the stage's name");
  EXPECT_EQ(error({"--hlep"}),
            "--hlep: it is an option, but a stage is expected here: did you mean --help?");
  EXPECT_EQ(error({"flip", "", "b"}), "flip: a file's name is empty");
}

TEST(Recipe, IsWordsWithQuotesCommentsAndLineBreaks) {
  EXPECT_EQ(recipe_words("# a comment\nresize --size 50%  # half\n + blur\n", "r"),
            (Words{"resize", "--size", "50%", "+", "blur"}));
  EXPECT_EQ(recipe_words("\xef\xbb\xbfresize", "r"), Words{"resize"});
  EXPECT_EQ(recipe_words("a 'b c' \"d \\\" e\" f\\ g '' h#i \\\n j", "r"),
            (Words{"a", "b c", "d \" e", "f g", "", "h#i", "j"}));
  EXPECT_EQ(error_of([] { recipe_words("a 'b", "r.txt"); }), "r.txt: a quote ' is left open");
  EXPECT_EQ(quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(recipe_words(quoted("it's"), "r"), Words{"it's"});
}

TEST(Recipe, IsAChainOrAPartOfOne) {
  const TempDir folder;
  const std::string recipe = folder.write("r.txt", "everything --sigma 2\n+ flip --raw\n");
  const Invocation whole = parse({"@" + recipe, "in", "out"});
  EXPECT_EQ(chain_words(whole.stages), "everything --sigma 2 + flip");
  EXPECT_TRUE(whole.common.raw);
  const Invocation part = parse({"flip", "+", "@" + recipe, "+", "flip", "in", "out"});
  EXPECT_EQ(chain_words(part.stages), "flip + everything --sigma 2 + flip + flip");
  const std::string outer = folder.write("outer.txt", "@" + recipe + " + flip");
  EXPECT_EQ(chain_words(parse({"@" + outer, "in", "out"}).stages),
            "everything --sigma 2 + flip + flip");
}

TEST(Recipe, ThatIsMissingEmptyOrNamesItselfIsAnError) {
  const TempDir folder;
  EXPECT_NE(error({"@" + (folder / "none.txt"), "in", "out"}).find("none.txt: "),
            std::string::npos);
  const std::string empty = folder.write("empty.txt", "# nothing\n");
  EXPECT_EQ(error({"@" + empty, "in", "out"}), empty + ": the recipe holds no stage");
  for (const char* text : {"flip +", "+ flip"}) {
    const std::string open = folder.write("open.txt", text);
    EXPECT_EQ(error({"@" + open, "in", "out"}),
              open + ": the recipe begins or ends with +: write + only between stages");
  }
  const std::string ring = folder / "ring.txt";
  folder.write("ring.txt", "@" + ring);
  EXPECT_EQ(error({"@" + ring, "in", "out"}), ring + ": recipes are nested too deeply");
  const std::string dashes = folder.write("dashes.txt", "flip -- a b");
  EXPECT_EQ(error({"@" + dashes}),
            dashes + ": a recipe holds stages and their options: leave out --");
}

TEST(Recipe, IsNamedByErrorsInItsWords) {
  const TempDir folder;
  const std::string option = folder.write("option.txt", "flip + everything --sigmaa 2");
  EXPECT_EQ(error({"@" + option, "in", "out"}),
            option + ": everything: unknown option --sigmaa: did you mean --sigma?");
  const std::string stage = folder.write("stage.txt", "flap");
  EXPECT_TRUE(error({"flip", "+", "@" + stage, "in", "out"}).starts_with(stage + ": flap: "));
  // Errors in the command line itself do not name the recipe.
  const std::string good = folder.write("good.txt", "flip");
  EXPECT_TRUE(error({"@" + good, "+", "flap", "in", "out"}).starts_with("flap: "));
}

TEST(Recipe, IsNamedByErrorsOfTheFilesThatItNames) {
  const TempDir folder;
  const std::string inner = folder.write("inner.txt", "over --with " + (folder / "none.exr"));
  const std::string outer = folder.write("outer.txt", "flip + @" + inner);
  folder.write("in.exr", "");
  const auto planned = [&](const std::string& recipe) {
    return error_of([&] {
      plan_jobs(parse_pipeline(Words{"@" + recipe, folder / "in.exr", folder / "out.exr"}));
    });
  };
  const std::string what = inner + ": over: --with " + (folder / "none.exr") + ": no such file";
  EXPECT_EQ(planned(inner), what);
  EXPECT_EQ(planned(outer), what);
  const std::string broken = folder.write("broken.txt", "@" + (folder / "none.txt"));
  EXPECT_EQ(error({"@" + broken, "in", "out"}),
            broken + ": " + (folder / "none.txt") + ": no such file");
  EXPECT_EQ(error({"@" + folder.path().string(), "in", "out"}),
            folder.path().string() + ": is a directory, not a recipe");
  EXPECT_EQ(error({"flip", "--files-from", folder.path().string(), "-o", "out/"}),
            folder.path().string() + ": is a directory, not a text file");
}

TEST(Recipe, BeginsASegment) {
  const TempDir folder;
  const std::string part = "@" + folder.write("part.txt", "--sigma 2");
  const std::string advice = "everything: " + part +
                             " follows the stage's name, where recipes are not expanded: begin "
                             "the recipe with the stage, and the segment with " +
                             part;
  EXPECT_EQ(error({"everything", part, "in", "out"}), advice);
  EXPECT_EQ(error({"everything", part, "-o", "out/"}), advice);
  // A file whose name begins with @.
  EXPECT_EQ(parse({"everything", "@part", "out"}).inputs, Words{"@part"});
}

TEST(Tables, NoStageOptionReusesACommonOptionsName) {
  for (const auto table : {stages(), test_stages()}) {
    for (const StageDescription* stage : table) {
      for (const Parameter& p : stage->parameters) {
        EXPECT_EQ(common_options().find(p.name), nullptr) << stage->name << " --" << p.name;
        EXPECT_EQ(p.short_name, 0) << stage->name << " --" << p.name;
      }
    }
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Many images: outputs named after inputs, and what happens when one of them fails.
#include "pipeline/batch/jobs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <span>

#include "base/error.h"
#include "base/threads.h"
#include "io/file_mark.h"
#include "io/output_file.h"
#include "pipeline/batch/output_pattern.h"
#include "pipeline/batch/plan_jobs.h"
#include "pipeline/batch/resume.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

// Fills the pattern as -o does.
std::string filled(const std::string& pattern, const PatternInput& input) {
  return fill_pattern(pattern, input, "-o " + pattern);
}

using Words = std::vector<std::string>;

// A tree of files in which only names matter, and command lines that run in it.
class Folder : public testing::Test {
 protected:
  Folder() {
    for (const char* name : {"in/b.exr", "in/a.png", "in/sub/a.png", "in/sub/deep/c.JPG",
                             "in/notes.txt", "in/.hidden.exr", "other/a.exr"})
      dir_.write(name, "");
  }
  Invocation invocation(Words words) const {
    words.insert(words.begin(), "flip");
    return parse_pipeline(words, test_stages());
  }
  // One "in/b.exr > out/b.exr" for each job, without the folder's own name.
  Words plan(const Words& words) const {
    Words lines;
    for (const Job& job : plan_jobs(invocation(words)))
      lines.push_back(below(job.name()) + " > " + below(job.output));
    return lines;
  }
  std::string below(std::string path) const {
    const std::string own = dir_.path().string() + "/";
    return path.starts_with(own) ? path.substr(own.size()) : path;
  }
  std::string error(const Words& words) const {
    return error_of([&] { plan(words); });
  }
  std::string at(const std::string& name) const { return dir_ / name; }
  TempDir dir_;
};

TEST_F(Folder, OpensIntoItsImagesSortedByBytes) {
  EXPECT_EQ(plan({at("in"), "-o", at("out/")}),
            (Words{"in/a.png > out/a.png", "in/b.exr > out/b.exr"}));
  EXPECT_EQ(plan({at("in/b.exr"), at("in/a.png"), "-o", at("out/")}),
            (Words{"in/a.png > out/a.png", "in/b.exr > out/b.exr"}));
}

TEST_F(Folder, KeepsItsTreeWhenDescended) {
  EXPECT_EQ(plan({"-r", at("in"), "-o", at("out/")}),
            (Words{"in/a.png > out/a.png", "in/b.exr > out/b.exr", "in/sub/a.png > out/sub/a.png",
                   "in/sub/deep/c.JPG > out/sub/deep/c.JPG"}));
}

TEST_F(Folder, TakesTheFormatsExtension) {
  EXPECT_EQ(plan({at("in"), "-o", at("out/"), "--format", "png"}),
            (Words{"in/a.png > out/a.png", "in/b.exr > out/b.png"}));
}

TEST_F(Folder, FillsPatterns) {
  EXPECT_EQ(plan({"-r", at("in/sub"), "-o", at("o/{dir}/{index}_{stem}.{ext}.png")}),
            (Words{"in/sub/a.png > o/./0_a.png.png", "in/sub/deep/c.JPG > o/deep/1_c.JPG.png"}));
  EXPECT_EQ(filled("{{{name}}}", {"d/x.exr", "", 0}), "{x.exr}");
  EXPECT_EQ(filled("{stem}.{ext}", {"-", "", 0}), "stdin.exr");
  EXPECT_EQ(
      error({at("in"), "-o", "{nmae}.png"}),
      "-o {nmae}.png: {nmae} is unknown: use {stem}, {ext}, {name}, {dir}, {index}, {index:03}, "
      "{frame}, {frame:05} or {part}");
  EXPECT_NE(error({at("in"), "-o", "{stem"}).find("{stem is unknown"), std::string::npos);
}

// An input keeps its folder's name, wherever the folder is; no output is outside of the output's
// folder.
TEST_F(Folder, OfAFileThatWasNamedIsDir) {
  const auto dir_of = [](const char* name) { return Input{name}.dir(); };
  EXPECT_EQ(dir_of("a.png"), "");
  EXPECT_EQ(dir_of("-"), "");
  EXPECT_EQ(dir_of("./A/a.png"), "A");
  EXPECT_EQ(dir_of("A//B/../C/./a.png"), "A/C");
  EXPECT_EQ(dir_of("/shows/A/a.png"), "shows/A");
  EXPECT_EQ(dir_of("../../A/a.png"), "A");
  EXPECT_EQ(dir_of("../a.png"), "");
  EXPECT_EQ((Input{"in/sub/a.png", "sub"}.dir()), "sub");
  const std::string own = dir_.path().relative_path().string();
  const std::string list = dir_.write("list", at("in/a.png") + "\n" + at("in/sub/a.png") + "\n");
  const Words both = {"in/a.png > o/" + own + "/in/a.png",
                      "in/sub/a.png > o/" + own + "/in/sub/a.png"};
  EXPECT_EQ(plan({at("in/a.png"), at("in/sub/a.png"), "-o", at("o/{dir}/{name}")}), both);
  EXPECT_EQ(plan({"--files-from", list, "-o", at("o/{dir}/{name}")}), both);
}

TEST_F(Folder, AnExistingFolderAsOutputReceivesTheFile) {
  EXPECT_EQ(plan({at("in/b.exr"), at("other")}), Words{"in/b.exr > other/b.exr"});
  EXPECT_EQ(plan({at("in/b.exr"), at("x{1}.exr")}), Words{"in/b.exr > x{1}.exr"});
}

TEST_F(Folder, PipesInItAreLeftAlone) {
  ASSERT_EQ(mkfifo(at("in/pipe.png").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(at("in/f.0001.png").c_str(), 0600), 0);
  dir_.write("in/f.0002.png", "");
  std::filesystem::create_symlink(at("in/pipe.png"), at("in/link.png"));
  std::filesystem::create_symlink(at("in/a.png"), at("in/picture.png"));
  EXPECT_EQ(plan({at("in"), "-o", at("out/")}),
            (Words{"in/a.png > out/a.png", "in/b.exr > out/b.exr", "in/f.0002.png > out/f.0002.png",
                   "in/picture.png > out/picture.png"}));
  EXPECT_EQ(plan({at("in/f.####.png"), "-o", at("out/")}), Words{"in/f.0002.png > out/f.0002.png"});
  EXPECT_EQ(plan({at("in/pipe.png"), at("out.png")}), Words{"in/pipe.png > out.png"});
}

TEST_F(Folder, TwoInputsWithOneOutputAreRefusedBeforeAnyWork) {
  const Words both = {at("in/a.png"), at("in/sub/a.png")};
  const auto advice = [&](Words words) {
    words.insert(words.end(), both.begin(), both.end());
    const std::string text = error(words);
    const std::size_t end = text.find(" become it: ");
    return end == std::string::npos ? text : text.substr(end + 12);
  };
  const std::string dir = "use {dir} or {index} in the pattern, as ",
                    index = "use {index} in the pattern, as ";
  EXPECT_EQ(advice({"-o", at("out/")}), dir + "-o '" + at("out/{dir}/{name}") + "'");
  EXPECT_EQ(advice({"-r", "-o", at("out/")}), dir + "-o '" + at("out/{dir}/{name}") + "'");
  EXPECT_EQ(advice({"--format", "exr", "-o", at("out/")}),
            dir + "-o '" + at("out/{dir}/{stem}.{ext}") + "'");
  EXPECT_EQ(advice({"-o", at("{stem}_s.png")}), dir + "-o '" + at("{dir}/{stem}_s.png") + "'");
  EXPECT_EQ(advice({"+", "tee", at("t/"), "+", "flip", "-o", at("{dir}/{name}")}),
            dir + "tee '" + at("t/{dir}/{name}") + "'");
  // {dir} is already used, or would not help.
  EXPECT_EQ(advice({at("in/./a.png"), "-o", at("o/{dir}/{name}")}),
            index + "-o '" + at("o/{dir}/{index}_{name}") + "'");
  EXPECT_EQ(advice({at("in/sub"), "-o", at("out/")}), dir + "-o '" + at("out/{dir}/{name}") + "'");
  EXPECT_EQ(error({at("in/sub"), at("in"), "-o", at("out/")}),
            at("out/a.png") + ": both " + at("in/a.png") + " and " + at("in/sub/a.png") +
                " become it: " + index + "-o '" + at("out/{index}_{name}") + "'");
  EXPECT_NE(error({at("in"), "-o", at("x.png")}).find("it is one name for several images"),
            std::string::npos);
  EXPECT_NE(error({at("in"), "-o", "-"}).find("2 images for one pipe"), std::string::npos);
  EXPECT_EQ(plan({at("in/b.exr"), at("in/b.exr"), "-o", at("out/")}).size(), 1u);
}

TEST_F(Folder, ItsOutputsAreLeftOutWhenTheCommandIsRunAgain) {
  for (const char* output : {"in/out/", "in/out", "in/out/{dir}/{stem}.{ext}"}) {
    std::filesystem::remove_all(at("in/out"));
    if (output == std::string("in/out")) std::filesystem::create_directory(at("in/out"));
    const Words command = {"-r", at("in"), "-o", at(output)};
    const Words first = plan(command);
    EXPECT_EQ(first.size(), 4u) << output;
    dir_.write("in/out/a.png", "");
    dir_.write("in/out/sub/a.png", "");
    EXPECT_EQ(plan(command), first) << output;
    Remarks remarks;
    plan_jobs(invocation(command), remarks);
    EXPECT_EQ(remarks, Words{at("in/out") + " is left out: outputs are written there"});
  }
  EXPECT_EQ(plan({"+", "tee", at("in/out/"), "+", "flip", "-r", at("in"), "-o", at("o/")}).size(),
            4u);
  // Another output folder, or an output folder that is named as an input.
  EXPECT_EQ(plan({"-r", at("in"), "-o", at("o/")}).size(), 6u);
  EXPECT_EQ(plan({"-r", at("in/out"), "-o", at("in/{index}.png")}).size(), 2u);
}

// Opening it fails, and the other images are made.
TEST_F(Folder, ALinkThatLeadsNowhereStopsNothing) {
  std::filesystem::create_symlink("loop.png", at("in/loop.png"));
  std::filesystem::create_symlink("loop", at("in/loop"));
  std::filesystem::create_symlink(std::string(300, 'x'), at("in/long.png"));
  std::filesystem::create_symlink("absent.png", at("in/absent.png"));
  const Words all = {"in/a.png > o/a.png", "in/absent.png > o/absent.png", "in/b.exr > o/b.exr",
                     "in/long.png > o/long.png", "in/loop.png > o/loop.png"};
  EXPECT_EQ(plan({at("in"), "-o", at("o/")}), all);
  EXPECT_EQ(plan({at("in"), "-r", "-o", at("o/")}).size(), all.size() + 2);
}

TEST_F(Folder, LinksToFoldersAreLeftOutWithAWarning) {
  std::filesystem::create_directory_symlink(at("other"), at("in/link"));
  std::filesystem::create_directory_symlink(at("in"), at("in/sub/back"));
  Remarks remarks;
  EXPECT_EQ(plan_jobs(invocation({"-r", at("in"), "-o", at("o/")}), remarks).size(), 4u);
  const std::string why = " is a link to a folder, which -r does not follow: name it as an INPUT";
  EXPECT_EQ(remarks, (Words{at("in/link") + why, at("in/sub/back") + why}));
  EXPECT_EQ(plan({"-r", at("in/link"), "-o", at("o/")}), Words{"in/link/a.exr > o/a.exr"});
  Remarks none;
  plan_jobs(invocation({at("in"), "-o", at("o/")}), none);
  EXPECT_EQ(none, Words{});
}

TEST_F(Folder, AnOutputThatIsAnotherInputIsRefused) {
  dir_.write("chain/1.exr", "");
  dir_.write("chain/12.exr", "");
  EXPECT_NE(error({at("chain"), "-o", at("chain/{stem}2.exr")}).find("it is an input"),
            std::string::npos);
}

TEST_F(Folder, WithoutImagesOrWithAnUnknownFormatIsAnError) {
  dir_.write("empty/readme.txt", "");
  EXPECT_NE(
      error({at("empty"), "-o", "x/"}).find("files without an image's extension are left out"),
      std::string::npos);
  dir_.write("empty/sub/readme.txt", "");
  EXPECT_NE(error({at("empty"), "-o", "x/"}).find("holds no images: -r descends"),
            std::string::npos);
  EXPECT_NE(error({at("in/b.exr"), at("out.xyz")}), "no error");
}

// Records the jobs that it gets; inputs listed in `bad` fail.
struct Recorder {
  Words bad, inputs;
  std::mutex mutex;
  RunReport operator()(const std::string& input, const std::string& output) {
    const std::lock_guard lock(mutex);
    inputs.push_back(input);
    if (std::find(bad.begin(), bad.end(), input) != bad.end()) throw Error(input, "bad");
    std::ofstream(output) << "x";
    return {};
  }
  RunOne run() {
    return [this](const Invocation&, const Job& job, SharedByImages&) {
      return (*this)(job.name(), job.output);
    };
  }
};

TEST_F(Folder, ImagesThatAreDoneTogetherShareTheThreads) {
  const auto threads_of = [&](const char* jobs, const char* all = "8") {
    std::map<std::string, int> threads;
    std::mutex mutex;
    const TempDir out;
    run_invocation(invocation({"-r", "--threads", all, "-j", jobs, at("in"), "-o", out / "x/"}),
                   [&](const Invocation& given, const Job& job, SharedByImages&) -> RunReport {
                     const std::lock_guard lock(mutex);
                     threads[below(job.name())] = given.common.threads;
                     return {};
                   });
    std::vector<int> in_order;
    for (const auto& [name, count] : threads) in_order.push_back(count);
    return in_order;
  };
  // The last images get the threads that the others no longer need.
  EXPECT_EQ(threads_of("4"), (std::vector<int>{2, 3, 4, 8}));
  EXPECT_EQ(threads_of("3"), (std::vector<int>{3, 3, 4, 8}));
  EXPECT_EQ(threads_of("2"), (std::vector<int>{4, 4, 4, 8}));
  EXPECT_EQ(threads_of("1"), (std::vector<int>{8, 8, 8, 8}));
  EXPECT_EQ(threads_of("100"), (std::vector<int>{2, 3, 4, 8}));
  // Without a limit half of the last images are enough to occupy all cores; 0 is all of them.
  const int cores = hardware_threads(), half = (cores + 1) / 2;
  EXPECT_EQ(threads_of("4", "0"), (std::vector<int>{half, half, half, 0}));
  EXPECT_EQ(threads_of("2", "0"), (std::vector<int>{half, half, cores, 0}));
}

TEST_F(Folder, OneErrorDoesNotStopTheOthers) {
  for (const char* jobs : {"1", "3"}) {
    Recorder recorder{{at("in/a.png")}, {}, {}};
    const TempDir out;
    EXPECT_EQ(
        run_invocation(invocation({"-r", "-j", jobs, at("in"), "-o", out / "x/"}), recorder.run()),
        2);
    EXPECT_EQ(recorder.inputs.size(), 4u);
    EXPECT_TRUE(std::filesystem::exists(out / "x/sub/deep/c.JPG"));
    EXPECT_FALSE(std::filesystem::exists(out / "x/a.png"));
  }
}

TEST_F(Folder, FailFastStopsAtTheFirstError) {
  Recorder recorder{{at("in/a.png")}, {}, {}};
  EXPECT_EQ(run_invocation(invocation({"-r", "-j", "1", "--fail-fast", at("in"), "-o", at("out/")}),
                           recorder.run()),
            2);
  EXPECT_EQ(recorder.inputs, Words{at("in/a.png")});
}

TEST_F(Folder, SkipExistingLeavesOutWhatIsMadeAlready) {
  const Invocation all = invocation({"--skip-existing", at("in"), "-o", at("out/")});
  dir_.write("out/a.png", "made before");
  dir_.write("out/b.exr", "of somebody else");
  {
    OutputFile file(at("out/a.png"));
    file.mark(OutputFingerprint(all.stages, all.common).hash(plan_jobs(all).front()));
    file.commit();
  }
  if (!mark_of_file(at("out/a.png"))) GTEST_SKIP() << "this file system keeps no attributes";
  Recorder recorder;
  EXPECT_EQ(run_invocation(all, recorder.run()), 0);
  EXPECT_EQ(recorder.inputs, Words{at("in/b.exr")});
}

TEST_F(Folder, SkipExistingMakesAnewWhatOtherProgramsChanged) {
  const Invocation all =
      invocation({"--skip-existing", at("in/a.png"), at("in/b.exr"), "-o", at("out/")});
  const auto make = [&](const std::string& name, std::size_t job) {
    OutputFile file(at(name));
    file.sink().write(std::as_bytes(std::span("made")));
    file.mark(OutputFingerprint(all.stages, all.common).hash(plan_jobs(all)[job]));
    file.commit();
  };
  const auto done_of = [&] {
    Recorder recorder;
    EXPECT_EQ(run_invocation(all, recorder.run()), 0);
    return recorder.inputs;
  };
  std::filesystem::create_directory(at("out"));
  make("out/a.png", 0);
  make("out/b.exr", 1);
  if (!mark_of_file(at("out/a.png"))) GTEST_SKIP() << "this file system keeps no attributes";
  EXPECT_EQ(done_of(), Words{});
  std::ofstream(at("out/a.png"), std::ios::trunc).close();
  EXPECT_EQ(done_of(), Words{at("in/a.png")});
  make("out/a.png", 0);
  std::fstream(at("out/b.exr"), std::ios::in | std::ios::out) << "MADE";  // the same size as before
  const auto later = std::filesystem::last_write_time(at("out/b.exr")) + std::chrono::seconds(1);
  std::filesystem::last_write_time(at("out/b.exr"), later);
  EXPECT_EQ(done_of(), Words{at("in/b.exr")});
}

TEST_F(Folder, SkipExistingKnowsACopyThatKeepsAttributesAndTimes) {
  const Invocation one = invocation({"--skip-existing", at("in/a.png"), at("o.png")});
  {
    OutputFile file(at("first.png"));
    file.sink().write(std::as_bytes(std::span("made")));
    file.mark(OutputFingerprint(one.stages, one.common).hash(plan_jobs(one).front()));
    file.commit();
  }
  if (!mark_of_file(at("first.png"))) GTEST_SKIP() << "this file system keeps no attributes";
  ASSERT_EQ(run({"cp", "--preserve=all", at("first.png"), at("o.png")}).exit, 0);
  Recorder recorder;
  EXPECT_EQ(run_invocation(one, recorder.run()), 0);
  EXPECT_EQ(recorder.inputs, Words{});
}

TEST_F(Folder, AFingerprintIsOfTheStagesTheOptionsAndTheFiles) {
  const auto hash = [&](Words words) {
    const Invocation one = invocation(std::move(words));
    return OutputFingerprint(one.stages, one.common).hash(plan_jobs(one).front());
  };
  const std::string first = hash({at("in/a.png"), at("o.png")});
  EXPECT_EQ(hash({"--threads", "3", "--verbose", at("in/../in/a.png"), at("p.png")}), first);
  EXPECT_NE(hash({"--type", "u16", at("in/a.png"), at("o.png")}), first);
  EXPECT_NE(hash({at("in/b.exr"), at("o.png")}), first);
  EXPECT_NE(hash({"+", "flip", at("in/a.png"), at("o.png")}), first);
  dir_.write("in/a.png", "another length");
  EXPECT_NE(hash({at("in/a.png"), at("o.png")}), first);
}

TEST_F(Folder, ShardsDoTheirPartOfTheSortedList) {
  Words all;
  for (const char* shard : {"0/3", "1/3", "2/3"}) {
    Recorder recorder;
    EXPECT_EQ(
        run_invocation(invocation({"-r", "-j", "1", "--shard", shard, at("in"), "-o", at("out/")}),
                       recorder.run()),
        0);
    all.insert(all.end(), recorder.inputs.begin(), recorder.inputs.end());
  }
  EXPECT_EQ(all,
            (Words{at("in/a.png"), at("in/sub/deep/c.JPG"), at("in/b.exr"), at("in/sub/a.png")}));
}

TEST_F(Folder, ADifferenceBetweenDevicesIsExitCodeOne) {
  const RunOne run = [](const auto&...) {
    RunReport report;
    report.difference = "R at 3,4 differs by 1 ulp";
    return report;
  };
  EXPECT_EQ(run_invocation(invocation({at("in/b.exr"), at("out.exr")}), run), 1);
}

}  // namespace
}  // namespace cuimg::test

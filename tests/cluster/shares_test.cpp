// SPDX-License-Identifier: Apache-2.0
// The samples for GNU parallel, Kubernetes and AWS Batch: their commands, with the variables that
// the scheduler would set.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cluster_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class Shares : public ClusterFolder {
 protected:
  void SetUp() override { make_images(); }

  // Runs a container's command for each of the eight shares, with this folder as /images.
  void run_shares(Words command, const std::string& index, const Words& environment) const {
    ASSERT_FALSE(command.empty());
    ASSERT_EQ(command.front(), "cuimg");
    command.front() = CUIMG_PROGRAM;
    for (std::string& word : command)
      if (word.starts_with("/images")) word = folder.path().string() + word.substr(7);
    for (int i = 0; i < 8; ++i) {
      Words variables = environment;
      variables.push_back(index + "=" + std::to_string(i));
      const Outcome share = run(command, {.environment = variables});
      EXPECT_EQ(share.exit, 0) << share.err;
      EXPECT_EQ(files_in("out").size(), static_cast<std::size_t>(i + 1) * 5);
    }
  }
};

TEST_F(Shares, OfGnuParallelAreWhatOneRunMakes) {
  if (run({"parallel", "--version"}).exit != 0) GTEST_SKIP() << "parallel is not installed";
  const std::string programs = std::filesystem::path(CUIMG_PROGRAM).parent_path().string();
  const Outcome outcome = run({"bash", sample("gnu_parallel.sh"), "in", "out"},
                              {.folder = folder.path().string(),
                               .environment = {"PATH=" + programs + ":" + getenv("PATH"),
                                               "HOME=" + folder.path().string()}});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_same_as_one_run("out");
}

TEST_F(Shares, OfKubernetesAreWhatOneRunMakes) {
  const std::string manifest = read_file(sample("kubernetes_indexed_job.yaml"));
  const std::size_t start = manifest.find("command: [") + 10;
  std::string text = manifest.substr(start, manifest.find(']', start) - start);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\''; });
  Words command;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) command.push_back(word);
  run_shares(command, "JOB_COMPLETION_INDEX", {});
  expect_same_as_one_run("out");
}

TEST_F(Shares, OfAwsBatchAreWhatOneRunMakes) {
  // A fake aws that records its arguments.
  folder.write("bin/aws",
               "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.$2\"\nfor w; do "
               "[ \"$p\" != --container-properties ] || printf %s \"$w\" >\"$0.json\"; "
               "p=$w; done\n");
  std::filesystem::permissions(folder / "bin/aws", std::filesystem::perms::owner_all);
  const Outcome outcome = run({"bash", sample("aws_batch_array.sh"), "queue", "fs-1"},
                              {.environment = {"PATH=" + (folder / "bin:") + getenv("PATH")}});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NE(read_file(folder / "bin/aws.submit-job").find("size=8"), std::string::npos);
  const auto container = nlohmann::json::parse(read_file(folder / "bin/aws.json"));
  run_shares(container["command"].get<Words>(), "AWS_BATCH_JOB_ARRAY_INDEX",
             {"AWS_BATCH_JOB_ARRAY_SIZE=8"});
  expect_same_as_one_run("out");
}

}  // namespace
}  // namespace cuimg::test

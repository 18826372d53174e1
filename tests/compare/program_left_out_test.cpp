// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` of files of which the readers leave something out.
#include "compare_program.h"
#include "support/animated_png.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::string frames = "an animation of 2 frames; only the first is read";

class CompareLeftOut : public CompareProgramTest {
 protected:
  CompareLeftOut() {
    save("still.png", golden_);
    folder_.write("a.png", animated(text("still.png")));
    folder_.write("b.png", animated(text("still.png")) + "more");
  }
};

TEST_F(CompareLeftOut, IsAWarningOfEitherFileAndADifference) {
  const Outcome outcome = compare({"a.png", "b.png"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.err, "cuimg: a.png: " + frames + "\ncuimg: b.png: " + frames + "\n");
  expect_contains(outcome.out, "  what is left out of both files is not compared\n");
  expect_contains(outcome.out, "  warning: golden: " + frames + "\n");
  expect_contains(outcome.out, "  warning: result: " + frames + "\n");
  EXPECT_EQ(report({"a.png", "b.png"})["warnings"],
            nlohmann::json(Words{"golden: " + frames, "result: " + frames}));
  EXPECT_TRUE(report({"still.png", "still.png"})["warnings"].empty());
  EXPECT_EQ(compare({"a.png", "b.png", "--allow-parts"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "a.png"}).exit, 0);
  EXPECT_EQ(compare({"-q", "a.png", "b.png"}).err, "");
}

TEST_F(CompareLeftOut, OfOneFileAloneIsADifference) {
  for (const Words& files : {Words{"a.png", "still.png"}, {"still.png", "a.png"}}) {
    const nlohmann::json found = report(files);
    EXPECT_EQ(found["verdict"], "differs");
    EXPECT_EQ(found["reason_codes"], nlohmann::json(Words{"parts"}));
    EXPECT_EQ(found["warnings"].size(), 1u);
    EXPECT_EQ(compare({files[0], files[1], "--allow-parts"}).exit, 0);
  }
  expect_contains(compare({"a.png", "still.png"}).out,
                  "what is left out is nothing; of the golden it is " + frames);
}

TEST_F(CompareLeftOut, OfATreeIsCounted) {
  for (const auto& [from, to] : {std::pair{"a.png", "golden/p.png"}, {"b.png", "result/p.png"}}) {
    save(to, golden_);
    folder_.write(to, text(from));
  }
  const Outcome outcome = compare({"golden", "result", "--allow-parts"});
  EXPECT_EQ(outcome.exit, 0);
  expect_contains(outcome.out, "1 same, 0 differ, 0 missing, 0 extra, 0 errors, 1 with warnings");
}

}  // namespace
}  // namespace cuimg::test

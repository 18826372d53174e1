// SPDX-License-Identifier: Apache-2.0
// Every kind of writer before every kind of reader: each stage's output is read by each stage that
// reads rows, and by each that reads a CUDA array through a texture. The pictures are small and
// each pair occurs once, so that compute-sanitizer can run them all.
#include <map>
#include <set>

#include "parity_cases.h"

namespace cuimg::test {
namespace {

// The writers are in groups, so that several processes can share them.
constexpr unsigned groups = 4;
constexpr unsigned most_draws = 60;

/// A stage, and the storage of the frames that it reads on a card.
struct Reader {
  std::string name;
  Storage storage;
  /// A stage whose random values rarely lead to this storage; empty for random values.
  std::string words = {};

  BoundStage drawn(Draw& draw, const TempDir& folder, const Rect& picture) const {
    if (!words.empty()) return parse_chain(words).stages.front();
    return random_stage(*find_stage(name), draw, folder, picture);
  }
};

// How the last stage of a plan reads its first layer. Conversions after it do not count as stages.
std::optional<Storage> storage_of(const BoundStage& stage, const Spec& input) {
  try {
    const Plan plan = plan_of({{stage}, false}, input);
    return plan.steps.back().operation->plan().layer(0).storage;
  } catch (const Error&) {
    return std::nullopt;
  }
}

Image picture_for(Draw& draw) {
  const std::vector<PixelType> types = {PixelType::f32, PixelType::f32, PixelType::half,
                                        PixelType::u16, PixelType::u8};
  const Rect window = {draw.number(-2, 2), draw.number(-2, 2), draw.number(5, 19),
                       draw.number(5, 19)};
  Image picture = noise(spec_of(window, draw.of(types), draw.number(1, 4)), draw.bits());
  if (draw.one_in(3)) add_special_values(picture, 20, draw);
  return picture;
}

// Draws values for stages to find out which of them read rows and which read arrays.
std::vector<Reader> readers(const TempDir& folder) {
  std::vector<Reader> found = {{"resize", Storage::array, "resize --filter linear --size 173%"}};
  for (const std::string& name : pixel_stages()) {
    if (find_stage(name)->kind != Kind::filter) continue;
    std::set<Storage> seen;
    for (unsigned number = 0; number < most_draws && seen.size() < 2; ++number) {
      Draw draw(seed_of("reader " + name, number));
      const Image picture = picture_for(draw);
      const Reader reader{name, Storage::host};
      const auto storage =
          storage_of(reader.drawn(draw, folder, picture.spec().display_window), picture.spec());
      if (storage) seen.insert(*storage);
    }
    if (name == "resize") seen.erase(Storage::array);
    for (const Storage storage : seen) found.push_back({name, storage});
  }
  return found;
}

class Pairs : public Card, public testing::WithParamInterface<unsigned> {};

TEST_P(Pairs, EveryWriterBeforeEveryReader) {
  const TempDir writers_folder, readers_folder;
  const std::vector<Reader> all = readers(readers_folder);
  for (const char* name :
       {"resize", "remap", "rotate", "affine", "perspective", "undistort", "distort"})
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(),
                    [&](const Reader& r) { return r.name == name && r.storage == Storage::array; }))
        << name << " was never drawn so that it reads an array";

  const std::vector<std::string> writers = pixel_stages();
  unsigned done = 0, refused = 0;
  for (std::size_t w = GetParam(); w < writers.size() && !HasFailure(); w += groups)
    for (const Reader& reader : all) {
      const StageDescription& writer = *find_stage(writers[w]);
      const std::string name = writer.name + " + " + reader.name;
      bool ran = false;
      for (unsigned number = 0; number < most_draws && !ran; ++number) {
        Draw draw(seed_of(name, number));
        const Image picture = picture_for(draw);
        const Spec input = writer.kind == Kind::source ? Spec{} : picture.spec();
        const BoundStage first =
            random_stage(writer, draw, writers_folder, picture.spec().display_window);
        try {
          const Spec between = plan_of({{first}, false}, input).output();
          if (between.display_window.pixels() > 4096 || between.data_window.pixels() > 4096)
            continue;
          const BoundStage second = reader.drawn(draw, readers_folder, between.display_window);
          if (storage_of(second, between) != reader.storage) continue;
          const Chain chain{{first, second}, false};
          const Plan plan = plan_of(chain, input);
          if (plan.output().data_window.pixels() > 16384 || plan.cost_ns() > 4e6) continue;
          ran = true;
          EXPECT_TRUE(same_on_both(queue(), plan, picture, {},
                                   command_line(chain, {}, picture.spec()) +
                                       ", CUIMG_PARITY_SEED=" + std::to_string(parity_seed())));
        } catch (const Error&) {
          continue;  // these values do not fit
        }
      }
      ++(ran ? done : refused);
    }
  EXPECT_LE(refused, done / 50) << "of " << done + refused << " pairs";
}

INSTANTIATE_TEST_SUITE_P(Groups, Pairs, testing::Range(0u, groups));

}  // namespace
}  // namespace cuimg::test

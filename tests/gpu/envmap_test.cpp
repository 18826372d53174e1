// SPDX-License-Identifier: Apache-2.0
// Environment maps from every layout to every other: random pictures fit one or two of them alone.
#include "card.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using EnvmapOnACard = Card;

TEST_F(EnvmapOnACard, GivesTheSameBytesBetweenAllLayouts) {
  struct Layout {
    const char* name;
    int width, height;
  };
  constexpr Layout layouts[] = {{"latlong", 130, 67},     {"cube-cross", 96, 128},
                                {"cube-cross", 92, 69},   {"cube-faces", 33, 198},
                                {"mirrorball", 101, 101}, {"angular", 128, 128}};
  const Queue cpu = Queue::cpu();
  for (const Layout& from : layouts) {
    for (const int channels : {1, 2, 3, 4}) {
      Spec spec = spec_of({0, 0, from.width, from.height},
                          channels % 2 == 0 ? PixelType::half : PixelType::f32, channels);
      spec.layers.push_back({"mask", {"id"}, PixelType::u32});
      Image source = noise(spec, static_cast<unsigned>(channels));
      for (int y = 0; y < from.height; y += 5)
        for (std::size_t i = 0; i < source.row_bytes(0); i += 37)
          source.row(0, y)[i] = static_cast<std::byte>(0xff);  // NaN here and there
      for (const Layout& to : layouts)
        for (const char* size : {"100%", "23%", "150%"}) {
          const std::string words =
              std::string("envmap --from ") + from.name + " --to " + to.name + " --size " + size;
          const Plan plan = plan_of(parse_chain(words), source.spec());
          EXPECT_TRUE(same_pixels(run_plan(plan, source, {.queue = &queue()}),
                                  run_plan(plan, source, {.queue = &cpu})))
              << words << ", " << channels << " channels";
        }
    }
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Environment maps from every layout to every other one. Random pictures fit only one or two
// layouts.
#include <iterator>
#include <string>
#include <vector>

#include "card.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using EnvmapOnACard = Card;

struct Layout {
  const char* name;
  int width, height;
};
constexpr Layout layouts[] = {{"latlong", 130, 67},     {"cube-cross", 96, 128},
                              {"cube-cross", 92, 69},   {"cube-faces", 33, 198},
                              {"mirrorball", 101, 101}, {"angular", 128, 128}};

// With a few NaNs, and ids.
Image picture(const Layout& layout, int channels) {
  Spec spec = spec_of({0, 0, layout.width, layout.height},
                      channels % 2 == 0 ? PixelType::half : PixelType::f32, channels);
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  Image source = noise(spec, static_cast<unsigned>(channels));
  for (int y = 0; y < layout.height; y += 5)
    for (std::size_t i = 0; i < source.row_bytes(0); i += 37)
      source.row(0, y)[i] = static_cast<std::byte>(0xff);
  return source;
}

void expect_same(const Queue& card, const Image& source, const std::string& words) {
  const Queue cpu = Queue::cpu();
  const Plan plan = plan_of(parse_chain(words), source.spec());
  EXPECT_TRUE(same_pixels(run_plan(plan, source, {.queue = &card}),
                          run_plan(plan, source, {.queue = &cpu})))
      << words << ", " << source.spec().layers[0].channels.size() << " channels";
}

TEST_F(EnvmapOnACard, GivesTheSameBytesBetweenAllLayouts) {
  for (const Layout& from : layouts)
    for (const int channels : {1, 2, 3, 4}) {
      const Image source = picture(from, channels);
      for (const Layout& to : layouts)
        for (const char* size : {"100%", "23%", "150%"})
          expect_same(
              queue(), source,
              std::string("envmap --from ") + from.name + " --to " + to.name + " --size " + size);
    }
}

TEST_F(EnvmapOnACard, GivesTheSameBytesOfATurnedCamera) {
  for (const Layout& from : layouts)
    for (const int channels : {1, 3, 4}) {
      const Image source = picture(from, channels);
      for (const char* rest :
           {"latlong --size 60%", "cube-cross --size 100%", "cube-faces --size 23%",
            "mirrorball --size 50%", "view --fov 100 --size 90x50", "view --fov 12 --size 33x70",
            "equidistant --size 64x64", "equisolid --fov 250 --size 51x51"})
        for (const char* rotate : {"0", "90", "0,-90,180", "33.3,-20,10"})
          expect_same(
              queue(), source,
              std::string("envmap --from ") + from.name + " --to " + rest + " --rotate=" + rotate);
    }
}

TEST_F(EnvmapOnACard, GivesTheSameBytesBetweenLevelsOfATurnedCamera) {
  for (const Layout& from : {Layout{"latlong", 257, 129}, {"cube-faces", 64, 384}}) {
    const Image source = picture(from, 4);
    for (const char* rest : {"latlong --size 30%", "cube-cross --size 21%",
                             "view --fov 100 --size 20x9", "equisolid --size 15x15"})
      for (const char* rotate : {"0", "90", "33.3,-20,10"})
        expect_same(queue(), source,
                    std::string("envmap --filter trilinear --from ") + from.name + " --to " + rest +
                        " --rotate=" + rotate);
  }
}

TEST_F(EnvmapOnACard, GivesTheSameBytesBetweenLevels) {
  constexpr Layout more[] = {{"latlong", 128, 64},
                             {"latlong", 257, 129},
                             {"latlong", 1, 1},
                             {"cube-faces", 64, 384},
                             {"cube-faces", 1, 6}};
  std::vector<Layout> sources(std::begin(more), std::end(more));
  for (const Layout& layout : layouts)
    if (std::string(layout.name) != "mirrorball" && std::string(layout.name) != "angular")
      sources.push_back(layout);
  for (const Layout& from : sources)
    for (const int channels : {1, 2, 3, 4}) {
      const Image source = picture(from, channels);
      for (const Layout& to : layouts)
        // Some pixels read the picture itself; all read level 1 or a later one; all read the last
        // level.
        for (const char* size : {"71%", "21%", "1%"})
          expect_same(queue(), source,
                      std::string("envmap --filter trilinear --from ") + from.name + " --to " +
                          to.name + " --size " + size);
    }
}

TEST_F(EnvmapOnACard, GivesTheSameBytesBetweenLevelsWithTexelsOnTheEdges) {
  for (const auto& [layout, attribute] : {std::pair{Layout{"latlong", 129, 65}, "latlong"},
                                          {Layout{"cube-faces", 33, 198}, "cube"}}) {
    Spec spec = spec_of({0, 0, layout.width, layout.height}, PixelType::f32, 4);
    spec.metadata["envmap"] = std::string(attribute);
    for (const std::string to : {"latlong", "cube-faces"})
      expect_same(queue(), noise(spec), "envmap --filter trilinear --size 30% --to " + to);
  }
}

}  // namespace
}  // namespace cuimg::test

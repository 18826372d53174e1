// SPDX-License-Identifier: Apache-2.0
// The scene of `spheres`: built from counter-based random numbers, so that a seed determines the
// picture.
#include "kernels/generate/spheres_generator.h"

#include <algorithm>

#include "kernels/generate/noise_generator.h"
#include "stages/description.h"
#include "stages/generate/generate.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

struct SpheresSource {
  Size size = default_picture_size;
  int count = 20;
  std::uint64_t seed = 1;
  int rays = 4;
  ChannelSet channels = ChannelSet::rgba;
};

class Scene {
 public:
  explicit Scene(const SpheresSource& p) : seed_(p.seed) {
    scene_.rays = p.rays;
    scene_.lamps = std::min(Spheres::most_lamps, 1 + p.count / 24);
    scene_.floor_radius = 1.2f + 0.62f * sqrt(static_cast<float>(p.count));
    for (int i = 0; i < scene_.lamps; ++i) add(lamp(i));
    for (int i = 0; i < p.count; ++i) add(sphere());
  }

  const Spheres& seen_in(const Rect& r, const PixelShape& shape) {
    scene_.width = r.width, scene_.height = r.height;
    scene_.shape = shape;
    const float scale = scene_.floor_radius / 3.6f;
    const Vector3 target = {0, 0.5f * scale, 0};
    scene_.eye = scale * Vector3{0.3f, 2.9f, 6.6f};
    scene_.forward = normalized(target - scene_.eye);
    // The floor fits into the shorter side.
    const auto width = static_cast<float>(r.width), height = static_cast<float>(r.height);
    const float step = 2.0f * std::max(0.4f / height, 0.62f / width);
    const Vector3 right = normalized(cross(scene_.forward, {0, 1, 0}));
    scene_.right = step * right;
    scene_.down = step * cross(scene_.forward, right);
    return scene_;
  }

 private:
  // The next number of the seed's sequence, in [0, 1); the last counter word makes it differ from
  // the numbers of noise.
  float next() {
    const RandomWords words = philox4x32({{drawn_++, 0, 0, 1}}, static_cast<std::uint32_t>(seed_),
                                         static_cast<std::uint32_t>(seed_ >> 32));
    return uniform_of(words.v[0]);
  }
  float next(float low, float high) { return between(low, high, next()); }
  void add(const Sphere& s) { scene_.spheres[scene_.count++] = s; }

  // A random place on a disc, uniformly distributed.
  Vector3 place(float radius, float height) {
    const float r = radius * sqrt(next());
    const auto angle = static_cast<std::uint32_t>(next() * 0x1p32f);
    return {r * cosine_of_turns(angle), height, r * sine_of_turns(angle)};
  }

  Sphere lamp(int i) {
    static constexpr Vector3 colors[] = {
        {1, 0.7f, 0.35f}, {0.5f, 0.7f, 1}, {1, 0.45f, 0.4f}, {0.6f, 1, 0.65f}};
    const Vector3 center = place(0.6f * scene_.floor_radius, next(1.9f, 2.6f));
    return {center, 0.14f, colors[i], 0, {0, 0, 0}, next(200, 400)};
  }

  bool is_free(Vector3 center, float radius) const {
    for (int i = 0; i < scene_.count; ++i) {
      const Vector3 between_centers = scene_.spheres[i].center - center;
      const float apart = radius + scene_.spheres[i].radius;
      if (dot(between_centers, between_centers) < apart * apart) return false;
    }
    return true;
  }

  // A sphere that rests on the floor. If no free place is found soon, it becomes smaller; in the
  // end it may overlap another, which does no harm.
  Sphere sphere() {
    float radius = next(0.22f, 0.62f);
    Vector3 center = place(scene_.floor_radius - radius, radius);
    for (int attempt = 1; attempt < 200 && !is_free(center, radius); ++attempt) {
      if (attempt % 8 == 0) radius = std::max(0.12f, 0.9f * radius);
      center = place(scene_.floor_radius - radius, radius);
    }
    const float kind = next();
    const Vector3 color = {next(0.03f, 0.8f), next(0.03f, 0.8f), next(0.03f, 0.8f)};
    const float gloss = next(60, 160);
    if (kind < 0.2f) return {center, radius, {0.02f, 0.02f, 0.02f}, 200, {0.9f, 0.9f, 0.92f}, 0};
    if (kind < 0.4f)  // a metal: it tints its reflections
      return {center, radius, 0.06f * color, 150, {0.95f, 0.35f + 0.6f * color.y, 0.3f}, 0};
    return {center, radius, color, gloss, {0.05f, 0.05f, 0.05f}, 0};
  }

  std::uint64_t seed_;
  std::uint32_t drawn_ = 0;
  Spheres scene_{};
};

}  // namespace

StageDescription spheres_stage() {
  using S = SpheresSource;
  return describe<S>("spheres", "a ray-traced scene with bright highlights", Kind::source)
      .param("size", &S::size, "size of the picture", placeholder("WxH"))
      .param("count", &S::count, range(0, Spheres::most - Spheres::most_lamps),
             "number of spheres on the floor; lamps come on top")
      .param("seed", &S::seed, at_least(0), "another seed gives another scene")
      .param("rays", &S::rays, range(1, 8), "rays along each axis of every pixel")
      .param("channels", &S::channels, "channels of the picture; without alpha there is a sky")
      .details(
          "Coloured, mirroring and metal spheres on a round checkered floor, under a sun and up to "
          "four lamps, with shadows and four reflections deep. Highlights and lamps exceed 100, so "
          "the picture is a good test for HDR. All arithmetic is in float in a fixed order, so the "
          "picture is the same on every device.")
      .example("cuimg spheres --size 1280x720 --count 60 --seed 3 spheres.exr")
      .example("cuimg spheres --channels RGB + exposure --stops -1 spheres.png")
      .prepare([](const S& p) {
        const Spec spec = generated_spec("spheres", p.size, p.channels);
        return make_source(spec, Scene(p).seen_in(spec.data_window, form_of(spec.layers[0]).shape),
                           100.0 + 20.0 * p.rays * p.rays * (p.count + 1));
      });
}

}  // namespace cuimg

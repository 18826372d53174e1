// SPDX-License-Identifier: Apache-2.0
// The promise, stage by stage: random parameters, drawn from each stage's own description, over
// random small images give the same bytes on the CPU and on the card.
#include <algorithm>
#include <filesystem>

#include "card.h"
#include "image/error.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int number(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(random_() >> 8) * 0x1p-24f;
  }
  bool one_in(int n) { return random_() % static_cast<unsigned>(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[random_() % all.size()];
  }
  unsigned bits() { return random_(); }

 private:
  std::mt19937 random_;
};

// Small, large and odd pictures; mostly tame values, sometimes any bits.
Image random_picture(Draw& draw) {
  const int longest = draw.one_in(10) ? 300 : draw.one_in(3) ? 80 : 20;
  const Rect display = {draw.number(-5, 5), draw.number(-5, 5), draw.number(1, longest),
                        draw.number(1, longest)};
  Rect data = display;
  if (draw.one_in(3))
    data = {draw.number(-20, 20), draw.number(-20, 20), draw.number(1, longest),
            draw.number(1, longest)};
  const std::vector<PixelType> types = {PixelType::u8, PixelType::u16, PixelType::half,
                                        PixelType::f32};
  Spec spec = spec_of(data, draw.of(types), draw.number(1, 4));
  spec.display_window = display;
  if (draw.one_in(4)) spec.layers.push_back({"", {"Z"}, PixelType::f32});
  if (draw.one_in(4)) spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  Image image = noise(spec, draw.bits());
  if (draw.one_in(4))
    for (int l = 0; l < static_cast<int>(spec.layers.size()); ++l)
      for (int y = data.y; y < data.bottom(); ++y)
        for (std::size_t i = 0; i < image.row_bytes(l); ++i)
          if (draw.one_in(20)) image.row(l, y)[i] = static_cast<std::byte>(draw.bits());
  return image;
}

// A map as large as one likes, over the picture, past its edges and anywhere.
std::string write_random_map(Draw& draw, const TempDir& folder, const Rect& picture) {
  const Rect window = {draw.number(-9, 9), draw.number(-9, 9), draw.number(1, 60),
                       draw.number(1, 60)};
  Spec spec = spec_of(window, draw.one_in(3) ? PixelType::half : PixelType::f32, 1);
  spec.layers[0].channels = {"X", "Y"};
  const bool normalized = draw.one_in(2);
  const Image map = image_of(spec, [&](int, int, int, int c) -> float {
    if (draw.one_in(50)) return std::bit_cast<float>(draw.bits());
    const auto size = static_cast<float>(c == 0 ? picture.width : picture.height);
    return draw.real(-1, 2) * (normalized ? 1.0f : size);
  });
  const std::string path = folder / "map.exr";
  write_image(path, map, *codec_named("exr"));
  return path;
}

// A text that the parameter takes, or nothing to leave it at its default.
std::optional<std::string> random_text(const Parameter& p, Draw& draw, const TempDir& folder,
                                       const Rect& picture) {
  const Range allowed = p.range.value_or(Range{});
  const auto clamped = [&](double low, double high) {
    return std::pair{static_cast<float>(std::max(low, allowed.lowest)),
                     static_cast<float>(std::min(high, allowed.highest))};
  };
  if (p.is_file) return write_random_map(draw, folder, picture);
  if (draw.one_in(4)) return std::nullopt;
  if (p.is_flag) return draw.one_in(2) ? "true" : "false";
  if (!p.choices.empty()) return std::string(draw.of(p.choices).name);
  if (p.type == "int") {
    const auto [low, high] = clamped(-100, 100);
    return std::to_string(draw.number(static_cast<int>(low), static_cast<int>(high)));
  }
  if (p.type == "float") {
    const auto [low, high] = clamped(-100, 100);
    return format_value(draw.real(low, high));
  }
  if (p.type == "size") {
    if (draw.one_in(2)) return format_value(percent(std::exp2(draw.real(-4, 2)) * 100));
    return format_value(pixels(draw.number(1, 120), draw.number(0, 120)));
  }
  if (p.type == "region")
    return format_value(
        Region{{draw.number(-9, 9), draw.number(-9, 9), draw.number(1, 90), draw.number(1, 90)}});
  if (p.type == "point") return format_value(Point{draw.real(-9, 90), draw.real(-9, 90)});
  if (p.type == "color")
    return format_value(
        Color{{draw.real(-1, 2), draw.real(0, 1), draw.real(0, 9), draw.real(0, 1)}});
  return std::nullopt;
}

using Parity = Card;

constexpr int cases_per_stage = 1500;

TEST_F(Parity, RandomParametersGiveTheSameBytesOnBothDevices) {
  const Queue cpu = Queue::cpu();
  const TempDir folder;
  for (const StageDescription* stage : stages()) {
    if (stage->kind != Kind::filter) continue;
    int done = 0, refused = 0;
    for (unsigned number = 0; number < cases_per_stage; ++number) {
      Draw draw(number * 7919 + 13);
      const Image source = random_picture(draw);
      const std::shared_ptr<void> values = stage->make();
      for (const Parameter& p : stage->parameters)
        if (const auto text = random_text(p, draw, folder, source.spec().display_window))
          p.set(values.get(), *text, stage->name);
      const Chain chain{{{stage, values}}, draw.one_in(2)};
      ChainOptions options;
      if (draw.one_in(2)) options.format = draw.one_in(2) ? "png" : "exr";
      const std::string what = stage->words(values.get()) + (chain.raw ? " --raw" : "") + " of " +
                               describe_pixels(source.spec()) + ", case " + std::to_string(number);
      std::optional<Plan> plan;
      try {
        plan = plan_of(chain, source.spec(), options);
      } catch (const Error&) {
        ++refused;  // values that exclude each other, or that leave nothing of the picture
        continue;
      }
      options.queue = &cpu;
      const Image on_cpu = run_plan(*plan, source, options);
      options.queue = &queue();
      ASSERT_TRUE(same_pixels(run_plan(*plan, source, options), on_cpu)) << what;
      ++done;
    }
    EXPECT_GT(done, cases_per_stage / 2) << stage->name << ": " << refused << " were refused";
  }
}

TEST_F(Parity, ConversionsGiveTheSameBytesOnBothDevices) {
  const Queue cpu = Queue::cpu();
  for (unsigned number = 0; number < 1000; ++number) {
    Draw draw(number * 104729 + 7);
    const Image source = random_picture(draw);
    const std::vector<std::string> formats = {"png", "exr", "jpeg", "tiff", "hdr", "pfm", "tga"};
    ChainOptions options;
    options.format = draw.of(formats);
    const Chain chain{{}, draw.one_in(3)};
    std::optional<Plan> plan;
    try {
      plan = plan_of(chain, source.spec(), options);
    } catch (const Error&) {
      continue;  // ids in a format that cannot hold them
    }
    options.queue = &cpu;
    const Image on_cpu = run_plan(*plan, source, options);
    options.queue = &queue();
    ASSERT_TRUE(same_pixels(run_plan(*plan, source, options), on_cpu))
        << describe_pixels(source.spec()) << " to " << options.format << ", case " << number;
  }
}

}  // namespace
}  // namespace cuimg::test

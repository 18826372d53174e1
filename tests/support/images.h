// SPDX-License-Identifier: Apache-2.0
// Small images in memory, and chains of stages that run on them as in the program: planned, in
// bands, with the conversions that the pipeline inserts.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "image/image.h"
#include "kernels/math/half.h"
#include "pipeline/difference.h"
#include "pipeline/execute/execute.h"
#include "pipeline/plan.h"
#include "pipeline/recipe.h"
#include "pipeline/run/measured.h"

namespace cuimg::test {

inline std::vector<std::string> channel_names(int channels) {
  if (channels == 1) return {"Y"};
  if (channels == 2) return {"Y", "A"};
  if (channels == 3) return {"R", "G", "B"};
  return {"R", "G", "B", "A"};
}

inline Spec spec_of(const Rect& window, PixelType type, int channels) {
  Spec spec;
  spec.data_window = spec.display_window = window;
  spec.layers = {{"", channel_names(channels), type}};
  if (!is_floating(type)) spec.color = {Curve::srgb, 1.0f, false, {}};
  return spec;
}

/// Stores `value` in the channel's type, so that a point read returns it.
inline void store(std::byte* target, PixelType type, float value) {
  switch (type) {
    case PixelType::u8:
      *reinterpret_cast<std::uint8_t*>(target) = static_cast<std::uint8_t>(value * 255 + 0.5f);
      return;
    case PixelType::u16:
      *reinterpret_cast<std::uint16_t*>(target) = static_cast<std::uint16_t>(value * 65535 + 0.5f);
      return;
    case PixelType::half: {
      const Half half = float_to_half(value);
      std::memcpy(target, &half, sizeof half);
      return;
    }
    case PixelType::f32:
      std::memcpy(target, &value, sizeof value);
      return;
    case PixelType::u32: {
      const auto id = static_cast<std::uint32_t>(value);
      std::memcpy(target, &id, sizeof id);
      return;
    }
  }
}

/// @param value takes (layer, x, y, channel) in absolute coordinates and returns a float.
template <class Value>
Image image_of(const Spec& spec, const Value& value) {
  Image image(spec);
  const Rect& r = spec.data_window;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    for (int y = r.y; y < r.bottom(); ++y) {
      std::byte* target = image.row(l, y);
      for (int x = r.x; x < r.right(); ++x)
        for (int c = 0; c < layer.channel_count(); ++c, target += bytes_of(layer.type))
          store(target, layer.type, static_cast<float>(value(l, x, y, c)));
    }
  }
  return image;
}

inline Image flat(const Spec& spec, float value) {
  return image_of(spec, [&](int, int, int, int) { return value; });
}

/// Values in [0, 1); ids in [0, 1000).
inline Image noise(const Spec& spec, unsigned seed = 1) {
  std::mt19937 random(seed);
  return image_of(spec, [&](int l, int, int, int) {
    const auto value = static_cast<float>(random() >> 8) * 0x1p-24f;
    return spec.layer(l).type == PixelType::u32 ? value * 1000 : value;
  });
}

/// A float or u32 layer's value.
template <class T = float>
T value_at(const Image& image, int x, int y, int channel = 0, int layer = 0) {
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  T value;
  std::memcpy(&value,
              image.row(layer, y) +
                  static_cast<std::size_t>(x - image.spec().data_window.x) * spec.pixel_bytes() +
                  static_cast<std::size_t>(channel) * sizeof(T),
              sizeof value);
  return value;
}

struct ChainOptions {
  int threads = 1;
  std::string format;  ///< The output's codec; empty: no conversion.
  std::optional<PixelType> type = {};
  bool whole = false;  ///< Run every step over whole frames instead of bands.
  const Queue* queue = nullptr;
  std::uint64_t card_bytes = UINT64_MAX;  ///< The card memory for frames.
  bool alone_on_card = false;             ///< CardUse::is_alone: two lanes, whatever the size.
};

struct Chain {
  std::vector<BoundStage> stages;
  bool raw = false;
  std::vector<std::string> layers = {};  ///< --layers
};

/// "resize --filter box --raw + ...", as on the command line.
inline Chain parse_chain(const std::string& words) {
  std::vector<std::string> all = recipe_words(words, "test");
  const StageDescription* const first = find_stage(all.front());
  if (first == nullptr || first->kind != Kind::source) all.emplace_back("in.exr");
  all.emplace_back("out.exr");
  Invocation invocation = parse_pipeline(all);
  return {std::move(invocation.stages), invocation.common.raw, invocation.common.layers};
}

inline Plan plan_of(const Chain& chain, const Spec& input, const ChainOptions& options = {}) {
  return make_plan(input, chain.stages,
                   options.format.empty() ? nullptr : codec_named(options.format), options.type,
                   {0, 0, 0}, {.raw = chain.raw, .decode = {}, .layers = chain.layers});
}

// The result of the first `count` steps for a whole layer, computed on the calling thread.
inline Frame made_whole(const Plan& plan, std::size_t count, const Queue& queue,
                        const Image& source, int layer) {
  if (count == 0) return Frame::over_image(source, layer);
  const Operation& step = *plan.steps[count - 1].operation;
  const Rect window = step.output().data_window;
  std::vector<Frame> sources;
  for (const int from : step.plan().layer(layer).sources) {
    const Frame frame = made_whole(plan, count - 1, queue, source, from);
    sources.push_back(frame.cropped(intersection(step.needed(window), frame.region())));
  }
  const LayerSpec& spec = step.output().layer(layer);
  const Frame made = Frame::new_host({window, spec.type, spec.channel_count(), Storage::host});
  step.run(queue, layer, sources, made);
  return made;
}

inline void run_whole(const Plan& plan, const Queue& queue, const Image& source, Image& target) {
  for (int layer = 0; layer < target.spec().layer_count(); ++layer) {
    const Frame made = made_whole(plan, plan.steps.size(), queue, source, layer);
    const Rect& r = made.region();
    for (int y = r.y; y < r.bottom(); ++y)
      std::memcpy(target.row(layer, y), made.pixel(r.x, y), target.row_bytes(layer));
  }
}

inline Image run_plan(const Plan& plan, const Image& source, const ChainOptions& options = {}) {
  const Queue cpu = Queue::cpu(options.threads);
  const Queue& queue = options.queue != nullptr ? *options.queue : cpu;
  Image target(plan.output());
  RowProgress ready, done;
  ready.finish();
  if (!options.whole) {
    execute(plan, queue, {source, ready, target, done},
            {options.card_bytes, options.alone_on_card, 0});
    return target;
  }
  run_whole(plan, queue, source, target);
  return target;
}

/// The chain after its stages have measured the picture.
inline Chain measured_chain(Chain chain, const Image& source) {
  StageContext context;
  context.raw = chain.raw;
  context.layers = chain.layers;
  chain.stages =
      measured(std::move(chain.stages), source.spec(), context,
               {[&] { return std::shared_ptr<const Image>(std::shared_ptr<void>(), &source); }});
  return chain;
}

/// The warnings of a chain's first stage for this input.
inline std::vector<std::string> warnings_of(const std::string& words, const Spec& input) {
  std::vector<std::string> said;
  StageContext context;
  context.decode.warn = [&](const std::string& text) { said.push_back(text); };
  parse_chain(words).stages.front().prepare(input, context);
  return said;
}

inline Image run_chain(const std::string& words, const Image& source,
                       const ChainOptions& options = {}) {
  const Chain chain = measured_chain(parse_chain(words), source);
  return run_plan(plan_of(chain, source.spec(), options), source, options);
}

/// The result of a chain that begins with a source.
inline Image generate(const std::string& words, const ChainOptions& options = {}) {
  return run_chain(words, Image(), options);
}

inline testing::AssertionResult same_pixels(const Image& a, const Image& b) {
  if (a.spec().data_window != b.spec().data_window || a.spec().layers != b.spec().layers)
    return testing::AssertionFailure() << "windows or layers differ";
  if (const auto differs = difference(a, b)) return testing::AssertionFailure() << *differs;
  return testing::AssertionSuccess();
}

/// The message of a chain's error; "none" if there is none.
inline std::string problem(const std::string& words, const Image& image) {
  try {
    run_chain(words, image);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cuimg::test

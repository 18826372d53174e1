// SPDX-License-Identifier: Apache-2.0
// Passes over rows in host memory, and merging of two passes.
#include "stages/pass/pixel_pass.h"

#include <algorithm>
#include <cstring>

#include "base/instruction_set.h"
#include "device/on_device.h"
#include "image/row_convert.h"
#include "kernels/math/dispatch.h"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

void move_rows(const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const Rect covered = intersection(source.region(), t);
  const std::size_t pixel = target.format().pixel_bytes();
  for (int y = t.y; y < t.bottom(); ++y) {
    if (covered != t)
      std::memset(target.pixel(t.x, y), 0, pixel * static_cast<std::size_t>(t.width));
    if (y >= covered.y && y < covered.bottom() && covered.width > 0)
      std::memcpy(target.pixel(covered.x, y), source.pixel(covered.x, y),
                  pixel * static_cast<std::size_t>(covered.width));
  }
}

// The rows of a pass, with the buffers that they share.
class PassRows {
 public:
  PassRows(const PixelPass& pass, const Frame& source, const Frame& target)
      : pass_(pass),
        source_(source),
        target_(target),
        from_{static_cast<PixelType>(pass.from.type), pass.from.shape.channels, pass.from.encoding},
        to_{static_cast<PixelType>(pass.to.type), pass.to.shape.channels, pass.to.encoding},
        stores_floats_(to_.type == PixelType::f32 && is_plain(to_.encoding)) {
    const auto width = static_cast<std::size_t>(target.region().width);
    light_.resize(width * static_cast<std::size_t>(from_.channels));
    if (!pass.ops.empty()) {
      wide_.resize(block * 4);
      result_.resize(width * static_cast<std::size_t>(to_.channels));
    }
  }

  void row(int y) {
    const Rect& t = target_.region();
    const auto width = static_cast<std::size_t>(t.width);
    // Float rows that only need decoding are written directly to the target.
    const bool straight_through = pass_.ops.empty() && stores_floats_;
    float* const light = straight_through ? target_.pixel_as<float>(t.x, y) : light_.data();
    decode(y, light);
    if (straight_through) return;
    const float* result = light;
    if (!pass_.ops.empty()) {
      float* const made = stores_floats_ ? target_.pixel_as<float>(t.x, y) : result_.data();
      operate(light, made, width);
      result = made;
    }
    if (!stores_floats_) working_to_rows(to_, result, target_.pixel(t.x, y), width);
  }

 private:
  // Pixels at a time: their four floats each fit the first-level cache.
  static constexpr std::size_t block = 512;

  void decode(int y, float* light) const {
    const Rect& t = target_.region();
    const Rect covered = intersection(source_.region(), t);
    const bool inside = y >= covered.y && y < covered.bottom() && covered.width > 0;
    if (!inside || covered.width != t.width)
      std::fill_n(light, static_cast<std::size_t>(t.width) * from_channels(), 0.0f);
    if (inside)
      rows_to_working(from_, source_.pixel(covered.x, y),
                      light + static_cast<std::ptrdiff_t>(covered.x - t.x) * from_.channels,
                      static_cast<std::size_t>(covered.width));
  }

  void operate(const float* light, float* made, std::size_t width) {
    float* const planes[4] = {&wide_[0], &wide_[block], &wide_[2 * block], &wide_[3 * block]};
    for (std::size_t x = 0; x < width; x += block) {
      const std::size_t count = std::min(block, width - x);
      take_apart(light + x * from_channels(), from_.channels, planes, count);
      run_pixel_ops(pass_.ops, planes, count, pass_.from.shape);
      put_together(planes, made + x * to_channels(), to_.channels, count);
    }
  }

  // Missing channels contain zeros instead of the last block's values, so no NaN slows down the
  // loop.
  static void take_apart(const float* pixels, int channels, float* const (&planes)[4],
                         std::size_t count) {
    with_channels(channels, [&](auto n) {
      constexpr std::size_t step = n();
      with_best_instructions([&] {
        float* const __restrict r = planes[0];
        float* const __restrict g = planes[1];
        float* const __restrict b = planes[2];
        float* const __restrict a = planes[3];
        for (std::size_t i = 0; i < count; ++i) {
          const float* const pixel = pixels + i * step;
          r[i] = pixel[0];
          g[i] = step > 1 ? pixel[1 % step] : 0.0f;
          b[i] = step > 2 ? pixel[2 % step] : 0.0f;
          a[i] = step > 3 ? pixel[3 % step] : 0.0f;
        }
      });
    });
  }

  static void put_together(float* const (&planes)[4], float* pixels, int channels,
                           std::size_t count) {
    with_channels(channels, [&](auto n) {
      constexpr std::size_t step = n();
      with_best_instructions([&] {
        const float *r = planes[0], *g = planes[1], *b = planes[2], *a = planes[3];
        float* const __restrict to = pixels;
        for (std::size_t i = 0; i < count; ++i) {
          float* const pixel = to + i * step;
          pixel[0] = r[i];
          if constexpr (step > 1) pixel[1] = g[i];
          if constexpr (step > 2) pixel[2] = b[i];
          if constexpr (step > 3) pixel[3] = a[i];
        }
      });
    });
  }

  std::size_t from_channels() const { return static_cast<std::size_t>(from_.channels); }
  std::size_t to_channels() const { return static_cast<std::size_t>(to_.channels); }

  const PixelPass& pass_;
  const Frame& source_;
  const Frame& target_;
  const RowFormat from_, to_;
  const bool stores_floats_;
  std::vector<float> light_, wide_, result_;
};

}  // namespace

PixelForm form_of(const LayerSpec& layer, const Encoding& encoding) {
  PixelForm form;
  form.type = static_cast<std::uint8_t>(layer.type);
  form.shape.channels = static_cast<std::int8_t>(layer.channel_count());
  form.shape.alpha = static_cast<std::int8_t>(layer.is_color() ? layer.alpha_index() : -1);
  // Colours come first; other channels of their layer are not colour. If --layers names other
  // layers for a colour stage, all of their channels are changed.
  const auto is_color = [](const std::string& c) {
    return c == "R" || c == "G" || c == "B" || c == "Y";
  };
  form.shape.colors = static_cast<std::int8_t>(
      layer.is_color() ? std::ranges::count_if(layer.channels, is_color) : layer.channel_count());
  form.encoding = encoding;
  return form;
}

PixelPass moving_pass(const LayerSpec& layer) {
  PixelPass pass;
  pass.from = pass.to = form_of(layer);
  pass.moves_only = true;
  return pass;
}

std::optional<PixelPass> merged(const PixelPass& first, const PixelPass& second) {
  if (first.moves_only) return second;
  if (second.moves_only) return first;
  // A rounded value between the two must be rounded.
  if (static_cast<PixelType>(first.to.type) != PixelType::f32) return std::nullopt;
  PixelPass result = first;
  const auto append = [&](const std::vector<PixelOp>& ops) {
    result.ops.insert(result.ops.end(), ops.begin(), ops.end());
  };
  append(encoding(first.to.encoding, first.to.shape));
  append(decoding(second.from.encoding, second.from.shape));
  append(second.ops);
  result.tables.insert(result.tables.end(), second.tables.begin(), second.tables.end());
  result.to = second.to;
  if (result.ops.size() > most_pixel_ops) return std::nullopt;
  return result;
}

std::unique_ptr<Operation> fused(const Operation& first, const Operation& second) {
  if (!first.output().data_window.contains(second.output().data_window)) return nullptr;
  OperationPlan plan = second.plan();
  plan.cost_ns += first.plan().cost_ns;
  for (LayerPlan& layer : plan.layers) {
    if (!layer.pixel_pass) return nullptr;
    const LayerPlan& earlier = first.plan().layer(layer.sources.front());
    if (!earlier.pixel_pass) return nullptr;
    std::optional<PixelPass> both = merged(*earlier.pixel_pass, *layer.pixel_pass);
    if (!both) return nullptr;
    layer = earlier;
    layer.pixel_pass = std::make_shared<const PixelPass>(std::move(*both));
  }
  // At most the data window of the first operation's input can be requested.
  return make_pixel_operation(std::move(plan), first.needed(first.output().data_window));
}

std::unique_ptr<Operation> make_pixel_operation(OperationPlan plan, const Rect& input_window) {
  std::vector<std::shared_ptr<const PixelPass>> passes;
  for (LayerPlan& layer : plan.layers) {
    layer.decodes = StoredForm::decoded_by(layer.pixel_pass);
    layer.encodes = StoredForm::encoded_by(layer.pixel_pass);
    passes.push_back(layer.pixel_pass);
  }
  return make_operation(
      std::move(plan),
      [input_window](const Rect& region) { return intersection(region, input_window); },
      [passes = std::move(passes)](const Queue& queue, int layer, Frames sources,
                                   const Frame& target) {
        run_pass(queue, *passes[static_cast<std::size_t>(layer)], sources.front(), target);
      });
}

void run_pass(const Queue& queue, const PixelPass& pass, const Frame& source, const Frame& target) {
  const CodeTable* const table = source.region().contains(target.region())
                                     ? pass.code_table->of(pass, target.region().pixels())
                                     : nullptr;
  on_device(
      queue,
      [&] {
        if (table != nullptr) return table->apply_on_cpu(source, target);
        run_pass_on_cpu(pass, source, target);
      },
      [&] {
        if (table != nullptr && CodeTable::can_apply_on_cuda(source, target))
          return table->apply_on_cuda(queue, source, target);
        run_pass_on_cuda(queue, pass, source, target);
      });
}

void run_pass_on_cpu(const PixelPass& pass, const Frame& source, const Frame& target) {
  if (pass.moves_only) return move_rows(source, target);
  PassRows rows(pass, source, target);
  for (int y = target.region().y; y < target.region().bottom(); ++y) rows.row(y);
}

}  // namespace cuimg

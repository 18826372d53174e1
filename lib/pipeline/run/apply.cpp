// SPDX-License-Identifier: Apache-2.0
// One image in, one image out: the part of run.cpp between decoding and encoding.
#include "pipeline/run/apply.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/float_environment.h"
#include "image/require_memory.h"
#include "options/parameter.h"
#include "pipeline/execute/execute.h"
#include "pipeline/plan.h"
#include "pipeline/run/measured.h"

namespace cuimg {
namespace {

bool is_positive(float v) { return v > 0 && v <= std::numeric_limits<float>::max(); }

// Decoders give only such values.
void check_numbers(const Spec& spec) {
  if (!is_positive(spec.pixel_aspect))
    throw Error("apply", "a pixel_aspect of " + format_value(spec.pixel_aspect),
                "use a finite value above 0");
  if (spec.color.curve == Curve::gamma && !is_positive(spec.color.gamma))
    throw Error("apply", "a gamma of " + format_value(spec.color.gamma),
                "use a finite value above 0");
}

void check(const Image& input, Chain stages, const ApplyOptions& options) {
  for (const BoundStage& stage : stages) {
    if (stage.description == nullptr)
      throw Error("apply", "a stage has no description", "make it with bind() or parse_chain()");
    if (stage.parameters == nullptr)
      throw Error("apply", stage.description->name + " has no parameters",
                  "make it with bind() or parse_chain()");
    const bool is_first = &stage == &stages.front();
    const Kind kind = stage.kind();
    if (kind == Kind::filter || (kind == Kind::source && is_first)) continue;
    throw Error(stage.description->name, kind == Kind::sink      ? "it gives no image"
                                         : kind == Kind::reducer ? "it takes files"
                                                                 : "it takes no image");
  }
  if (takes_input(stages) && (input.spec().layers.empty() || input.spec().data_window.empty()))
    throw Error("apply", "the image is empty");
  if (takes_input(stages)) {
    require_memory(input, "apply");
    check_numbers(input.spec());
  }
  for (const float v : options.background)
    if (!(v >= 0 && v <= std::numeric_limits<float>::max()))
      throw Error("apply", "background " + format_value(v) + " is out of range",
                  "use finite values of 0 or more");
  if (options.type == PixelType::u32)
    throw Error("apply", "type u32 is for ids, to which nothing is converted",
                "use u8, u16, half or float");
  if (options.type && options.codec == nullptr)
    throw Error("apply", "a type is given without a codec",
                "give the codec too: its encoding goes with the type");
}

}  // namespace

Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const ApplyOptions& options) {
  check(input, stages, options);
  if (options.stop.stop_requested()) throw Cancelled();
  const FloatEnvironment environment;  // tables are computed on this thread
  StageContext context;
  context.raw = options.raw;
  context.layers = options.layers;
  context.refuses_nearest_mattes = options.refuses_nearest_mattes;
  context.decode.threads = queue.threads();
  if (options.warn) {
    context.decode.notify = [](const std::string&) {};
    context.decode.warn = options.warn;
  }
  const auto whole = [&] { return std::shared_ptr<const Image>(std::shared_ptr<void>(), &input); };
  const Spec& spec = input.spec();
  const auto known =
      has_unmeasured(stages)
          ? measured(stages, spec, context, {whole, {}, options.background, queue.threads()})
          : stages;
  Plan plan = make_plan(spec, known, options.codec, options.type, options.background, context);
  if (options.warn)
    for (const std::string& warning : plan.warnings) options.warn(warning);
  if (options.codec == nullptr) end_in_one_form(plan, options.background, options.raw);
  Image output(options.codec == nullptr ? plan.output()
                                        : file_spec(plan.output(), *options.codec, options.type));
  RowProgress ready, done;
  ready.finish();
  const int rows = output.spec().data_window.height;
  if (options.progress)
    done.watch([&, before = 0](int complete) mutable {
      complete = std::min(complete, rows);  // the end of a producer follows its last row
      if (std::exchange(before, complete) != complete) options.progress(complete, rows);
    });
  execute(plan, queue.stopped_by(options.stop), {input, ready, output, done});
  return output;
}

Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const Codec* codec, std::optional<PixelType> type) {
  ApplyOptions options;
  options.codec = codec;
  options.type = type;
  return apply(input, stages, queue, options);
}

}  // namespace cuimg

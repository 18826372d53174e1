// SPDX-License-Identifier: Apache-2.0
// One image in, one image out: what run.cpp does between decoding and encoding.
#include "pipeline/run/apply.h"

#include <memory>

#include "pipeline/execute/execute.h"
#include "pipeline/plan.h"
#include "pipeline/run/measured.h"

namespace cuimg {

Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const Codec* codec, std::optional<PixelType> type) {
  const auto known = has_unmeasured(stages) ? measured(stages, input.spec(), {}, {[&] {
                                                         return std::shared_ptr<const Image>(
                                                             std::shared_ptr<void>(), &input);
                                                       }})
                                            : stages;
  const Plan plan = make_plan(input.spec(), known, codec, type, {0, 0, 0}, {});
  Image output(codec == nullptr ? plan.output() : file_spec(plan.output(), *codec, type));
  RowProgress ready, done;
  ready.finish();
  execute(plan, queue, {input, ready, output, done});
  return output;
}

}  // namespace cuimg

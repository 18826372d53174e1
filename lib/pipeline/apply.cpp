// SPDX-License-Identifier: Apache-2.0
// One image in, one image out: what run.cpp does between its files.
#include "pipeline/apply.h"

#include "pipeline/execute.h"
#include "pipeline/plan.h"

namespace cuimg {

Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const Codec* codec, std::optional<PixelType> type) {
  const Plan plan = make_plan(input.spec(), stages, codec, type, {0, 0, 0}, {});
  Spec spec = plan.output();
  if (codec != nullptr && !codec->capabilities.windows) {
    spec.data_window.x = spec.data_window.y = 0;
    spec.display_window = spec.data_window;
  }
  Image output(std::move(spec));
  RowProgress ready, done;
  ready.finish();
  execute(plan, queue, input, ready, output, done);
  return output;
}

}  // namespace cuimg

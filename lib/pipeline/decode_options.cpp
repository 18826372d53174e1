// SPDX-License-Identifier: Apache-2.0
#include "pipeline/decode_options.h"

namespace cuimg {

DecodeOptions decode_options(const CommonOptions& common, Notify notify) {
  DecodeOptions options;
  options.mip_level = common.mip_level;
  options.raw = common.raw;
  options.icc = {common.icc, common.icc_intent, common.icc_black_point};
  options.limit_pixels = common.limit_pixels;
  options.threads = common.threads;
  options.notify = std::move(notify);
  return options;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Pictures of 16 bits whose light is only scaled, exposure and gain, on a card: a table of what
// each code becomes. Alpha decides only how the way there is rounded, which few codes notice; for
// those every step is done.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/pass/stored_form.h"

namespace cuimg {

class ScaledShorts {
 public:
  /// The factors, one after the other.
  struct Steps {
    static constexpr int most = 8;
    float factor[most];
    int count = 0;
  };

  /// The table, made on the card; null where the pass is another one, or a block has no room for
  /// it. @throws DeviceError.
  static std::unique_ptr<const ScaledShorts> of(CudaQueue& card, const PixelPass& pass);
  ~ScaledShorts();

  /// All of the target, which lies inside the source. @returns false, having done nothing, where
  /// frames do not lie as the kernel wants them. @throws DeviceError.
  bool apply(CudaQueue& card, const Frame& source, const Frame& target) const;

 private:
  struct OnCard;
  explicit ScaledShorts(std::unique_ptr<const OnCard> on_card);

  std::unique_ptr<const OnCard> on_card_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Pictures of 16 bits whose light is only scaled, by exposure and gain, on a card: a table with the
// result for each code. Alpha only affects intermediate rounding, which changes few codes; for
// those every step is computed.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/pass/stored_form.h"

namespace cuimg {

class ScaledShorts {
 public:
  /// The factors in order.
  struct Steps {
    static constexpr int most = 8;
    float factor[most];
    int count = 0;
  };

  /// The table, computed on the card; null if the pass has other steps, or if a block has no room
  /// for the table. @throws DeviceError.
  static std::unique_ptr<const ScaledShorts> of(CudaQueue& card, const PixelPass& pass);
  ~ScaledShorts();

  /// Processes the whole target, which lies inside the source. @returns false, having done nothing,
  /// if frames are not stored in the form that the kernel needs. @throws DeviceError.
  bool apply(CudaQueue& card, const Frame& source, const Frame& target) const;

 private:
  struct OnCard;
  explicit ScaledShorts(std::unique_ptr<const OnCard> on_card);

  std::unique_ptr<const OnCard> on_card_;
};

}  // namespace cuimg

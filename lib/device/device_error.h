// SPDX-License-Identifier: Apache-2.0
// A failure of a device instead of an error in the work: --device auto then uses the CPU.
#pragma once

#include <string>

#include "base/error.h"

namespace cuimg {

class DeviceError : public Error {
 public:
  /// @param call the runtime function that failed, "cudaMallocArray".
  /// @param code its cudaError_t, or 0 if no call failed (but the self-check did).
  DeviceError(const std::string& call, int code, const std::string& meaning);
  /// For an image with more pixels than a card supports, however much memory it has.
  static DeviceError too_large(const std::string& call, const std::string& meaning);

  /// There is no card at all.
  static DeviceError no_card(const std::string& call, const std::string& meaning);

  int code() const { return code_; }
  /// Whether the same work in smaller parts may succeed.
  bool lacks_room() const { return is_too_large_ || code_ == out_of_memory; }
  /// Whether more memory would help; it does not if a card's limits are exceeded.
  bool lacks_memory() const { return code_ == out_of_memory; }
  /// Whether there is no card at all, as opposed to one that cannot be used.
  bool finds_no_card() const { return is_no_card_ || code_ == no_device; }

 private:
  static constexpr int out_of_memory = 2;  ///< cudaErrorMemoryAllocation
  static constexpr int no_device = 100;    ///< cudaErrorNoDevice

  int code_;
  bool is_too_large_ = false, is_no_card_ = false;
};

}  // namespace cuimg

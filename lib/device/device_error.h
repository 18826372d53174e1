// SPDX-License-Identifier: Apache-2.0
// A failure of a device rather than of the work: --device auto answers it by using the CPU.
#pragma once

#include <string>

#include "base/error.h"

namespace cuimg {

class DeviceError : public Error {
 public:
  /// @param call the runtime function that failed, "cudaMallocArray".
  /// @param code its cudaError_t, or 0 when no call failed (the self-check did).
  DeviceError(const std::string& call, int code, const std::string& meaning);
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Formats a device's failure as one line: the call, the meaning and the code.
#include "device/device_error.h"

namespace cuimg {

DeviceError::DeviceError(const std::string& call, int code, const std::string& meaning)
    : Error(call, code == 0 ? meaning : meaning + " (CUDA error " + std::to_string(code) + ")"),
      code_(code) {}

DeviceError DeviceError::too_large(const std::string& call, const std::string& meaning) {
  DeviceError error(call, 0, meaning);
  error.is_too_large_ = true;
  return error;
}

DeviceError DeviceError::no_card(const std::string& call, const std::string& meaning) {
  DeviceError error(call, 0, meaning);
  error.is_no_card_ = true;
  return error;
}

}  // namespace cuimg

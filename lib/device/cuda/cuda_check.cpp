// SPDX-License-Identifier: Apache-2.0
// Remembering the error that broke the context.
#include "device/cuda/cuda_check.h"

#include <atomic>
#include <mutex>
#include <string>

namespace cuimg {
namespace {

struct Loss {
  std::string call, meaning;
  int code = 0;
};

std::atomic<bool> lost{false};
std::mutex loss_mutex;

Loss& loss() {
  // Never destroyed: handles may outlive every other static.
  static Loss* const kept = new Loss;
  return *kept;
}

// Nothing of the runtime is called after a sticky code, not even for its message.
std::string meaning_of(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchTimeout:
      return "the launch timed out and was terminated";
    case cudaErrorAssert:
      return "device-side assert triggered";
    case cudaErrorInvalidPc:
      return "invalid program counter";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorECCUncorrectable:
      return "uncorrectable ECC error encountered";
    default:
      return is_sticky(code) ? "the card's context is broken" : cudaGetErrorString(code);
  }
}

}  // namespace

bool device_usable() { return !lost.load(std::memory_order_acquire); }

bool is_sticky(cudaError_t code) {
  switch (code) {
    case cudaErrorCudartUnloading:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

void require_device() {
  if (device_usable()) return;
  std::lock_guard lock(loss_mutex);
  throw DeviceError(loss().call, loss().code, loss().meaning);
}

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  std::string meaning = meaning_of(code);
  if (is_sticky(code)) {
    std::lock_guard lock(loss_mutex);
    if (!lost) loss() = {call, meaning, static_cast<int>(code)};
    lost.store(true, std::memory_order_release);
  } else {
    // Else the next check_launch would report this error again.
    (void)cudaGetLastError();
  }
  throw DeviceError(call, static_cast<int>(code), meaning);
}

void check_launch(const char* kernel) {
  require_device();
  check(cudaGetLastError(), kernel);
}

}  // namespace cuimg

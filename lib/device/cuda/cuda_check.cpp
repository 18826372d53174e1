// SPDX-License-Identifier: Apache-2.0
// Remembers the error that broke a card's context.
#include "device/cuda/cuda_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>

namespace cuimg {
namespace {

struct Loss {
  std::string call, meaning;
  int code = 0;
};

// The error that broke each card's context. Cards beyond the last entry share it.
struct Losses {
  static constexpr int most_cards = 64;
  std::array<std::atomic<bool>, most_cards> lost = {};
  std::array<Loss, most_cards> causes;
  std::mutex mutex;  ///< Guards the errors.
};

Losses& losses() {
  // Never destroyed: handles may outlive every other static.
  static Losses* const kept = new Losses;
  return *kept;
}

thread_local std::size_t current_card = 0;

// After a sticky code only cudaGetLastError() is called from the runtime; even its messages are not
// used.
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

// Remembers an error that breaks the thread's card.
[[noreturn]] void fail(cudaError_t code, const char* call) {
  const std::string meaning = meaning_of(code);
  if (is_sticky(code)) {
    Losses& all = losses();
    const std::lock_guard lock(all.mutex);
    if (!all.lost[current_card]) all.causes[current_card] = {call, meaning, static_cast<int>(code)};
    all.lost[current_card].store(true, std::memory_order_release);
  }
  throw DeviceError(call, static_cast<int>(code), meaning);
}

}  // namespace

void set_current_card(int index) {
  current_card = static_cast<std::size_t>(std::clamp(index, 0, Losses::most_cards - 1));
}

bool device_usable() { return !losses().lost[current_card].load(std::memory_order_acquire); }

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
  const std::lock_guard lock(losses().mutex);
  const Loss& loss = losses().causes[current_card];
  throw DeviceError(loss.call, loss.code, loss.meaning);
}

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  // Otherwise the thread's next check_launch would report this error again, perhaps for another
  // card.
  (void)cudaGetLastError();
  fail(code, call);
}

int driver_version() {
  int version = 0;
  CUIMG_CUDA(cudaDriverGetVersion, &version);
  if (version == 0) throw DeviceError::no_card("CUDA driver", "none is installed");
  return version;
}

void check_launch(const char* kernel) {
  // Also called if another thread has seen the card break: otherwise the error would be attributed
  // to the card that this thread uses next.
  const cudaError_t code = cudaGetLastError();
  require_device();
  if (code != cudaSuccess) fail(code, kernel);
}

}  // namespace cuimg

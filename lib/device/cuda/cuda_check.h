// SPDX-License-Identifier: Apache-2.0
// Checks every CUDA call and keeps its name and code. No calls are made for a card whose context an
// error has broken for good.
#pragma once

#include <cuda_runtime.h>

#include "device/device_error.h"

namespace cuimg {

/// The card that this thread's calls are for from now on, as cudaSetDevice() has it; 0 before.
void set_current_card(int index);

/// Whether CUDA may still be called for the thread's card. False for the rest of the process after
/// an error that corrupts the card's context (an illegal address, a failed launch, ...): such a
/// card answers nothing any more. Other cards do.
bool device_usable();

/// Whether an error corrupts the context.
bool is_sticky(cudaError_t code);

/// @throws DeviceError, the one that broke the context, unless device_usable().
void require_device();

/// @throws DeviceError with the call's name, code and meaning unless `code` is success. Sticky
/// codes end the use of CUDA.
void check(cudaError_t code, const char* call);

/// Makes a call if the device is usable, and checks it.
template <class Call>
void checked(const char* name, const Call& call) {
  require_device();
  check(call(), name);
}

/// As checked(), for destructors: nothing is thrown, but a sticky code is remembered.
template <class Call>
void quietly(const char* name, const Call& call) noexcept {
  try {
    if (device_usable()) check(call(), name);
  } catch (...) {
  }
}

/// The form for every CUDA call, `CUIMG_CUDA(cudaMalloc, &memory, bytes)`, and for those of
/// destructors.
#define CUIMG_CUDA(call, ...) ::cuimg::checked(#call, [&] { return call(__VA_ARGS__); })
#define CUIMG_CUDA_QUIETLY(call, ...) ::cuimg::quietly(#call, [&] { return call(__VA_ARGS__); })

/// CUDA's version that the driver can run, as cudaDriverGetVersion() gives it.
/// @throws DeviceError, also where no driver is installed.
int driver_version();

/// After each kernel<<<>>>. @param kernel what the error calls it.
void check_launch(const char* kernel);

}  // namespace cuimg

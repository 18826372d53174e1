// SPDX-License-Identifier: Apache-2.0
// Checks every CUDA call and keeps its name and code. After an error has broken a card's context
// permanently, no further calls are made for it.
#pragma once

#include <cuda_runtime.h>

#include "device/device_error.h"

namespace cuimg {

/// Makes a card current for this thread, as in cudaSetDevice(); initially 0.
void set_current_card(int index);

/// Whether CUDA may still be called for the thread's card. False for the rest of the process after
/// an error that corrupts the card's context (an illegal address, a failed launch, ...): such a
/// card no longer responds, but others do.
bool device_usable();

/// Whether an error corrupts the context.
bool is_sticky(cudaError_t code);

/// @throws DeviceError, the error that broke the context, unless device_usable().
void require_device();

/// @throws DeviceError with the call's name, code and meaning unless `code` is success. After a
/// sticky code the card is no longer used.
void check(cudaError_t code, const char* call);

/// Makes a call if the device is usable, and checks the result.
template <class Call>
void checked(const char* name, const Call& call) {
  require_device();
  check(call(), name);
}

/// Like checked(), for destructors: it throws nothing, but remembers a sticky code.
template <class Call>
void quietly(const char* name, const Call& call) noexcept {
  try {
    if (device_usable()) check(call(), name);
  } catch (...) {
  }
}

/// The form of every CUDA call, `CUIMG_CUDA(cudaMalloc, &memory, bytes)`; CUIMG_CUDA_QUIETLY is for
/// destructors.
#define CUIMG_CUDA(call, ...) ::cuimg::checked(#call, [&] { return call(__VA_ARGS__); })
#define CUIMG_CUDA_QUIETLY(call, ...) ::cuimg::quietly(#call, [&] { return call(__VA_ARGS__); })

/// The CUDA version that the driver supports, as from cudaDriverGetVersion().
/// @throws DeviceError, also if no driver is installed.
int driver_version();

/// Call it after each kernel<<<>>>. @param kernel its name in the error.
void check_launch(const char* kernel);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "base/digest/md5.h"

#include <lcms2_plugin.h>

#include <new>

namespace cuimg {

std::string md5_of(std::span<const std::byte> bytes) {
  const cmsHANDLE state = cmsMD5alloc(nullptr);
  if (state == nullptr) throw std::bad_alloc();
  cmsMD5add(state, reinterpret_cast<const cmsUInt8Number*>(bytes.data()),
            static_cast<cmsUInt32Number>(bytes.size()));
  cmsProfileID digest;
  cmsMD5finish(&digest, state);
  std::string digits;
  for (const unsigned byte : digest.ID8)
    for (const unsigned shift : {4u, 0u}) digits += "0123456789ABCDEF"[byte >> shift & 15];
  return digits;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321), by which XMP names the extension of a packet that JPEG splits off. Not for
// anything that must resist forgery.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cuimg {

/// The digest in hexadecimal, 32 digits, capital letters.
std::string md5_of(std::span<const std::byte> bytes);

}  // namespace cuimg

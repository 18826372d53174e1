// SPDX-License-Identifier: Apache-2.0
// Converts text to entries whose type OpenEXR's list of standard attributes defines. Programs that
// look for such a name expect that type, and ignore an entry of another type.
#pragma once

#include <optional>
#include <string>

#include "image/spec.h"

namespace cuimg {

struct StandardValue {
  std::optional<MetadataValue> value;
  std::string problem;  ///< If there is no value: what the entry must be.
};

/// @returns nothing for a name that is not on the list.
std::optional<StandardValue> standard_value(const std::string& name, const std::string& text);

/// A value of the list in the form that standard_value() accepts, if numbers alone say little:
/// 24000/1001, 01:02:03:04; a time with flags or user bits as "16909188,0 (01:02:03:04)". Otherwise
/// empty.
std::string standard_text(const std::string& name, const MetadataValue& value);

/// The advice for a name that describes how the file is stored: "use --compression"; empty if it is
/// an entry.
std::string sets_instead(const std::string& name);

}  // namespace cuimg

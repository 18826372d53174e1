// SPDX-License-Identifier: Apache-2.0
// The heading of a report: the file, and the part if it has several.
#pragma once

#include <string>

#include "base/json.h"
#include "stages/description.h"

namespace cuimg {

/// "in.exr", "in.exr: part 1 'left'".
std::string report_heading(const ReportSubject& subject, const Spec& spec);
/// Starts a report's object: "file", "part" (its number) and "part_name".
Json report_object(const ReportSubject& subject, const Spec& spec);

}  // namespace cuimg

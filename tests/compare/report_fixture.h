// SPDX-License-Identifier: Apache-2.0
// Reports with known pixels, for the tests of the writer and those in a browser.
#pragma once

#include <string>
#include <vector>

#include "compare/report/html_report.h"

namespace cuimg::test {

/// A name that would break a page, a script and a shell if it were not escaped.
inline const std::string hostile_name =
    "</script><img src=x onerror='document.title=1'>\n&\"\xe2\x80\xae.png";

/// half RGBA, 64 x 48 at 10, 20: light 0.25, 1.5, 4; a layer "depth" of 100 + the row.
Image hdr_golden();
/// The same, but R is 0.75 in a square of 4 at 30, 40, there is a NaN at 12, 22 and an infinity at
/// 60, 60, and B is 8 in three pixels at 50, 35, which the report lists as ignored.
Image hdr_result();

/// The object that --json prints for a pair.
std::string pair_json(const std::string& name, const std::string& verdict,
                      const std::string& more = "");

/// Writes failed, warned, missing, broken and passed pairs, and the hostile name.
void write_main_report(const std::string& folder);
void write_report_of_passes(const std::string& folder, int count);
/// Writes a report with missing scripts, and with one of another pair.
void write_stale_report(const std::string& folder);

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The page that shows a report, without its data. The viewer's files are embedded in the library.
#pragma once

#include <string>

namespace cuimg {

struct ReportPage {
  std::string before;  ///< The text before the list's data.
  std::string after;
};
ReportPage report_page();

}  // namespace cuimg

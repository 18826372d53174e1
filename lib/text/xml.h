// SPDX-License-Identifier: Apache-2.0
// Small XML documents, read strictly: elements, attributes and text, for files of settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuimg {

/// An element; names are without their prefix, "ColorCorrection" of "cdl:ColorCorrection".
struct XmlElement {
  std::string name;
  int line = 1;  ///< Where it begins.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  ///< All of its own, that of its children left out.
  std::vector<XmlElement> children;

  std::optional<std::string_view> attribute(std::string_view wanted) const;
};

/// The document's element. Comments and processing instructions are skipped; a document type, which
/// could name other files or grow without end, is refused.
/// @param text UTF-8. @param place for errors, "cdl: --file grade.cc". @throws Error with the
/// line's number where it is not well-formed, nests more than 64 elements, or one has more than 64
/// attributes.
XmlElement read_xml(std::string_view text, const std::string& place);

}  // namespace cuimg

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
  int line = 1;  ///< The line where it begins.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  ///< Its own text, without that of its children.
  std::vector<XmlElement> children;

  std::optional<std::string_view> attribute(std::string_view wanted) const;
};

/// Reads the document's root element. Comments and processing instructions are skipped; a document
/// type, which could name other files or grow without end, is refused.
/// @param text UTF-8. @param place for errors, "cdl: --file grade.cc". @throws Error with the
/// line's number if it is not well-formed, nests more than 64 elements, or has an element with more
/// than 64 attributes.
XmlElement read_xml(std::string_view text, const std::string& place);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// IPTC's records (Information Interchange Model 4.2): who took a picture, of what and where. They
// lie among Photoshop's resources in JPEG and PSD files and by themselves in TIFF files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// The key of the records in Spec::metadata.
inline constexpr const char* iptc_key = "iptc";

struct IptcField {
  std::uint8_t record = 0, number = 0;
  std::string value;  ///< As stored.
};
/// As far as they are well formed. @param records what follows resource 0x0404's head.
std::vector<IptcField> read_iptc(std::span<const std::byte> records);
Blob iptc_of(const std::vector<IptcField>& fields);

/// Names as exiftool has them: "Headline"; empty for one without a name.
std::string iptc_name(const IptcField& field);
/// The number of record 2 with that name; 0: none.
std::uint8_t iptc_number(const std::string& name);
/// "Headline" and so on of record 2, in UTF-8; several of one name as a list.
Metadata iptc_listing(std::span<const std::byte> records);
/// Whether record 2 may have several fields of that number, as Keywords.
bool iptc_repeats(std::uint8_t number);
/// Replaces the fields of that number by one in UTF-8, or by none where the text is empty.
Blob with_iptc(std::span<const std::byte> records, std::uint8_t number, const std::string& text);
/// The same by several, in their order; empty ones are left out.
Blob with_iptc(std::span<const std::byte> records, std::uint8_t number,
               const std::vector<std::string>& texts);
/// When and with which program it was made, and its urgency; without free text, which may hold
/// names, people, places and rights.
Blob public_iptc(std::span<const std::byte> records);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// IPTC's records (Information Interchange Model 4.2): author, subject and place of a picture. They
// are among Photoshop's resources in JPEG and PSD files, and separate in TIFF files.
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
/// The fields as far as they are well formed. @param records the data after the head of resource
/// 0x0404.
std::vector<IptcField> read_iptc(std::span<const std::byte> records);
Blob iptc_of(const std::vector<IptcField>& fields);

/// Names as in exiftool: "Headline"; empty for a field without a name.
std::string iptc_name(const IptcField& field);
/// The number in record 2 of the field with that name; 0: none.
std::uint8_t iptc_number(const std::string& name);
/// Record 2 as "Headline" and so on, in UTF-8; several fields with the same name become a list.
Metadata iptc_listing(std::span<const std::byte> records);
/// Whether record 2 may have several fields with that number, such as Keywords.
bool iptc_repeats(std::uint8_t number);
/// Replaces the fields with that number by one in UTF-8, or removes them if the text is empty.
Blob with_iptc(std::span<const std::byte> records, std::uint8_t number, const std::string& text);
/// The same with several fields, in order; empty ones are left out.
Blob with_iptc(std::span<const std::byte> records, std::uint8_t number,
               const std::vector<std::string>& texts);
/// Only the time, the program and the urgency; without free text, which may contain names, people,
/// places and rights.
Blob public_iptc(std::span<const std::byte> records);

}  // namespace cuimg

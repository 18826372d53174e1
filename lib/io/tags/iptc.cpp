// SPDX-License-Identifier: Apache-2.0
#include "io/tags/iptc.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::size_t field_head = 5;
constexpr std::byte field_mark{0x1c};
// ISO 2022's escape sequence for UTF-8, in field 1:90
constexpr const char* utf8_escape = "\x1b%G";

struct IptcName {
  std::uint8_t number;
  const char* name;
  bool is_public;
};
constexpr std::array<IptcName, 25> iptc_names = {{{5, "ObjectName", false},
                                                  {7, "EditStatus", false},
                                                  {10, "Urgency", true},
                                                  {15, "Category", false},
                                                  {20, "SupplementalCategories", false},
                                                  {25, "Keywords", false},
                                                  {40, "SpecialInstructions", false},
                                                  {55, "DateCreated", true},
                                                  {60, "TimeCreated", true},
                                                  {65, "OriginatingProgram", true},
                                                  {70, "ProgramVersion", true},
                                                  {80, "By-line", false},
                                                  {85, "By-lineTitle", false},
                                                  {90, "City", false},
                                                  {92, "Sub-location", false},
                                                  {95, "Province-State", false},
                                                  {100, "Country-PrimaryLocationCode", false},
                                                  {101, "Country-PrimaryLocationName", false},
                                                  {105, "Headline", false},
                                                  {110, "Credit", false},
                                                  {115, "Source", false},
                                                  {116, "CopyrightNotice", false},
                                                  {118, "Contact", false},
                                                  {120, "Caption-Abstract", false},
                                                  {122, "Writer-Editor", false}}};

const IptcName* name_entry(const IptcField& field) {
  const auto* const found = std::ranges::find(iptc_names, field.number, &IptcName::number);
  return field.record != 2 || found == iptc_names.end() ? nullptr : found;
}

bool says_utf8(const std::vector<IptcField>& fields) {
  return std::ranges::any_of(fields, [](const IptcField& field) {
    return field.record == 1 && field.number == 90 && field.value == utf8_escape;
  });
}

}  // namespace

std::vector<IptcField> read_iptc(std::span<const std::byte> records) {
  std::vector<IptcField> fields;
  for (std::size_t at = 0; records.size() - at >= field_head && records[at] == field_mark;) {
    auto size = static_cast<std::size_t>(number_at(records, at + 3, 2, true));
    std::size_t head = field_head;
    if ((size & 0x8000) != 0) {  // an extended length, preceded by its own length
      const std::size_t digits = size & 0x7fff;
      if (digits > 4) break;
      size = static_cast<std::size_t>(number_at(records, at + head, digits, true));
      head += digits;
    }
    if (head > records.size() - at || size > records.size() - at - head) break;
    const auto value = records.subspan(at + head, size);
    fields.push_back({std::to_integer<std::uint8_t>(records[at + 1]),
                      std::to_integer<std::uint8_t>(records[at + 2]),
                      std::string(text_of_bytes(value))});
    at += head + size;
  }
  return fields;
}

Blob iptc_of(const std::vector<IptcField>& fields) {
  Blob records;
  const auto put = [&](std::size_t value, std::size_t bytes) {
    append_number(records, value, bytes, true);
  };
  for (const IptcField& field : fields) {
    records.push_back(field_mark);
    put(field.record, 1);
    put(field.number, 1);
    if (field.value.size() < 0x8000) {
      put(field.value.size(), 2);
    } else {
      put(0x8004, 2);
      put(field.value.size(), 4);
    }
    append_bytes(records, std::as_bytes(std::span(field.value)));
  }
  return records;
}

std::string iptc_name(const IptcField& field) {
  const IptcName* entry = name_entry(field);
  return entry != nullptr ? entry->name : "";
}

std::uint8_t iptc_number(const std::string& name) {
  for (const IptcName& entry : iptc_names)
    if (name == entry.name) return entry.number;
  return 0;
}

Metadata iptc_listing(std::span<const std::byte> records) {
  const std::vector<IptcField> fields = read_iptc(records);
  const bool utf8 = says_utf8(fields);
  Metadata listing;
  for (const IptcField& field : fields) {
    const std::string name = iptc_name(field);
    if (name.empty()) continue;
    std::string text = utf8 ? field.value : as_utf8(field.value);
    const auto found = listing.find(name);
    if (found == listing.end()) {
      listing[name] = std::move(text);
    } else if (auto* one = std::get_if<std::string>(&found->second)) {
      found->second = std::vector<std::string>{*one, std::move(text)};
    } else {
      std::get<std::vector<std::string>>(found->second).push_back(std::move(text));
    }
  }
  return listing;
}

bool iptc_repeats(std::uint8_t number) {
  // SupplementalCategories, Keywords, By-line, By-lineTitle, Contact, Writer-Editor (IIM 4.2).
  constexpr std::array<std::uint8_t, 6> several = {20, 25, 80, 85, 118, 122};
  return contains(several, number);
}

Blob with_iptc(std::span<const std::byte> records, std::uint8_t number, const std::string& text) {
  return with_iptc(records, number, std::vector{text});
}

Blob with_iptc(std::span<const std::byte> records, std::uint8_t number,
               const std::vector<std::string>& texts) {
  std::vector<IptcField> fields = read_iptc(records);
  const bool utf8 = says_utf8(fields);
  std::erase_if(
      fields, [&](const IptcField& field) { return field.record == 2 && field.number == number; });
  if (std::ranges::any_of(texts, [](const std::string& text) { return !text.empty(); })) {
    if (!utf8) {
      for (IptcField& field : fields)
        if (field.record == 2) field.value = as_utf8(field.value);
      std::erase_if(fields,
                    [](const IptcField& field) { return field.record == 1 && field.number == 90; });
      fields.insert(fields.begin(), {1, 90, utf8_escape});
    }
    auto after = std::ranges::find_if(fields, [&](const IptcField& field) {
      return field.record > 2 || (field.record == 2 && field.number > number);
    });
    for (const std::string& text : texts)
      if (!text.empty()) after = fields.insert(after, {2, number, text}) + 1;
  }
  return iptc_of(fields);
}

Blob public_iptc(std::span<const std::byte> records) {
  std::vector<IptcField> fields = read_iptc(records);
  std::erase_if(fields, [](const IptcField& field) {
    const IptcName* entry = name_entry(field);
    const bool is_charset = field.record == 1 && field.number == 90;
    return !is_charset && (entry == nullptr || !entry->is_public);
  });
  const bool has_any =
      std::ranges::any_of(fields, [](const IptcField& field) { return field.record == 2; });
  return has_any ? iptc_of(fields) : Blob();
}

}  // namespace cuimg

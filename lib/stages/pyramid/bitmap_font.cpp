// SPDX-License-Identifier: Apache-2.0
#include "stages/pyramid/bitmap_font.h"

namespace cuimg::bitmap_font {
namespace {

// Drawn for cuimg. A letter is eight rows from the top, the last one for tails; a row is one digit
// to the base 32, its highest bit the leftmost dot. From the space on, in the order of ASCII; the
// last is the box.
constexpr std::string_view rows =
    "0000000044444040aaa00000aavavaa04fke5u40op248j30cik8lid0c4800000"
    "248884208422248004lel400044v440000000c48000v000000000cc001248g00"
    "ehjlphe04c4444e0eh1248v0v2421he026aiv220vgu11he068guhhe0v1248880"
    "ehhehhe0ehhf12c00cc0cc000cc0c480248g842000v0v00084212480eh124040"
    "eh1dlle0ehhvhhh0uhhuhhu0ehggghe0sihhhis0vgguggv0vgguggg0ehgnhhf0"
    "hhhvhhh0e44444e072222ic0hikokih0ggggggv0hrllhhh0hhpljhh0ehhhhhe0"
    "uhhuggg0ehhhlid0uhhukih0fgge11u0v4444440hhhhhhe0hhhhha40hhhllla0"
    "hha4ahh0hhha4440v1248gv0e88888e00g842100e22222e04ah000000000000v"
    "8420000000e1fhf0ggmphhu000egghe011djhhf000ehvge0698s888000fhhf1e"
    "ggmphhh040c444e0206222icggikoki0c44444e000qllhh000mphhh000ehhhe0"
    "00uhhugg00djhf1100mpggg000ege1u088s8896000hhhjd000hhha4000hhlla0"
    "00ha4ah000hhhf1e00v248v0244844204444444484424480008l2000vhhhhhv0";
constexpr unsigned first = ' ', box = 0x7f;
static_assert(rows.size() == (box - first + 1) * height);

}  // namespace

bool has_ink(unsigned char letter, int x, int y) {
  const unsigned index = (letter < first || letter > box ? box : letter) - first;
  const char digit = rows[index * height + static_cast<unsigned>(y)];
  const int bits = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  return (bits >> (width - 1 - x) & 1) != 0;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80) continue;  // goes on a character
    letters += byte < first || byte >= box ? static_cast<char>(box) : c;
  }
  return letters;
}

std::string shortened(const std::string& letters, std::size_t most) {
  if (letters.size() <= most) return letters;
  if (most < 5) return letters.substr(0, most);
  // Names of frames differ at their ends.
  const std::size_t tail = (most - 2) / 2 + (most - 2) % 2;
  return letters.substr(0, most - 2 - tail) + ".." + letters.substr(letters.size() - tail);
}

}  // namespace cuimg::bitmap_font

// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the examples of NIST, and the checksum of pixels.
#include "base/digest/sha256.h"

#include <gtest/gtest.h>

#include <cstring>

#include "image/checksum.h"

namespace cuimg::test {
namespace {

std::string sha256(const std::string& text) {
  Sha256 hash;
  hash.update(text);
  return hash.finish();
}

TEST(Sha256, MatchesTheExamplesOfNist) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string text(size, 'x');
    for (const std::size_t step : {1u, 7u, 63u, 64u, 65u}) {
      Sha256 hash;
      for (std::size_t i = 0; i < size; i += step) hash.update(text.substr(i, step));
      EXPECT_EQ(hash.finish(), sha256(text)) << size << " by " << step;
    }
  }
}

TEST(Checksum, IsTheHashOfSizeTypeNamesAndRows) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, 2, 2};
  spec.layers = {{"", {"Y", "A"}, PixelType::u8}, {"z", {"Z"}, PixelType::u16}};
  Image image(spec);
  for (int y = 0; y < 2; ++y) {
    std::memcpy(image.row(0, y), y == 0 ? "abcd" : "efgh", 4);
    std::memcpy(image.row(1, y), y == 0 ? "ABCD" : "EFGH", 4);
  }
  using namespace std::string_literals;
  EXPECT_EQ(pixel_checksum(image), sha256("\2\0\0\0\2\0\0\0u8\0Y\0A\0abcdefghu16\0z.Z\0ABCDEFGH"s));
  image.editable_spec().data_window.x = 5;
  image.editable_spec().metadata["a"] = std::string("b");
  EXPECT_EQ(pixel_checksum(image), sha256("\2\0\0\0\2\0\0\0u8\0Y\0A\0abcdefghu16\0z.Z\0ABCDEFGH"s));
}

}  // namespace
}  // namespace cuimg::test

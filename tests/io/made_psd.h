// SPDX-License-Identifier: Apache-2.0
// Photoshop documents of any mode, compressed or not.
#pragma once

#include "io/made_bytes.h"

namespace cuimg::test {

struct MadePsd {
  int width = 5, height = 3, channels = 3, bits = 8;
  unsigned mode = 3;  // RGB; 1: grey
  bool large = false, packed = false;
  int layer_count = 0;        // negative: the fourth channel is transparency
  bool in_own_block = false;  // where documents of 16 bits store the number of layers
  MadeBytes resources;
  std::vector<std::uint32_t> samples;  // plane after plane

  MadeBytes bytes() const {
    MadeBytes out;
    put_text(out, "8BPS");
    put_be(out, large ? 2 : 1, 2), put_be(out, 0, 6);
    put_be(out, static_cast<unsigned>(channels), 2);
    put_be(out, static_cast<unsigned>(height), 4), put_be(out, static_cast<unsigned>(width), 4);
    put_be(out, static_cast<unsigned>(bits), 2), put_be(out, mode, 2), put_be(out, 0, 4);
    put_be(out, resources.size(), 4), put_bytes(out, resources);
    put_layers(out);
    put_be(out, packed ? 1 : 0, 2);
    put_rows(out);
    return out;
  }

 private:
  int length_bytes() const { return large ? 8 : 4; }
  void put_layers(MadeBytes& out) const {
    MadeBytes count, section;
    put_be(count, static_cast<std::uint16_t>(layer_count), 2), put_be(count, 0, 2);
    if (layer_count != 0) {
      put_be(section, in_own_block ? 0 : count.size(), length_bytes());
      if (!in_own_block) put_bytes(section, count);
      put_be(section, 0, 4);  // no mask
      if (in_own_block) {
        put_text(section, "8BIMshmd"), put_be(section, 3, 4), put_be(section, 0, 4);
        put_text(section, "8BIMLr16"), put_be(section, count.size(), length_bytes());
        put_bytes(section, count);
      }
    }
    put_be(out, section.size(), length_bytes()), put_bytes(out, section);
  }
  // Packed rows: runs for equal neighbouring bytes, single bytes otherwise, and an empty code.
  void put_rows(MadeBytes& out) const {
    MadeBytes rows, lengths;
    const std::uint32_t* sample = samples.data();
    for (int row = 0; row < channels * height; ++row) {
      MadeBytes plain, coded;
      for (int x = 0; x < width; ++x) put_be(plain, *sample++, bits / 8);
      for (std::size_t i = 0; i < plain.size();) {
        std::size_t end = i + 1;
        while (end < plain.size() && plain[end] == plain[i] && end - i < 128) ++end;
        put_be(coded, end - i == 1 ? 0 : 257 - (end - i), 1);
        coded.push_back(plain[i]);
        i = end;
      }
      put_be(coded, 128, 1);
      put_be(lengths, coded.size(), large ? 4 : 2);
      put_bytes(rows, packed ? coded : plain);
    }
    if (packed) put_bytes(out, lengths);
    put_bytes(out, rows);
  }
};

inline void put_psd_resource(MadeBytes& out, unsigned id, const MadeBytes& body) {
  put_text(out, "8BIM"), put_be(out, id, 2), put_be(out, 0, 2);
  put_be(out, body.size(), 4), put_bytes(out, body);
  if (body.size() % 2 == 1) put_be(out, 0, 1);
}

/// Different samples, with some runs.
inline std::vector<std::uint32_t> psd_samples(const MadePsd& psd) {
  std::vector<std::uint32_t> samples;
  std::uint32_t state = 7;
  for (int i = 0; i < psd.channels * psd.height * psd.width; ++i) {
    if (i % 3 != 1) state = state * 1664525u + 1013904223u;
    samples.push_back(state >> (32 - psd.bits));
  }
  return samples;
}

}  // namespace cuimg::test

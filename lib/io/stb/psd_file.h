// SPDX-License-Identifier: Apache-2.0
// The structure of a Photoshop document (Adobe Photoshop File Formats Specification, 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "image/spec.h"
#include "io/byte_reader.h"
#include "io/decode_options.h"

namespace cuimg {

/// The merged picture of a PSD or PSB: planes of rows, one plane for each channel. Layers are
/// ignored.
class PsdFile {
 public:
  /// @throws Error for a file that is malformed, truncated, over the limits, or in a mode other
  /// than grey and RGB with 8 or 16 bits.
  PsdFile(const ByteSource& source, const DecodeOptions& options);

  int width() const { return width_; }
  int height() const { return height_; }
  int bits() const { return bits_; }
  int colors() const { return grey_ ? 1 : 3; }
  int stored_channels() const { return stored_channels_; }
  /// Whether the channel after the colours is transparency. Otherwise channels there are saved
  /// selections.
  bool has_transparency() const { return transparency_; }
  int layers() const { return layers_; }
  bool is_large() const { return large_; }  ///< Whether the file is a PSB.
  bool run_length() const { return run_length_; }
  std::span<const std::byte> icc_profile() const { return icc_; }
  const Metadata& metadata() const { return metadata_; }  ///< EXIF, XMP, IPTC and other entries.

  std::uint64_t row_bytes() const {
    return static_cast<std::uint64_t>(width_) * static_cast<unsigned>(bits_ / 8);
  }
  /// `count` rows of a channel as stored in the file: big-endian, and compressed if run_length().
  std::span<const std::byte> rows(int channel, int first, int count) const;

 private:
  void read_header(const DecodeOptions& options);
  void read_resources();
  void read_layers();
  void read_layer_count();
  void find_rows();
  std::uint64_t read_length() { return large_ ? in_.u64be() : in_.u32be(); }

  const ByteSource& source_;
  ByteReader in_;
  int width_ = 0, height_ = 0, bits_ = 0, stored_channels_ = 0, layers_ = 0;
  bool large_ = false, grey_ = false, transparency_ = false, run_length_ = false;
  std::span<const std::byte> icc_;
  Metadata metadata_;
  std::vector<std::uint64_t> row_starts_;  // one for each row of each channel, and the end
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Code that the codecs of single-layer formats share: their spec, and the check before encoding.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/codec.h"

namespace cuimg {

/// One layer without a name, with windows at the origin; channels by their number: Y, YA, RGB,
/// RGBA.
Spec flat_spec(int width, int height, int channels, PixelType type, const ColorEncoding& color);

/// What to do about an image that a format cannot store.
inline constexpr const char* fitting_remedy =
    "call apply() with the codec to make an image that fits";

/// The channels of a layer in a format of pictures: Y, YA, RGB or RGBA.
std::vector<std::string> picture_channels(const LayerSpec& layer, const Capabilities& can);

/// The only layer of an image that `codec` will write.
/// @throws Error if the image does not have exactly one layer, or if it has a type, an alpha
/// channel or a number of channels that the format does not support.
const LayerSpec& encodable_layer(const Spec& spec, const Codec& codec);

/// Writes rows of a format that begins with the bottom row, as rows become complete from the top.
/// @param stride bytes per row; @param fill copies row y, counted from the top, to zeroed bytes.
void write_bottom_up(ByteSink& sink, int height, std::size_t stride, RowProgress& ready,
                     const std::function<void(int y, std::byte* to)>& fill);

/// Pixels of 8 bits as stored in BMP and TGA: Y, BGR, or BGRA, also for grey with alpha.
/// @returns the bytes per pixel.
std::size_t bgr_pixel_bytes(int channels);
void copy_as_bgr(const std::byte* from, int channels, int pixels, std::byte* to);

/// Metadata `key` as a number, or nothing.
std::optional<double> metadata_number(const Metadata& metadata, const std::string& key);

/// Calls notify if it is set.
void tell(const DecodeOptions& options, const ByteSource& source, const std::string& what);
/// Calls warn if it is set, otherwise notify.
void warn(const DecodeOptions& options, const ByteSource& source, const std::string& what);
/// Warns that colours above their alpha were cut off. @throws Error if the options say that the
/// file will be replaced.
void warn_of_cut_light(const DecodeOptions& options, const ByteSource& source,
                       const std::string& warning);
/// Reports how a profile was treated, unless `note` is empty.
/// @param refused whether the profile's meaning is lost.
void tell_of_profile(const DecodeOptions& options, const ByteSource& source,
                     const std::string& note, bool refused);

/// The fact that names a file's ICC profile.
inline constexpr const char* profile_fact = "ICC profile";

/// The common part of decoders of flat formats; a derived constructor fills in the spec.
class FlatDecoder : public Decoder {
 public:
  FlatDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : source_(std::move(source)), options_(options) {}
  const Spec& spec() const override { return spec_; }
  Metadata file_facts() const override { return facts_; }
  std::string left_out() const override { return left_out_; }
  std::optional<StoredSamples> stored_samples() const override {
    if (!options_.sums_stored || stored_kind_.empty()) return std::nullopt;
    return StoredSamples{stored_kind_, stored_sum_.text()};
  }

 protected:
  /// @param kind the kind of samples; empty if they are the pixels, or equivalent to them.
  /// @param type of the rows that are added. @param orientation of the file, by EXIF's numbers.
  void name_stored(const std::string& kind, PixelType type, int orientation) {
    if (!kind.empty())
      stored_kind_ = kind + ", " + std::string(name_of(type)) + ", " + std::to_string(orientation);
  }
  /// Whether samples that are read must be added to the sum.
  bool sums_stored() const { return options_.sums_stored && !stored_kind_.empty(); }

  /// @param name a profile's description; empty if there is no profile.
  void name_profile(const std::string& name) {
    if (!name.empty()) facts_[profile_fact] = name;
  }

  std::shared_ptr<const ByteSource> source_;
  DecodeOptions options_;
  Spec spec_;
  Metadata facts_;
  std::string left_out_;
  mutable StoredSum stored_sum_;

 private:
  std::string stored_kind_;
};

/// Codec::open for a decoder class.
template <class D>
std::unique_ptr<Decoder> open_flat(std::shared_ptr<const ByteSource> source,
                                   const DecodeOptions& options) {
  return std::make_unique<D>(std::move(source), options);
}

}  // namespace cuimg

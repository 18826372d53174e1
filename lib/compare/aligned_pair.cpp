// SPDX-License-Identifier: Apache-2.0
#include "compare/aligned_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/contains.h"
#include "base/message_text.h"
#include "image/row_convert.h"
#include "io/tags/cicp.h"

namespace cuimg {
namespace {

// Channels of `spec` that `other` lacks: "A, diffuse.R".
std::string channels_without(const Spec& spec, const Spec& other) {
  std::string names;
  for (const LayerSpec& layer : spec.layers)
    for (int c = 0; c < layer.channel_count(); ++c)
      if (!other.find_channel(layer.full_name(c))) add_item(names, layer.full_name(c));
  return names;
}

std::string types_that_differ(const Spec& golden, const Spec& result) {
  for (const LayerSpec& layer : golden.layers)
    for (int c = 0; c < layer.channel_count(); ++c) {
      const auto there = result.find_channel(layer.full_name(c));
      if (!there) continue;
      const PixelType type = result.layer(there->layer).type;
      if (type != layer.type)
        return fmt::format("{} is {}, golden has {}", layer.full_name(c), name_of(type),
                           name_of(layer.type));
    }
  return {};
}

constexpr float primaries_tolerance = 1e-3f;  // of chromaticities, which formats round
const Chromaticities rec709;

// Whether files declare the same curve, if the curve is not undone, such as Rec.709's in a PNG's
// cICP.
bool same_tag(const ColorEncoding& a, const ColorEncoding& b) {
  // Raw values are compared whatever they mean.
  if ((!a.tag && !b.tag) || a.curve == Curve::raw) return true;
  const ColorTag x = tag_of(a), y = tag_of(b);
  const bool same_curve =
      x.curve == y.curve || (is_rec709_curve(x.curve) && is_rec709_curve(y.curve));
  const bool same_gamma =
      x.curve != CurveCode::power || std::abs(x.gamma - y.gamma) <= 1e-4f * x.gamma;
  return same_curve && same_gamma &&
         near(x.primaries.value_or(rec709), y.primaries.value_or(rec709), primaries_tolerance);
}

bool same_light(const ColorEncoding& a, const ColorEncoding& b) {
  if (a.curve != b.curve || a.premultiplied != b.premultiplied || a.alpha_covers != b.alpha_covers)
    return false;
  if (a.curve == Curve::gamma && !(std::abs(a.gamma - b.gamma) <= 1e-4f * a.gamma)) return false;
  if (a.curve == Curve::profile && !(a.profile == b.profile)) return false;
  return near(a.primaries.value_or(rec709), b.primaries.value_or(rec709), primaries_tolerance) &&
         same_tag(a, b);
}

std::string encoding_text(const ColorEncoding& color) {
  static constexpr std::string_view curves[] = {
      "linear", "sRGB", "gamma", "PQ", "HLG", "a profile's curve", "raw"};
  std::string text(curves[static_cast<std::size_t>(color.curve)]);
  if (color.curve == Curve::gamma) text += fmt::format(" {}", color.gamma);
  if (color.tag && !is_hdr(color.curve))
    text += " (the file says " + name_of(color.tag->curve) + ")";
  text += color.premultiplied ? ", premultiplied" : ", straight alpha";
  if (color.primaries)
    text += fmt::format(", primaries {},{} {},{} {},{}", color.primaries->rx, color.primaries->ry,
                        color.primaries->gx, color.primaries->gy, color.primaries->bx,
                        color.primaries->by);
  return text;
}

// Whether data windows correspond in display windows of different sizes: with the same borders on
// all sides, or as a part of the picture at the same relative position.
bool windows_correspond(const Spec& a, const Spec& b) {
  const auto borders = [](const Spec& spec) {
    const Rect &data = spec.data_window, &display = spec.display_window;
    return std::array{data.x - display.x, data.y - display.y, display.right() - data.right(),
                      display.bottom() - data.bottom()};
  };
  if (borders(a) == borders(b)) return true;
  const bool any_is_whole = a.data_window == a.display_window || b.data_window == b.display_window;
  return !any_is_whole && borders(a)[0] == borders(b)[0] && borders(a)[1] == borders(b)[1] &&
         a.data_window.width == b.data_window.width && a.data_window.height == b.data_window.height;
}

// With displays of different sizes, equal data windows do not correspond, so the text has both.
std::string window_of(const Spec& spec, bool same_size) {
  const std::string data = window_text(spec.data_window);
  return same_size ? data : data + " in " + window_text(spec.display_window);
}

// Layers of the channels that both pictures have, in the golden picture's types or float.
std::vector<LayerSpec> common_layers(const Spec& golden, const Spec& result) {
  std::vector<LayerSpec> layers;
  for (const LayerSpec& layer : golden.layers) {
    LayerSpec common = layer;
    common.channels.clear();
    for (int c = 0; c < layer.channel_count(); ++c) {
      const auto there = result.find_channel(layer.full_name(c));
      if (!there) continue;
      common.channels.push_back(layer.channels[static_cast<std::size_t>(c)]);
      if (result.layer(there->layer).type != layer.type) common.type = PixelType::f32;
    }
    // A channel of ids without the one for its coverage no longer forms a matte; its bits are
    // compared anyway.
    if (!common.channels.empty()) layers.push_back(common);
  }
  return layers;
}

void copy_value(const std::byte* from, PixelType from_type, std::byte* to, PixelType to_type) {
  if (from_type == to_type) {
    std::memcpy(to, from, bytes_of(to_type));
    return;
  }
  const float value = stored_value(from, from_type);
  std::memcpy(to, &value, sizeof value);
}

// `image`'s values in the layers and the window of `spec`, 0 outside its own window.
// @param shift added to the image's coordinates.
Image in_form(const Image& image, const Spec& spec, const Shift& shift) {
  Image made(spec);
  const Rect own = moved(image.spec().data_window, shift.x, shift.y);
  const Rect& window = spec.data_window;
  const Rect common = intersection(own, window);
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    for (int y = window.y; y < window.bottom(); ++y)
      std::memset(made.row(l, y), 0, made.row_bytes(l));
    for (int c = 0; c < layer.channel_count(); ++c) {
      const ChannelPlace place = *image.spec().find_channel(layer.full_name(c));
      const LayerSpec& from = image.spec().layer(place.layer);
      for (int y = common.y; y < common.bottom(); ++y)
        for (int x = common.x; x < common.right(); ++x)
          copy_value(image.row(place.layer, y - shift.y) +
                         static_cast<std::size_t>(x - own.x) * from.pixel_bytes() +
                         static_cast<std::size_t>(place.channel) * bytes_of(from.type),
                     from.type,
                     made.row(l, y) + static_cast<std::size_t>(x - window.x) * layer.pixel_bytes() +
                         static_cast<std::size_t>(c) * bytes_of(layer.type),
                     layer.type);
    }
  }
  return made;
}

// Only once for all parts. Such a region has no effect, for example if the picture has become
// smaller.
void warn_of_outside(const Rect& region, const Rect& window, Comparison& comparison) {
  const Reason warning = {
      "ignore", fmt::format("--ignore {},{},{},{} lies outside the picture, {}", region.x, region.y,
                            region.width, region.height, window_text(window))};
  if (!contains(comparison.warnings, warning)) comparison.warnings.push_back(warning);
}

}  // namespace

Shift shift_of_result(const Spec& golden, const Spec& result) {
  return {golden.display_window.x - result.display_window.x,
          golden.display_window.y - result.display_window.y};
}

AlignedPair::AlignedPair(const Image& golden, const Image& result, const Limits& limits,
                         std::uint64_t limit_pixels, Comparison& comparison)
    : golden_(&golden), result_(&result) {
  const Spec &a = golden.spec(), &b = result.spec();
  bool changes_form = false;
  const auto differs = [&](const char* code, bool allowed, const std::string& text) {
    changes_form = true;
    comparable_ = comparable_ && allowed;
    comparison.add(code, text, allowed);
  };
  const Rect &da = a.display_window, &db = b.display_window;
  const bool same_size = da.width == db.width && da.height == db.height;
  if (!same_size)
    differs("size", limits.allow_size,
            "size is " + size_text(db) + ", golden has " + size_text(da));
  if (da.x != db.x || da.y != db.y)
    differs("windows", limits.allow_windows,
            "display window is " + window_text(db) + ", golden has " + window_text(da));
  if (same_size ? a.data_window != b.data_window : !windows_correspond(a, b))
    differs(
        "windows", limits.allow_windows,
        "data window is " + window_of(b, same_size) + ", golden has " + window_of(a, same_size));
  if (!(std::abs(a.pixel_aspect - b.pixel_aspect) <= 1e-5f * std::abs(a.pixel_aspect)))
    differs("windows", limits.allow_windows,
            fmt::format("pixel aspect is {}, golden has {}", b.pixel_aspect, a.pixel_aspect));
  const std::string missing = channels_without(a, b), extra = channels_without(b, a);
  if (!missing.empty())
    differs("channels", limits.allow_channels, "channels " + missing + " are missing");
  if (!extra.empty())
    differs("channels", limits.allow_channels, "channels " + extra + " are not in the golden");
  const std::string types = types_that_differ(a, b);
  if (!types.empty()) differs("types", limits.allow_types, "type of " + types);
  if (!comparable_) return;

  const std::vector<LayerSpec> layers = common_layers(a, b);
  if (layers.empty()) {
    comparison.reasons.push_back({"channels", "the pictures have no channel in common"});
    comparable_ = false;
    return;
  }
  if (a.has_color() && b.has_color() && !same_light(a.color, b.color))
    comparison.add(
        "encoding",
        "colour encoding is " + encoding_text(b.color) + ", golden has " + encoding_text(a.color),
        limits.allow_encoding);
  if (!changes_form && a.layers == b.layers) return;

  const Shift shift = shift_of_result(a, b);
  const Rect moved_data = moved(b.data_window, shift.x, shift.y);
  Spec common = a;
  common.layers = layers;
  common.data_window = bounding(a.data_window, moved_data);
  if (!same_size) {
    // The area that both pictures cover; outside of a data window it is black.
    Rect display = db;
    display.x = da.x, display.y = da.y;
    common.data_window =
        intersection(common.data_window,
                     intersection(bounding(da, a.data_window), bounding(display, moved_data)));
  }
  const bool changes_window =
      common.data_window != a.data_window && common.data_window != moved_data;
  if (common.data_window.empty()) {
    comparison.reasons.push_back({"size", "the pictures have no pixel in common"});
    comparable_ = false;
    return;
  }
  if (const auto pixels = static_cast<std::uint64_t>(common.data_window.pixels());
      changes_window && pixels > limit_pixels)
    throw NotComparable(
        "windows", "--allow-windows",
        fmt::format("{} and {} together have {} pixels, more than the limit of {}",
                    window_text(a.data_window), window_text(moved_data), pixels, limit_pixels),
        "raise it with --limit-pixels");
  own_golden_ = in_form(golden, common, {});
  Spec common_result = common;
  common_result.color = b.color;
  own_result_ = in_form(result, common_result, shift);
  owns_golden_ = owns_result_ = true;
}

int AlignedPair::golden_layer(int layer) const {
  const LayerSpec& spec = golden().spec().layer(layer);
  const auto place = golden_->spec().find_channel(spec.full_name(0));
  return place ? place->layer : layer;
}

Image& AlignedPair::editable_result() {
  if (!owns_result_) own_result_ = copy_of(*result_);
  owns_result_ = true;
  return own_result_;
}

std::vector<std::uint8_t> ignored_pixels(const Rect& window, const IgnoredRegions& regions,
                                         const Image* mask, Comparison& comparison) {
  std::vector<std::uint8_t> ignored;
  if (regions.all.empty() && mask == nullptr) return ignored;
  const auto width = static_cast<std::size_t>(window.width);
  ignored.assign(static_cast<std::size_t>(window.pixels()), 0);
  const auto at = [&](int x, int y) -> std::uint8_t& {
    return ignored[static_cast<std::size_t>(y - window.y) * width +
                   static_cast<std::size_t>(x - window.x)];
  };
  for (const Rect& region : regions.all) {
    const Rect r = intersection(region, window);
    if (r.empty()) warn_of_outside(region, window, comparison);
    for (int y = r.y; y < r.bottom(); ++y)
      for (int x = r.x; x < r.right(); ++x) at(x, y) = 1;
  }
  if (mask != nullptr) {
    if (mask->spec().layers.empty()) throw NotComparable("mask", "--mask", "the mask has no layer");
    if (!mask->has_memory())
      throw NotComparable("mask", "--mask", "the image has no memory",
                          "call Image::allocate() first");
    const Rect covered = intersection(mask->spec().data_window, window);
    if (covered != window)
      throw NotComparable("mask", "--mask",
                          "the mask's window is " + window_text(mask->spec().data_window) +
                              ", the picture's " + window_text(window),
                          "a mask covers the whole picture");
    const std::size_t bytes = mask->spec().layers.front().pixel_bytes();
    const LayerSpec& layer = mask->spec().layers.front();
    for (int y = window.y; y < window.bottom(); ++y)
      for (int x = window.x; x < window.right(); ++x) {
        const std::byte* pixel =
            mask->row(0, y) + static_cast<std::size_t>(x - mask->spec().data_window.x) * bytes;
        bool black = true;
        for (int c = 0; c < layer.channel_count(); ++c) {
          if (c == layer.alpha_index()) continue;
          const std::byte* value = pixel + static_cast<std::size_t>(c) * bytes_of(layer.type);
          black = black && stored_value(value, layer.type) == 0;
        }
        if (black) at(x, y) = 1;
      }
  }
  const auto count = std::ranges::count(ignored, std::uint8_t{1});
  if (count == window.pixels())
    throw NotComparable("nothing-left", mask != nullptr ? "--mask" : "--ignore",
                        "no pixel is left to compare", "a comparison of nothing would always pass");
  comparison.forgiven.ignored += static_cast<std::uint64_t>(count);
  return ignored;
}

void AlignedPair::ignore(const IgnoredRegions& regions, const Image* mask, Comparison& comparison) {
  const Rect& window = golden().spec().data_window;
  ignored_ = ignored_pixels(window, regions, mask, comparison);
  if (ignored_.empty()) return;
  const auto width = static_cast<std::size_t>(window.width);
  Image& edited = editable_result();
  for (int l = 0; l < edited.spec().layer_count(); ++l) {
    const std::size_t bytes = edited.spec().layer(l).pixel_bytes();
    for (int y = window.y; y < window.bottom(); ++y)
      for (std::size_t x = 0; x < width; ++x)
        if (ignored_[static_cast<std::size_t>(y - window.y) * width + x])
          std::memcpy(edited.row(l, y) + x * bytes, golden().row(l, y) + x * bytes, bytes);
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "compare/report/layer_script.h"

#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "text/web_text.h"

namespace cuimg {
namespace {

// A browser inflates one block at a time; larger blocks would not compress better.
constexpr std::size_t block_bytes = std::size_t{1} << 20;

std::string_view name_of(Curve curve) {
  constexpr std::string_view names[] = {"linear", "srgb", "gamma", "pq", "hlg", "profile", "raw"};
  return names[static_cast<std::size_t>(curve)];
}

Json window_json(const Rect& r) { return Json::list({r.x, r.y, r.width, r.height}); }

class ScriptWriter {
 public:
  explicit ScriptWriter(ByteSink& sink) : sink_(sink), deflater_(libdeflate_alloc_compressor(1)) {
    if (deflater_ == nullptr) throw std::bad_alloc();
  }

  void write(std::string_view text) { sink_.write(std::as_bytes(std::span(text))); }

  /// Writes an object's members and `blocks`: rows of bytes, which `fill` copies.
  void write_raster(const Json& members, int height, std::size_t row_bytes,
                    const std::function<void(int row, std::byte* to)>& fill) {
    std::string head = json_for_page(members.text());
    head.pop_back();
    write(head + ",\"blocks\":[");
    const int most = static_cast<int>(block_bytes / std::max<std::size_t>(row_bytes, 1));
    const int rows = std::clamp(most, 1, std::max(height, 1));
    raw_.resize(static_cast<std::size_t>(rows) * row_bytes);
    for (int y = 0; y < height && row_bytes > 0; y += rows) {
      const int count = std::min(rows, height - y);
      for (int i = 0; i < count; ++i)
        fill(y + i, raw_.data() + static_cast<std::size_t>(i) * row_bytes);
      write(y > 0 ? ",\n\"" : "\n\"");
      write(base64(deflated(static_cast<std::size_t>(count) * row_bytes)));
      write("\"");
    }
    write("]}");
  }

 private:
  struct Free {
    void operator()(libdeflate_compressor* deflater) const { libdeflate_free_compressor(deflater); }
  };

  std::span<const std::byte> deflated(std::size_t bytes) {
    packed_.resize(libdeflate_zlib_compress_bound(deflater_.get(), bytes));
    const std::size_t size = libdeflate_zlib_compress(deflater_.get(), raw_.data(), bytes,
                                                      packed_.data(), packed_.size());
    return std::span(packed_).first(size);
  }

  ByteSink& sink_;
  std::unique_ptr<libdeflate_compressor, Free> deflater_;
  std::vector<std::byte> raw_, packed_;
};

const LayerSpec& layer_of(const Image& image, int layer) { return image.spec().layer(layer); }

Json describe(const Image& image, int layer, const Shift& moved) {
  const LayerSpec& spec = layer_of(image, layer);
  const ColorEncoding& color = image.spec().color;
  Json object =
      Json::object({{"window", window_json(image.spec().data_window)},
                    {"type", name_of(spec.type)},
                    {"channels", spec.channels},
                    {"layer_name", spec.name},
                    {"holds_ids", spec.holds_ids()},
                    {"curve", spec.is_color() ? name_of(color.curve) : name_of(Curve::raw)},
                    {"gamma", static_cast<double>(color.gamma)},
                    {"premultiplied", color.premultiplied}});
  if (moved != Shift{}) object.set("moved", Json::list({moved.x, moved.y}));
  return object;
}

void write_image(ScriptWriter& writer, const Image* image, int layer, const Shift& moved = {}) {
  if (image == nullptr) return writer.write("null");
  const Rect& window = image->spec().data_window;
  const std::size_t bytes = image->row_bytes(layer);
  writer.write_raster(
      describe(*image, layer, moved), window.height, bytes,
      [&](int y, std::byte* to) { std::memcpy(to, image->row(layer, window.y + y), bytes); });
}

bool has_goldens_form(const LayerPixels& p) {
  if (p.golden == nullptr || p.result == nullptr) return false;
  const LayerSpec& golden = layer_of(*p.golden, p.golden_layer);
  const LayerSpec& result = layer_of(*p.result, p.result_layer);
  return p.golden->spec().data_window == p.result->spec().data_window &&
         golden.type == result.type && golden.channel_count() == result.channel_count();
}

void write_result(ScriptWriter& writer, const LayerPixels& p) {
  if (!has_goldens_form(p)) return write_image(writer, p.result, p.result_layer, p.moved);
  const Rect& window = p.result->spec().data_window;
  const std::size_t bytes = p.result->row_bytes(p.result_layer);
  Json members = describe(*p.result, p.result_layer, p.moved);
  members.set("xor", true);
  writer.write_raster(members, window.height, bytes, [&](int y, std::byte* to) {
    const std::byte* golden = p.golden->row(p.golden_layer, window.y + y);
    const std::byte* result = p.result->row(p.result_layer, window.y + y);
    for (std::size_t i = 0; i < bytes; ++i) to[i] = golden[i] ^ result[i];
  });
}

std::byte byte_of_error(float error) {
  if (error == 0) return {};
  // NaN fails the comparison, so it is the worst value.
  if (!(error <= 1)) return std::byte{255};
  return static_cast<std::byte>(std::clamp(std::lround(error * 255), 1L, 255L));
}

// @param copy converts a row's values to bytes.
template <class Map, class Copy>
void write_map(ScriptWriter& writer, const Map& map, const Copy& copy) {
  if (map.values.empty() || map.window.empty()) return writer.write("null");
  if (map.values.size() != static_cast<std::size_t>(map.window.pixels()))
    throw Error("report", "a map's values do not fill its window");
  const auto width = static_cast<std::size_t>(map.window.width);
  const Json members = Json::object({{"window", window_json(map.window)}});
  writer.write_raster(members, map.window.height, width, [&](int y, std::byte* to) {
    copy(map.values.subspan(static_cast<std::size_t>(y) * width, width), to);
  });
}

void write_map(ScriptWriter& writer, const ErrorMap& map) {
  write_map(writer, map, [](std::span<const float> row, std::byte* to) {
    std::ranges::transform(row, to, byte_of_error);
  });
}

void write_map(ScriptWriter& writer, const ForgivenPixels& map) {
  write_map(writer, map, [](std::span<const std::uint8_t> row, std::byte* to) {
    std::memcpy(to, row.data(), row.size());
  });
}

std::size_t bytes_of_layer(const Image* image, int layer) {
  if (image == nullptr) return 0;
  return static_cast<std::size_t>(image->spec().data_window.pixels()) *
         layer_of(*image, layer).pixel_bytes();
}

}  // namespace

std::size_t stored_bytes(const LayerPixels& pixels) {
  return bytes_of_layer(pixels.golden, pixels.golden_layer) +
         bytes_of_layer(pixels.result, pixels.result_layer);
}

void write_layer_script(const std::string& file, const std::string& name, const LayerPixels& pixels,
                        ByteSink& sink) {
  ScriptWriter writer(sink);
  writer.write("cuimgPixels(" + Json(file).text() + "," + json_for_page(Json(name).text()) +
               ",{\"golden\":");
  write_image(writer, pixels.golden, pixels.golden_layer);
  writer.write(",\n\"result\":");
  write_result(writer, pixels);
  writer.write(",\n\"difference\":");
  write_map(writer, pixels.difference);
  writer.write(",\n\"flip\":");
  write_map(writer, pixels.flip);
  writer.write(",\n\"forgiven\":");
  write_map(writer, pixels.forgiven);
  const Rect& compared = pixels.forgiven.window;
  writer.write(",\n\"compared\":" + (compared.empty() ? "null" : window_json(compared).text()));
  writer.write("});\n");
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// trim: cuts off borders of one colour. A measuring pass finds the part that is left.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "image/row_convert.h"
#include "kernels/math/math.h"
#include "stages/description.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct Trim {
  float tolerance = 0;
  std::optional<Rect> kept = {};  ///< Measured; empty: the whole picture has the corner's colour.
};

bool is_near(float a, float b, float tolerance) {
  return a == b || std::abs(a - b) <= tolerance || (is_nan(a) && is_nan(b));
}

// One layer's rows as floats, and the pixel in the display window's corner.
class LayerRows {
 public:
  LayerRows(const Image& image, int layer) : image_(image), layer_(layer) {
    const LayerSpec& spec = image.spec().layer(layer);
    format_ = {spec.type, spec.channel_count(), {}};
    alpha_ = spec.alpha_index();
    const Rect& display = image.spec().display_window;
    const Rect& data = image.spec().data_window;
    corner_.resize(static_cast<std::size_t>(format_.channels));
    if (intersection(data, {display.x, display.y, 1, 1}).empty()) return;
    const std::vector<float> first = row(display.y);
    const auto at = static_cast<std::size_t>(display.x - data.x) * corner_.size();
    std::copy_n(first.begin() + static_cast<std::ptrdiff_t>(at), corner_.size(), corner_.begin());
  }

  std::vector<float> row(int y) const {
    const auto width = static_cast<std::size_t>(image_.spec().data_window.width);
    // Rows may be written in whole vectors.
    std::vector<float> values(width * corner_.size() + 16);
    rows_to_working(format_, image_.row(layer_, y), values.data(), width);
    return values;
  }
  /// The colours of transparent pixels are ignored.
  bool is_border(const float* pixel, float tolerance) const {
    const auto has_no_alpha = [&](const float* v) { return alpha_ >= 0 && v[alpha_] == 0; };
    if (has_no_alpha(pixel) && has_no_alpha(corner_.data())) return true;
    for (std::size_t c = 0; c < corner_.size(); ++c)
      if (!is_near(pixel[c], corner_[c], tolerance)) return false;
    return true;
  }
  int channels() const { return format_.channels; }

 private:
  const Image& image_;
  int layer_;
  RowFormat format_;
  int alpha_ = -1;
  std::vector<float> corner_;
};

// The colour layers decide, or all layers if there are none.
std::vector<LayerRows> deciding_layers(const Image& image, const MeasureContext& context) {
  const std::vector<LayerSpec>& layers = image.spec().layers;
  std::vector<LayerRows> rows;
  for (const bool wants_color : {true, false}) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (context.layers.contains(i) &&
          (layers[i].is_color() || (!wants_color && !layers[i].holds_ids())))
        rows.emplace_back(image, static_cast<int>(i));
    if (!rows.empty()) break;
  }
  return rows;
}

// The bounding box of the pixels in a row whose colour differs from the corner's; `seen` is the
// part of the display window in which the image has pixels.
Rect different_in_row(const LayerRows& rows, const Image& image, const Rect& seen, int y,
                      float tolerance) {
  const std::vector<float> values = rows.row(y);
  const int left = image.spec().data_window.x;
  const auto differs = [&](int x) {
    return !rows.is_border(values.data() + std::ptrdiff_t{x - left} * rows.channels(), tolerance);
  };
  int first = seen.x, last = seen.right();
  while (first < last && !differs(first)) ++first;
  while (last > first && !differs(last - 1)) --last;
  return {first, y, last - first, first < last ? 1 : 0};
}

Trim find_kept(const Trim& given, const Image& image, const MeasureContext& context) {
  const Rect& display = image.spec().display_window;
  const Rect seen = intersection(display, image.spec().data_window);
  Rect kept;
  for (const LayerRows& rows : deciding_layers(image, context)) {
    // Outside the image's pixels everything is zero.
    const std::vector<float> zero(static_cast<std::size_t>(rows.channels()));
    if (seen != display && !rows.is_border(zero.data(), given.tolerance))
      for (const Rect& beyond :
           {rect_from_edges(display.x, display.y, display.right(), seen.y),
            rect_from_edges(display.x, seen.bottom(), display.right(), display.bottom()),
            rect_from_edges(display.x, display.y, seen.x, display.bottom()),
            rect_from_edges(seen.right(), display.y, display.right(), display.bottom())})
        kept = bounding(kept, beyond);
    std::mutex mutex;
    context.queue.for_rows(seen, 64, [&](int top, int bottom) {
      Rect found;
      for (int y = top; y < bottom; ++y)
        found = bounding(found, different_in_row(rows, image, seen, y, given.tolerance));
      const std::lock_guard lock(mutex);
      kept = bounding(kept, found);
    });
  }
  return {given.tolerance, kept};
}

std::unique_ptr<Operation> trimmed(const Trim& p, const Spec& input) {
  PixelMove move{input, staying_map(BorderSampler(input, Border::border))};
  if (p.kept && !p.kept->empty()) {
    const Rect seen = intersection(*p.kept, input.data_window);
    move.output.display_window = *p.kept;
    move.output.data_window = seen.empty() ? *p.kept : seen;
  }
  return make_move(std::move(move));
}

}  // namespace

StageDescription trim_stage() {
  return describe<Trim>("trim", "cut off borders of one colour", Kind::filter)
      .ends_environment()
      .param("tolerance", &Trim::tolerance, at_least(0),
             "how much a value may differ from the corner's; integer codes count as 0 to 1")
      .details(
          "Removes rows and columns at the picture's edges that have the colour of its top left "
          "corner all along. Values are compared as the input's file holds them, alpha too; all "
          "fully transparent colours are equal. Only colour layers are compared, and all layers "
          "are cut.\n\nThe display window becomes the part that is left, at its old coordinates, "
          "and the data window is cut to it; formats without windows begin at 0, 0. A picture of a "
          "single colour stays whole. The size depends on the pixels, so --dry-run cannot print "
          "it.")
      .example("cuimg trim --tolerance 0.02 scan.png trimmed.png")
      .measure(Values::stored, find_kept)
      .prepare(trimmed);
}

}  // namespace cuimg

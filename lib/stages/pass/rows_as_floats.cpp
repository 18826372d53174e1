// SPDX-License-Identifier: Apache-2.0
#include "stages/pass/rows_as_floats.h"

#include <algorithm>
#include <climits>

#include "kernels/math/ceil_div.h"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

RowFormat row_format(const PixelForm& form) {
  return {static_cast<PixelType>(form.type), form.shape.channels, form.encoding};
}

Frame float_rows(const Frame& like, int rows) {
  const Rect& r = like.region();
  return Frame::new_host(
      {{r.x, 0, aligned_width(r.width), rows}, PixelType::f32, like.format().channels});
}

}  // namespace

int aligned_width(int pixels) {
  constexpr int room = 3, floats_of_vector = 16;
  return round_up(pixels + room, floats_of_vector);
}

SourceRows::SourceRows(const Frame& source, int together) : source_(source.as_stored()) {
  if (source.stored_form() == nullptr) return;
  stored_ = row_format(source.stored_form()->pass().from);
  const int rows = std::clamp(together, 1, std::max(1, source.region().height));
  floats_ = float_rows(source, rows);
  row_at_.assign(static_cast<std::size_t>(rows), INT_MIN);
}

void SourceRows::convert(int y) {
  const Rect& r = source_.region();
  const int kept = kept_row(y);
  rows_to_working(*stored_, source_.pixel(r.x, y), floats_.pixel_as<float>(r.x, kept),
                  static_cast<std::size_t>(r.width));
  row_at_[static_cast<std::size_t>(kept)] = y;
}

TargetRows::TargetRows(const Frame& target) : target_(target.as_stored()) {
  if (target.stored_form() == nullptr) return;
  stored_ = row_format(target.stored_form()->pass().to);
  floats_ = float_rows(target, 2);
}

void TargetRows::store(int y, int place) {
  if (!stored_) return;
  const Rect& r = target_.region();
  working_to_rows(*stored_, floats_.pixel_as<float>(r.x, place), target_.pixel(r.x, y),
                  static_cast<std::size_t>(r.width));
}

}  // namespace cuimg

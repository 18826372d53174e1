// SPDX-License-Identifier: Apache-2.0
// One canvas, and a copy of the area that a frame covers if the file asks to restore it.
#include "io/gif/gif_canvas.h"

#include <algorithm>
#include <cstring>

namespace cuimg {
namespace {

std::uint32_t opaque_pixel(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const std::uint8_t rgba[] = {red, green, blue, 255};
  std::uint32_t pixel;
  std::memcpy(&pixel, rgba, sizeof pixel);
  return pixel;
}

}  // namespace

void GifCanvas::show(int frame, Image& image) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t* from = shown(frame).data();
  const auto channels = static_cast<std::size_t>(image.spec().layers[0].channel_count());
  for (int y = 0; y < file_.height; ++y, from += file_.width) {
    std::byte* to = image.row(0, y);
    for (int x = 0; x < file_.width; ++x, to += channels) std::memcpy(to, from + x, channels);
  }
}

const GifCanvas::Pixels& GifCanvas::shown(int frame) {
  if (const auto found = kept_.find(frame); found != kept_.end()) return found->second;
  try {
    if (!reader_ || at_ > frame) start(frame);
    while (at_ < frame) {
      next_frame();
      keep();
    }
  } catch (...) {
    reader_.reset();  // the canvas is in an undefined state
    throw;
  }
  return canvas_;
}

void GifCanvas::keep() {
  const std::size_t most = most_kept_bytes_ / (canvas_.size() * sizeof(std::uint32_t));
  if (most == 0 || kept_.contains(at_)) return;
  // A thread that asks for a much earlier frame does not disturb the frames of other threads.
  if (kept_.size() >= most && at_ < kept_.begin()->first) return;
  if (kept_.size() >= most) kept_.erase(kept_.begin());
  kept_.emplace(at_, canvas_);
}

// An empty canvas before the last frame that hides all those before it.
void GifCanvas::start(int wanted) {
  reader_.emplace(source_);
  const auto& shown = file_.background;
  const std::uint32_t empty = shown ? opaque_pixel((*shown)[0], (*shown)[1], (*shown)[2]) : 0;
  canvas_.assign(static_cast<std::size_t>(file_.width) * static_cast<std::size_t>(file_.height),
                 empty);
  drawn_ = nullptr;
  int first = wanted;
  const auto hides_others = [&](const GifFrame& frame) {
    return file_.covers(frame) && frame.disposal != GifDisposal::restore;
  };
  while (first > 0 && !hides_others(file_.frames[static_cast<std::size_t>(first)])) --first;
  for (at_ = -1; at_ + 1 < first;) {
    const GifRecordType record = reader_->next_record();
    std::vector<std::span<const std::byte>> blocks;
    if (record == EXTENSION_RECORD_TYPE) reader_->read_extension(blocks);
    if (record != IMAGE_DESC_RECORD_TYPE) continue;
    reader_->read_image();
    reader_->skip_pixels();
    ++at_;
  }
}

void GifCanvas::next_frame() {
  dispose();
  std::vector<std::span<const std::byte>> blocks;
  while (reader_->next_record() != IMAGE_DESC_RECORD_TYPE) reader_->read_extension(blocks);
  reader_->read_image();
  draw(file_.frames[static_cast<std::size_t>(++at_)]);
}

Rect GifCanvas::visible(const GifFrame& frame) const {
  const Rect place = intersection(frame.place, {0, 0, file_.width, file_.height});
  return place.empty() ? Rect{} : place;
}

void GifCanvas::dispose() {
  if (drawn_ == nullptr || drawn_->disposal == GifDisposal::keep) return;
  const Rect place = visible(*drawn_);
  const auto width = static_cast<std::size_t>(place.width);
  const std::uint32_t* from = saved_.data();
  for (int y = place.y; y < place.bottom(); ++y) {
    if (drawn_->disposal == GifDisposal::clear) {
      std::fill_n(pixels(place.x, y), width, 0);
    } else {
      std::copy_n(from, width, pixels(place.x, y));
      from += width;
    }
  }
}

void GifCanvas::draw(const GifFrame& frame) {
  drawn_ = &frame;
  const Rect place = visible(frame);
  saved_.clear();
  if (frame.disposal == GifDisposal::restore)
    for (int y = place.y; y < place.bottom(); ++y)
      saved_.insert(saved_.end(), pixels(place.x, y), pixels(place.x, y) + place.width);

  const GifFileType& gif = reader_->state();
  const ColorMapObject& colors =
      gif.Image.ColorMap != nullptr ? *gif.Image.ColorMap : *gif.SColorMap;
  row_.resize(static_cast<std::size_t>(frame.place.width));
  struct Pass {
    int first, step;
  };
  static constexpr Pass interlaced[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}}, plain[] = {{0, 1}};
  for (const Pass& pass : frame.interlaced ? std::span<const Pass>(interlaced) : plain)
    for (int y = pass.first; y < frame.place.height; y += pass.step) draw_row(frame, colors, y);
}

void GifCanvas::draw_row(const GifFrame& frame, const ColorMapObject& colors, int y) {
  reader_->read_row(row_);
  const Rect place = visible(frame);
  const int canvas_y = frame.place.y + y;
  for (const std::uint8_t index : row_)
    if (index >= colors.ColorCount && index != frame.transparent)
      reader_->fail("colour " + std::to_string(index) + " is not in the colour map");
  if (canvas_y < place.y || canvas_y >= place.bottom()) return;
  std::uint32_t* to = pixels(place.x, canvas_y);
  for (int x = place.x; x < place.right(); ++x, ++to) {
    const std::uint8_t index = row_[static_cast<std::size_t>(x - frame.place.x)];
    if (index == frame.transparent) continue;
    const GifColorType& color = colors.Colors[index];
    *to = opaque_pixel(color.Red, color.Green, color.Blue);
  }
}

}  // namespace cuimg

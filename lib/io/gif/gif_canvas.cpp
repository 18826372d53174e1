// SPDX-License-Identifier: Apache-2.0
// One canvas, and a copy of the area that a frame covers if the file asks to restore it. The rows
// of a file's only frame need no canvas.
#include "io/gif/gif_canvas.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace cuimg {
namespace {

std::uint32_t opaque_pixel(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const std::uint8_t rgba[] = {red, green, blue, 255};
  std::uint32_t pixel;
  std::memcpy(&pixel, rgba, sizeof pixel);
  return pixel;
}

void go_to_next_image(GifReader& reader) {
  std::vector<std::span<const std::byte>> blocks;
  while (reader.next_record() != IMAGE_DESC_RECORD_TYPE) reader.read_extension(blocks);
  reader.read_image();
}

// Decodes the rows of the frame at which a reader is.
class FrameRows {
 public:
  /// @param visible the part of the frame that lies on the canvas.
  FrameRows(GifReader& reader, const GifFrame& frame, const Rect& visible)
      : reader_(reader),
        frame_(frame),
        visible_(visible),
        colors_(reader.state().Image.ColorMap != nullptr ? *reader.state().Image.ColorMap
                                                         : *reader.state().SColorMap),
        row_(static_cast<std::size_t>(frame.place.width)) {}

  /// @param draw (int y, of the canvas), called for each visible row in the order of the file; may
  /// call draw_over().
  template <class Draw>
  void for_each(const Draw& draw) {
    struct Pass {
      int first, step;
    };
    static constexpr Pass interlaced[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}}, plain[] = {{0, 1}};
    for (const Pass& pass : frame_.interlaced ? std::span<const Pass>(interlaced) : plain)
      for (int y = pass.first; y < frame_.place.height; y += pass.step) {
        read();
        const int canvas_y = frame_.place.y + y;
        if (canvas_y >= visible_.y && canvas_y < visible_.bottom()) draw(canvas_y);
      }
  }

  /// Draws the current row. @param to the canvas's pixel at the left of the frame's visible part.
  void draw_over(std::uint32_t* to) const {
    for (int x = visible_.x; x < visible_.right(); ++x, ++to) {
      const std::uint8_t index = row_[static_cast<std::size_t>(x - frame_.place.x)];
      if (index == frame_.transparent) continue;
      const GifColorType& color = colors_.Colors[index];
      *to = opaque_pixel(color.Red, color.Green, color.Blue);
    }
  }

 private:
  void read() {
    reader_.read_row(row_);
    for (const std::uint8_t index : row_)
      if (index >= colors_.ColorCount && index != frame_.transparent)
        reader_.fail("colour " + std::to_string(index) + " is not in the colour map");
  }

  GifReader& reader_;
  const GifFrame& frame_;
  const Rect visible_;
  const ColorMapObject& colors_;
  std::vector<std::uint8_t> row_;
};

}  // namespace

std::size_t GifCanvas::canvas_pixels() const {
  return static_cast<std::size_t>(file_.width) * static_cast<std::size_t>(file_.height);
}

std::uint32_t GifCanvas::empty_pixel() const {
  const auto& color = file_.background;
  return color ? opaque_pixel((*color)[0], (*color)[1], (*color)[2]) : 0;
}

Rect GifCanvas::visible(const GifFrame& frame) const {
  const Rect place = intersection(frame.place, {0, 0, file_.width, file_.height});
  return place.empty() ? Rect{} : place;
}

bool GifCanvas::shows_rows_as_decoded() const {
  return file_.frames.size() == 1 && !file_.frames.front().interlaced;
}

std::size_t GifCanvas::held_bytes() const {
  if (file_.frames.size() == 1) return 0;
  const std::size_t canvas = canvas_pixels() * sizeof(std::uint32_t);
  std::size_t saved = 0;
  for (const GifFrame& frame : file_.frames)
    if (frame.disposal == GifDisposal::restore)
      saved = std::max(saved, static_cast<std::size_t>(visible(frame).pixels()));
  const std::size_t kept = std::min(most_kept_bytes_ / canvas, file_.frames.size());
  return canvas + saved * sizeof(std::uint32_t) + kept * canvas;
}

void GifCanvas::show(int frame, const TakeRow& take) {
  if (file_.frames.size() == 1) return show_alone(take);
  const std::lock_guard lock(mutex_);
  const std::uint32_t* row = shown(frame).data();
  for (int y = 0; y < file_.height; ++y, row += file_.width) take(y, row);
}

void GifCanvas::show_alone(const TakeRow& take) const {
  const GifFrame& frame = file_.frames.front();
  const Rect place = visible(frame);
  const std::vector<std::uint32_t> empty(static_cast<std::size_t>(file_.width), empty_pixel());
  for (int y = 0; y < place.y; ++y) take(y, empty.data());
  GifReader reader(source_);
  go_to_next_image(reader);
  FrameRows rows(reader, frame, place);
  std::vector<std::uint32_t> row;
  rows.for_each([&](int y) {
    row = empty;
    rows.draw_over(row.data() + place.x);
    take(y, row.data());
  });
  for (int y = place.bottom(); y < file_.height; ++y) take(y, empty.data());
}

const GifPixels& GifCanvas::shown(int frame) {
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
  const std::size_t most = most_kept_bytes_ / canvas_.bytes();
  if (most == 0 || kept_.contains(at_)) return;
  // A thread that asks for a much earlier frame does not disturb the frames of other threads.
  if (kept_.size() >= most && at_ < kept_.begin()->first) return;
  if (kept_.size() >= most) kept_.erase(kept_.begin());
  GifPixels copy(canvas_.count());
  std::copy_n(canvas_.data(), canvas_.count(), copy.data());
  kept_.emplace(at_, std::move(copy));
}

// An empty canvas before the last frame that hides all those before it.
void GifCanvas::start(int wanted) {
  reader_.emplace(source_);
  if (canvas_.count() == 0) canvas_ = GifPixels(canvas_pixels());
  std::fill_n(canvas_.data(), canvas_.count(), empty_pixel());
  drawn_ = nullptr;
  int first = wanted;
  const auto hides_others = [&](const GifFrame& frame) {
    return file_.covers(frame) && frame.disposal != GifDisposal::restore;
  };
  while (first > 0 && !hides_others(file_.frames[static_cast<std::size_t>(first)])) --first;
  for (at_ = -1; at_ + 1 < first; ++at_) {
    go_to_next_image(*reader_);
    reader_->skip_pixels();
  }
}

void GifCanvas::next_frame() {
  dispose();
  go_to_next_image(*reader_);
  draw(file_.frames[static_cast<std::size_t>(++at_)]);
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
  if (frame.disposal == GifDisposal::restore) {
    const auto width = static_cast<std::size_t>(place.width);
    const auto area = static_cast<std::size_t>(place.pixels());
    if (saved_.count() < area) {
      saved_ = {};  // so that the old one and the new one are not in memory together
      saved_ = GifPixels(area);
    }
    std::uint32_t* to = saved_.data();
    for (int y = place.y; y < place.bottom(); ++y, to += width)
      std::copy_n(pixels(place.x, y), width, to);
  }
  FrameRows rows(*reader_, frame, place);
  rows.for_each([&](int y) { rows.draw_over(pixels(place.x, y)); });
}

}  // namespace cuimg
